"""How far any choice of 26 of 256 items could get, with the exact kernel of the adviser's model and without a service.

    text_floor.py OUT.csv [FIRST_SEED LAST_SEED]

One round of each set of text_data.py. Errors of the items as in text_quality.py. Choices:

    random     the mean over 100 random ones
    lucky      the best of these 100, in hindsight
    adviser    each time the item that leaves the least expected error
    exchanged  the same, then each item exchanged for a better one as long as there is one, at most two rounds
    oracle     each time the item that leaves the least true error: it knows the true scores of all items, and the noise
    all        all 256
"""

import csv
import sys
from pathlib import Path

import numpy as np
from text_data import ITEMS, PAID, SETS, rounds

INTERCEPT, RATIO, DRAWS = 100, 10, 100
RATIOS = 10 ** np.arange(-6, 9.01, 1 / 8)


def kernel(features):
    """Arc-cosine kernel of standardised features, with mean variance 1 around their mean."""
    deviation = features.std(axis=0)
    rows = (features - features.mean(axis=0)) / np.where(deviation > 0, deviation, 1) / np.sqrt(features.shape[1])
    inner = rows @ rows.T + 1
    norms = np.sqrt(np.outer(np.diag(inner), np.diag(inner)))
    angle = np.arccos(np.clip(inner / norms, -1, 1))
    values = norms * (np.sin(angle) + (np.pi - angle) * np.cos(angle))
    return values / (np.mean(np.diag(values)) - values.mean())


def covariance(k, ratio, rows=()):
    """Of all items once some are scored, in units of the noise; little is known about the intercept."""
    prior = ratio * (k + INTERCEPT)
    rows = list(rows)
    return prior - prior[:, rows] @ np.linalg.solve(prior[np.ix_(rows, rows)] + np.eye(len(rows)), prior[rows])


def estimated(k, rows, told):
    """The posterior mean with the ratio of the largest evidence, as the adviser's model has it."""
    centring = np.eye(len(rows)) - 1 / len(rows)
    values, vectors = np.linalg.eigh(centring @ k[np.ix_(rows, rows)] @ centring)
    values, moments = values.clip(0), vectors.T @ (told[rows] - told[rows].mean())
    grown = 1 + RATIOS[:, None] * values
    noise = (moments**2 / grown).sum(axis=1) / (len(rows) - 1)
    evidence = -(len(rows) - 1) * np.log(noise) / 2 - np.log(grown).sum(axis=1) / 2 - ((np.log10(RATIOS) - 1) / 2) ** 2 / 2
    prior = RATIOS[evidence.argmax()] * (k + INTERCEPT)
    solved = np.linalg.solve(prior[np.ix_(rows, rows)] + np.eye(len(rows)), told[rows] - told[rows].mean())
    return told[rows].mean() + prior[:, rows] @ solved


def best(c, taken):
    gain = ((c**2).mean(axis=0) + c.mean(axis=0) ** 2) / (np.diag(c) + 1)
    gain[taken] = -1
    return int(gain.argmax())


def greedy(k):
    rows = []
    while len(rows) < PAID:
        rows.append(best(covariance(k, RATIO, rows), rows))
    return rows


def exchanged(k, rows):
    for _ in range(2):
        for place in range(PAID):
            others = rows[:place] + rows[place + 1 :]
            rows = others[:place] + [best(covariance(k, RATIO, others), others)] + others[place:]
    return rows


def oracle(k, told, true):
    c, mean, rows = covariance(k, RATIO), np.full(ITEMS, told.mean()), []
    while len(rows) < PAID:
        after = mean[:, None] + c * ((told - mean) / (np.diag(c) + 1))
        errors = ((after - true[:, None]) ** 2).mean(axis=0)
        errors[rows] = np.inf
        rows.append(int(errors.argmin()))
        mean = after[:, rows[-1]]
        c = c - np.outer(c[:, rows[-1]], c[:, rows[-1]]) / (c[rows[-1], rows[-1]] + 1)
    return rows


def main():
    out = Path(sys.argv[1])
    first, last = map(int, sys.argv[2:4]) if len(sys.argv) > 3 else (1, 10)
    rows = [["items", "seed", "choice", "item_error"]]
    for name in SETS:
        for seed in range(first, last + 1):
            features, true, told, unit = next(rounds(name, seed))
            k, chance = kernel(features), np.random.default_rng([seed, 1])

            def error(some):
                return np.sqrt(np.mean((estimated(k, some, told) - true) ** 2)) / unit

            drawn = [error(list(chance.choice(ITEMS, PAID, replace=False))) for _ in range(DRAWS)]
            chosen = greedy(k)
            found = {
                "random": np.mean(drawn),
                "lucky": min(drawn),
                "adviser": error(chosen),
                "exchanged": error(exchanged(k, chosen)),
                "oracle": error(oracle(k, told, true)),
                "all": error(list(range(ITEMS))),
            }
            rows += [[name, seed, choice, f"{value:.5f}"] for choice, value in found.items()]
        print(name, flush=True)
    with out.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
