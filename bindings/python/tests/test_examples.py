"""test_examples.py - the examples run, and docs/python.md says what they and its own lines do."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
MANUAL = EXAMPLES.parents[2] / "docs/python.md"


def run(name, *args):
    """The mean accuracy that an example prints for each model."""
    told = subprocess.run(
        [sys.executable, EXAMPLES / name, *args], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    means = dict(re.findall(r"^(\S+) .* mean +([0-9.]+)$", told, re.M))
    return told, {model: float(mean) for model, mean in means.items()}


def test_toy():
    told, means = run("toy.py")
    assert means["tacos"] > means["snn"] + 20
    assert not MANUAL.exists() or told in MANUAL.read_text(encoding="utf-8")


def test_every_line_of_the_manual(tmp_path, monkeypatch):
    if not MANUAL.exists():
        pytest.skip("not in a checkout of the project")
    pytest.importorskip("sklearn")
    pytest.importorskip("h5py")
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(MANUAL), module_relative=False, encoding="utf-8")
    assert failed == 0 and tried > 25


@pytest.mark.parametrize("readme", [EXAMPLES.parent / "README.md", MANUAL.parents[1] / "README.md"])
def test_the_readmes(readme, tmp_path, monkeypatch):
    if not readme.exists():
        pytest.skip("not in a checkout of the project")
    pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", readme.read_text(encoding="utf-8"), re.S)
    images = np.ones((3, 784), np.uint8)
    given = {"images": images, "labels": [0, 1, 0], "others": images, "X": images, "y": [0, 1, 0]}
    assert len(blocks) == 1
    exec(blocks[0], given)
    assert given["learner"].samples == 3


def test_split_mnist():
    if not (Path(os.environ.get("TACOS_DATA", "")) / "mnist/train-images-idx3-ubyte.gz").exists():
        pytest.skip("no MNIST in $TACOS_DATA")
    _, means = run("split_mnist.py", "300")
    assert means["tacos"] > means["snn"] + 5
