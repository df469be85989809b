"""Calls a function for pgkq: reads a request, prints the answer.

    judge.py MODULE FUNCTION [check]

If the function fails, or returns something else, the exit code is 1, and the last lines of standard error say why: where in the
user's own code, and the exception.
"""

import base64
import importlib
import inspect
import json
import math
import os
import struct
import sys
import traceback
import types
import zlib

RETURNS = 'a number, a number for each step, or a dictionary such as {"return": 7.5, "cost": 0.02}'
KEYS = ("schema", "rewards", "return", "cost", "note", "error")
HIGHEST_COST = 1000000000


class Fault(Exception):
    """What is wrong, in one sentence."""


def found(module_name, function_name):
    folder = os.environ.get("PGKQ_START_FOLDER", os.getcwd())
    sys.path.insert(0, folder)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as missing:
        if missing.name is None:
            raise
        if (module_name + ".").startswith(missing.name + "."):
            raise Fault(
                "there is no module %s in %s, nor among the packages of %s" % (missing.name, folder, sys.executable)
            ) from None
        place = frames_of(missing)[-1]
        raise Fault(
            "%s imports %s in line %d, which %s does not have: install it, for example with\n  %s -m pip install %s"
            % (place.filename, missing.name, place.lineno, sys.executable, sys.executable, missing.name.partition(".")[0])
        ) from None
    function = getattr(module, function_name, None)
    if not callable(function):
        raise Fault("the module %s has no function %s" % (module_name, function_name))
    require_parameter(function, function_name)
    return function


def require_parameter(function, name):
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # it is not written in Python
    try:
        signature.bind(None)
    except TypeError:
        code = getattr(inspect.unwrap(function), "__code__", None)
        where = "" if code is None else "%s, line %d: " % (code.co_filename, code.co_firstlineno)
        raise Fault(
            "%sthe function is called with the episode and nothing else, as in def %s(episode), but it is defined as %s%s"
            % (where, name, name, signature)
        ) from None


def frames_of(error):
    """The frames of an exception without those of this script and of Python's import."""
    own = found.__code__.co_filename
    return [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename not in (own, importlib.__file__) and not frame.filename.startswith("<frozen importlib")
    ]


def is_users(frame):
    """Whether a frame is of the user's own code rather than of a package."""
    name = os.path.abspath(frame.filename)
    return (
        not frame.filename.startswith("<")
        and "site-packages" not in name
        and "dist-packages" not in name
        and not name.startswith(os.path.dirname(os.__file__) + os.sep)
    )


def explain(error):
    """Prints where an exception was raised, and at the end the last place in the user's own code."""
    frames = frames_of(error)
    what = "".join(traceback.format_exception_only(type(error), error))
    own = [frame for frame in frames if is_users(frame)][-1:] or frames[-1:]
    for cause in causes(error):
        print("".join(traceback.format_list(frames_of(cause))), end="", file=sys.stderr)
        print("".join(traceback.format_exception_only(type(cause), cause)), file=sys.stderr)
    if frames != own:
        print("".join(traceback.format_list(frames)) + what, file=sys.stderr)
    print("".join(traceback.format_list(own)) + what, end="", file=sys.stderr)


def causes(error):
    """The exceptions that led to this one, the first one first."""
    chain = []
    while error is not None and len(chain) < 10:
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        chain.insert(0, error)
    return [cause for cause in chain if cause is not None]


class Episode(types.SimpleNamespace):
    """The parts of an episode, as attributes and by their names."""

    def __getitem__(self, name):
        try:
            return getattr(self, name)
        except AttributeError:
            raise KeyError(name) from None


def episode_of(request):
    """The request as an object; its tables are arrays if there is numpy, otherwise lists."""
    episode = Episode(
        id=request["episode"],
        idempotency_key=request["idempotencyKey"],
        task=request["task"],
        iteration=request["iteration"],
        attempt=request["attempt"],
        length=request["length"],
        ending=request["ending"],
        observations=request["observations"],
        actions=request["actions"],
        environment_actions=request["environmentActions"],
        states=request["states"],
        infos=request.get("infos"),
        frames=None,
        frame_steps=None,
        pngs=None,
    )
    if "frames" in request:
        episode.frame_steps = [frame["step"] for frame in request["frames"]]
        episode.pngs = [base64.b64decode(frame["png"]) for frame in request["frames"]]
    try:
        import numpy
    except ModuleNotFoundError:
        return episode
    for name in ("observations", "actions", "environment_actions", "states"):
        setattr(episode, name, numpy.array(getattr(episode, name), dtype=float))
    if episode.pngs:
        episode.frames = numpy.stack([picture_of(png, numpy) for png in episode.pngs])
    return episode


