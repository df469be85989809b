"""Asks an adviser about new items for every line it reads, and answers with the nanoseconds that the question took.

    advise_peer.py CLIENT ADDRESS SELECT ITEMS WIDTH

CLIENT is the folder that has the package pgkq. The scores are told afterwards, which is not timed.
"""

import sys
import time

sys.path.insert(0, sys.argv[1])
import numpy as np
import pgkq


def main():
    address = sys.argv[2]
    select, items, width = map(int, sys.argv[3:])
    random = np.random.default_rng(select)
    with pgkq.Adviser(address, select=select) as adviser:
        print("ready", flush=True)
        for _ in sys.stdin:
            features = random.normal(size=(items, width)).astype(np.float32)
            start = time.perf_counter_ns()
            choice = adviser.ask(features)
            took = time.perf_counter_ns() - start
            adviser.tell(choice, features[choice.indices, 0])
            print(took, flush=True)


if __name__ == "__main__":
    main()
