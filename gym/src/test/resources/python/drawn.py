"""Environments that draw pictures and say things, rightly and wrongly."""

import os

import gymnasium
import numpy as np
from gymnasium import spaces


class Walk(gymnasium.Env):
    """A walk of 12 steps. Its picture has the number of steps in one corner and the last action in another."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 25}
    observation_space = spaces.Box(-np.inf, np.inf, (1,))
    action_space = spaces.Discrete(2)

    def __init__(self, render_mode=None, marker=""):
        self.render_mode, self.marker = render_mode, marker

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x, self.steps, self.last = self.np_random.normal(), 0, 9
        return self.seen(), {"start": True, "note": "here we go", "seed": seed}

    def seen(self):
        return np.array([self.x], dtype=np.float32)

    def step(self, action):
        self.x += self.np_random.uniform() * (2 * action - 1)
        self.steps, self.last = self.steps + 1, action
        return self.seen(), 0.0, False, self.steps == 12, self.said()

    def said(self):
        return {
            "x": np.float64(self.x),
            "steps": np.int32(self.steps),
            "half": np.array(0.5),
            "odd": np.bool_(self.steps % 2 == 1),
            "distance": float("nan") if self.steps == 3 else abs(self.x),
            "long": "x" * 201,
            "nested": {"a": 1},
            "many": np.zeros(3),
        }

    def render(self):
        if self.render_mode is None:
            return None
        picture = np.full((3, 5, 3), 200, dtype=np.uint8)
        picture[0, 0] = (self.steps, 10, 20)
        picture[2, 4] = (30, 40, self.last)
        return picture


class Bare(Walk):
    """Draws nothing."""

    metadata = {"render_modes": []}
    render = gymnasium.Env.render


class Plain:
    """Has no metadata, and draws what it wants."""

    observation_space, action_space = Walk.observation_space, Walk.action_space

    def __init__(self):
        self.steps = 0

    def reset(self, seed=None):
        self.steps = 0
        return np.zeros(1), {}

    def step(self, action):
        self.steps += 1
        return np.full(1, self.steps), 0.0, self.steps == 4, False, None

    def render(self):
        return np.full((2, 2, 3), self.steps, dtype=np.uint8)


class Nothing(Walk):
    def render(self):
        return None


class Grey(Walk):
    def render(self):
        return np.zeros((4, 6), dtype=np.uint8)


class Bright(Walk):
    def render(self):
        return np.ones((4, 6, 3))


class Raising(Walk):
    def render(self):
        raise RuntimeError("no screen")


class Dying(Walk):
    def render(self):
        os._exit(3)


class Mortal(Walk):
    """Its process dies once while it draws the last picture."""

    def render(self):
        if self.steps == 12 and not os.path.exists(self.marker):
            open(self.marker, "w").close()
            os.kill(os.getpid(), 9)
        return super().render()


class Random(Walk):
    def step(self, action):
        seen, *rest = super().step(action)
        self.x += os.urandom(1)[0] if self.steps == 5 else 0.0
        return self.seen(), *rest


class Shorter(Walk):
    """Ends sooner when it is watched."""

    def step(self, action):
        *first, over, said = super().step(action)
        return *first, over or (self.render_mode is not None and self.steps == 4), said
