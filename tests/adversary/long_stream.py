#!/usr/bin/env python3
"""long_stream.py TACOS [--rows N] [--kills N] [--seed N]

Twenty-four hours of a stream in miniature: millions of rows with drift, words, missing values and labels that come late
are learned by `tacos learn`, once without interruption and once with many SIGKILLs. The memory of the first may not grow,
and every model that a killed process leaves behind must be the one that the uninterrupted process had after as many
samples; in the end they are equal to the byte.

The kills are counted in answers, not timed. Prints what was measured; exits with 1 if something differs.
"""
import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

SAVE_EVERY = 10000

# A row is a function of its number, so that a stream can go on anywhere. Labels follow from a number and a word, in a way
# that changes ten times; label d comes in the second half; 1 in 50 rows lacks its label, 1 in 10 a value.
ROWS = """BEGIN {
    split("red green blue grey", words, " ")
    for (k = from; k < to; k++) {
        h = (k * 1103515245 + 12345) % 2147483648
        a = int(h / 65536) % 1000; b = int(h / 1024) % 64; w = int(h / 8) % 4
        era = int(10 * k / rows)
        side = (a + 100 * era) % 1000 < 500
        label = side ? (w < 2 ? "a" : "b") : (k > rows / 2 && w == 3 ? "d" : "c")
        printf "%s,%d,%.2f,%s,%.3f\\n", k % 50 == 7 ? "" : label, a, 1000 + b + era, k % 10 == 3 ? "" : words[w + 1], h % 1000 / 7
    }
}"""


def rows(start, end, total, out):
    return subprocess.Popen(["awk", "-v", f"from={start}", "-v", f"to={end}", "-v", f"rows={total}", ROWS], stdout=out)


def learn(tacos, model, *options):
    return subprocess.Popen(
        [tacos, "learn", model, "--label", "first", "--header", "no", "--save-every", str(SAVE_EVERY), *options],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def inspect(tacos, model):
    found = json.loads(subprocess.run([tacos, "inspect", model, "--json"], check=True, stdout=subprocess.PIPE).stdout)
    return found["samples_seen"], found["digest"]


def answers(process, n):
    """Take at least n lines of answers; fewer at the end."""
    taken = 0
    while taken < n:
        text = os.read(process.stdout.fileno(), 1 << 16)
        if not text:
            break
        taken += text.count(b"\n")
    return taken


def memory(process, field):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return int(next(line for line in status if line.startswith(field)).split()[1])


def uninterrupted(tacos, model, total):
    """The digest after every SAVE_EVERY samples, and the memory, in kB, after each tenth."""
    digests, sizes = {}, []
    process = learn(tacos, model, "--new")
    head = 1
    for start in range(0, total, SAVE_EVERY):
        end = min(start + SAVE_EVERY, total)
        with rows(start, end, total, process.stdin):
            # An answer is given before more is read, and so after what comes before it was saved.
            head = answers(process, end - start + head) - (end - start + head)
            assert head == 0, "answers that nobody asked for"
        if end % SAVE_EVERY == 0:
            seen, digest = inspect(tacos, model)
            assert seen == end, f"{seen} samples are saved, not {end}"
            digests[seen] = digest
        if end * 10 // total > start * 10 // total:
            sizes.append(memory(process, "VmRSS"))
    peak = memory(process, "VmHWM")
    process.stdin.close()
    assert process.wait() == 0, "learn failed"
    return digests, sizes, peak


def killed(tacos, model, total, digests, n_kills, draw):
    """How many kills there were; each model is compared with that of the uninterrupted process."""
    seen, kills, peak = 0, 0, 0
    step = total // (n_kills + 1)
    while seen < total:
        new = [] if os.path.exists(model) else ["--new"]
        process = learn(tacos, model, *new)
        with rows(seen, total, total, process.stdin) as source:
            process.stdin.close()
            if kills < n_kills:
                answers(process, draw.randrange(max(1, step // 2), step + SAVE_EVERY))
                peak = max(peak, memory(process, "VmHWM"))
                process.send_signal(signal.SIGKILL)
                kills += process.wait() == -signal.SIGKILL
            else:
                answers(process, total)
                assert process.wait() == 0, "learn failed"
            source.kill()
        process.stdout.close()
        seen, digest = inspect(tacos, model)
        assert seen == total or seen == 0 or digests[seen] == digest, f"after {seen} samples the model is another one"
    return kills, peak


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("tacos")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tacos = os.path.abspath(args.tacos)
    with tempfile.TemporaryDirectory() as folder:
        whole, parts = os.path.join(folder, "whole"), os.path.join(folder, "parts")
        start = time.monotonic()  # clock: printed only
        digests, sizes, peak = uninterrupted(tacos, whole, args.rows)
        seconds = time.monotonic() - start  # clock: printed only
        print(f"{args.rows} rows in {seconds:.0f} s; resident kB after each tenth: {sizes}; peak {peak} kB", flush=True)
        start = time.monotonic()  # clock: printed only
        kills, peak = killed(tacos, parts, args.rows, digests, args.kills, random.Random(args.seed))
        seconds = time.monotonic() - start  # clock: printed only
        with open(whole, "rb") as a, open(parts, "rb") as b:
            same = a.read() == b.read()
        print(f"{kills} kills in {seconds:.0f} s; peak {peak} kB; the models are {'equal' if same else 'different'}")
        grown = sizes[-1] - sizes[0]
        if grown > 1024:
            print(f"memory has grown by {grown} kB")
        return 0 if same and kills == args.kills and grown <= 1024 else 1


if __name__ == "__main__":
    sys.exit(main())
