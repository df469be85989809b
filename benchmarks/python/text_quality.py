"""Errors of estimated rewards for text-like items in groups, with items chosen by the adviser and at random, same model.

    text_quality.py OUT.csv [SEEDS]

Three sets of 256 items in 32 groups of 8, as prompts with their completions are; a tenth (26) of them is scored in each of four
rounds, in which the adviser remembers the rounds before:

    groups   embeddings of 384 numbers, of which 16 directions matter; the completions of a prompt differ little (a third)
    spread   the same, but they differ as much as prompts do
    texts    passages from the documentation of Python's standard library, eight of a module; embeddings by latent semantic
             analysis of letter trigrams; the score is their readability

A score is a hidden function of the item (of the 16 directions, by a random network; of the text itself) plus noise of 30 % of its
standard deviation. Errors are in units of that deviation: of the items' rewards (root mean square), and of their mean. Arms:

    adviser   choice and model of pgkq
    random    26 items at random, model of pgkq
    average   26 items at random, no model: their scores, and the mean of these for all others
"""

import csv
import importlib
import inspect
import pkgutil
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

import pgkq

GROUPS, EACH, PAID, ROUNDS, NOISE = 32, 8, 26, 4, 0.3
WIDTH, DIRECTIONS, HIDDEN = 384, 16, 32


def synthetic(spread):
    """Rounds of (features, true scores) for a seed."""

    def make(rng):
        shown = rng.normal(size=(DIRECTIONS, WIDTH)) / np.sqrt(DIRECTIONS)
        into, out = rng.normal(size=(DIRECTIONS, HIDDEN)) / np.sqrt(DIRECTIONS), rng.normal(size=HIDDEN) / np.sqrt(HIDDEN)
        for _ in range(ROUNDS):
            prompts = np.repeat(rng.normal(size=(GROUPS, DIRECTIONS)), EACH, axis=0)
            meaning = prompts + spread * rng.normal(size=prompts.shape)
            yield meaning @ shown + 0.1 * rng.normal(size=(len(meaning), WIDTH)), np.tanh(2 * meaning @ into) @ out

    return make


def passages():
    """Paragraphs of documentation, by module."""
    found = {}
    for module in sorted(sys.stdlib_module_names):
        if module.startswith("_") or module in ("antigravity", "this", "idlelib", "turtledemo"):
            continue
        try:
            parts = [importlib.import_module(module)]
            parts += [part for _, part in inspect.getmembers(parts[0]) if inspect.isclass(part) or inspect.isfunction(part)]
        except Exception:  # not for this platform
            continue
        text = "\n\n".join(inspect.getdoc(part) or "" for part in parts)
        long = [re.sub(r"\s+", " ", each).strip() for each in text.split("\n\n")]
        kept = list(dict.fromkeys(each for each in long if 80 <= len(each) <= 600))
        if len(kept) >= EACH:
            found[module] = kept
    return found


def readability(text):
    """The formula of Flesch, with vowel groups for syllables."""
    words = re.findall(r"[A-Za-z]+", text)
    syllables = sum(max(1, len(re.findall(r"[aeiouy]+", word.lower()))) for word in words)
    return 206.8 - 1.015 * len(words) / max(1, len(re.findall(r"[.!?:;](?= |$)", text))) - 84.6 * syllables / len(words)


def embeddings(texts):
    """Latent semantic analysis: the leading directions of a TF-IDF matrix of letter trigrams."""
    grams = [[text[i : i + 3].lower() for i in range(len(text) - 2)] for text in texts]
    names = {gram: i for i, gram in enumerate(sorted({gram for each in grams for gram in each}))}
    counts = np.zeros((len(texts), len(names)), np.float32)
    for row, each in zip(counts, grams):
        np.add.at(row, [names[gram] for gram in each], 1)
    weighted = np.log1p(counts) * np.log(len(texts) / (counts > 0).sum(axis=0))
    weighted /= np.linalg.norm(weighted, axis=1, keepdims=True)
    left, values, _ = np.linalg.svd(weighted - weighted.mean(axis=0), full_matrices=False)
    return (left * values)[:, :WIDTH]


def documented():
    modules = passages()
    texts = [text for each in modules.values() for text in each]
    features, scores = embeddings(texts), np.array([readability(text) for text in texts])
    ends = np.cumsum([len(each) for each in modules.values()])
    of_module = [np.arange(end - len(each), end) for end, each in zip(ends, modules.values())]

    def make(rng):
        for _ in range(ROUNDS):
            groups = rng.choice(len(of_module), GROUPS, replace=False)
            rows = np.concatenate([rng.choice(of_module[group], EACH, replace=False) for group in groups])
            yield features[rows], scores[rows]

    return make


def estimates(adviser, arm, features, told, rng):
    """Estimated rewards, and the estimate of their mean."""
    if arm == "adviser":
        choice = adviser.ask(features, select=PAID)
        rewards = adviser.tell(choice, told[choice.indices])
        return rewards.mean, rewards.mean.mean()
    some = rng.choice(len(told), PAID, replace=False)
    if arm == "average":
        return np.where(np.isin(np.arange(len(told)), some), told, told[some].mean()), told[some].mean()
    # scores of a random choice are owned already when the adviser is asked, and no others are wanted
    ids = [f"{adviser.status()['rounds']}/{i}" for i in range(len(told))]
    choice = adviser.ask(features, ids, owned={ids[i]: told[i] for i in some}, select=0)
    rewards = adviser.estimates(choice)
    return rewards.mean, rewards.mean.mean()


def main():
    out = Path(sys.argv[1])
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    rows = [["items", "seed", "round", "arm", "item_error", "mean_error"]]
    for name, make in [("groups", synthetic(1 / 3)), ("spread", synthetic(1)), ("texts", documented())]:
        for seed in range(1, seeds + 1):
            for arm in ("adviser", "random", "average"):
                with tempfile.TemporaryDirectory() as folder, pgkq.Adviser(folder, seed=seed) as adviser:
                    chance = np.random.default_rng([seed, 1])
                    for number, (features, true) in enumerate(make(np.random.default_rng([seed, 0])), 1):
                        unit = true.std()
                        told = true + NOISE * unit * np.random.default_rng([seed, 2, number]).normal(size=len(true))
                        items, mean = estimates(adviser, arm, features, told, chance)
                        rows.append(
                            [name, seed, number, arm, np.sqrt(np.mean((items - true) ** 2)) / unit, abs(mean - true.mean()) / unit]
                        )
            print(name, seed, flush=True)
            with out.open("w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
