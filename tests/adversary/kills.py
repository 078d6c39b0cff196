"""Kills at random moments, from the first millisecond on; what is resumed must end as if nothing had happened."""

import json
import random
import shutil
import signal
import subprocess
import time

from program import Finding

RUN = ("run", "demo", "--quiet", "--seeds", "2", "--jobs", "2", "--checkpoint-every", "7", "--set", "hidden=40",
       "--set", "steps=80", "--set", "tasks=0-1,2-3,4-5", "--set", "samples_per_task=40", "--set", "test_samples_per_task=10")
PLAN = """experiment = demo
tasks = 0-1,2-3
hidden = 40
steps = 80
samples_per_task = 20
test_samples_per_task = 10
seeds = 2
m_max = choice(5 | 25)
"""


def comparable(value):
    """JSON less what two runs may differ in: how long they took and where they were kept."""
    if isinstance(value, dict):
        return {name: comparable(member) for name, member in value.items() if name not in ("seconds", "store")}
    return [comparable(member) for member in value] if isinstance(value, list) else value


class RunJob:
    """`tacos run` into a folder."""

    def __init__(self, program, place):
        self.program, self.folder = program, place / "run"
        self.arguments = (*RUN, "--out", self.folder)
        self.input = None

    def outcome(self):
        files = {path.name: path.read_bytes() for path in self.folder.glob("model-*.tacos")}
        files["accuracy.csv"] = (self.folder / "accuracy.csv").read_bytes()
        files["results.json"] = comparable(json.loads((self.folder / "results.json").read_text()))
        files["names"] = sorted(path.name for path in self.folder.iterdir())
        return files


class SweepJob:
    """`tacos sweep` of a small plan."""

    def __init__(self, program, place):
        self.program, self.store = program, place / "sweep" / "sweep.db"
        self.store.parent.mkdir(exist_ok=True)
        plan = place / "plan.conf"
        plan.write_text(PLAN)
        self.arguments = ("sweep", plan, "--quiet", "--store", self.store)
        self.input = None

    def outcome(self):
        rows = json.loads(self.program.call("sweep", "show", self.store, "--json"))
        return {"rows": comparable(rows), "names": sorted(path.name for path in self.store.parent.iterdir())}


class LearnJob:
    """`tacos learn` from the samples that a model has not yet learned."""

    def __init__(self, program, place):
        self.program, self.model = program, place / "learn" / "m.tacos"
        self.model.parent.mkdir(exist_ok=True)
        rng = random.Random(5)
        self.lines = [f"{rng.randrange(2)}," + ",".join(f"{rng.random():.3f}" for _ in range(12)) for _ in range(300)]

    @property
    def arguments(self):
        new = ("--new", "--set", "inputs=12", "--set", "hidden=8", "--set", "outputs=2", "--set", "steps=80")
        return ("learn", self.model, "--quiet", "--save-every", "10", *(() if self.model.exists() else new))

    @property
    def input(self):
        return "\n".join(self.lines[self.learned():]) + "\n" if self.learned() < len(self.lines) else ""

    def learned(self):
        if not self.model.exists():
            return 0
        return json.loads(self.program.call("inspect", self.model, "--json"))["samples_learned"]

    def outcome(self):
        return {"model": self.model.read_bytes(), "names": sorted(path.name for path in self.model.parent.iterdir())}


JOBS = (RunJob, SweepJob, LearnJob)


def start(job):
    child = subprocess.Popen(
        job.program.command(*job.arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=job.program.environment,
        start_new_session=True,
    )
    return child


def feed(child, text):
    """All of its input, or as much as it takes before it is killed."""
    try:
        child.stdin.write((text or "").encode())
        child.stdin.close()
    except BrokenPipeError:
        pass


def undisturbed(job_type, program, place):
    """What the job ends in by itself, and how long it takes."""
    job = job_type(program, place)
    began = time.monotonic()  # clock: the span in which kills come
    program.call(*job.arguments, text=job.input)
    return job.outcome(), time.monotonic() - began  # clock: likewise


def kill_until_done(job_type, program, place, rng, seconds, n_most):
    """Starts the job again and again, killing it, then lets it finish; its outcome and the number of kills."""
    job = job_type(program, place)
    n_kills = 0
    while n_kills < n_most:
        text = job.input
        child = start(job)
        delay = rng.choice((rng.uniform(0, 0.005), rng.uniform(0, seconds), seconds * 10 ** rng.uniform(-3, 0)))
        if text:
            feed(child, text)
        try:
            child.wait(delay)  # when the kill comes decides what is tried, never what is right
        except subprocess.TimeoutExpired:
            child.kill()
        said = child.stderr.read().decode(errors="replace")
        status = child.wait()
        if status not in (0, -signal.SIGKILL):
            raise Finding(f"{' '.join(map(str, job.arguments))}\nkilled {n_kills} times before, then status {status}\n{said}")
        if status == 0:
            break
        n_kills += 1
    program.call(*job.arguments, text=job.input)
    return job.outcome(), n_kills


class Kills:
    """Jobs of every kind, each with its undisturbed outcome."""

    def __init__(self, program, place):
        self.program, self.place = program, place
        self.expected = {}
        for job_type in JOBS:
            folder = place / f"undisturbed-{job_type.__name__}"
            folder.mkdir()
            self.expected[job_type] = undisturbed(job_type, program, folder)

    def try_one(self, rng, name):
        """One job, killed up to five times; the number of kills."""
        job_type = rng.choice(JOBS)
        folder = self.place / name
        folder.mkdir()
        expected, seconds = self.expected[job_type]
        outcome, n_kills = kill_until_done(job_type, self.program, folder, rng, seconds, rng.choice((1, 1, 2, 5)))
        if outcome != expected:
            differing = [part for part in expected if outcome.get(part) != expected[part]]
            raise Finding(f"{job_type.__name__} in {folder}, killed {n_kills} times: other {differing}"
                          f"\nfiles {outcome['names']}\ninstead of {expected['names']}")
        shutil.rmtree(folder)
        return n_kills


