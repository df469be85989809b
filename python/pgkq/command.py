"""Where the program is: in this package if it came as a wheel, otherwise beside it in a checkout."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

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


def command() -> list[str]:
    """The words that start pgkq; arguments may follow.

    The variable PGKQ_COMMAND names another program, with arguments if necessary.
    """
    named = os.environ.get("PGKQ_COMMAND", "")
    if named:
        return shlex.split(named)
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


def environment() -> dict[str, str]:
    """This process's environment, with names of files in UTF-8 where the locale knows ASCII only."""
    result = dict(os.environ)
    # what Java understands of a locale, in the order of precedence
    chosen = next((result[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if result.get(name)), "C")
    if chosen in ("C", "POSIX"):
        result["LC_ALL" if result.get("LC_ALL") else "LC_CTYPE"] = "C.UTF-8"
    return result


def run(*arguments: str) -> str:
    """What a command prints. Raises CommandFailed with its sentence if it ends with an error."""
    done = subprocess.run([*command(), *arguments], env=environment(), capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise CommandFailed(sentence(done.stderr) or f"pgkq {arguments[0]} ended with exit code {done.returncode}")
    return done.stdout


def sentence(printed: str) -> str:
    """What a command said, without the JVM's warnings."""
    lines = [line for line in printed.splitlines() if line.strip() and not line.startswith("WARNING: ")]
    return "\n".join(lines).removeprefix("pgkq: ")


def main() -> None:
    """Becomes the program, with the arguments of this one: ``pgkq`` and ``python -m pgkq``."""
    try:
        words = command()
    except ServiceFailed as fault:
        sys.exit(f"pgkq: {fault}")
    os.execvpe(words[0], [*words, *sys.argv[1:]], environment())
