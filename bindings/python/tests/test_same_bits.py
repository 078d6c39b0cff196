"""test_same_bits.py - Python and C learn the same stream to the same bits and the same file, though
here C is compiled in another way and uses another kernel."""

import numpy as np
import pytest

import stream
import tacos
from conftest import LIVELY, MODELS, toy_samples


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    if not (stream.ROOT / "src/net/learner.c").exists():
        pytest.skip("not in a checkout of the project")
    return stream.build(tmp_path_factory.mktemp("stream"))


def pixels(n):
    """The size of MNIST, mostly dark."""
    random = np.random.default_rng(3)
    x = random.integers(0, 256, (n, 784)) * (random.random((n, 784)) < 0.15)
    return x.astype(np.uint8), random.integers(0, 3, n)


STREAMS = [
    ({"inputs": 40, "hidden": "20", "outputs": 2, **LIVELY, "model": m}, toy_samples(60))
    for m in MODELS
]
READING = {"feedback": "shared", "target_fp": "kept", "m_max_output": 0.5}
STREAMS += [
    ({"inputs": 40, "hidden": "20", "outputs": 2, **LIVELY, **READING}, toy_samples(60)),
    ({"inputs": 784, "hidden": "200", "outputs": 3}, pixels(20)),
    ({"inputs": 784, "hidden": "33,17", "outputs": 3, "learning_rate": 0.02}, pixels(20)),
]


@pytest.mark.parametrize(
    "keys, samples", STREAMS, ids=lambda v: v.get("model", "large") if isinstance(v, dict) else ""
)
def test_the_same_stream(program, tmp_path, keys, samples):
    x, y = samples
    learner = tacos.Learner(seed=11, **keys)
    half = len(x) // 2
    learner.learn(x[:half], y[:half])
    for row, target in zip(x[half:].astype(float) / 255, y[half:]):
        learner.learn(row, target)
    digest, outputs, _ = stream.learn(
        program, keys, 11, x / np.float32(255), y, tmp_path / "c", kernel="ref"
    )
    assert learner.digest == digest
    assert learner.predict(x, draw=5).tolist() == outputs
    assert learner.to_bytes() == (tmp_path / "c").read_bytes()
    assert tacos.Learner.load(tmp_path / "c").digest == digest
