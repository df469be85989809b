"""Rewards when evaluating them is the expensive part: which of many items to score, and estimated rewards for all.

``Adviser`` has two verbs, ``ask`` and ``tell``. ``select`` chooses among logged episodes. The command line of pgkq is
``python -m pgkq``.
"""

from .adviser import Adviser
from .answers import Choice, Rewards
from .errors import (
    BudgetSpent,
    CommandFailed,
    DiskFull,
    FolderInUse,
    InvalidRequest,
    PgkqError,
    ScoreConflict,
    ServiceFailed,
)
from .logged import Selection, select

__all__ = [
    "Adviser",
    "BudgetSpent",
    "Choice",
    "CommandFailed",
    "DiskFull",
    "FolderInUse",
    "InvalidRequest",
    "PgkqError",
    "Rewards",
    "ScoreConflict",
    "Selection",
    "ServiceFailed",
    "select",
]