def picture_of(png, numpy):
    """The picture in a PNG file of pgkq: its rows are not filtered."""
    at, packed = 8, b""
    while at < len(png):
        size, kind = struct.unpack_from(">I4s", png, at)
        if kind == b"IHDR":
            width, height = struct.unpack_from(">II", png, at + 8)
        elif kind == b"IDAT":
            packed += png[at + 8 : at + 8 + size]
        at += 12 + size
    rows = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(height, 1 + 3 * width)
    return rows[:, 1:].reshape(height, width, 3)


def answer_of(result, length):
    if isinstance(result, dict):
        answer = {key: result[key] for key in KEYS if result.get(key) is not None}
        if "cost" in answer:
            answer["cost"] = cost_of(answer["cost"])
        if "error" in answer:
            return {**answer, "error": str(answer["error"])}
        if ("rewards" in answer) == ("return" in answer):
            raise Fault(
                "it returned a dictionary with %s \"rewards\" and \"return\", but exactly one of them is needed"
                % ("both" if "rewards" in answer else "neither")
            )
        if "rewards" in answer:
            answer["rewards"] = numbers(answer["rewards"], length)
        else:
            answer["return"] = number(answer["return"], 'as "return"')
        if not isinstance(answer.get("note", ""), str):
            raise Fault("it returned %s as \"note\", which must be a string" % shown(answer["note"]))
        return answer
    if getattr(result, "ndim", 0) > 0 or isinstance(result, (list, tuple)):
        return {"rewards": numbers(result, length)}
    return {"return": number(result, "")}


def numbers(values, length):
    """The rewards of steps; an array with one column is a number for each row."""
    steps = "an episode of %d %s" % (length, "step" if length == 1 else "steps")
    shape = tuple(getattr(values, "shape", ()))
    if len(shape) == 2 and shape[1] == 1:
        values = values.reshape(-1)
    elif len(shape) > 1:
        raise Fault("it returned an array of shape %s for %s, but must return %s" % (shape, steps, RETURNS))
    try:
        count = len(values)
    except TypeError:
        raise Fault("it returned %s as \"rewards\", which must be a list or an array" % shown(values)) from None
    if count != length:
        raise Fault("it returned %d %s for %s" % (count, "number" if count == 1 else "numbers", steps))
    return [number(value, "for step %d" % step) for step, value in enumerate(values)]


def number(value, where):
    if not isinstance(value, (str, bytes)) and hasattr(value, "__float__"):
        try:
            plain = float(value)
        except (TypeError, ValueError, OverflowError):
            plain = None
        if plain is not None:
            if not math.isfinite(plain):
                raise Fault("it returned %s%s, but numbers must be finite" % (plain, where and " " + where))
            return plain
    raise Fault("it returned %s%s, but must return %s" % (shown(value), where and " " + where, RETURNS))


def cost_of(value):
    cost = number(value, 'as "cost"')
    if not 0 <= cost <= HIGHEST_COST:
        raise Fault('it returned %s as "cost", which must be from 0 to %d' % (cost, HIGHEST_COST))
    return cost


def shown(value):
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "..."


def stated_cost(result):
    """The cost that a result states although the rest of it is invalid."""
    try:
        return {"cost": cost_of(result["cost"])} if isinstance(result, dict) and result.get("cost") is not None else {}
    except Fault:
        return {}


def answer(out):
    function = found(sys.argv[1], sys.argv[2])
    if len(sys.argv) > 3:
        return
    request = json.load(sys.stdin)
    result = function(episode_of(request))
    try:
        json.dump(answer_of(result, request["length"]), out)
    except Fault as fault:
        json.dump({"error": str(fault), **stated_cost(result)}, out)
        raise


def main():
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the function prints is no part of the answer
    sys.stdout = sys.stderr
    try:
        answer(out)
    except Fault as fault:
        sys.exit(str(fault))
    except Exception as error:
        explain(error)
        sys.exit(1)
    finally:
        out.close()


main()
