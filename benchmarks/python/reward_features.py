"""How well rewards are predicted from features of state and action, and from features of transitions, as kq-bayes has them.

    reward_features.py [ID,…]

In each task of Gymnasium, 100 episodes of at most 300 steps are played by random linear policies. After the rewards of the first 1, 8 and
60 episodes are learned, the returns of the last 40 are predicted: root mean square of the errors in standard deviations of these
returns, median over three draws of the random features. One row for each number of episodes, one column for each kind of features.
"""

import os
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import gymnasium
import numpy as np

TASKS = "LunarLander-v3,Hopper-v5,InvertedDoublePendulum-v5,HalfCheetah-v5,Pendulum-v1"
EPISODES, STEPS, TESTED, RANDOM = 100, 300, 40, 300
KINDS = {"random, of (s, a)": (False, False), "all, of (s, a)": (False, True), "all, of (s, a, s' - s)": (True, True)}


def episodes(task):
    """(s, a), s' - s, whether the episode ended, and the reward, of every step of every episode."""
    env, rng = gymnasium.make(task), np.random.default_rng(8)
    discrete = hasattr(env.action_space, "n")
    for index in range(EPISODES):
        state, _ = env.reset(seed=8000 + index)
        count = env.action_space.n if discrete else env.action_space.shape[0]
        policy = (0.5 if discrete else 0.3) * rng.normal(size=(count, len(state)))
        steps, over = [], False
        while not over and len(steps) < STEPS:
            if discrete:
                odds = np.exp(policy @ state - np.max(policy @ state))
                action = rng.choice(count, p=odds / odds.sum())
                encoded = np.eye(count)[action]
            else:
                noisy = policy @ state + 0.6 * rng.normal(size=count)
                encoded = np.clip(noisy, env.action_space.low, env.action_space.high)
                action = encoded.astype(np.float32)
            following, reward, ended, cut, _ = env.step(action)
            change = np.zeros(len(state)) if ended else following - state
            steps.append((np.concatenate([state, encoded]), change, float(ended), float(reward)))
            state, over = following, ended or cut
        yield [np.array(column) for column in zip(*steps)]


def features(played, transitions, all_kinds, seed):
    inputs = [np.hstack([z, change]) if transitions else z for z, change, _, _ in played]
    joined = np.concatenate(inputs)
    mean, deviation = joined.mean(0), joined.std(0)
    deviation[deviation <= 1e-6 * np.abs(mean)] = 1
    size, rng = joined.shape[1], np.random.default_rng(seed)
    directions, biases = rng.normal(size=(size, RANDOM)) / np.sqrt(size), rng.normal(size=RANDOM)
    for rows, (_, _, ended, _) in zip(inputs, played):
        rows = (rows - mean) / deviation
        parts = [np.maximum(0, rows @ directions + biases)]
        if all_kinds:
            parts += [0.3 * np.sqrt(RANDOM / size) * rows, 3 * np.sqrt(RANDOM) * ended[:, None]]
        yield np.hstack(parts)


def learned(rows, rewards):
    """A function that predicts rewards: the posterior mean at the most probable ratio of signal to noise."""
    centre, level = rows.mean(0), rewards.mean()
    values, vectors = np.linalg.eigh((rows - centre).T @ (rows - centre))
    values, unit = np.maximum(values, 0), np.mean(np.sum((rows - centre) ** 2, axis=1))
    seen = vectors.T @ ((rows - centre).T @ (rewards - level))
    square, best = np.sum((rewards - level) ** 2), None
    for exponent in np.arange(-6, 9.01, 0.125):
        ridge = unit / 10**exponent
        noise = max(square - np.sum(seen**2 / (values + ridge)), 1e-9 * square) / (len(rewards) - 1)
        evidence = -0.5 * ((len(rewards) - 1) * np.log(noise) + np.sum(np.log((values + ridge) / ridge)))
        score = evidence - 0.5 * ((exponent - 1) / 2) ** 2
        if best is None or score > best[0]:
            best = score, vectors @ (seen / (values + ridge))
    return lambda these: level + (these - centre) @ best[1]


def main():
    for task in (sys.argv[1] if len(sys.argv) > 1 else TASKS).split(","):
        played = list(episodes(task))
        returns = np.array([rewards.sum() for *_, rewards in played])[-TESTED:]
        for count in (1, 8, 60):
            columns = []
            for name, kind in KINDS.items():
                errors = []
                for seed in (1, 2, 3):
                    phi = list(features(played, *kind, seed))
                    predict = learned(np.concatenate(phi[:count]), np.concatenate([each[3] for each in played[:count]]))
                    missed = np.array([predict(each).sum() for each in phi[-TESTED:]]) - returns
                    errors.append(np.sqrt(np.mean(missed**2)) / returns.std())
                columns.append(f"{name}: {np.median(errors):.3f}")
            print(f"{task}, {count} learned   " + "   ".join(columns), flush=True)


if __name__ == "__main__":
    main()
