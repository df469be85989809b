"""Plays a policy that 'pgkq export RUN --onnx MODEL' wrote: play.py MODEL [EPISODES [ENVIRONMENT]]"""

import importlib
import json
import os
import sys

if len(sys.argv) < 2 or not os.path.isfile(sys.argv[1]):
    sys.exit(f"there is no model {sys.argv[1]}" if len(sys.argv) > 1 else __doc__)

import gymnasium
import numpy as np
import onnxruntime

policy = onnxruntime.InferenceSession(sys.argv[1])
episodes = int(sys.argv[2]) if len(sys.argv) > 2 else 10
about = policy.get_modelmeta().custom_metadata_map
name = sys.argv[3] if len(sys.argv) > 3 else about["task"]
arguments = json.loads(about.get("env_args", "{}"))
if name.startswith("python:"):
    sys.path.insert(0, os.getcwd())
    _, module, factory = name.split(":")
    env = getattr(importlib.import_module(module), factory)(**arguments)
else:
    env = gymnasium.make(name.removeprefix("gym:"), max_episode_steps=int(about["time_limit"]), **arguments)
space = env.action_space
returns = []
for episode in range(episodes):
    observation, _ = env.reset(seed=episode)
    total, steps, done = 0.0, 0, False
    while not done and steps < int(about["time_limit"]):
        row = gymnasium.spaces.flatten(env.observation_space, observation).astype(np.float32)
        (actions,) = policy.run(["action"], {"observation": row[np.newaxis]})
        action = actions[0].reshape(space.shape) + getattr(space, "start", 0)
        action = np.rint(action) if np.issubdtype(space.dtype, np.integer) else action
        observation, reward, terminated, truncated, _ = env.step(action.astype(space.dtype))
        total, steps, done = total + reward, steps + 1, terminated or truncated
    returns.append(total)
error = np.std(returns, ddof=1) / np.sqrt(episodes) if episodes > 1 else np.nan
print(f"return {np.mean(returns):.2f} ± {error:.2f} (standard error) over {episodes} episodes of {name.removeprefix('gym:')}")
