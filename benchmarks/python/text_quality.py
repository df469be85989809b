"""Errors of estimated rewards, with items chosen by the adviser and at random, same model.

    text_quality.py OUT.csv [FIRST_SEED LAST_SEED]

A tenth (26 of 256) of the items of text_data.py is scored in each of four rounds; the adviser remembers the rounds before. Errors are in
units of the standard deviation of the true scores: of the items' rewards (root mean square), and of their mean. The forecast is the
expected error over that of random choices, as the adviser says before any score of the round is known. Arms:

    adviser   choice and model of pgkq
    random    26 items at random, model of pgkq
    average   26 items at random, no model: their scores, and the mean of these for all others
"""

import csv
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pgkq
from text_data import PAID, SETS, rounds

ARMS = ("adviser", "random", "average")


def estimates(adviser, judge, arm, features, told, rng):
    """Estimated rewards, and the forecast."""
    if arm == "adviser":
        choice = adviser.ask(features, select=PAID, judge=judge)
        forecast = choice.expected_error / choice.random_error if choice.random_error else None
        return adviser.tell(choice, told[choice.indices]).mean, forecast
    some = rng.choice(len(told), PAID, replace=False)
    if arm == "average":
        return np.where(np.isin(np.arange(len(told)), some), told, told[some].mean()), None
    # scores of a random choice are owned already when the adviser is asked, and no others are wanted
    ids = [f"{adviser.status()['rounds']}/{i}" for i in range(len(told))]
    choice = adviser.ask(features, ids, owned={ids[i]: told[i] for i in some}, select=0, judge=judge)
    return adviser.estimates(choice).mean, None


def main():
    out = Path(sys.argv[1])
    first, last = map(int, sys.argv[2:4]) if len(sys.argv) > 3 else (1, 10)
    rows = [["items", "seed", "round", "arm", "item_error", "mean_error", "forecast"]]
    for seed in range(first, last + 1):
        with ExitStack() as opened:
            advisers = {}
            for name in SETS:
                for arm in ARMS:
                    chance = np.random.default_rng([seed, 1])
                    for number, (features, true, told, unit) in enumerate(rounds(name, seed), 1):
                        width = features.shape[1]
                        if width not in advisers:
                            folder = opened.enter_context(tempfile.TemporaryDirectory())
                            advisers[width] = opened.enter_context(pgkq.Adviser(folder, seed=seed))
                        # a model for each judge
                        rewards, forecast = estimates(advisers[width], f"{name} {arm}", arm, features, told, chance)
                        errors = np.sqrt(np.mean((rewards - true) ** 2)) / unit, abs(rewards.mean() - true.mean()) / unit
                        shown = [f"{value:.5f}" for value in errors] + ["" if forecast is None else f"{forecast:.5f}"]
                        rows.append([name, seed, number, arm, *shown])
        print(seed, flush=True)
        with out.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
