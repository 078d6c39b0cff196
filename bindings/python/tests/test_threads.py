"""test_threads.py - while a learner works others run, signals are heeded, and sharing is safe."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tacos
from conftest import toy_learner, toy_samples

X, Y = toy_samples(20)
MANY = np.broadcast_to(np.uint8(200), (1_000_000, 40))  # minutes, if nobody stops it
TARGETS = np.zeros(len(MANY), int)


@pytest.fixture
def after():
    """after(seconds, handler): call it once by a signal."""
    before = signal.getsignal(signal.SIGALRM)

    def arm(seconds, handler):
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, seconds)

    yield arm
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


class Enough(Exception):
    pass


def enough(*_):
    raise Enough


@pytest.mark.parametrize("call", ["learn", "predict"])
def test_signals_are_heeded_in_a_batch(learner, after, call):
    after(0.3, enough)
    with pytest.raises(Enough):
        learner.learn(MANY, TARGETS) if call == "learn" else learner.predict(MANY)
    done = learner.stats.learning if call == "learn" else learner.stats.predicting
    assert 0 < done.samples < len(MANY)
    other = toy_learner()
    other.learn(MANY[: learner.samples], TARGETS[: learner.samples])
    assert other.digest == learner.digest  # and what was learned was learned whole


def test_control_c():
    code = (
        "import signal, numpy as np, tacos\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a parent may ignore it
        "learner = tacos.Learner(40, 20, 2)\n"
        "x, y = np.broadcast_to(np.uint8(200), (1_000_000, 40)), np.zeros(1_000_000, int)\n"
        "print('go', flush=True)\n"
        "try:\n"
        "    learner.learn(x, y)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', learner.samples)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "go\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=20)
    assert out.startswith("stopped ") and 0 < int(out.split()[1]) < 1_000_000


def test_a_signal_handler_cannot_enter_a_learner_at_work(learner, after):
    after(0.2, lambda *_: learner.predict(X))
    with pytest.raises(RuntimeError, match="at work below this very call"):
        learner.learn(MANY, TARGETS)
    assert learner.predict(X).shape == (20,)


def test_a_signal_handler_may_use_another(learner, after):
    other = toy_learner()
    after(0.1, lambda *_: other.learn(X, Y))
    learner.learn(MANY[:5000], TARGETS[:5000])
    while not other.samples:
        time.sleep(0.01)
    assert (learner.samples, other.samples) == (5000, 20)


def test_other_threads_run_meanwhile(learner):
    n = 2000
    start = time.perf_counter()
    learner.learn(MANY[:n], TARGETS[:n])
    rows = int(n / (time.perf_counter() - start)) + 1  # a second's work
    worker = threading.Thread(target=learner.learn, args=(MANY[:rows], TARGETS[:rows]))
    start = last = time.perf_counter()
    longest = 0.0
    worker.start()
    while worker.is_alive():
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    assert longest < (last - start) / 2


def test_a_learner_may_be_shared():
    made = toy_learner()
    workers = [
        threading.Thread(target=lambda: [made.learn(X, Y) for _ in range(10)]) for _ in range(4)
    ]
    workers += [threading.Thread(target=lambda: [made.stats, made.predict(X)]) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    alone = toy_learner()
    for _ in range(40):
        alone.learn(X, Y)
    assert made.digest == alone.digest  # a batch is never interrupted by another


def test_waiting_for_one_s_turn_heeds_signals(learner, after):
    holder = threading.Thread(target=learner.learn, args=(MANY[:20000], TARGETS[:20000]))
    holder.start()
    time.sleep(0.05)
    after(0.1, enough)
    with pytest.raises(Enough):
        learner.predict(X)
    assert holder.is_alive()
    holder.join()
    assert learner.samples == 20000


def test_a_fork_keeps_plain_learners_and_refuses_those_with_threads():
    plain, wide = toy_learner(), tacos.Learner(40, 600, 2)
    wide.threads = 3
    plain.learn(X, Y)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            plain.learn(X, Y)
            wide.learn(X, Y)
        except RuntimeError as error:
            code = 0 if "fork" in str(error) and plain.samples == 40 else 2
            del wide
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    wide.learn(X, Y)
    assert (plain.samples, wide.samples) == (20, 20)
