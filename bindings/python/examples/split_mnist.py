"""split_mnist.py [SAMPLES] - five pairs of digits, one after the other, with one shared pair of
outputs: TACOS beside the plain spiking network.

Needs MNIST in $TACOS_DATA/mnist (`tacos data get mnist` puts it there). SAMPLES per task are learned
and tested; without it all are, about 12,000, which takes a minute.
"""

import functools
import gzip
import os
import sys

import numpy as np

import tacos

ALL = 12_000
SAMPLES = int(sys.argv[1]) if sys.argv[1:] else ALL


@functools.lru_cache
def read(name):
    with gzip.open(f"{os.environ['TACOS_DATA']}/mnist/{name}-ubyte.gz") as file:
        data = np.frombuffer(file.read(), np.uint8)
    return data[4 + 4 * data[3] :]  # behind a magic word, whose last byte counts sizes, and those


def pair_of(part, first):
    """The digits `first` and `first` + 1 in random order, and which of the two each is."""
    images, labels = read(f"{part}-images-idx3").reshape(-1, 784), read(f"{part}-labels-idx1")
    chosen = np.random.default_rng(1).permutation(np.flatnonzero(labels // 2 == first // 2))
    if SAMPLES < ALL:
        chosen = chosen[:SAMPLES]
    return images[chosen], labels[chosen] % 2


# The defaults are for all samples; with fewer, m grows and w_ref follows faster.
faster = max(1, ALL / SAMPLES)
keys = {
    "delta_m_hidden": 0.005 * faster**0.5,
    "delta_m_output": 0.0013 * faster,
    "w_ref_rate": 0.00004 * faster,
}
for model in ("tacos", "snn"):
    learner = tacos.Learner(inputs=784, hidden=200, outputs=2, seed=1, model=model, **keys)
    for task in (0, 2, 4, 6, 8):
        learner.learn(*pair_of("train", task))  # once; nobody tells it that a task begins
    tests = [pair_of("t10k", task) for task in (0, 2, 4, 6, 8)]
    right = [100 * np.mean(learner.predict(x) == y) for x, y in tests]
    print(f"{model:6}", *(f"{r:5.1f}" for r in right), f"  mean {np.mean(right):5.1f}")
