#!/usr/bin/env python3
"""Paired differences between the algorithms of a grid, with 95 % intervals.

    python3 docs/results/intervals.py rating return_at_budget kq-plus

reads data/rating-summary.csv and prints, for every task and base, kq-plus minus each other algorithm.
Runs with the same seed form a pair. The interval and the two-sided p are those of the paired t test;
they are not corrected for the number of comparisons. Only the standard library is needed.
"""

import csv
import math
import statistics
import sys
from pathlib import Path


def two_sided_p(t, pairs):
    """P(|T| > |t|) of Student's t with pairs - 1 degrees of freedom: a finite sum for whole numbers of them."""
    freedom = pairs - 1
    angle = math.atan(abs(t) / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    term, within = (1, 0) if freedom % 2 == 0 else (cosine, 0)
    for k in range(2 if freedom % 2 == 0 else 3, freedom + 1, 2):
        within += term
        term *= cosine**2 * (k - 1) / k
    if freedom % 2 == 0:
        return 1 - sine * within
    return 1 - 2 / math.pi * (angle + sine * within)


def t_quantile_975(pairs):
    """The 97.5 % quantile of Student's t with pairs - 1 degrees of freedom, by bisection."""
    low, high = 0.0, 100.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided_p(middle, pairs) > 0.05 else (low, middle)
    return low


def runs(grid, statistic):
    """{(task, base): {algorithm: {seed: value}}}, from the lines of single runs."""
    groups = {}
    with open(Path(__file__).parent / "data" / f"{grid}-summary.csv", newline="") as file:
        for row in csv.DictReader(file):
            algorithm, _, seed = row["label"].rpartition(", seed ")
            if algorithm and row["statistic"] == statistic:
                group = groups.setdefault((row["task"], row["base"]), {})
                group.setdefault(algorithm, {})[seed] = float(row["value"])
    return groups


def paired(first, second):
    """The mean difference, the ends of its interval, and p; None if a seed is missing."""
    if first.keys() != second.keys():
        return None
    differences = [first[seed] - second[seed] for seed in first]
    pairs = len(differences)
    mean = statistics.mean(differences)
    error = statistics.stdev(differences) / math.sqrt(pairs)
    margin = t_quantile_975(pairs) * error
    return mean, mean - margin, mean + margin, two_sided_p(mean / error, pairs)


def main(grid, statistic, algorithm):
    groups = {key: group for key, group in runs(grid, statistic).items() if algorithm in group}
    if not groups:
        sys.exit(f"{grid}-summary.csv has no run of {algorithm} with the statistic {statistic}")
    for (task, base), group in groups.items():
        print(f"{task}, {base}: {statistic} of {algorithm} minus that of")
        for other in group:
            if other != algorithm and (result := paired(group[algorithm], group[other])):
                print("  {:12} {:10.4g} [{:.4g}, {:.4g}]  p = {:.2g}".format(other, *result))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
