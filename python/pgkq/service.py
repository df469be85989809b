"""The service that an adviser talks to: a child of this process, or one that runs already."""

from __future__ import annotations

import collections
import http.client
import json
import os
import subprocess
import threading
import weakref
from pathlib import Path
from typing import Optional, Sequence

from .command import command, environment, sentence, starting
from .connection import Connection
from .errors import FolderInUse, PgkqError, ServiceFailed

STATUS = "/api/advise/status"
READY = "adviser: "
TAKEN = "another process uses "
LINES_KEPT = 50
SECONDS_TO_CLOSE = 30


class Child:
    """``pgkq advise DIR`` as a child process. It ends when its standard input closes, so it never outlives its parent."""

    def __init__(self, folder: Path, options: Sequence[str]):
        self._parent = os.getpid()
        self._said: collections.deque[str] = collections.deque(maxlen=LINES_KEPT)
        words = command()
        with starting(words):
            self._process = subprocess.Popen(
                [*words, "advise", str(folder), "--port", "0", "--parent-stdin", *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment(),
                text=True,
                encoding="utf-8",
                errors="replace",
                # Ctrl-C at the terminal is for the training loop, which closes the adviser when it ends
                start_new_session=True,
            )
        self._output = threading.Thread(target=self._drain, daemon=True)
        self._errors = threading.Thread(target=self._listen, daemon=True)
        self._errors.start()
        _CHILDREN.add(self)
        self.url = self._await_ready(words[0])

    @property
    def pid(self) -> int:
        return self._process.pid

    def lives(self) -> bool:
        """Whether it runs; in a process that was forked from its parent nobody knows."""
        return os.getpid() != self._parent or self._process.poll() is None

    def close(self) -> None:
        """Ends it, if this process started it. Everything is on disk already."""
        if os.getpid() != self._parent:
            return
        try:
            self._process.stdin.close()
        except OSError:
            pass  # it died before
        try:
            self._process.wait(SECONDS_TO_CLOSE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for reader, pipe in ((self._errors, self._process.stderr), (self._output, self._process.stdout)):
            reader.join(1)
            pipe.close()

    def _let_go(self) -> None:
        """In a process that was forked from the child's parent: closes the pipe that keeps the child alive."""
        self._process.stdin.close()

    def _await_ready(self, program: str) -> str:
        for line in self._process.stdout:
            if line.startswith(READY):
                self._output.start()
                return line[len(READY) :].strip()
        self._process.wait()
        self._errors.join(1)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            pipe.close()
        said = self.last_words() or f"{program} ended with exit code {self._process.returncode} before the service was ready"
        raise (FolderInUse if said.startswith(TAKEN) else ServiceFailed)(said)

    def last_words(self) -> str:
        """What it said about its errors; empty if nothing."""
        return sentence("".join(self._said))

    def _drain(self) -> None:
        for _ in self._process.stdout:
            pass

    def _listen(self) -> None:
        self._said.extend(self._process.stderr)


_CHILDREN: weakref.WeakSet[Child] = weakref.WeakSet()


def _forked() -> None:
    for child in _CHILDREN:
        child._let_go()


os.register_at_fork(after_in_child=_forked)


def running(folder: Path, token: Optional[str], timeout: Optional[float]) -> Optional[Connection]:
    """A connection to the service that has the folder, if one is running and says so."""
    try:
        named = json.loads((folder / "service.json").read_text(encoding="utf-8"))
        # where a service was killed, that of another folder may have its address by now
        if not _lives(named["pid"]):
            return None
        connection = Connection(named["address"], token or named.get("token"), timeout)
        connection.call("GET", STATUS)
        return connection
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, PgkqError):
        return None


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return True
    except PermissionError:
        return True  # as another user's
    except OSError:
        return False
