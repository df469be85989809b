"""An environment whose state is its observation as Gymnasium flattens it, and which checks its actions."""

import gymnasium
import numpy as np
from gymnasium import spaces

OBSERVATIONS = {
    "z": spaces.Box(-1, 1, (2, 3)),
    "a": spaces.Discrete(3, start=5),
    "m": spaces.MultiDiscrete([2, 3], start=[1, -1]),
    "b": spaces.MultiBinary(4),
    "t": spaces.Tuple((spaces.Discrete(2), spaces.Box(-np.inf, np.inf, (1,)))),
}
ACTIONS = {
    "Box": spaces.Box(np.array([[-1.0, 0.0]]), np.array([[1.0, 5.0]]), dtype=np.float64),
    "Discrete": spaces.Discrete(3, start=-1),
    "MultiDiscrete": spaces.MultiDiscrete([[2, 3], [4, 5]]),
    "MultiBinary": spaces.MultiBinary(3),
}


class Env(gymnasium.Env):
    def __init__(self, actions):
        self.observation_space = spaces.Dict(OBSERVATIONS)
        self.action_space = ACTIONS[actions]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.observation_space.seed(seed)
        self.taken = set()
        return self.next(), {}

    def next(self):
        self.observation = self.observation_space.sample()
        return self.observation

    def step(self, action):
        assert self.action_space.contains(action), action
        self.taken.add(str(action))
        return self.next(), len(self.taken), False, False, {}

    def pgkq_state(self):
        return spaces.flatten(self.observation_space, self.observation)
