"""An environment that draws from its own space of actions, in some episodes late or never."""

import gymnasium
import numpy as np
from gymnasium import spaces


class Env(gymnasium.Env):
    observation_space = spaces.Box(0, 100, (2,))

    def __init__(self):
        self.action_space = spaces.Discrete(100)

    def reset(self, *, seed=None, options=None):
        self.expected = spaces.Discrete(100, seed=seed)
        self.steps, self.first = 0, seed % 6
        return np.zeros(2, np.float32), {}

    def step(self, action):
        self.steps += 1
        drawn = (self.action_space.sample(), self.expected.sample()) if self.steps > self.first else (0, 0)
        return np.array(drawn, np.float32), 0.0, self.steps == 5, False, {}
