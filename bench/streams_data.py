"""The data sets of bench/streams: scikit-learn's own, and those below $TACOS_DATA."""

import csv
import gzip
import io
import os
import wave
import zipfile
from pathlib import Path

import numpy as np
from sklearn import datasets


def place(folder, name):
    """A file of a data set below $TACOS_DATA, where `tacos data get` puts it or in `streams`; or None."""
    for shelf in (folder, "streams"):
        path = Path(os.environ.get("TACOS_DATA", "/nonexistent")) / shelf / name
        if path.exists():
            return path
    return None


def table(name):
    """scikit-learn's iris, wine, breast_cancer or digits."""
    return getattr(datasets, f"load_{name}")(return_X_y=True)


def stream(name):
    """elec2 or outdoor: features and labels in their order; None if it is not there."""
    path = place(name, f"{name}.csv.gz")
    if path is None:
        return None
    with gzip.open(path, "rt") as file:
        rows = list(csv.reader(file))[1:]
    return np.array([row[:-1] for row in rows], float), np.array([row[-1] for row in rows])


def images(name):
    """MNIST or Fashion-MNIST: (x, y) to learn, (x, y) to test; pixels from 0 to 1."""
    parts = []
    for part in ("train", "t10k"):
        x = place(name, f"{part}-images-idx3-ubyte.gz")
        y = place(name, f"{part}-labels-idx1-ubyte.gz")
        if x is None or y is None:
            return None
        labels = np.frombuffer(gzip.decompress(y.read_bytes())[8:], np.uint8).astype(int)
        pixels = np.frombuffer(gzip.decompress(x.read_bytes())[16:], np.uint8)
        parts.append((pixels.reshape(len(labels), -1) / 255, labels))
    return parts


def photographs():
    """CIFAR-10 in the same form: pixels row by row, red, green and blue of each side by side."""
    parts = []
    for names in ([f"data_batch_{k}.bin" for k in range(1, 6)], ["test_batch.bin"]):
        paths = [place("cifar10", name) for name in names]
        if None in paths:
            return None
        records = np.concatenate([np.fromfile(path, np.uint8) for path in paths]).reshape(-1, 1 + 3072)
        planes = records[:, 1:].reshape(-1, 3, 1024)
        parts.append((planes.transpose(0, 2, 1).reshape(-1, 3072) / 255, records[:, 0].astype(int)))
    return parts


# ---- spoken digits: the spectrograms of docs/data.md, step by step

BANDS, FRAMES = 16, 32


def sounds():
    """Spectrograms of 16 x 32, pixels from 0 to 255, with digits, speakers and numbers of the takes; or None."""
    path = place("spoken-digits", "spoken-digits.zip")
    if path is None:
        return None
    drawn, takes = [], []
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".wav"):
                with wave.open(io.BytesIO(archive.read(name))) as sound:
                    samples = np.frombuffer(sound.readframes(sound.getnframes()), "<i2") / 32768
                    drawn.append(spectrogram(samples, sound.getframerate()))
                takes.append(Path(name).stem.split("_"))
    digits, speakers, numbers = zip(*takes)
    return np.array(drawn), np.array(digits, int), np.array(speakers), np.array(numbers, int)


def spectrogram(samples, rate):
    energy = energies(samples, rate)
    loud = energy.sum(axis=1)
    heard = np.flatnonzero(loud > 1e-3 * loud.max())
    energy = energy[heard[0] : heard[-1] + 1]
    picture = stretched(np.log2(energy / energy.max() + 1e-5)).T
    picture -= picture.mean(axis=1, keepdims=True) / 2
    return np.floor(255 * (picture - picture.min()) / np.ptp(picture) + 0.5).ravel()


def energies(samples, rate):
    """Of each frame (25 ms, every 10 ms) in each band."""
    window, hop = rate // 40, rate // 100
    n = 1 if len(samples) < window else 1 + (len(samples) - window) // hop
    size = 1 << (window - 1).bit_length()
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(window) + 0.5) / window)
    samples = np.pad(samples, (0, max(0, window - len(samples))))
    frames = np.stack([samples[k * hop : k * hop + window] * hann for k in range(n)])
    return np.abs(np.fft.rfft(frames, size)) ** 2 @ bands(size, rate).T


def bands(size, rate):
    """Triangles that overlap by half, equally wide on the Bark scale: the share of each frequency in each."""
    ends = np.array([100, min(8000, rate / 2)])
    bark = np.linspace(*(26.81 * ends / (1960 + ends) - 0.53), BANDS + 2)
    edges = (1960 * (bark + 0.53) / (26.28 - bark))[:, None]
    hz = np.arange(size // 2 + 1) * rate / size
    rise = (hz - edges[:-2]) / (edges[1:-1] - edges[:-2])
    fall = (edges[2:] - hz) / (edges[2:] - edges[1:-1])
    return np.maximum(0, np.minimum(rise, fall))


def stretched(frames):
    """FRAMES columns, each the mean of the frames near it, weighted by how near."""
    step = len(frames) / FRAMES
    middles = (np.arange(FRAMES) + 0.5) * step - 0.5
    weights = np.maximum(0, 1 - np.abs(np.arange(len(frames)) - middles[:, None]) / max(step, 1))
    return weights @ frames / weights.sum(axis=1, keepdims=True)
