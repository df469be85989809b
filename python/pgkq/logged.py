"""Choosing among logged episodes, before any is scored: the command ``pgkq select``."""

from __future__ import annotations

import csv
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Sequence, Union

import numpy as np

from .command import run
from .errors import CommandFailed, InvalidRequest


@dataclass(frozen=True)
class Selection:
    """Episodes to score. The sum of weight · score estimates the mean score of all."""

    indices: np.ndarray
    """Positions of the chosen episodes, from 0."""
    weights: np.ndarray
    ids: tuple[str, ...]
    """Their names in the file; empty texts if it has none."""
    error: Optional[float]
    """Worst-case error of the weighted mean score, in units of the kernel; None if all episodes were chosen."""
    random_error: Optional[float]
    """The same for as many random episodes with equal weights: root of the mean square."""
    report: str
    """What the command printed."""

    def __len__(self) -> int:
        return len(self.indices)


def select(
    episodes: Union[str, "os.PathLike[str]", np.ndarray, Sequence[np.ndarray]],
    n: int = 8,
    *,
    actions: Union[None, np.ndarray, Sequence[np.ndarray]] = None,
    lengths: Optional[Sequence[int]] = None,
    run_folder: Union[None, str, "os.PathLike[str]"] = None,
    **options: Any,
) -> Selection:
    """Chooses n of many logged episodes.

    :param episodes: a file of ``pgkq select`` (.npz or JSON lines); or the observations: a list of T × d arrays, or one array of
        episodes × steps × d
    :param actions: the actions, in the form of the observations; needed with observations
    :param lengths: of the episodes, if they were padded to one length
    :param run_folder: use the learned kernel of this run
    :param options: further options of the command, as ``inputs="raw"``, ``quadrature="herding"``, ``seed=7``
    """
    arguments = ["--n", str(n)]
    arguments += [] if run_folder is None else ["--run", os.fspath(run_folder)]
    for name, value in options.items():
        words = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        arguments += ["--" + name.replace("_", "-"), words]
    with tempfile.TemporaryDirectory(prefix="pgkq-select-") as folder:
        if isinstance(episodes, (str, os.PathLike)):
            file = Path(os.fspath(episodes))
        else:
            file = Path(folder) / "episodes.npz"
            _write(file, episodes, actions, lengths)
        out = Path(folder) / "choice.csv"
        report = run("select", str(file), *arguments, "--out", str(out))
        if not out.exists():
            raise CommandFailed(f"the command wrote no choice, and said: {report.strip()}")
        with open(out, newline="", encoding="utf-8") as rows:
            chosen = list(csv.DictReader(rows))
    return Selection(
        indices=np.array([int(row["index"]) for row in chosen], dtype=np.intp),
        weights=np.array([float(row["weight"]) for row in chosen]),
        ids=tuple(row["id"] for row in chosen),
        error=_figure(report, "wce"),
        random_error=_figure(report, "random"),
        report=report,
    )


def _figure(report: str, name: str) -> Optional[float]:
    found = re.search(rf"^  {name} +([-+.0-9eE]+)  ", report, re.MULTILINE)
    return float(found.group(1)) if found else None


def _write(file: Path, observations: Any, actions: Any, lengths: Optional[Sequence[int]]) -> None:
    if actions is None:
        raise InvalidRequest("select needs the actions of the episodes beside their observations")
    if isinstance(observations, (list, tuple)):
        if lengths is not None:
            raise InvalidRequest("lengths belong to an array of padded episodes; those in a list have their own")
        if [len(each) for each in observations] != [len(each) for each in actions]:
            raise InvalidRequest("every episode needs as many actions as observations")
        lengths = [len(each) for each in observations]
        observations, actions = np.concatenate(observations), np.concatenate(actions)
    arrays = {"observations": np.asarray(observations), "actions": np.asarray(actions)}
    if lengths is not None:
        arrays["lengths"] = np.asarray(lengths, dtype=np.int64)
    np.savez(file, **arrays)
