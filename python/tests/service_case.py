"""Tests with a real service."""

import tempfile
import unittest
from pathlib import Path

import numpy as np

import pgkq


class ServiceCase(unittest.TestCase):
    """Has an empty folder, a service that all tests of the class share, and items whose score is known to the test."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="pgkq-test-")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name) / "advice"

    @classmethod
    def shared(cls, **settings):
        """An adviser of a service that runs until the tests of the class have ended; what others asked is not this one's."""
        if "_shared" not in cls.__dict__:
            temporary = tempfile.TemporaryDirectory(prefix="pgkq-test-")
            cls.addClassCleanup(temporary.cleanup)
            cls._shared = pgkq.Adviser(temporary.name)
            cls.addClassCleanup(cls._shared.close)
            cls._shared_folder = Path(temporary.name)
        adviser = pgkq.Adviser(cls._shared.url, **settings)
        cls.addClassCleanup(adviser.close)
        return adviser

    @classmethod
    def shared_folder(cls):
        """Of the service that is shared."""
        return cls._shared_folder

    def items(self, seed=0, count=32, width=4):
        """Items of this test only, so that no other has scored them."""
        key = [seed, *self.id().encode()]
        return np.random.default_rng(key).normal(size=(count, width)).astype(np.float32)

    @staticmethod
    def score(item):
        """A smooth function, so that few scores tell much about all others."""
        return float(3 + 2 * item[0] - item[1] + 0.5 * item[2] * item[2])

    def scores(self, items, choice):
        return [self.score(items[i]) for i in choice.indices]
