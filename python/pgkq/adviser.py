"""Ask which items to score, tell the scores, use the estimated rewards of all."""

from __future__ import annotations

import hashlib
import http.client
import json
import math
import numbers
import os
import socket
import threading
import time
import uuid
import weakref
from pathlib import Path
from types import TracebackType
from typing import Any, Iterable, Mapping, Optional, Sequence, Union
from urllib.parse import quote

import numpy as np

from .answers import Choice, Rewards
from .connection import Body, Connection, npy
from .errors import FolderInUse, InvalidRequest, ServiceFailed
from .service import STATUS, Child, running

Question = Union[np.ndarray, Mapping[str, Any]]
ROUNDS = "/api/advise/rounds"
ATTEMPTS = 5
SECONDS_BETWEEN = 0.2
MOST_LENGTHS_IN_QUERY = 500
STATUS_OF = {"cost": "cost_of_one"}
"""Settings that the status names differently: its cost is what was spent."""


class Adviser:
    """Chooses which of many items to score, and estimates the rewards of all of them from the scores.

    ::

        with pgkq.Adviser("runs/judge", select="auto") as adviser:
            choice = adviser.ask(features)
            scores = [judge(texts[i]) for i in choice.indices]
            rewards = adviser.tell(choice, scores)

    Everything that was told is on disk when ``tell`` returns. The next adviser with the same folder goes on from there, whatever
    ended the last one. Every call may be repeated: asking about the same items again gives the same choice while its round is open,
    telling a score again changes nothing.

    :param where: a folder, which is created if necessary; or the address of a running service, as ``http://127.0.0.1:8766/``.
        If a service is running for the folder already, it is used; otherwise one is started, which ends with this adviser or process.
    :param select: how many items to score in a round, or ``"auto"``: as many as are worth it
    :param max_evaluations: how many items may be handed out for scoring in all, over all rounds and starts
    :param max_cost: what all scores may cost together, over all rounds and starts; nothing is handed out that is expected to exceed it
    :param cost: what a score costs that is told without a cost, and what the first ones are expected to cost (default: 0)
    :param judge: a name for who scores; scores of another judge are other scores
    :param per: ``"item"`` if an item has one score, ``"step"`` if each of its steps has one (default: what the folder has, or item)
    :param seed: of the model's features and of random numbers (default: what the folder has, or 1)
    :param token: for a service that wants one
    :param timeout: seconds to wait for an answer of the service; None waits until it answers or ends
    """

    def __init__(
        self,
        where: Union[str, "os.PathLike[str]"],
        select: Union[int, str] = "auto",
        *,
        max_evaluations: Optional[int] = None,
        max_cost: Optional[float] = None,
        cost: Optional[float] = None,
        judge: Optional[str] = None,
        per: Optional[str] = None,
        seed: Optional[int] = None,
        token: Optional[str] = None,
        timeout: Optional[float] = None,
    ):
        if per not in (None, "item", "step"):
            raise InvalidRequest(f'per is "item" or "step", not {per!r}')
        for name, number in (("max_evaluations", max_evaluations), ("seed", seed)):
            if number is not None and not (isinstance(number, numbers.Integral) and number >= 0):
                raise InvalidRequest(f"{name} is a whole number from 0, not {number!r}")
        max_cost, cost = _sum_of_money("max_cost", max_cost), _sum_of_money("cost", cost)
        if max_cost == 0:
            raise InvalidRequest("max_cost is more than 0; where nothing may be scored, say max_evaluations=0")
        self._address = where if isinstance(where, str) and where.startswith(("http://", "https://")) else None
        wanted = {"max_evaluations": max_evaluations, "max_cost": max_cost, "cost": cost, "per": per, "seed": seed}
        self._wanted = {name: value for name, value in wanted.items() if value is not None}
        if self._address is not None and self._wanted:
            raise InvalidRequest(
                f"{', '.join(self._wanted)}: settings of the service, which runs already; give them to 'pgkq advise'"
            )
        self._folder = Path(os.path.abspath(where))  # the program may change its folder before the service is started again
        self._select = select
        self._judge = judge
        self._token = token
        self._timeout = timeout
        self._child: Optional[Child] = None
        self._close_child = _nothing
        self._said = ""
        self._unanswered: dict[str, str] = {}  # names of questions, by their digests
        self._connection: Optional[Connection] = None
        self._process = os.getpid()
        self._one_at_a_time = threading.RLock()

    def __enter__(self) -> Adviser:
        self.status()
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], fault: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the service if this adviser has started it. A later call starts it again."""
        with self._one_at_a_time:
            self._disconnect()
            self._child = None
            self._close_child()

    # ---- the two verbs ----

    def ask(
        self,
        features: Any,
        ids: Optional[Sequence[str]] = None,
        projections: Any = None,
        owned: Optional[Mapping[str, Any]] = None,
        select: Union[None, int, str] = None,
        judge: Optional[str] = None,
        round: Optional[int] = None,
    ) -> Choice:
        """Which items to score.

        If the connection is lost, the question is sent again, and the items are not handed out a second time. The same holds for a
        program that repeats a question after a ``ServiceFailed``, such as that of ``timeout``. A program that is
        killed and asks the same again in its next life gets the same round while scores are missing. Its items are handed out again
        then, which counts, since nobody knows whether somebody scored them: see ``Choice.in_doubt`` and ``round``.

        :param features: an N × d array, a row for each item; or a list of N arrays of T × d, for items that are sequences of steps.
            PyTorch tensors will do.
        :param ids: names of the items, under which their scores are kept (default: hashes of the features)
        :param projections: optional gradients of log π in a few dimensions, one row a step, in the form of the features
        :param owned: scores of some items that you have already, by id; they are not asked for, nor counted
        :param select: how many, instead of the adviser's own setting
        :param judge: who scores, instead of the adviser's own setting
        :param round: the number of the round, 1, 2, …, for programs that count their rounds and may be killed: if there is such a
            round, the choice is that round again, even if it has all its scores; otherwise it must be the next one
        """
        rows, lengths = _steps(features)
        query: dict[str, Any] = {"select": self._select if select is None else select}
        if round is not None:
            if not isinstance(round, numbers.Integral):
                raise InvalidRequest(f"round is the number of a round, 1, 2, …, not {round!r}")
            query["round"] = int(round)
        who = self._judge if judge is None else judge
        if who is not None:
            query["judge"] = who
        plain = ids is None and projections is None and not owned
        if plain and (lengths is None or len(lengths) <= MOST_LENGTHS_IN_QUERY):
            if lengths is not None:
                query["lengths"] = ",".join(map(str, lengths))
            return self._question(ROUNDS, rows, query)
        body: dict[str, Any] = {**query, "features": _listed(rows, lengths)}
        if ids is not None:
            body["ids"] = [str(each) for each in ids]
        if projections is not None:
            body["projections"] = _listed(*_steps(projections))
        if owned:
            body["owned"] = {str(each): _plain(score) for each, score in owned.items()}
        return self._question(ROUNDS, body)

    def tell(
        self,
        choice: Union[Choice, int],
        scores: Union[Mapping[str, Any], Iterable[Any]],
        costs: Union[None, Mapping[str, float], Iterable[float]] = None,
    ) -> Rewards:
        """The estimated rewards of all items, after scores of the chosen ones.

        :param choice: what ``ask`` returned; with scores by id, the number of the round will do
        :param scores: in the order of ``choice.indices``, where None stands for a score that is not known yet; or by id.
            A score is a number, or with ``per="step"`` one for each step.
        :param costs: what the scores cost, in the same form; recorded in the ledger
        """
        known = _by_id(choice, scores)
        prices = {} if costs is None else _by_id(choice, costs)
        told = {each: {"score": score, "cost": prices[each]} if each in prices else score for each, score in known.items()}
        return Rewards.of(self._call("POST", f"{ROUNDS}/{_number(choice)}/scores", {"scores": told}))

    # ---- more ----

    def estimates(self, choice: Union[Choice, int]) -> Rewards:
        """The estimated rewards of a round, without telling anything."""
        return Rewards.of(self._call("GET", f"{ROUNDS}/{_number(choice)}/estimates"))

    def abandon(
        self, choice: Union[Choice, int], ids: Optional[Iterable[str]] = None, *, free: bool = False, replace: bool = False
    ) -> Choice:
        """Gives up chosen items that will not be scored, all of them if no ids are given. The choice is made again without them.

        :param free: nobody was asked, so they do not count as evaluations
        :param replace: choose other items in their place, within the budget
        """
        if ids is None:
            if not isinstance(choice, Choice):
                raise InvalidRequest("abandon needs the ids to give up, or the choice whose items are all given up")
            ids = choice.ids
        body = {"ids": [str(each) for each in ids], "free": free, "replace": replace}
        return Choice.of(self._call("POST", f"{ROUNDS}/{_number(choice)}/abandon", body))

    def rescore(self, choice: Union[Choice, int], judge: str, select: Union[None, int, str] = None) -> Choice:
        """A new round in which a second judge scores the items that were scored in an old one."""
        body = {"judge": judge, **({} if select is None else {"select": select})}
        return self._question(f"{ROUNDS}/{_number(choice)}/rescore", body)

    def rounds(self) -> list[dict[str, Any]]:
        """All rounds, as the service describes them."""
        answer = self._call("GET", ROUNDS)
        return answer["rounds"] if isinstance(answer, dict) else answer

    def open_rounds(self) -> list[Choice]:
        """The rounds in which scores are missing: those of an earlier process, for instance, that was killed while it scored."""
        return [Choice.of(self._call("GET", f"{ROUNDS}/{number}")) for number in self.status()["open"]]

    def status(self) -> dict[str, Any]:
        """What the service says about itself: its version, what was spent, open rounds."""
        return self._call("GET", STATUS)

    @property
    def url(self) -> str:
        """The address of the service."""
        with self._one_at_a_time:
            return self._connected().url

    # ---- the service ----

    def _question(self, path: str, body: Question, query: Optional[Mapping[str, Any]] = None) -> Choice:
        """The answer of a question. It has a name, by which the service knows it again, and keeps it until it is answered."""
        before = self._unanswered.pop(_digest(path, body, query), None) if self._unanswered else None
        name = before or uuid.uuid4().hex
        try:
            if isinstance(body, np.ndarray):
                return Choice.of(self._call("POST", path, body, {**(query or {}), "request": name}))
            return Choice.of(self._call("POST", path, {**body, "request": name}, query))
        except ServiceFailed:
            self._unanswered[_digest(path, body, query)] = name
            raise

    def _call(self, method: str, path: str, body: Body = None, query: Optional[Mapping[str, Any]] = None) -> Any:
        """Calls the service, again if the connection fails, which is safe: telling or giving up twice changes nothing, and
        questions have names."""
        where = self._address or self._folder
        with self._one_at_a_time:
            for attempt in range(ATTEMPTS):
                try:
                    return self._connected().call(method, quote(path), body, query)
                except socket.timeout as fault:
                    self._disconnect()
                    raise ServiceFailed(
                        f"the service of {where} did not answer within {self._timeout} s; repeat the call, or use a longer timeout"
                    ) from fault
                except (OSError, http.client.HTTPException) as fault:
                    self._disconnect()
                    last = fault
                    if attempt > 0:  # the first time, the service may just have closed a connection that was idle
                        time.sleep(SECONDS_BETWEEN * 2**attempt)
            more = "; is 'pgkq advise' running there?" if self._address else f"; it said: {self._said}" if self._said else ""
            raise ServiceFailed(f"the service of {where} does not answer: {last or type(last).__name__}{more}") from last

    def _connected(self) -> Connection:
        if self._process != os.getpid():  # forked: the connection is the parent's, and closed here only
            self._disconnect()
            self._process = os.getpid()
        if self._connection is None:
            self._connection = self._connect()
        return self._connection

    def _connect(self) -> Connection:
        if self._address is not None:
            return Connection(self._address, self._token, self._timeout)
        if self._child is not None:
            if self._child.lives():
                return Connection(self._child.url, self._token, self._timeout)
            self._close_child()
            self._said = self._child.last_words()
            self._child = None
        return self._running() or self._started()

    def _running(self) -> Optional[Connection]:
        """The service of another process, if it is what was asked for."""
        other = running(self._folder, self._token, self._timeout)
        status = {} if other is None else other.call("GET", STATUS)
        for name, wanted in self._wanted.items():
            found = status.get(STATUS_OF.get(name, name), wanted)
            if found != wanted:
                other.close()
                raise InvalidRequest(
                    f"the service of {self._folder} runs already, with {name}={found}, not {wanted}; leave {name} out, or stop that"
                    " service first"
                )
        return other

    def _started(self) -> Connection:
        options = [word for name, value in self._wanted.items() for word in ("--" + name.replace("_", "-"), str(value))]
        try:
            self._child = Child(self._folder, options)
        except FolderInUse:  # another process was faster, and is about to say where its service listens
            for attempt in range(ATTEMPTS):
                time.sleep(SECONDS_BETWEEN * 2**attempt)
                other = self._running()
                if other is not None:
                    return other
            raise
        # also if this adviser is forgotten
        self._close_child = weakref.finalize(self, self._child.close)
        return Connection(self._child.url, self._token, self._timeout)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _nothing() -> None:
    pass


def _sum_of_money(name: str, value: Any) -> Optional[float]:
    """A number of any kind, such as a Decimal, as one that the command understands."""
    if value is None:
        return None
    try:
        number = float(value) if isinstance(value, numbers.Number) else math.nan
    except (TypeError, ValueError, OverflowError):  # complex, signalling or too large
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise InvalidRequest(f"{name} is a number from 0, not {value!r}")
    return number


def _digest(path: str, body: Question, query: Optional[Mapping[str, Any]]) -> str:
    """The same for the same question."""
    content = npy(body) if isinstance(body, np.ndarray) else json.dumps(body).encode()
    return hashlib.sha256(f"{path} {query} ".encode() + content).hexdigest()


def _number(choice: Union[Choice, int]) -> int:
    return choice.round if isinstance(choice, Choice) else int(choice)


def _by_id(choice: Union[Choice, int], values: Union[Mapping[str, Any], Iterable[Any]]) -> dict[str, Any]:
    """Values in the order of a choice, or by id already, without those that are None."""
    if isinstance(values, Mapping):
        pairs = [(str(each), value) for each, value in values.items()]
    else:
        try:
            listed = list(values)
        except TypeError:
            raise InvalidRequest(f"scores are a list in the order of the chosen items, or a dictionary by id, not {values!r}") from None
        if not isinstance(choice, Choice):
            raise InvalidRequest("scores without ids need the choice that they belong to, not only the number of its round")
        if len(listed) != len(choice):
            raise InvalidRequest(
                f"round {choice.round} has {len(choice)} chosen items, but {len(listed)} values were given; None stands for one that is"
                " not known yet"
            )
        pairs = list(zip(choice.ids, listed))
    return {each: _plain(value) for each, value in pairs if value is not None}


def _plain(value: Any) -> Any:
    """Numbers of NumPy and PyTorch as those of JSON."""
    return _array(value).astype(float).tolist()


def _array(values: Any) -> np.ndarray:
    if isinstance(values, (list, tuple)) and any(hasattr(each, "detach") for each in values):
        values = [_array(each) for each in values]
    if hasattr(values, "detach"):  # a tensor of PyTorch, perhaps on another device or of a type that NumPy lacks
        values = values.detach().cpu().double().numpy()
    try:
        result = np.asarray(values)
        if result.dtype == np.float32:
            return result
        return result.astype(np.float64, casting="unsafe" if result.dtype == object else "same_kind")
    except (TypeError, ValueError):
        raise InvalidRequest("features and scores are numbers: arrays, or lists of arrays of the same width") from None


def _steps(features: Any) -> tuple[np.ndarray, Optional[list[int]]]:
    """All rows, and how many belong to each item; None if each item is one row."""
    if isinstance(features, (list, tuple)) and features and np.ndim(features[0]) == 2:
        parts = [_array(each) for each in features]
        if any(part.ndim != 2 or part.shape[1] != parts[0].shape[1] for part in parts):
            raise InvalidRequest("the items of a list are arrays of steps × features, with the same number of features for all")
        return _single(np.concatenate(parts)), [len(part) for part in parts]
    rows = _array(features)
    if rows.ndim == 3:  # items of the same length
        return _single(rows.reshape(-1, rows.shape[2])), [rows.shape[1]] * len(rows)
    if rows.ndim != 2:
        raise InvalidRequest(f"features are an array of items × features, or a list of such arrays, not {rows.ndim}-dimensional")
    return _single(rows), None


def _single(rows: np.ndarray) -> np.ndarray:
    """The service computes with float32; numbers beyond it become infinite, which it refuses."""
    with np.errstate(over="ignore"):
        return rows.astype("<f4")


def _listed(rows: np.ndarray, lengths: Optional[list[int]]) -> list[Any]:
    if lengths is None:
        return rows.tolist()
    ends = np.cumsum(lengths)
    return [rows[end - length : end].tolist() for length, end in zip(lengths, ends)]
