"""overhead.py [SAMPLES] - what learning a sample costs through Python, beside C, in one run.

Needs build/libtacos.a (`make build`), so that both have the same kernels. Rounds take turns and the
processor's time counts, the least of each way, since the machine may be busy with something else.
"""

import sys
import tempfile
import time

import numpy as np

import stream
import tacos

# The paper's network, and one in which hardly anything but the call is left.
NETWORKS = {"784-200-2": {}, "784-1-2, 1 step": {"hidden": "1", "steps": 1}}
LIBRARIES = [str(stream.ROOT / "build/libtacos.a")]
LIBRARIES += ["-lsqlite3", "-lzip", "-lpng", "-lz", "-lmd"]
ROUNDS = 15


def timed(call, n):
    start = time.process_time()  # clock: printed, not judged
    call()
    return (time.process_time() - start) / n  # clock: likewise


def one_by_one(learner, x, y):
    for row, target in zip(x, y):
        learner.learn(row, target)


def least_times(keys, x, y):
    """Seconds a sample, the least of all rounds, by way."""
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        program = stream.build(folder, *LIBRARIES)
        for _ in range(ROUNDS):
            digest, _, seconds = stream.learn(program, keys, 1, x, y, f"{folder}/c")
            times = {"C": seconds}
            for way, learn in (("one by one", one_by_one), ("a batch", tacos.Learner.learn)):
                learner = tacos.Learner(seed=1, **keys)
                times[way] = timed(lambda: learn(learner, x, y), len(x))
                assert learner.digest == digest
            best = {way: min(t, best.get(way, t)) for way, t in times.items()}
    return best


def main():
    n = int(sys.argv[1]) if sys.argv[1:] else 300
    random = np.random.default_rng(3)
    x = random.random((n, 784), np.float32) * (random.random((n, 784)) < 0.15)
    y = random.integers(0, 2, n)
    for name, keys in NETWORKS.items():
        best = least_times(keys, x, y)
        for way, seconds in best.items():
            ratio, more = seconds / best["C"], 1e6 * (seconds - best["C"])
            print(f"{name:16} {way:10} {1e6 * seconds:7.1f} us  {ratio:.3f} of C's  {more:+.1f} us")


if __name__ == "__main__":
    main()
