"""An evolution loop whose simulator is expensive: of each generation, only the designs that the adviser chooses are simulated.

    optimiser.py [FOLDER [GENERATIONS]]

All designs are ranked by their estimated drag. After a crash, the same command goes on; nothing is simulated twice.
"""

import sys
import zlib

import numpy as np
import pgkq

DESIGNS, SIZE, SIMULATED = 64, 8, 8
folder = sys.argv[1] if len(sys.argv) > 1 else "runs/optimiser"
generations = int(sys.argv[2]) if len(sys.argv) > 2 else 20


def drag(design):
    return np.sum((design - np.linspace(-1, 1, SIZE)) ** 2) + np.sum(1 - np.cos(3 * design)) / 10


def simulate(design):
    """Stands for an hour of simulation, whose result has a small error."""
    return drag(design) + 0.05 * np.random.default_rng(zlib.crc32(design)).normal()


rng = np.random.default_rng(1)
centre, spread = np.zeros(SIZE), 1.0
with pgkq.Adviser(folder, select=SIMULATED) as adviser:
    for generation in range(1, generations + 1):
        designs = centre + spread * rng.normal(size=(DESIGNS, SIZE))
        choice = adviser.ask(designs)
        rewards = adviser.tell(choice, [-simulate(designs[i]) for i in choice.indices])
        best = np.argsort(rewards)[-DESIGNS // 4 :]
        centre, spread = designs[best].mean(axis=0), 0.9 * spread
        print(f"generation {generation}: {choice.spent} designs simulated, drag {drag(centre):.3f}")
