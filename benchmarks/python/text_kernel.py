"""What becomes of estimates if the adviser's kernel is represented by other features, without a service.

    text_kernel.py OUT.csv FIGURE.png [FIRST_SEED LAST_SEED]

The four rounds of each set of text_data.py. Every kind of features estimates from the same scores: those of the items that the projected
features choose (greedily, for the expected error), of those that the exact kernel chooses, and of random ones. Features are drawn three
times, and errors are means over these. Kinds:

    exact      the arc-cosine kernel itself
    leading    its 100 leading directions over the items of all four rounds
    later      projections onto it at 300 points; half have the covariance of all four rounds, which nobody knows in time
    projected  the adviser's: half of the points have the covariance of the first round
    random     300 random features, as the adviser had before

Beside the error of an item: the noise that the model believes in (0.3 is right), and how much of the kernel's variance over the items of
the round the features miss. Needs numpy, scipy and matplotlib.
"""

import csv
import sys
from pathlib import Path

import matplotlib
import numpy as np
from text_data import ITEMS, PAID, ROUNDS, SETS, rounds
from text_floor import RATIOS
from text_report import ratio_of_items, shown

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COUNT, LEADING, DRAWS, JITTER = 300, 100, 3, 1e-6
KINDS = ("exact", "leading", "later", "projected", "random")
SCORED = ("chosen", "chosen exactly", "at random")


def kernel(first, second):
    """Arc-cosine kernel of two lists of rows (ẑ/√D, 1)."""
    norms = np.outer(np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1))
    cosine = np.clip(first @ second.T / norms, -1, 1)
    return norms * (np.sqrt(1 - cosine**2) + (np.pi - np.arccos(cosine)) * cosine) / (2 * np.pi)


def extended(rows):
    return np.hstack([rows / np.sqrt(rows.shape[1]), np.ones((len(rows), 1))])


def root(square):
    """Features whose inner products are a positive matrix, the largest directions first."""
    values, vectors = np.linalg.eigh(square)
    return (vectors * np.sqrt(values.clip(0)))[:, ::-1]


