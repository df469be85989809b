"""Calls a function for pgkq: reads a request, prints the answer.

    judge.py MODULE FUNCTION [check]
"""

import base64
import importlib
import json
import os
import struct
import sys
import types
import zlib


def found(module_name, function_name):
    sys.path.insert(0, os.environ.get("PGKQ_START_FOLDER", os.getcwd()))
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as missing:
        sys.exit("there is no module %s in %s, nor among the packages of %s" % (missing.name, sys.path[0], sys.executable))
    if not callable(getattr(module, function_name, None)):
        sys.exit("the module %s has no function %s" % (module_name, function_name))
    return getattr(module, function_name)


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


def answer_of(result):
    if isinstance(result, dict):
        answer = dict(result)
        if "rewards" in answer:
            answer["rewards"] = [float(reward) for reward in answer["rewards"]]
        for key in ("return", "cost"):
            if answer.get(key) is not None:
                answer[key] = float(answer[key])
        return answer
    if getattr(result, "ndim", 0) > 0 or isinstance(result, (list, tuple)):
        return {"rewards": [float(reward) for reward in result]}
    if isinstance(result, str) or not hasattr(result, "__float__"):
        sys.exit("the function must return a number, a number for each step, or a dictionary, but returned %r" % (result,))
    return {"return": float(result)}


def main():
    sink = os.dup(1)
    os.dup2(2, 1)  # what the function prints is no part of the answer
    sys.stdout = sys.stderr
    function = found(sys.argv[1], sys.argv[2])
    if len(sys.argv) > 3:
        return
    answer = answer_of(function(episode_of(json.load(sys.stdin))))
    with os.fdopen(sink, "w", encoding="utf-8") as out:
        json.dump(answer, out)


main()
