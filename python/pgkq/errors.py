"""What can go wrong. Every message is the sentence that the service or the command said."""

from __future__ import annotations


class PgkqError(Exception):
    """Base class of everything that this package raises."""


class InvalidRequest(PgkqError, ValueError):
    """The service does not accept what it was given: wrong shapes, NaN, unknown ids, unknown rounds."""


class ScoreConflict(PgkqError):
    """There is another score for the same evaluation already; the first one counts."""


class BudgetSpent(PgkqError):
    """All evaluations of ``max_evaluations`` were handed out."""


class FolderInUse(PgkqError):
    """Another process has the folder."""


class DiskFull(PgkqError):
    """The service could not write; nothing has changed."""


class ServiceFailed(PgkqError):
    """The service cannot be started or reached, or has an internal error."""


class CommandFailed(PgkqError):
    """A command of pgkq ended with an error."""


_BY_STATUS: dict[int, type[PgkqError]] = {
    402: BudgetSpent,
    409: ScoreConflict,
    423: FolderInUse,
    507: DiskFull,
}


def of_status(status: int, sentence: str) -> PgkqError:
    """The exception for an HTTP status that says failure."""
    usual = InvalidRequest if 400 <= status < 500 else ServiceFailed
    return _BY_STATUS.get(status, usual)(sentence)