def projected(rows, like, rng):
    drawn = rng.normal(size=(COUNT // 2, len(like))) @ like / np.sqrt(len(like))
    points = extended(np.vstack([drawn, rng.normal(size=(COUNT - len(drawn), rows.shape[1]))]))
    cholesky = np.linalg.cholesky(kernel(points, points) + JITTER * np.eye(COUNT))
    return np.linalg.solve(cholesky, kernel(points, extended(rows))).T


def random(rows, rng):
    width = rows.shape[1]
    into, bias = rng.normal(size=(width, COUNT)) / np.sqrt(width), rng.normal(size=COUNT)
    features = np.maximum(0, rows @ into + bias) / np.sqrt(COUNT)
    return np.hstack([features, 0.3 / np.sqrt(width) * rows]) if width <= 128 else features


def posterior(features, some, told):
    """Estimates of all, the standard deviation σ of the noise, and the ridge σ²/s², as in docs/algorithms.md under kq-bayes."""
    rows, values = features[some] - features[some].mean(axis=0), told - told.mean()
    size, unit = len(some) - 1, (rows**2).sum() / (len(some) - 1)
    eigenvalues, vectors = np.linalg.eigh(rows @ rows.T)
    grown = 1 + RATIOS[:, None] * eigenvalues.clip(0) / unit
    noise = ((vectors.T @ values) ** 2 / grown).sum(axis=1) / size
    evidence = -size * np.log(noise) / 2 - np.log(grown).sum(axis=1) / 2 - ((np.log10(RATIOS) - 1) / 2) ** 2 / 2
    best = evidence.argmax()
    ridge = unit / RATIOS[best]
    weights = rows.T @ np.linalg.solve(rows @ rows.T + ridge * np.eye(len(some)), values)
    return told.mean() + (features - features[some].mean(axis=0)) @ weights, np.sqrt(noise[best]), ridge


def choice(features, now, some, told):
    """Items of this round, each time the one that leaves the least expected error."""
    if len(some):
        _, _, ridge = posterior(features, some, told)
        rows, around = features[some] - features[some].mean(axis=0), features[now] - features[some].mean(axis=0)
        shared = around @ rows.T
        known = shared @ np.linalg.solve(rows @ rows.T + ridge * np.eye(len(some)), shared.T)
    else:
        around, known = features[now] - features[now].mean(axis=0), 0
        ridge = (features[now] ** 2).sum(axis=1).mean() / 10
    covariance, chosen = (around @ around.T - known) / ridge, []
    while len(chosen) < PAID:
        gain = ((covariance**2).mean(axis=0) + covariance.mean(axis=0) ** 2) / (np.diag(covariance) + 1)
        gain[chosen] = -1
        best = int(gain.argmax())
        chosen.append(best)
        covariance = covariance - np.outer(covariance[best], covariance[best]) / (1 + covariance[best, best])
    return np.array(chosen)


def measured(name, seed):
    """(round, items, kind) and error, noise and missed share, once for each draw of the features."""
    data = list(rounds(name, seed))
    first = data[0][0]
    deviation = first.std(axis=0)
    rows = (np.vstack([features for features, *_ in data]) - first.mean(axis=0)) / np.where(deviation > 0, deviation, 1)
    told, units = np.concatenate([each[2] for each in data]), [each[3] for each in data]
    exact = kernel(extended(rows), extended(rows))
    whole = root(exact)
    for draw in range(DRAWS):
        rng = np.random.default_rng([seed, 3, draw])
        kinds = {
            "exact": whole,
            "leading": whole[:, :LEADING],
            "later": projected(rows, rows, rng),
            "projected": projected(rows, rows[:ITEMS], rng),
            "random": random(rows, rng),
        }
        for items in SCORED:
            some = np.zeros(0, int)
            for number in range(ROUNDS):
                now = np.arange(number * ITEMS, (number + 1) * ITEMS)
                chooser = {"chosen": "projected", "chosen exactly": "exact"}.get(items)
                new = choice(kinds[chooser], now, some, told[some]) if chooser else rng.choice(ITEMS, PAID, replace=False)
                some = np.concatenate([some, now[new]])
                for kind, features in kinds.items():
                    estimates, noise, _ = posterior(features, some, told[some])
                    error = np.sqrt(np.mean((estimates[now] - data[number][1]) ** 2))
                    missed = np.diag(exact)[now].mean() - (features[now] ** 2).sum(axis=1).mean()
                    variance = np.diag(exact).mean() - exact.mean()
                    share = missed / variance if kind != "random" else np.nan
                    yield (number + 1, items, kind), (error / units[number], noise / units[number], share)


def table(found, sets, seeds):
    print("\n| items | scored | " + " | ".join(f"{kind} / exact" for kind in KINDS[1:]) + " | noise: " + " | ".join(KINDS) + " |")
    print("|---" * (2 + 2 * len(KINDS) - 1) + "|")
    for name in sets:
        for items in SCORED:
            errors, noise = ({kind: np.array([found[name, seed, ROUNDS, items, kind][at] for seed in seeds]) for kind in KINDS} for at in (0, 1))
            cells = [shown(ratio_of_items(errors[kind], errors["exact"])) for kind in KINDS[1:]] + [f"{noise[kind].mean():.2f}" for kind in KINDS]
            print(f"| {name} | {items} | " + " | ".join(cells) + " |")
    print("\n| items | chosen / chosen exactly, estimates: exact | projected |\n|---|---|---|")
    for name in sets:
        cells = []
        for kind in ("exact", "projected"):
            own, exact = (np.array([found[name, seed, ROUNDS, items, kind][0] for seed in seeds]) for items in SCORED[:2])
            cells.append(shown(ratio_of_items(own, exact)))
        print(f"| {name} | " + " | ".join(cells) + " |")


def figure(found, sets, seeds, path):
    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    panels, (missed, errors) = plt.subplots(1, 2, figsize=(9.6, 3.4))
    numbers = np.arange(1, ROUNDS + 1)
    for name in sets:
        shares = [np.mean([found[name, seed, number, "chosen", "projected"][2] for seed in seeds]) for number in numbers]
        missed.plot(numbers, shares, "o-" if name == "tight" else "-", lw=2 if name == "tight" else 1, label=name)
    missed.set_xticks(numbers)
    missed.set_xlabel("round")
    missed.set_title("share of the kernel's variance that the features miss", fontsize=9)
    missed.legend(frameon=False, ncols=4, fontsize=8, loc="upper left")
    for offset, items, colour in ((-0.12, "chosen", "#0072b2"), (0.12, "at random", "#d55e00")):
        of = {kind: np.array([found["tight", seed, ROUNDS, items, kind][0] for seed in seeds]) for kind in KINDS}
        middle, low, high = np.transpose([ratio_of_items(of[kind], of["exact"]) for kind in KINDS[1:]])
        places = np.arange(len(KINDS) - 1) + offset
        errors.errorbar(places, middle, [middle - low, high - middle], fmt="o", ms=4, lw=1.2, color=colour, label=f"items {items}")
    errors.axhline(1, color="black", lw=0.8)
    errors.set_xticks(np.arange(len(KINDS) - 1), KINDS[1:])
    errors.set_title("tight, round 4: error over that with the exact kernel, same scores", fontsize=9)
    errors.legend(frameon=False, loc="upper left")
    for axis in (missed, errors):
        axis.grid(axis="y", color="#e5e5e5")
        axis.set_axisbelow(True)
    missed.set_ylim(0, 0.55)
    panels.tight_layout()
    panels.savefig(path, dpi=130)


def main():
    out = Path(sys.argv[1])
    first, last = map(int, sys.argv[3:5]) if len(sys.argv) > 4 else (101, 110)
    seeds, found = range(first, last + 1), {}
    for name in SETS:
        for seed in seeds:
            draws = {}
            for key, values in measured(name, seed):
                draws.setdefault(key, []).append(values)
            for key, values in draws.items():
                found[name, seed, *key] = np.mean(values, axis=0)
        print(name, flush=True)
    with out.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["items", "seed", "round", "scored", "features", "item_error", "noise", "missed"])
        for key, values in found.items():
            writer.writerow([*key, *("" if np.isnan(value) else f"{value:.5f}" for value in values)])
    table(found, list(SETS), seeds)
    figure(found, list(SETS), seeds, sys.argv[2])


if __name__ == "__main__":
    main()
