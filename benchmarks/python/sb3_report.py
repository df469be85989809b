"""What sb3_curves.py measured: areas under the learning curves against those with all rewards, and a figure.

    sb3_report.py CURVES.csv FIGURE.png

The area is the mean return over the environment steps, from a curve of the mean return of the episodes in each batch of 2,048 steps. It
is counted from the mean return of the first batch, which is that of an untrained policy. Needs numpy and matplotlib.
"""

import csv
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

BATCH = 2048
COLOURS = {"all": "#b2182b", "1/8": "#0072b2", "1/32": "#e69f00"}
NAMES = {"all": "all rewards", "1/8": "1 of 8, and the adviser", "1/32": "1 of 32, and the adviser"}


def curves(path):
    """{arm: {seed: mean return by batch}}."""
    found = {}
    for row in csv.DictReader(open(path, newline="")):
        batches = found.setdefault(row["arm"], {}).setdefault(int(row["seed"]), {})
        batches.setdefault((int(row["steps"]) - 1) // BATCH, []).append(float(row["return"]))
    last = min(max(batches) for seeds in found.values() for batches in seeds.values())
    return {
        arm: {seed: np.array([np.mean(batches[i]) for i in range(last + 1) if i in batches]) for seed, batches in seeds.items()}
        for arm, seeds in found.items()
    }


def main():
    found = curves(sys.argv[1])
    untrained = np.mean([curve[0] for seeds in found.values() for curve in seeds.values()])
    print(f"mean return of the first batch: {untrained:.0f}\n")
    print("| arm | seed | mean return | area / that with all rewards |\n|---|---|---|---|")
    for arm, seeds in found.items():
        for seed, curve in sorted(seeds.items()):
            ratio = (curve.mean() - untrained) / (found["all"][seed].mean() - untrained)
            print(f"| {arm} | {seed} | {curve.mean():.0f} | {ratio:.2f} |")
    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    panel, axis = plt.subplots(figsize=(6.4, 3.6))
    for arm, seeds in found.items():
        every = np.array([curve[: min(map(len, seeds.values()))] for curve in seeds.values()])
        steps = (np.arange(every.shape[1]) + 1) * BATCH / 1000
        axis.plot(steps, every.mean(axis=0), color=COLOURS[arm], lw=2, label=f"{NAMES[arm]} ({len(every)} seeds)")
        axis.plot(steps, every.T, color=COLOURS[arm], lw=0.6, alpha=0.5)
    axis.set_xlabel("thousand steps")
    axis.set_ylabel("mean return of the episodes in a batch")
    axis.set_title("Pendulum-v1, PPO of Stable-Baselines3", fontsize=10)
    axis.grid(axis="y", color="#e5e5e5")
    axis.legend(frameon=False, loc="lower right")
    panel.tight_layout()
    panel.savefig(sys.argv[2], dpi=130)


if __name__ == "__main__":
    main()
