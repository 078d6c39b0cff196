"""test_core.py - the extension itself, which trusts nobody: whatever it is given, it raises, leaves
everything as it was, and lets go of what it held."""

import gc
import io
import itertools
import sys

import numpy as np
import pytest

from conftest import toy_learner, toy_samples
from tacos import _core

KEYS = {"inputs": "40", "hidden": "20", "outputs": "2", "steps": "60"}
PIXELS, TARGETS = toy_samples(6)
TARGETS = TARGETS.astype(np.int64)

ODD = [
    None, 0, -1, 1.5, "text", b"", b"bytes", (), [], {}, object(), lambda: 0,
    bytearray(240), memoryview(b"abc"),
    np.float32(1), np.zeros(()), np.zeros(0), np.zeros((0, 40)), np.zeros((6, 0)),
    np.zeros((6, 39), np.float32), np.zeros((6, 40, 1)), np.zeros(240, np.uint8),
    np.zeros((6, 40), ">f4"), np.zeros((6, 40), complex), np.zeros((6, 40), "S3"),
    np.zeros((6, 40), "V0"), np.zeros(6, "V0"), np.zeros((6, 40), object),
    np.zeros((6, 40), "M8[s]"),
    np.zeros((6, 40), [("a", "f4"), ("b", "i2")]), np.zeros(6, np.int32), np.zeros(6, ">i8"),
    np.zeros(12, np.int64)[::2], np.zeros((6, 2), np.uint32).T, np.zeros((6, 61, 40), np.uint8),
    np.zeros((6, 2**20, 0), np.uint8), np.broadcast_to(np.float32(0.5), (6, 40)),
]  # fmt: skip
GOOD = [
    PIXELS, PIXELS.astype(float) / 255, TARGETS.copy(), np.zeros(1, np.uint64), np.zeros(6, int),
    np.zeros((6, 2), np.uint32), np.zeros((6, 60, 40), np.uint8),
]  # fmt: skip
RAISED = (TypeError, ValueError, BufferError, OSError)


def tried(call, *args):
    """Whether it went well; anything but these is a bug."""
    try:
        call(*args)
    except RAISED:
        return False
    return True


@pytest.mark.parametrize("method, n", [("learn", 2), ("learn_spikes", 2), ("predict_spikes", 3)])
def test_any_arguments(method, n):
    engine = _core.Engine(KEYS, 1)
    call = getattr(engine, method)
    went = [args for args in itertools.product(ODD + GOOD, repeat=n) if tried(call, *args)]
    assert 0 < len(went) < 60
    assert engine.shape == (40, 2, 2, 60) and engine.digest() >= 0


def test_any_arguments_of_predict():
    engine = _core.Engine(KEYS, 1)
    good = [PIXELS, np.zeros(1, np.uint64), np.zeros(6, np.int64), np.zeros((6, 2), np.uint32)]
    assert tried(engine.predict, *good)
    for at, odd in itertools.product(range(4), ODD):
        tried(engine.predict, *good[:at], odd, *good[at + 1 :])
    for args in itertools.product(GOOD, repeat=4):
        tried(engine.predict, *args)
    assert engine.digest() == _core.Engine(KEYS, 1).digest()


def test_any_arguments_of_set_layer():
    engine = _core.Engine(KEYS, 1)
    w, steps = np.zeros((40, 20), np.float32), np.zeros((40, 20), np.uint16)
    room = np.zeros(4 * 800 + 1, np.uint8)
    odd = [None, w, w.T, w[:39], steps, room[1:].view(np.float32), *ODD[1:]]
    went = [
        args
        for args in itertools.product([0], odd, odd[:6], odd[:6])
        if tried(engine.set_layer, *args)
    ]
    assert len(went) == 8  # each of the three is given, or None is
    for index in (2, -1, 2**80, "0", None):
        assert not tried(engine.set_layer, index, w, None, None)


def test_what_is_locked_is_not_written():
    engine = _core.Engine(KEYS, 1)
    outputs = np.zeros(6, np.int64)
    outputs.flags.writeable = False
    with pytest.raises((ValueError, BufferError), match="not writ|read-only"):
        engine.predict(PIXELS, np.zeros(1, np.uint64), outputs, np.zeros((6, 2), np.uint32))
    with pytest.raises((TypeError, BufferError)):
        engine.predict(PIXELS, np.zeros(1, np.uint64), bytes(48), np.zeros((6, 2), np.uint32))


