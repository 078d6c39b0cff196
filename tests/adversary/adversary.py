#!/usr/bin/env python3
"""adversary.py TACOS - attacks the program with random configurations and kills.

Every configuration is a function of the seed and its number, so that a finding can be repeated with --only.
Give it a build with sanitizers (cmake --preset asan) for configurations.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import sys
import tempfile
import time

import configurations
import kills
from key_table import KeyTable
from program import Finding, Program


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tacos", type=pathlib.Path, help="the program to attack")
    parser.add_argument("--seed", type=int, default=1, help="of everything random (default: 1)")
    parser.add_argument("--configurations", type=int, default=0, metavar="N", help="try N configurations")
    parser.add_argument("--kills", type=int, default=0, metavar="N", help="kill it N times")
    parser.add_argument("--minutes", type=float, default=0, metavar="M", help="try configurations for M minutes")
    parser.add_argument("--first", type=int, default=1, metavar="I", help="begin with configuration I (default: 1)")
    parser.add_argument("--only", type=int, metavar="I", help="only configuration I")
    parser.add_argument("--model", metavar="NAME", help="only configurations of this model (default: any)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="at the same time")
    return parser.parse_args()


class Attack:
    """One session: the program, a folder to work in, and what was found."""

    def __init__(self, arguments, place):
        self.seed, self.model = arguments.seed, arguments.model
        self.program = Program(str(arguments.tacos.resolve()), dict(os.environ))
        self.keys = KeyTable(self.program.path)
        self.figures = configurations.figure_names(self.program.path)
        self.place = place
        self.neighbour = place / "neighbour"
        self.program.call("run", "demo", "--quiet", "--out", self.neighbour, "--set", "samples_per_task=4",
                          "--set", "test_samples_per_task=2")

    def configuration(self, i):
        """What became of configuration i: "ran", "refused", or a finding's text."""
        rng = random.Random(f"{self.seed}/{i}")
        settings = self.keys.draw(rng, self.model)
        folder = self.place / f"c{i}"
        try:
            other = self.neighbour if rng.random() < 0.5 else None
            ran = configurations.try_one(self.program, settings, folder, self.figures, other, rng.random() < 0.1)
            outcome = "ran" if ran else "refused"
        except (Finding, OSError, ValueError) as error:
            outcome = f"configuration {i}: {' '.join(repr(s) for s in settings)}\n{type(error).__name__}: {error}"
        configurations.clear(folder)
        return outcome


def count_outcomes(outcomes, report_every):
    """Prints findings as they come; how many ran, were refused, and were findings."""
    counts = collections.Counter()
    for outcome in outcomes:
        kind = outcome if outcome in ("ran", "refused") else "findings"
        counts[kind] += 1
        if kind == "findings":
            print(f"\nFINDING\n{outcome}\n", flush=True)
        if counts.total() % report_every == 0:
            print(f"  {counts.total()} configurations: {dict(counts)}", flush=True)
    return counts


def attack_configurations(attack, arguments):
    if arguments.only is not None:
        numbers = [arguments.only]
    elif arguments.minutes:
        numbers = range(arguments.first, sys.maxsize)
    else:
        numbers = range(arguments.first, arguments.first + arguments.configurations)
    deadline = time.monotonic() + arguments.minutes * 60  # clock: how much is tried, as --minutes asks

    def outcomes():
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            waiting = collections.deque()
            for i in numbers:
                if arguments.minutes and time.monotonic() > deadline:  # clock: likewise
                    break
                waiting.append(pool.submit(attack.configuration, i))
                if len(waiting) > 2 * arguments.jobs:
                    yield waiting.popleft().result()
            yield from (one.result() for one in waiting)

    return count_outcomes(outcomes(), report_every=100)


def attack_by_kills(program, place, seed, n_wanted):
    """Kills until n_wanted have hit; the number of them and of findings."""
    jobs = kills.Kills(program, place)
    n_kills, n_findings, i = 0, 0, 0
    while n_kills < n_wanted:
        i += 1
        try:
            n_kills += jobs.try_one(random.Random(f"{seed}/kill/{i}"), f"k{i}")
        except Finding as error:
            n_findings += 1
            n_kills += 1
            print(f"\nFINDING\nkill {i}: {error}\n", flush=True)
    return n_kills, i, n_findings


def main():
    arguments = parse_arguments()
    found = 0
    with tempfile.TemporaryDirectory(prefix="tacos-adversary-") as name:
        attack = Attack(arguments, pathlib.Path(name))
        if arguments.configurations or arguments.minutes or arguments.only is not None:
            counts = attack_configurations(attack, arguments)
            found += counts["findings"]
            print(f"configurations: {counts['ran']} ran, {counts['refused']} were refused, {counts['findings']} findings")
        if arguments.kills:
            n_kills, n_jobs, n_findings = attack_by_kills(attack.program, attack.place, arguments.seed, arguments.kills)
            found += n_findings
            print(f"kills: {n_kills} in {n_jobs} jobs, {n_findings} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
