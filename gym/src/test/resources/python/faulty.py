"""Environments that break a rule, or seem to. They need no package but numpy."""

import os
import time

import numpy as np


class Box:
    def __init__(self, low, high):
        self.low, self.high = np.asarray(low, dtype=np.float32), np.asarray(high, dtype=np.float32)
        self.shape = self.low.shape


class Discrete:
    def __init__(self, n):
        self.n = n


class Text:
    pass


class Walk:
    """A walk on a line, of 20 steps; well-behaved."""

    observation_space = Box([-np.inf, -np.inf], [np.inf, np.inf])
    action_space = Discrete(2)

    def reset(self, seed=None):
        self.random = np.random.default_rng(seed)
        self.x, self.steps = self.random.normal(), 0
        return self.seen(), {}

    def seen(self):
        return np.array([self.x, self.steps])

    def step(self, action):
        self.steps += 1
        self.x += (2 * action - 1) * self.random.uniform()
        return self.seen(), -abs(self.x), False, self.steps == 20, {}


class Chatty(Walk):
    def step(self, action):
        print("a line for standard output", flush=True)
        os.write(1, b"another one\n")
        return super().step(action)


class Mortal(Walk):
    """Its process dies in the middle of an episode, as long as there is no file of that name."""

    def __init__(self, marker):
        self.marker = marker

    def step(self, action):
        if self.steps == 7 and not os.path.exists(self.marker):
            open(self.marker, "w").close()
            os.kill(os.getpid(), 9)
        return super().step(action)


class Dying(Walk):
    def step(self, action):
        os._exit(3)


class Hanging(Walk):
    def step(self, action):
        while True:
            time.sleep(1)


class Raising(Walk):
    def step(self, action):
        raise ValueError("the battery is empty")


class RaisingInReset(Walk):
    def reset(self, seed=None):
        return {}["start"]


class RaisingInConstructor(Walk):
    def __init__(self):
        raise RuntimeError("no licence")


class NotANumber(Walk):
    def seen(self):
        return np.array([self.x, np.nan if self.steps == 2 else 0.0])


class RewardNotANumber(Walk):
    def step(self, action):
        return super().step(action)[0], float("nan"), False, False, {}


class OtherShape(Walk):
    def seen(self):
        return np.zeros(2 if self.steps < 3 else 3)


class OldStep(Walk):
    def step(self, action):
        return self.seen(), 0.0, False, {}


class OldReset(Walk):
    def reset(self, seed=None):
        return super().reset(seed)[0]


class Unbounded(Walk):
    action_space = Box([-np.inf], [np.inf])


class Texting(Walk):
    action_space = Text()


class Reading(Walk):
    observation_space = Text()


class Scribbling(Walk):
    """Writes where only the worker should."""

    def step(self, action):
        for pipe in range(3, 10):
            try:
                os.write(pipe, b"garbage garbage")
            except OSError:
                pass
        return super().step(action)


class Random(Walk):
    def reset(self, seed=None):
        return super().reset(None)


class SharedArray(Walk):
    """All environments return the same array."""

    shared = np.zeros(2)

    def seen(self):
        self.shared[:] = super().seen()
        return self.shared


class Wide(Walk):
    """Its observations do not fit into a pipe, and neither do its actions."""

    observation_space = Box([-np.inf] * 20000, [np.inf] * 20000)
    action_space = Box([-1.0] * 2000, [1.0] * 2000)

    def seen(self):
        return np.full(20000, self.x)

    def step(self, action):
        self.steps += 1
        self.x += action.mean()
        return self.seen(), 0.0, False, self.steps == 3, {}


class ChangingActions(Walk):
    def step(self, action):
        self.action_space = Discrete(3)
        return super().step(action)


class ChangingObservations(Walk):
    def step(self, action):
        self.observation_space = Box([-np.inf], [np.inf])
        return super().step(action)


class NoReward(Walk):
    def step(self, action):
        return self.seen(), None, False, False, {}
