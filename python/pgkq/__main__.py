"""``python -m pgkq`` is the command line."""

from .command import main

main()
