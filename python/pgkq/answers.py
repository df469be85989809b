"""What the two verbs answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin


@dataclass(frozen=True)
class Choice:
    """Which items to score.

    Errors are root mean squares per item in the units of the scores; None while nothing is known about these units.
    """

    round: int
    """The number of the round."""
    indices: np.ndarray
    """Positions of the chosen items in what was asked about, in the order in which scores are expected."""
    ids: tuple[str, ...]
    """The ids of the chosen items: those that were given, or hashes of the features."""
    weights: np.ndarray
    """Weights of the chosen items."""
    judge: str
    """Who scores."""
    resumed: bool
    """Whether this is an open round from before, since the same items were asked about."""
    in_doubt: tuple[str, ...]
    """Ids of chosen items that were handed out before and have no score: they may have been scored then."""
    owned: Mapping[str, Any]
    """Scores that are in the ledger already. They are used and not asked for."""
    expected_error: Optional[float]
    """Error of the estimated rewards that is expected after these items are scored."""
    random_error: Optional[float]
    """The same for as many items chosen at random."""
    error_before: Optional[float]
    """The same for no further score."""
    spent: Optional[int]
    """Evaluations handed out so far, these included."""
    left: Optional[int]
    """Evaluations left in the budget; None without a budget."""
    missing: tuple[str, ...] = ()
    """Ids of chosen items whose scores were not told yet."""

    def __len__(self) -> int:
        return len(self.indices)

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Choice:
        """Reads the service's answer."""
        return cls(
            round=answer["round"],
            indices=np.array(answer["indices"], dtype=np.intp),
            ids=tuple(answer["ids"]),
            weights=np.array(answer["weights"], dtype=float),
            judge=answer.get("judge") or "",
            resumed=bool(answer.get("resumed")),
            in_doubt=tuple(answer.get("in_doubt") or ()),
            owned=dict(answer.get("owned") or {}),
            expected_error=answer.get("expected_error"),
            random_error=answer.get("random_error"),
            error_before=answer.get("error_before"),
            spent=answer.get("spent"),
            left=answer.get("left"),
            missing=tuple(answer.get("missing") or ()),
        )


@dataclass(frozen=True, eq=False)
class Rewards(NDArrayOperatorsMixin):
    """Estimated rewards of all items of a round. Where NumPy expects an array, as in ``rewards - 1``, it is the mean."""

    mean: np.ndarray
    """What each item's reward is expected to be, given all scores so far."""
    deviation: np.ndarray
    """Standard deviation of the same."""
    corrected: np.ndarray
    """The mean, where an item was scored moved by N times its weight times what the score was off: for plain policy gradients."""
    round: int
    complete: bool
    """Whether all scores of the round have arrived; until then, the estimates are provisional."""
    missing: tuple[str, ...]
    """Ids of the chosen items without a score."""

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        if copy is False and dtype is not None and self.mean.dtype != np.dtype(dtype):
            raise ValueError("another type needs a copy")
        return np.array(self.mean, dtype=dtype) if copy else np.asarray(self.mean, dtype=dtype)

    def __array_ufunc__(self, function: Any, method: str, *arguments: Any, **named: Any) -> Any:
        return getattr(function, method)(*map(_means, arguments), **named)

    def __array_function__(self, function: Any, types: Any, arguments: Any, named: Any) -> Any:
        # without it, np.mean(rewards) would call the attribute with that name
        return function(*map(_means, arguments), **{name: _means(value) for name, value in named.items()})

    def __len__(self) -> int:
        return len(self.mean)

    def __getitem__(self, which: Any) -> Any:
        return self.mean[which]

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Rewards:
        """Reads the service's answer."""
        return cls(
            mean=_numbers(answer["mean"]),
            deviation=_numbers(answer["deviation"]),
            corrected=_numbers(answer["corrected"]),
            round=answer["round"],
            complete=bool(answer["complete"]),
            missing=tuple(answer.get("missing") or ()),
        )


def _means(value: Any) -> Any:
    """Arrays in place of rewards, also of those in lists."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(_means, value))
    return value.mean if isinstance(value, Rewards) else value


def _numbers(values: Any) -> np.ndarray:
    return np.array([np.nan if value is None else value for value in values], dtype=float)
