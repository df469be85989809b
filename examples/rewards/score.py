#!/usr/bin/env python3
"""A reward for pgkq as a program: one episode on standard input, its rewards on standard output.

    ./pgkq train --env Hopper-v4 --reward "exec:python3 examples/rewards/score.py"

pgkq starts it once for every episode that is paid for, in a folder of its own. To try it by hand, take the request.json of
an evaluation that failed, in oracle/evaluations/ of the run directory:

    python3 score.py <request.json

Python 3 is all it needs. Put your own simulation or judge into score().
"""
import json
import sys


def mean_square(numbers):
    return sum(number * number for number in numbers) / len(numbers)


def score(request):
    """1 for every step, less for effort and for jerking: a reward for each step."""
    rewards = []
    before = None
    for action in request["environmentActions"]:
        jump = [now - then for now, then in zip(action, before or action)]
        rewards.append(1 - 0.1 * mean_square(action) - 0.1 * mean_square(jump))
        before = action
    # For one number for the whole episode: {"return": sum(rewards)}
    return {"rewards": rewards, "cost": 0.0, "note": "episode " + request["episode"]}


if __name__ == "__main__":
    question = json.load(sys.stdin)
    print("scoring", question["episode"], file=sys.stderr)  # whatever is not the answer goes to standard error
    json.dump(score(question), sys.stdout, allow_nan=False)
