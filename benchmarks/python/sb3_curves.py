"""Learning curves of Stable-Baselines3's PPO on Pendulum-v1: with all rewards, and with an eighth of them and the adviser's estimates.

    sb3_curves.py OUT.csv [SEEDS [STEPS]]

Each row is an episode that ended while training: arm, seed, environment steps so far, rewards paid for so far, true return. Rows
that are in the file already are not computed again.
"""

import csv
import sys
import tempfile
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
import pgkq
from sb3_ppo import EstimatedRewards, HiddenRewards
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

ENVIRONMENTS, BATCH = 4, 512
SETTINGS = dict(n_steps=BATCH, gamma=0.9, learning_rate=1e-3)


class Episodes(BaseCallback):
    """Notes every episode that ends, and what was paid for by then."""

    def __init__(self, paid):
        super().__init__()
        self.paid, self.rows = paid, []

    def _on_step(self):
        for info in self.locals["infos"]:
            if "episode" in info:
                self.rows.append((self.num_timesteps, self.paid(self.num_timesteps), round(float(info["episode"]["r"]), 3)))
        return True


def train(arm, seed, steps):
    env = make_vec_env("Pendulum-v1", n_envs=ENVIRONMENTS, seed=seed)
    if arm == "all":
        episodes = Episodes(lambda taken: taken)
        PPO("MlpPolicy", env, seed=seed, **SETTINGS).learn(steps, episodes)
        return episodes.rows
    share = {"1/8": 8, "1/32": 32}[arm]
    env = HiddenRewards(env)
    with tempfile.TemporaryDirectory() as folder, pgkq.Adviser(folder, select=ENVIRONMENTS * BATCH // share, seed=seed) as adviser:
        episodes = Episodes(lambda taken: taken // (ENVIRONMENTS * BATCH) * (ENVIRONMENTS * BATCH // share))
        buffer = dict(rollout_buffer_class=EstimatedRewards, rollout_buffer_kwargs={"adviser": adviser, "judge": env.judge})
        PPO("MlpPolicy", env, seed=seed, **SETTINGS, **buffer).learn(steps, episodes)
    return episodes.rows


def main():
    torch.set_num_threads(1)
    out = Path(sys.argv[1])
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
    rows = list(csv.reader(out.open()))[1:] if out.exists() else []
    done = {(row[0], int(row[1])) for row in rows}
    for seed in range(1, seeds + 1):
        for arm in ("all", "1/8", "1/32"):
            if (arm, seed) not in done:
                rows += [[arm, seed, *row] for row in train(arm, seed, steps)]
                with out.open("w", newline="") as file:
                    csv.writer(file, lineterminator="\n").writerows([["arm", "seed", "steps", "paid", "return"], *rows])
                print(arm, seed, flush=True)


if __name__ == "__main__":
    main()
