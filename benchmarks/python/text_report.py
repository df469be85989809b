"""Tables and a figure of what text_quality.py and text_floor.py measured.

    text_report.py QUALITY.csv FLOOR.csv FIGURE.png [EARLIER.csv]

Prints Markdown: mean errors over the seeds, and the ratio of the adviser's choice to the random one with its 95 % interval, paired by
seed (Student's t on the logarithm of the ratio for items, bootstrap over seeds for the mean). EARLIER.csv is the same measurement with
another model. Needs numpy, scipy and matplotlib.
"""

import csv
import sys

import matplotlib
import numpy as np
from scipy.stats import t as student

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = {"average": "#999999", "random": "#d55e00", "adviser": "#0072b2"}
NAMES = {"average": "random items, no model", "random": "random items, the model", "adviser": "the adviser"}


def read(path, key):
    """{(items, key …): values by seed, and by round within}."""
    found = {}
    for row in csv.DictReader(open(path, newline="")):
        found.setdefault((row["items"], row[key], int(row.get("round", 1))), []).append(row)
    return found


def column(rows, name):
    return np.array([float(row[name]) for row in sorted(rows, key=lambda row: int(row["seed"]))])


def interval(values):
    """Mean and half width of its 95 % interval."""
    return values.mean(), student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))


def ratio_of_items(first, second):
    mean, half = interval(np.log(first / second))
    return np.exp([mean, mean - half, mean + half])


def rms(values):
    return np.sqrt(np.mean(values**2, axis=-1))


def ratio_of_means(first, second):
    draws = np.random.default_rng(1).integers(len(first), size=(10_000, len(first)))
    return rms(first) / rms(second), *np.quantile(rms(first[draws]) / rms(second[draws]), [0.025, 0.975])


def shown(ratio):
    return f"{ratio[0]:.2f} [{ratio[1]:.2f}, {ratio[2]:.2f}]"


def table(found, sets, number):
    print(f"\nRound {number}\n")
    print("| items | average | random | adviser | adviser / random | mean: average | random | adviser | adviser / random |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in sets:
        items, means = ({arm: column(found[name, arm, number], of) for arm in NAMES} for of in ("item_error", "mean_error"))
        cells = [f"{items[arm].mean():.2f}" for arm in NAMES] + [shown(ratio_of_items(items["adviser"], items["random"]))]
        cells += [f"{rms(means[arm]):.3f}" for arm in NAMES] + [shown(ratio_of_means(means["adviser"], means["random"]))]
        print("| " + " | ".join([name, *cells]) + " |")


def floor_table(floor, sets):
    choices = ["random", "lucky", "adviser", "exchanged", "oracle", "all"]
    print("\n| items | " + " | ".join(choices) + " | oracle / random |\n|---" + "|---" * (len(choices) + 1) + "|")
    for name in sets:
        errors = {choice: column(floor[name, choice, 1], "item_error") for choice in choices}
        cells = [f"{errors[choice].mean():.2f}" for choice in choices] + [shown(ratio_of_items(errors["oracle"], errors["random"]))]
        print("| " + " | ".join([name, *cells]) + " |")


def change_table(found, earlier, sets):
    print("\n| items | round | adviser, with / before | random, with / before |\n|---|---|---|---|")
    for name in sets:
        for number in (1, 4):
            cells = [shown(ratio_of_items(*(column(of[name, arm, number], "item_error") for of in (found, earlier)))) for arm in ("adviser", "random")]
            print(f"| {name} | {number} | " + " | ".join(cells) + " |")


def figure(found, floor, sets, path):
    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    panels, axes = plt.subplots(1, 2, figsize=(9.6, 3.6), sharey=False)
    for axis, of, title in zip(axes, ("item_error", "mean_error"), ("error of an item", "error of the mean")):
        for offset, arm in zip((-0.2, 0, 0.2), NAMES):
            values = [column(found[name, arm, 1], of) for name in sets]
            if of == "item_error":
                middle, half = np.transpose([interval(each) for each in values])
                low, high = half, half
            else:
                draws = np.random.default_rng(1).integers(len(values[0]), size=(10_000, len(values[0])))
                middle = np.array([rms(each) for each in values])
                ends = np.array([np.quantile(rms(each[draws]), [0.025, 0.975]) for each in values])
                low, high = middle - ends[:, 0], ends[:, 1] - middle
            places = np.arange(len(sets)) + offset
            axis.errorbar(places, middle, [low, high], fmt="o", ms=4, lw=1.2, color=COLOURS[arm], label=NAMES[arm])
        if of == "item_error":
            oracle = [column(floor[name, "oracle", 1], of).mean() for name in sets]
            axis.plot(np.arange(len(sets)), oracle, "_", ms=22, color="black", label="an oracle's choice, the model")
        axis.set_xticks(np.arange(len(sets)), sets, rotation=30, ha="right")
        axis.set_ylim(bottom=0)
        axis.set_title(f"{title}, in standard deviations of true scores", fontsize=9)
        axis.grid(axis="y", color="#e5e5e5")
        axis.set_axisbelow(True)
    panels.legend(*axes[0].get_legend_handles_labels(), loc="upper center", ncols=4, frameon=False)
    panels.tight_layout(rect=(0, 0, 1, 0.93))
    panels.savefig(path, dpi=130)


def main():
    found, floor = read(sys.argv[1], "arm"), read(sys.argv[2], "choice")
    sets = list(dict.fromkeys(name for name, *_ in found))
    for number in (1, 4):
        table(found, sets, number)
    forecasts = {name: column([row for row in found[name, "adviser", 4] if row["forecast"]], "forecast") for name in sets}
    print("\nforecast in round 4: " + ", ".join(f"{name} {np.mean(values):.2f}" for name, values in forecasts.items()))
    floor_table(floor, sets)
    if len(sys.argv) > 4:
        change_table(found, read(sys.argv[4], "arm"), sets)
    figure(found, floor, sets, sys.argv[3])


if __name__ == "__main__":
    main()
