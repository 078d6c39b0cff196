"""test_same_command.py - TacosClassifier and `tacos learn` give the same answers, to the sample."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

import tacos

PROGRAM = Path(__file__).resolve().parents[3] / "build" / "tacos"


def rows(samples, labels=None):
    """Lines of numbers, the label first."""
    lines = [",".join(repr(float(v)) for v in sample) for sample in samples]
    if labels is not None:
        lines = [f"{label},{line}" for label, line in zip(labels, lines)]
    return "\n".join(lines) + "\n"


def answers_of_command(folder, X, y, others):
    model = folder / "model"
    subprocess.run(
        [PROGRAM, "learn", model, "--new", "--quiet"], input=rows(X, y), text=True, check=True
    )
    printed = subprocess.run(
        [PROGRAM, "predict", model, "--label", "none", "--quiet"],
        input=rows(others),
        text=True,
        check=True,
        stdout=subprocess.PIPE,
    ).stdout
    return [line.split(",")[0] for line in printed.split("\n")[1:-1]]


@pytest.mark.skipif(not PROGRAM.exists(), reason="build/tacos is not built")
@pytest.mark.parametrize("key", [lambda y: y, lambda y: y // 2, lambda y: 0 * y])
def test_digits_are_answered_alike(tmp_path, key):
    X, y = load_digits(return_X_y=True)
    X, y, others, truth = X[:1347], y[:1347], X[1347:], y[1347:]
    order = np.argsort(key(y), kind="stable")  # class by class, in pairs, as they come
    X, y = X[order], y[order]
    classifier = tacos.TacosClassifier()
    classifier.partial_fit(X, y)
    ours = [str(label) for label in classifier.predict(others)]
    assert ours == answers_of_command(tmp_path, X, y, others)
    assert np.mean(np.array(ours) == truth.astype(str)) > 0.9
