"""Plays a policy that 'pgkq export RUN --onnx MODEL' wrote, in Gymnasium: play.py MODEL [EPISODES [ENVIRONMENT]]"""

import sys

import gymnasium
import numpy as np
import onnxruntime

policy = onnxruntime.InferenceSession(sys.argv[1])
episodes = int(sys.argv[2]) if len(sys.argv) > 2 else 10
trained_on = policy.get_modelmeta().custom_metadata_map["task"].removeprefix("gym:")
env = gymnasium.make(sys.argv[3] if len(sys.argv) > 3 else trained_on)
space = env.action_space
returns = []
for episode in range(episodes):
    observation, _ = env.reset(seed=episode)
    total, done = 0.0, False
    while not done:
        row = gymnasium.spaces.flatten(env.observation_space, observation).astype(np.float32)
        (actions,) = policy.run(["action"], {"observation": row[np.newaxis]})
        action = actions[0].reshape(space.shape) + getattr(space, "start", 0)
        action = np.rint(action) if np.issubdtype(space.dtype, np.integer) else action
        observation, reward, terminated, truncated, _ = env.step(action.astype(space.dtype))
        total, done = total + reward, terminated or truncated
    returns.append(total)
error = np.std(returns, ddof=1) / np.sqrt(episodes) if episodes > 1 else np.nan
print(f"return {np.mean(returns):.2f} ± {error:.2f} (standard error) over {episodes} episodes of {env.spec.id}")
