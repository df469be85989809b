"""PPO of Stable-Baselines3 on Pendulum-v1, where one of eight rewards is known; the others are estimated.

    sb3_ppo.py [FOLDER [STEPS [SEED]]]

Between collecting a batch and computing its advantages, the rollout buffer asks which steps to score.
"""

import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = ""
import numpy as np
import pgkq
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecEnvWrapper


class HiddenRewards(VecEnvWrapper):
    """The agent sees rewards of 0. The true ones are looked up for the steps that are scored."""

    def reset(self):
        self.hidden = []
        return self.venv.reset()

    def step_wait(self):
        observations, rewards, dones, infos = self.venv.step_wait()
        self.hidden.append(rewards)
        return observations, np.zeros_like(rewards), dones, infos

    def judge(self, steps):
        """The rewards of some steps of the batch, which begins anew."""
        known, self.hidden = np.ravel(self.hidden)[steps], []
        return known


class EstimatedRewards(RolloutBuffer):
    """A rollout buffer that fills in the rewards before it computes advantages from them."""

    def __init__(self, *sizes, adviser, judge, **more):
        super().__init__(*sizes, **more)
        self.adviser, self.judge = adviser, judge

    def compute_returns_and_advantage(self, last_values, dones):
        taken = np.clip(self.actions, self.action_space.low, self.action_space.high)
        steps = np.concatenate([self.observations, taken], axis=2).reshape(self.rewards.size, -1)
        choice = self.adviser.ask(steps)
        estimated = self.adviser.tell(choice, self.judge(choice.indices)).mean
        # where time ran out, the buffer holds the value of what would have followed already
        self.rewards += estimated.reshape(self.rewards.shape)
        super().compute_returns_and_advantage(last_values, dones)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "runs/sb3"
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 60_000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    torch.set_num_threads(1)
    env = HiddenRewards(make_vec_env("Pendulum-v1", n_envs=4, seed=seed))
    with pgkq.Adviser(folder, select=4 * 512 // 8) as adviser:
        agent = PPO(
            "MlpPolicy",
            env,
            n_steps=512,
            gamma=0.9,
            learning_rate=1e-3,
            seed=seed,
            rollout_buffer_class=EstimatedRewards,
            rollout_buffer_kwargs={"adviser": adviser, "judge": env.judge},
        )
        while agent.num_timesteps < steps:
            agent.learn(steps // 5, reset_num_timesteps=False)
            # the environment's own monitor still sees true rewards
            newest = np.mean([episode["r"] for episode in agent.ep_info_buffer])
            spent = adviser.status()["spent"]
            print(f"{agent.num_timesteps} steps, {spent} rewards paid for: mean return of the newest episodes {newest:.0f}")


if __name__ == "__main__":
    main()
