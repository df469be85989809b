"""Plays episodes without pgkq: `plain.py ID < episodes`. A line is a seed and the actions; prints observation and reward of each step."""

import sys

import gymnasium
import numpy as np

env = gymnasium.make(sys.argv[1])
for line in sys.stdin:
    seed, *numbers = line.split()
    observation, _ = env.reset(seed=int(seed))
    print("start", *[float(x).hex() for x in observation])
    ended = None
    for number in numbers:
        discrete = isinstance(env.action_space, gymnasium.spaces.Discrete)
        action = int(float(number)) if discrete else np.array([float(number)], dtype=np.float32)
        observation, reward, terminated, truncated, _ = env.step(action)
        ended = "terminated" if terminated else "truncated" if truncated else "continues"
        print(float(reward).hex(), *[float(x).hex() for x in observation.astype(np.float32)])
    print("end", ended)
