"""stream.py - runs stream.c and classify.c beside Python: builds them, gives them samples, reads
what they say."""

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
CORE = ["base/*.c", "kernel/*.c", "columns/*.c", "net/*.c", "future/*.c", "sound/*.c", "stream/*.c"]


def build(folder, *libraries, name="stream"):
    """The program, linked with the libraries or, where none is given, with a core of its own, not
    optimised."""
    program = Path(folder) / name
    core = [] if libraries else [str(p) for part in CORE for p in (ROOT / "src").glob(part)]
    flags = ["-std=c11", "-O0", "-D_POSIX_C_SOURCE=200809L"]
    paths = [
        f"-I{ROOT / 'include'}",
        f"-I{ROOT / 'src'}",
        str(Path(__file__).with_name(f"{name}.c")),
    ]
    command = ["cc", *flags, *paths, *core, *libraries, "-lm", "-pthread", "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def learn(program, keys, seed, x, y, out, kernel=""):
    """Digest, predicted outputs and seconds a sample of the C interface; the learner is in out."""
    config = "\n".join(f"{name} = {value}" for name, value in keys.items())
    samples = Path(out).with_suffix(".samples")
    with samples.open("wb") as file:
        for row, target in zip(np.asarray(x, np.float32), np.asarray(y, np.int64)):
            file.write(target.tobytes() + row.tobytes())
    done = subprocess.run(
        [program, config, str(seed), samples, out],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TACOS_KERNEL": kernel},
    )
    told = done.stdout.splitlines()
    return int(told[0]), [int(k) for k in told[1].split()], float(told[2])


class Said(NamedTuple):
    """What classify.c says of a stream: its digest, its labels, and rows of (label, confidence,
    novelty), answered in the stream, and of (label, confidence, novelty, chances...) after it."""

    digest: int
    labels: list
    in_stream: list
    after: list


def classify(program, preset, seed, x, y, out, kernel=""):
    """Through the C interface; the classifier is saved to out. None in y: a sample has no label."""
    samples = Path(out).with_suffix(".samples")
    lines = ["\t".join([label or "", *map(_value, row)]) for row, label in zip(x, y)]
    samples.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run(
        [program, preset, str(seed), samples, out],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "TACOS_KERNEL": kernel},
    )
    digest, labels, *answers = done.stdout.splitlines()
    rows = [(w[0], *map(float.fromhex, w[1:])) for w in (line.split("\t") for line in answers)]
    return Said(int(digest), labels.split("\t"), rows[: len(x)], rows[len(x) :])


def _value(value):
    if isinstance(value, str):
        return "t" + value
    return "" if value is None or value != value else float(value).hex()
