"""test_threads.py - while a learner works others run, signals are heeded, and sharing is safe."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import tacos
from conftest import toy_learner, toy_samples

X, Y = toy_samples(20)
MANY = np.broadcast_to(np.uint8(200), (1_000_000, 40))  # minutes, if nobody stops it
TARGETS = np.zeros(len(MANY), int)


@pytest.fixture
def pester():
    """pester(handler): signals until the test ends, each sent once the one before was handled."""
    turns, over = threading.Semaphore(1), threading.Event()
    before = signal.getsignal(signal.SIGUSR1)
    main = threading.main_thread().ident

    def send():
        while turns.acquire() and not over.is_set():
            signal.pthread_kill(main, signal.SIGUSR1)

    sender = threading.Thread(target=send)

    def begin(handler):
        def handle(*_):
            try:
                handler()
            finally:
                turns.release()

        signal.signal(signal.SIGUSR1, handle)
        sender.start()

    yield begin
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    over.set()
    turns.release()
    sender.join()
    signal.signal(signal.SIGUSR1, before)


class Enough(Exception):
    pass


def at_work(learner):
    """In a signal handler: did the signal come in the midst of a batch?"""
    try:
        return learner.samples < 0
    except RuntimeError:
        return True


@pytest.mark.parametrize("call", ["learn", "predict"])
def test_signals_are_heeded_in_a_batch(learner, pester, call):
    patience = wanted = 1

    def handler():
        nonlocal patience
        if at_work(learner):
            patience -= 1
            if patience == 0:
                raise Enough

    def done():
        return getattr(learner.stats, f"{call}ing").samples

    pester(handler)
    while done() == 0:  # before it learns, it looks at all targets, and may be stopped there
        patience = wanted = 2 * wanted
        with pytest.raises(Enough):
            learner.learn(MANY, TARGETS) if call == "learn" else learner.predict(MANY)
    assert done() < len(MANY)
    other = toy_learner()
    other.learn(MANY[: learner.samples], TARGETS[: learner.samples])
    assert other.digest == learner.digest  # and what was learned was learned whole


def start(code):
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


AT_WORK = """
import os, signal, sys, threading
import numpy as np, tacos
x, y = np.broadcast_to(np.uint8(200), (1_000_000, 40)), np.zeros(1_000_000, int)
learner = tacos.Learner(40, 20, 2)
"""


def test_control_c():
    code = AT_WORK + (
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a parent may ignore it
        "def tell(*_):\n"
        "    try:\n"
        "        learner.samples\n"
        "        print('idle', flush=True)\n"
        "    except RuntimeError:\n"
        "        print('at work', flush=True)\n"
        "signal.signal(signal.SIGUSR1, tell)\n"
        "print('go', flush=True)\n"
        "try:\n"
        "    learner.learn(x, y)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', learner.samples)\n"
    )
    with start(code) as child:
        said = child.stdout.readline()
        assert said == "go\n"
        while said in ("go\n", "idle\n"):
            child.send_signal(signal.SIGUSR1)
            said = child.stdout.readline()
        assert said == "at work\n"
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate()
    assert out.startswith("stopped ") and int(out.split()[1]) < 1_000_000


def test_a_signal_handler_cannot_enter_a_learner_at_work(learner, pester):
    def handler():
        if at_work(learner):
            learner.predict(X)

    pester(handler)
    with pytest.raises(RuntimeError, match="at work below this very call"):
        learner.learn(MANY, TARGETS)
    assert learner.predict(X).shape == (20,)


def test_a_signal_handler_may_use_another(learner, pester):
    other = toy_learner()

    def handler():
        if at_work(learner) and not other.samples:
            other.learn(X, Y)

    pester(handler)
    batches = 0
    while not other.samples:
        learner.learn(MANY[:5000], TARGETS[:5000])
        batches += 1
    assert (learner.samples, other.samples) == (5000 * batches, 20)
    alone = toy_learner()
    alone.learn(MANY[: learner.samples], TARGETS[: learner.samples])
    assert alone.digest == learner.digest


def test_other_threads_run_meanwhile(learner, pester):
    heard = []

    def handler():
        if at_work(learner):
            heard.append(learner)
            if len(heard) == 3:
                raise Enough

    # Python takes no thread's turn away here. So the one that sends the next signal runs only
    # because a learner at work has given its turn away.
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e6)
    try:
        pester(handler)
        with pytest.raises(Enough):
            learner.learn(MANY, TARGETS)
    finally:
        sys.setswitchinterval(before)
    assert len(heard) == 3


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


def test_waiting_for_one_s_turn_heeds_signals():
    # In a process of its own, which does not wait for the minutes that the holder would take.
    code = AT_WORK + (
        "class Enough(Exception): pass\n"
        "def enough(*_): raise Enough\n"
        "signal.signal(signal.SIGUSR1, enough)\n"
        "main, holds = threading.main_thread().ident, threading.Event()\n"
        "holder = threading.Thread(target=learner.learn, args=(x, y))\n"
        "def send():\n"
        "    holds.wait()\n"
        "    signal.pthread_kill(main, signal.SIGUSR1)\n"
        "sender = threading.Thread(target=send)\n"
        "sender.start()\n"
        "sys.setswitchinterval(1e6)\n"  # turns change only where somebody waits or works
        "holder.start()\n"
        "try:\n"
        "    holds.set()\n"
        "    while holder.is_alive(): learner.predict(x[:1])\n"
        "except Enough:\n"
        "    print('heeded', flush=True)\n"
        "os._exit(not holder.is_alive())\n"
    )
    with start(code) as child:
        out, _ = child.communicate()
    assert (out, child.returncode) == ("heeded\n", 0)


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
