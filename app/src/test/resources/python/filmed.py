"""A walk of 5 to 11 steps whose pictures get brighter with each step, and a judge who looks at them."""

import gymnasium
import numpy as np
from gymnasium import spaces


class Film(gymnasium.Env):
    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}
    observation_space = spaces.Box(-np.inf, np.inf, (2,))
    action_space = spaces.Discrete(2)

    def __init__(self, render_mode=None, reward=0.0):
        self.render_mode, self.reward = render_mode, reward

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x, self.steps, self.end = self.np_random.normal(), 0, int(self.np_random.integers(5, 12))
        return self.seen(), {"steps": 0}

    def seen(self):
        return np.array([self.x, self.steps / 10], dtype=np.float32)

    def step(self, action):
        self.x += self.np_random.uniform() * (2 * action - 1)
        self.steps += 1
        return self.seen(), self.reward, self.steps == self.end, False, {"steps": self.steps, "name": "film"}

    def render(self):
        picture = np.full((40, 60, 3), 20 * self.steps, dtype=np.uint8)
        picture[:20] = (20 * self.steps, 0, 255)
        return picture


def score(episode):
    """The number of steps, once by the last picture and a hundred times by the last info."""
    assert episode.frames.shape == (3, 40, 60, 3) and episode.frames.dtype == np.uint8
    assert episode.frame_steps == [0, round(episode.length / 2 + 1e-9), episode.length]
    assert (episode.frames[:, 30, 5, 1] == 20 * np.array(episode.frame_steps)).all()
    assert [info["steps"] for info in episode.infos] == list(range(episode.length + 1))
    return int(episode.frames[-1, 39, 59, 2]) // 20 + 100 * episode.infos[-1]["steps"]
