"""Items in groups with features and true scores, as prompts with their completions have them.

Each set is a function of a random generator that yields rounds of 256 items: their features and their true scores. The hidden function
is the same in all rounds, the groups are new ones.

    tight        16 groups of 16; 384 features, of which 16 directions matter; items of a group differ by a tenth of what groups differ by
    groups       32 groups of 8 that differ by a third of it
    spread       32 groups of 8 that differ as much as groups do
    subjects     passages from the documentation of Python's standard library, eight of each of 32 modules, with recorded embeddings by
                 all-MiniLM-L6-v2; the score is how much a passage is about one subject and not about another
    network      the same passages; the score is a random network of the 16 leading directions of the embeddings
    readability  the same passages; the score is their readability by the formula of Flesch
    designs      256 points in four dimensions, with features in different units

A score that is told has noise of 30 % of the standard deviation of the true ones.
"""

from pathlib import Path

import numpy as np

ITEMS, PAID, ROUNDS, NOISE = 256, 26, 4, 0.3
WIDTH, DIRECTIONS, HIDDEN = 384, 16, 32


def network(rng, inputs):
    """A random function of some inputs of about unit size."""
    into, bias, out = rng.normal(size=(inputs, HIDDEN)) / np.sqrt(inputs), rng.normal(size=HIDDEN), rng.normal(size=HIDDEN) / np.sqrt(HIDDEN)
    return lambda x: np.tanh(2 * x @ into + bias) @ out


def synthetic(groups, within):
    def make(rng):
        shown, score = rng.normal(size=(DIRECTIONS, WIDTH)) / np.sqrt(DIRECTIONS), network(rng, DIRECTIONS)
        while True:
            prompts = np.repeat(rng.normal(size=(groups, DIRECTIONS)), ITEMS // groups, axis=0)
            meaning = prompts + within * rng.normal(size=prompts.shape)
            yield meaning @ shown + 0.1 * rng.normal(size=(ITEMS, WIDTH)), score(meaning)

    return make


def texts(score, groups=32):
    recorded = np.load(Path(__file__).parent / "texts.npz")
    embeddings, module = recorded["embeddings"].astype(float), recorded["module"]
    members = [np.flatnonzero(module == each) for each in range(module.max() + 1)]

    def make(rng):
        scores = score(rng, recorded, embeddings)
        while True:
            chosen = rng.choice(len(members), groups, replace=False)
            rows = np.concatenate([rng.choice(members[each], ITEMS // groups, replace=False) for each in chosen])
            yield embeddings[rows], scores[rows]

    return make


def subjects(rng, recorded, embeddings):
    cosines = recorded["subjects"][:, rng.choice(recorded["subjects"].shape[1], 2, replace=False)]
    return np.tanh(1.5 * (cosines - cosines.mean(axis=0)) / cosines.std(axis=0)) @ [1, -0.7]


def leading(rng, recorded, embeddings):
    left, values, _ = np.linalg.svd(embeddings - embeddings.mean(axis=0), full_matrices=False)
    directions = (left * values)[:, :DIRECTIONS]
    return network(rng, DIRECTIONS)(directions / np.sqrt(np.mean(directions**2)))


def readability(rng, recorded, embeddings):
    return recorded["readability"].clip(-50, 120).astype(float)


def designs(rng):
    score, units = network(rng, 4), np.array([1, 10, 0.1, 5])
    while True:
        points = rng.uniform(-1.7, 1.7, size=(ITEMS, 4))
        yield points * units, score(points)


SETS = {
    "tight": synthetic(16, 0.1),
    "groups": synthetic(32, 1 / 3),
    "spread": synthetic(32, 1),
    "subjects": texts(subjects),
    "network": texts(leading),
    "readability": texts(readability),
    "designs": designs,
}


def rounds(name, seed):
    """The rounds of a set for a seed: features, true scores, scores as they are told, and the unit of errors."""
    make = SETS[name](np.random.default_rng([seed, 0]))
    for number in range(1, ROUNDS + 1):
        features, true = next(make)
        unit = true.std()
        yield features, true, true + NOISE * unit * np.random.default_rng([seed, 2, number]).normal(size=len(true)), unit
