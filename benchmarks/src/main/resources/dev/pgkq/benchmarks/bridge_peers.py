"""What environments in pgkq's worker processes are compared with. Takes steps with random actions for every line it reads.

    bridge_peers.py loop ID STEPS
    bridge_peers.py vector ID STEPS COUNT

`loop` steps one environment, with a seed for every episode, as pgkq does. `vector` steps Gymnasium's AsyncVectorEnv of COUNT environments. Both draw their actions before
they are asked for anything. The answer to a line is the number of nanoseconds that the steps took.
"""

import sys
import time

import gymnasium

ACTIONS = 1000


def loop(name, steps):
    env = gymnasium.make(name)
    env.action_space.seed(1)
    actions = [env.action_space.sample() for _ in range(ACTIONS)]
    env.reset(seed=1)

    def play():
        for t in range(steps):
            _, _, terminated, truncated, _ = env.step(actions[t % ACTIONS])
            if terminated or truncated:
                env.reset(seed=t)

    return play


def vector(name, steps, count):
    envs = gymnasium.vector.AsyncVectorEnv([lambda: gymnasium.make(name)] * count)
    envs.action_space.seed(1)
    actions = [envs.action_space.sample() for _ in range(ACTIONS)]
    envs.reset(seed=1)

    def play():
        for t in range(steps // count):
            envs.step(actions[t % ACTIONS])

    return play


def main():
    kind, name, *numbers = sys.argv[1:]
    play = {"loop": loop, "vector": vector}[kind](name, *map(int, numbers))
    print("ready", flush=True)
    for _ in sys.stdin:
        start = time.perf_counter_ns()
        play()
        print(time.perf_counter_ns() - start, flush=True)


if __name__ == "__main__":
    main()