def test_any_one_argument(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a text is a fine name for a file
    engine = _core.Engine(KEYS, 1)
    calls = [engine.get, engine.layer, engine.save, engine.load, engine.load_bytes]
    calls += [lambda n: setattr(engine, "threads", n), lambda keys: _core.Engine(keys, 1)]
    calls += [lambda seed: _core.Engine(KEYS, seed), lambda key: _core.Engine({key: "1"}, 1)]
    calls += [lambda value: _core.Engine({"inputs": value}, 1)]
    went = [(at, odd) for at, call in enumerate(calls) for odd in ODD if tried(call, odd)]
    assert went == [(1, 0), (2, "text"), (2, b"bytes"), (3, "text"), (3, b"bytes"), (5, 0), (6, {}),
                    (7, 0)]  # fmt: skip


def test_wrong_numbers_of_arguments():
    engine = _core.Engine(KEYS, 1)
    for call in (engine.learn, engine.predict, engine.learn_spikes, engine.predict_spikes):
        for n in (0, 1, 5):
            with pytest.raises(TypeError):
                call(*[PIXELS] * n)
    for make in (_core.Engine, lambda: _core.Engine(KEYS), lambda: _core.Engine(KEYS, seed=1)):
        with pytest.raises(TypeError):
            make()
    with pytest.raises(TypeError, match="Engine.layer"):
        _core.View()
    with pytest.raises(AttributeError):
        del engine.threads
    for kind in (_core.Engine, _core.View):
        with pytest.raises(TypeError):
            type("Mine", (kind,), {})


def test_buffers_are_let_go():
    """A bytearray that is in use cannot be resized."""
    engine = _core.Engine(KEYS, 1)
    x, y = bytearray(PIXELS.tobytes()), bytearray(TARGETS.tobytes())
    rows = memoryview(x).cast("B", (6, 40))
    wrong = memoryview(y).cast("q")
    y[0] = 9
    engine.learn(rows, TARGETS)
    for args in ((rows, wrong), (rows, TARGETS[:3]), (wrong, rows)):
        with pytest.raises(RAISED):
            engine.learn(*args)
    rows.release()
    wrong.release()
    x.append(0)
    y.append(0)


def test_nothing_leaks():
    """References to what was given, and learners, do not pile up."""
    x, y = PIXELS.copy(), TARGETS.copy()
    before = sys.getrefcount(x), sys.getrefcount(y)
    for k in range(50):
        made = toy_learner()
        made.learn(x, y)
        tried(made._engine.learn, x, y[:1])
        tried(made._engine.learn, x, y + 5)
        made.weights(0), made.stats, made.keys, made.to_bytes()
    assert (sys.getrefcount(x), sys.getrefcount(y)) == before
    del made
    gc.collect()
    assert not [o for o in gc.get_objects() if type(o).__name__ == "Learner"]


@pytest.mark.parametrize("hidden", [16, 20])
def test_views_say_what_they_are(hidden):
    """Rows of 16 lie side by side; others are padded."""
    w, w_ref, m_steps, *_ = _core.Engine({**KEYS, "hidden": str(hidden)}, 1).layer(0)
    for view, format_ in ((w, "f"), (w_ref, "f"), (m_steps, "H")):
        seen = memoryview(view)
        assert (seen.format, seen.shape, seen.readonly) == (format_, (40, hidden), True)
        assert seen.c_contiguous == (hidden == 16)
        assert seen.tobytes() == np.asarray(view).tobytes()
        with pytest.raises(TypeError, match="read-write"):
            io.BytesIO(bytes(9)).readinto(view)


def test_the_keys_are_those_of_the_header():
    assert "tau_trace_ms" in _core.keys() and len(set(_core.keys())) == len(_core.keys())
    with pytest.raises(ValueError, match="tau_trace_ms"):
        _core.Engine(KEYS, 1).get("tau_trace")


# ---- classifiers


def samples(n=6):
    return np.random.default_rng(0).random((n, 3)), np.full((n, 3), -1, np.int64), ["red"]


def told(n=6):
    return np.zeros(n, np.int64), np.zeros(n), np.zeros(n), np.zeros((n, 2))


LABELS = (np.array([0, 1, -1, 0, 1, 0]), ["a", "b"])


def test_a_stream_given_anything():
    fresh = _core.Classifier(None, 1)
    odd = [*ODD, np.zeros((6, 3)), np.full((6, 3), 5), np.zeros((6, 3), np.int64), ["a"], [1]]
    for at, value in itertools.product(range(3), odd):
        given = list(samples())
        given[at] = value
        tried(_core.Classifier(None, 1).next, tuple(given), LABELS, told())
        tried(fresh.predict, tuple(given), told())
    for at, value in itertools.product(range(2), odd):
        given = list(LABELS)
        given[at] = value
        tried(_core.Classifier(None, 1).next, samples(), tuple(given), None)
    for at, value in itertools.product(range(4), odd):
        given = list(told())
        given[at] = value
        tried(fresh.predict, samples(), tuple(given))
    for value in odd:
        for args in ((value, LABELS, told()), (samples(), value, None), (samples(), None, value)):
            tried(_core.Classifier(None, 1).next, *args)
    assert fresh.digest() == _core.Classifier(None, 1).digest()


def test_codes_without_a_word_are_refused():
    made = _core.Classifier(None, 1)
    numbers, codes, words = samples()
    codes[2, 1] = 1
    with pytest.raises(ValueError, match="row 2: there is no word 1"):
        made.next((numbers, codes, words), LABELS, None)
    assert made.info()["n_seen"] == 2
    with pytest.raises(ValueError, match="row 0: there is no word 2"):
        made.next(samples(), (np.full(6, 2), ["a", "b"]), None)


def test_chances_of_as_many_labels_as_there_is_room_for():
    made = _core.Classifier(None, 1)
    made.next(samples(), LABELS, None)
    for width in (0, 1, 2, 5):
        answers = (*told()[:3], np.full((6, width), 7.0))
        made.predict(samples(), answers)
        assert (answers[3] <= 1).all() and (answers[3][:, 2:] == 0).all()
    assert answers[3].sum(axis=1) == pytest.approx(np.ones(6))


def test_one_argument_of_a_stream(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = _core.Classifier(None, 1)
    calls = [made.get, made.save, made.load, made.load_bytes, lambda v: _core.Classifier(v, 1)]
    calls += [lambda v: _core.Classifier(None, v), lambda v: made.set(v, "1")]
    calls += [lambda v: made.set("warm_up", v), lambda v: _core.Classifier(None, 1).set_features(v)]
    went = [(at, odd) for at, call in enumerate(calls) for odd in ODD if tried(call, odd)]
    assert went == [(1, "text"), (1, b"bytes"), (2, "text"), (2, b"bytes"), (4, None), (5, 0),
                    (8, "text")]  # fmt: skip
    with pytest.raises(TypeError):
        type("Mine", (_core.Classifier,), {})
    with pytest.raises(TypeError):
        _core.Classifier(None, seed=1)


def test_no_damage_of_a_stream_passes():
    made = _core.Classifier("small", 1)
    made.next(samples(), LABELS, None)
    whole = made.save_bytes()
    assert _core.Classifier.load_bytes(whole).digest() == made.digest()
    for k in [*range(0, 3000), *range(3000, len(whole), 997)]:
        changed = bytearray(whole)
        changed[k] ^= 0x41
        if tried(_core.Classifier.load_bytes, changed):
            raise AssertionError(f"byte {k}")
        assert not tried(_core.Classifier.load_bytes, whole[:k])
    assert not tried(_core.Classifier.load_bytes, whole + b"x")


def test_nothing_of_a_stream_leaks():
    given, answers = samples(), told()
    numbers, codes, words = given
    before = [sys.getrefcount(o) for o in (numbers, codes, words, words[0], answers[3])]
    for _ in range(50):
        made = _core.Classifier(None, 1)
        made.next(given, LABELS, answers)
        tried(made.next, given, (LABELS[0], ["a"]), answers)
        tried(made.predict, (numbers, codes, [1]), answers)
        made.labels(), made.info(), made.save_bytes()
    assert [sys.getrefcount(o) for o in (numbers, codes, words, words[0], answers[3])] == before
