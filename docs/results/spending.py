#!/usr/bin/env python3
"""What a run earns for what it pays: kq-bayes with --select auto, with fixed numbers, and other algorithms.

    python3 docs/results/spending.py collect OUT.csv GRID…
    python3 docs/results/spending.py tables FILE.csv
    python3 docs/results/spending.py pairs FILE.csv ppo-kq-bayes ppo-random-bayes

The first form reads the runs below some folders of 'pgkq reproduce' and writes a line for each. The second prints tables: the mean return
of all N episodes in the last four iterations of a run, and over all of its iterations, averaged over seeds; and paired differences of the
former from kq-bayes with --select auto, with 95 % intervals (Student's t). The third prints the paired differences between two algorithms
with the same n. Only the standard library is needed.
"""

import csv
import math
import statistics
import sys
from pathlib import Path

from intervals import t_quantile_975

LAST = 4
COLUMNS = ("task", "reward", "algorithm", "select", "seed", "iterations", "paid", "last", "mean")


def settings(path):
    lines = (line.partition(": ") for line in path.read_text().splitlines() if not line.startswith("#"))
    return {key: value for key, _, value in lines}


def collected(grid):
    for file in sorted(Path(grid).rglob("metrics.csv")):
        of = settings(file.parent / "config.yaml")
        with file.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
        budget = int(of.get("max-evaluations", sys.maxsize))
        paid = int(rows[-1]["reward_evaluations"])
        if len(rows) < int(of["iterations"]) and paid < budget:
            print(f"left out, not finished: {file.parent}", file=sys.stderr)
            continue
        returns = [float(row["return_mean"]) for row in rows]
        yield {
            "task": of["env"],
            "reward": "noise" if float(of["reward-noise"]) > 0 and of["reward"] == "builtin" else of["reward"],
            "algorithm": of["algo"],
            "select": of["batch"] if of["algo"].endswith("-large") else of["select"],
            "seed": of["seed"],
            "iterations": len(rows),
            "paid": paid,
            "last": f"{statistics.mean(returns[-LAST:]):.6g}",
            "mean": f"{statistics.mean(returns):.6g}",
        }


def collect(out, grids):
    rows = [row for grid in grids for row in collected(grid)]
    with open(out, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: tuple(str(row[name]).zfill(8) for name in COLUMNS[:5])))


def shown(values):
    values = list(values)
    mean = statistics.mean(values)
    return f"{mean:.3g} ± {statistics.stdev(values) / math.sqrt(len(values)):.2g}" if len(values) > 1 else f"{mean:.3g}"


def difference(first, second):
    """The mean of paired differences with its interval; seeds that one of them lacks are left out."""
    pairs = [first[seed] - second[seed] for seed in first.keys() & second.keys()]
    if len(pairs) < 2:
        return "", 0
    mean = statistics.mean(pairs)
    margin = t_quantile_975(len(pairs)) * statistics.stdev(pairs) / math.sqrt(len(pairs))
    text = f"{mean:.3g} [{mean - margin:.3g}, {mean + margin:.3g}]"
    return (f"**{text}**" if abs(mean) > margin else text), len(pairs)


def grouped(path):
    """{(task, reward): {(algorithm, n): {seed: line}}}"""
    groups = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            arms = groups.setdefault((row["task"], row["reward"]), {})
            arms.setdefault((row["algorithm"], row["select"]), {})[row["seed"]] = row
    return sorted(groups.items())


def column(runs, name):
    return {seed: float(run[name]) for seed, run in runs.items()}


def pairs(path, first, second):
    print(f"| task | reward | n | seeds | last four iterations, `{first}` minus `{second}` | all iterations |")
    print("|---|---|---|---|---|---|")
    scaled = {"last": {}, "mean": {}}
    for (task, reward), arms in grouped(path):
        for (algorithm, select), runs in arms.items():
            others = arms.get((second, select))
            if algorithm != first or not others:
                continue
            shown_differences = []
            for name, all_of in scaled.items():
                ours, theirs = column(runs, name), column(others, name)
                text, count = difference(ours, theirs)
                shown_differences.append(text)
                unit = statistics.mean(ours.values()) / 100
                for seed in ours.keys() & theirs.keys():
                    all_of.setdefault(seed, []).append((ours[seed] - theirs[seed]) / unit)
            print(f"| {task} | {reward} | {select} | {count} | {' | '.join(shown_differences)} |")
    together = []
    for all_of in scaled.values():
        complete = max(len(values) for values in all_of.values())
        text, count = difference({seed: statistics.mean(v) for seed, v in all_of.items() if len(v) == complete}, dict.fromkeys(all_of, 0.0))
        together.append(text)
    print(f"| together, in % of the mean of `{first}` | | | {count} | {' | '.join(together)} |")


def tables(path):
    for (task, reward), arms in grouped(path):
        print(f"\n{task}, {reward}\n")
        print("| algorithm | n | seeds | iterations | paid | last four iterations | all iterations | last, minus `auto` |")
        print("|---|---|---|---|---|---|---|---|")
        for (algorithm, select), runs in arms.items():
            base = algorithm.partition("-")[0]
            auto = arms.get((f"{base}-kq-bayes", "auto"), {})
            of = column(runs, "last")
            minus, _ = difference(of, column(auto, "last")) if runs is not auto else ("", 0)
            paid = sorted(int(run["paid"]) for run in runs.values())
            many = f"{paid[0]}" if paid[0] == paid[-1] else f"{paid[0]} to {paid[-1]}"
            steps = sorted({int(run["iterations"]) for run in runs.values()})
            print(
                f"| `{algorithm}` | {select} | {len(runs)} | {steps[0] if len(steps) == 1 else f'{steps[0]} to {steps[-1]}'} | {many} "
                f"| {shown(of.values())} | {shown(float(run['mean']) for run in runs.values())} | {minus} |"
            )


if __name__ == "__main__":
    if len(sys.argv) > 3 and sys.argv[1] == "collect":
        collect(sys.argv[2], sys.argv[3:])
    elif len(sys.argv) == 3 and sys.argv[1] == "tables":
        tables(sys.argv[2])
    elif len(sys.argv) == 5 and sys.argv[1] == "pairs":
        pairs(*sys.argv[2:])
    else:
        sys.exit(__doc__)
