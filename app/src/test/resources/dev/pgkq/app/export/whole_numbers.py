"""Lets play.py play a policy where actions are whole numbers: whole_numbers.py PLAY MODEL

Prints the sum of the actions that the environment received, and what rounding or cutting off the policy's actions gives.
"""

import runpy
import sys

import gymnasium
import numpy as np
import onnxruntime

SEEN = np.random.default_rng(1).normal(0, 20, (60, 3)).astype(np.float32)
received = []


class Whole(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (3,), np.float32)
    action_space = gymnasium.spaces.Box(-2, 2, (1,), np.int64)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.steps = 0
        return SEEN[0], {}

    def step(self, action):
        assert self.action_space.contains(action), action
        received.append(int(action[0]))
        self.steps += 1
        return SEEN[self.steps % 60], 0.0, self.steps == 60, False, {}


play, model = sys.argv[1:]
gymnasium.register("Whole-v0", entry_point=Whole)
sys.argv = [play, model, "1", "Whole-v0"]
runpy.run_path(play)
(actions,) = onnxruntime.InferenceSession(model).run(["action"], {"observation": SEEN})
print("received", *received)
print("rounded", *(round(float(action)) for action in actions[:, 0]))
print("cut", *(int(action) for action in actions[:, 0]))
