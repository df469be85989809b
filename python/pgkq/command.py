"""Where the program is: in this package if it came as a wheel, otherwise beside it in a checkout."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Sequence

from .errors import CommandFailed, ServiceFailed

HERE = Path(__file__).resolve().parent
# The options of the launcher in a checkout, and for the same reasons.
JVM = (
    "--enable-native-access=ALL-UNNAMED",
    "--add-modules=jdk.incubator.vector",
    "-Djava.awt.headless=true",
    "-Dpgkq.command=pgkq",
)
COLLECTOR = ("-XX:+UseParallelGC", "-XX:MaxNewSize=256m")
NAMED = "PGKQ_COMMAND"


def command() -> list[str]:
    """The words that start pgkq; arguments may follow.

    The variable ``PGKQ_COMMAND`` names another program, with arguments if necessary.
    """
    named = os.environ.get(NAMED, "")
    if named.strip():
        return _named(named)
    java = HERE / "runtime" / "bin" / "java"
    if java.exists():
        options = shlex.split(os.environ.get("PGKQ_JAVA_OPTS", ""))
        collector = () if any(option.startswith("-XX:+Use") and option.endswith("GC") for option in options) else COLLECTOR
        more = os.environ.get("PGKQ_CLASSPATH", "")
        path = str(HERE / "jars" / "*") + (os.pathsep + more if more else "")
        return [str(java), *JVM, *collector, *options, "-cp", path, "dev.pgkq.app.Main"]
    launcher = HERE.parent.parent / "pgkq"
    if launcher.is_file() and os.access(launcher, os.X_OK):
        return [str(launcher)]
    raise ServiceFailed(
        "this installation of pgkq has no program: install the wheel that 'mvn package' builds in python/target,"
        " or name the launcher of a checkout in the variable PGKQ_COMMAND"
    )


def _named(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as fault:
        raise ServiceFailed(f"{NAMED} is not a command ({fault}): {text}") from None
    if not words or shutil.which(words[0]) is None:
        raise ServiceFailed(
            f"{NAMED} names a program that does not exist or is not executable: {text}; unset it, or name the launcher of a checkout"
        )
    return words


def environment() -> dict[str, str]:
    """This process's environment, with names of files in UTF-8 where the locale knows ASCII only.

    Environments and judges in Python run in this Python by default. No command is named: that may be this package's own script, which
    would start itself for ever.
    """
    result = {name: value for name, value in os.environ.items() if name != NAMED}
    if not result.get("VIRTUAL_ENV") and sys.prefix != sys.base_prefix:
        result["VIRTUAL_ENV"] = sys.prefix
    # what Java understands of a locale, in the order of precedence
    chosen = next((result[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if result.get(name)), "C")
    if chosen in ("C", "POSIX"):
        result["LC_ALL" if result.get("LC_ALL") else "LC_CTYPE"] = "C.UTF-8"
    return result


def run(*arguments: str) -> str:
    """What a command prints. Raises CommandFailed with its sentence if it ends with an error."""
    words = command()
    with starting(words):
        done = subprocess.run([*words, *arguments], env=environment(), capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise CommandFailed(sentence(done.stderr) or f"pgkq {arguments[0]} ended with exit code {done.returncode}")
    return done.stdout


@contextmanager
def starting(words: Sequence[str]) -> Iterator[None]:
    """Says what to do if a program cannot be started."""
    try:
        yield
    except OSError as fault:
        raise ServiceFailed(
            f"cannot start {words[0]}: {fault.strerror or fault}; install pgkq again, or unset {NAMED} if it is set"
        ) from fault


def sentence(printed: str) -> str:
    """What a command said, without the JVM's warnings."""
    lines = [line for line in printed.splitlines() if line.strip() and not line.startswith("WARNING: ")]
    return "\n".join(lines).removeprefix("pgkq: ")


def main() -> None:
    """Becomes the program, with the arguments of this one: ``pgkq`` and ``python -m pgkq``."""
    try:
        words = command()
        with starting(words):
            os.execvpe(words[0], [*words, *sys.argv[1:]], environment())
    except ServiceFailed as fault:
        sys.exit(f"pgkq: {fault}")
