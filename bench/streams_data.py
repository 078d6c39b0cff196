"""The data sets of bench/streams: scikit-learn's own, and those below $TACOS_DATA."""

import csv
import gzip
import os
from pathlib import Path

import numpy as np
from sklearn import datasets


def place(name):
    """A file below $TACOS_DATA, or None."""
    path = Path(os.environ.get("TACOS_DATA", "/nonexistent")) / name
    return path if path.exists() else None


def table(name):
    """scikit-learn's iris, wine, breast_cancer or digits."""
    return getattr(datasets, f"load_{name}")(return_X_y=True)


def stream(name):
    """A CSV of streams/: features and labels in their order; None if it is not there."""
    path = place(f"streams/{name}.csv.gz")
    if path is None:
        return None
    with gzip.open(path, "rt") as file:
        rows = list(csv.reader(file))[1:]
    return np.array([row[:-1] for row in rows], float), np.array([row[-1] for row in rows])


def images(name):
    """MNIST or Fashion-MNIST: (x, y) to learn, (x, y) to test; pixels from 0 to 1."""
    parts = []
    for part in ("train", "t10k"):
        x = place(f"{name}/{part}-images-idx3-ubyte.gz")
        y = place(f"{name}/{part}-labels-idx1-ubyte.gz")
        if x is None or y is None:
            return None
        labels = np.frombuffer(gzip.decompress(y.read_bytes())[8:], np.uint8).astype(int)
        pixels = np.frombuffer(gzip.decompress(x.read_bytes())[16:], np.uint8)
        parts.append((pixels.reshape(len(labels), -1) / 255, labels))
    return parts
