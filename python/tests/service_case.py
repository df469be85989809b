"""Tests with a real service in a folder of their own."""

import tempfile
import unittest
from pathlib import Path

import numpy as np


class ServiceCase(unittest.TestCase):
    """Has an empty folder, and items whose score is known to the test."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="pgkq-test-")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name) / "advice"

    @staticmethod
    def items(seed=1, count=32, width=4):
        return np.random.default_rng(seed).normal(size=(count, width)).astype(np.float32)

    @staticmethod
    def score(item):
        """A smooth function, so that few scores tell much about all others."""
        return float(3 + 2 * item[0] - item[1] + 0.5 * item[2] * item[2])

    def scores(self, items, choice):
        return [self.score(items[i]) for i in choice.indices]
