#!/usr/bin/env python3
"""A reward program for pgkq: reads one episode from standard input and writes its rewards to standard output.

    ./pgkq train --env Hopper-v4 --reward "exec:python3 examples/rewards/score.py"

pgkq starts it once for every paid episode, in a separate working directory. To run it by hand, use the request.json of a
failed evaluation, in oracle/evaluations/ of the run directory:

    python3 score.py <request.json

It needs only Python 3. Replace score() with your own simulation or judge.
"""
import json
import sys


def mean_square(numbers):
    return sum(number * number for number in numbers) / len(numbers)


def score(request):
    """Returns a reward for each step: 1, minus penalties for effort and for abrupt changes of the action."""
    rewards = []
    before = None
    for action in request["environmentActions"]:
        jump = [now - then for now, then in zip(action, before or action)]
        rewards.append(1 - 0.1 * mean_square(action) - 0.1 * mean_square(jump))
        before = action
    # For one number per episode: {"return": sum(rewards)}
    return {"rewards": rewards, "cost": 0.0, "note": "episode " + request["episode"]}


if __name__ == "__main__":
    question = json.load(sys.stdin)
    print("scoring", question["episode"], file=sys.stderr)  # standard output is for the answer only
    json.dump(score(question), sys.stdout, allow_nan=False)
