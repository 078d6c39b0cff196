"""stream.py - runs stream.c beside Python: build it, give it samples, read what it says."""

import os
import subprocess
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
CORE = ["base/*.c", "kernel/*.c", "net/*.c", "future/*.c"]


def build(folder, *libraries):
    """The program, linked with the libraries or, where none is given, with a core of its own, not
    optimised."""
    program = Path(folder) / "stream"
    core = [] if libraries else [str(p) for part in CORE for p in (ROOT / "src").glob(part)]
    flags = ["-std=c11", "-O0", "-D_POSIX_C_SOURCE=200809L"]
    paths = [
        f"-I{ROOT / 'include'}",
        f"-I{ROOT / 'src'}",
        str(Path(__file__).with_name("stream.c")),
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
