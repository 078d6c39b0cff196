"""toy.py - forgetting and keeping, on made-up data: five tasks, each two patterns to tell apart,
each pattern much like one of the task before that had the other answer."""

import numpy as np

import tacos

TASKS, INPUTS = 5, 200
random = np.random.default_rng(0)
patterns = [random.random((2, INPUTS)) < 0.25]
while len(patterns) < TASKS:
    fresh = random.random((2, INPUTS)) < 0.25
    patterns.append(np.where(random.random((2, INPUTS)) < 0.7, patterns[-1][::-1], fresh))


def samples(task, n, seed):
    """Noisy copies of a task's patterns, and which of the two each is."""
    random = np.random.default_rng(seed)
    y = random.integers(2, size=n)
    kept = patterns[task][y] & (random.random((n, INPUTS)) < 0.8)
    return np.where(kept | (random.random((n, INPUTS)) < 0.05), 0.8, 0.0), y


# Tasks are short, so m of the outputs grows and w_ref follows faster than on MNIST.
keys = {"delta_m_output": 0.03, "w_ref_rate": 0.003}
for model in ("tacos", "snn"):
    learner = tacos.Learner(INPUTS, 100, 2, seed=1, model=model, **keys)
    for task in range(TASKS):
        learner.learn(*samples(task, 600, seed=task))  # once; nobody tells it that a task begins
    tests = [samples(task, 300, seed=100 + task) for task in range(TASKS)]
    right = [100 * np.mean(learner.predict(x) == y) for x, y in tests]
    print(f"{model:6}", *(f"{r:5.1f}" for r in right), f"  mean {np.mean(right):5.1f}")
