"""test_merge.py - learners of model columns that learned apart become one."""

import sys
import threading

import numpy as np
import pytest

import tacos
from conftest import toy_learner, toy_samples

SHAPE = {"model": "columns", "input_shape": (8, 8), "column_units": 90}


def columns(seed=1, **keys):
    return tacos.Learner(64, outputs=4, seed=seed, **{**SHAPE, **keys})


def bars(n, seed):
    """Rows of 8 x 8 pixels: a bar that stands or lies, at one side or the other."""
    random = np.random.default_rng(seed)
    y = np.arange(n) % 4
    x = random.integers(0, 40, (n, 8, 8)).astype(np.uint8)
    for image, c in zip(x, y):
        first = 1 if c < 2 else 5
        rows = image if c % 2 else image.T
        rows[first : first + 2] = random.integers(150, 256, (2, 8))
    return x.reshape(n, 64), y


X, Y = bars(200, 0)
TEST, ANSWERS = bars(100, 1)


@pytest.fixture
def apart():
    """Four learners that know one class each."""
    made = [columns() for _ in range(4)]
    for c, learner in enumerate(made):
        learner.learn(X[Y == c], Y[Y == c])
    return made


def test_together_they_know_all_classes(apart):
    merged = tacos.Learner.merge(apart)
    assert (merged.predict(TEST) == ANSWERS).mean() >= 0.95
    assert merged.samples == 200 and merged.seed == 1
    assert merged.keys == apart[0].keys
    assert [learner.samples for learner in apart] == [50] * 4
    assert repr(merged) == "<tacos.Learner 64-4, model columns, seed 1, 200 samples learned>"


def test_the_order_does_not_matter(apart):
    merged = tacos.Learner.merge(apart)
    a, b, c, d = apart
    for order in [(d, c, b, a), (b, a, d, c), iter([c, a, d, b])]:
        assert tacos.Learner.merge(order).to_bytes() == merged.to_bytes()


def test_it_goes_on_and_is_merged_again(apart):
    merged = tacos.Learner.merge(apart[:2])
    merged.learn(X, Y)
    again = tacos.Learner.merge([merged, *apart[2:]])
    assert again.samples == 400
    assert (again.predict(TEST) == ANSWERS).mean() >= 0.95


def test_its_size(apart):
    assert tacos.Learner.merge(apart, units=30).keys["column_units"] == 30
    small = tacos.Learner.merge(apart, memory_kb=9.5)
    assert (small.keys["column_units"], small.keys["column_memory_kb"]) == (0, 9.5)
    assert small.stats.model_bytes <= 9500
    assert tacos.Learner.merge([*apart, columns(column_units=120)]).keys["column_units"] == 120
    few = tacos.Learner.merge(apart, match=0.3)
    assert few.digest != tacos.Learner.merge(apart).digest


def test_a_subclass_makes_its_own(apart):
    class Named(tacos.Learner):
        pass

    assert type(Named.merge(apart)) is Named


def test_one_learner_may_be_named_twice(apart):
    assert tacos.Learner.merge([apart[0], apart[0]]).samples == 100


@pytest.mark.parametrize(
    "other, sentence",
    [
        (lambda: columns(seed=2), "the first has seed 1, learner 2 has 2"),
        (lambda: columns(column_cells=8), "column_cells = 0, learner 2 has 8"),
        (lambda: columns(input_shape=None), "input_shape = 8,8, learner 2 has none"),
        (toy_learner, "learner 2 has model tacos"),
    ],
)
def test_learners_that_differ_are_refused(other, sentence):
    with pytest.raises(ValueError, match=sentence):
        tacos.Learner.merge([columns(), other()])


def test_wrong_requests_are_refused(apart):
    for few in ([], apart[:1]):
        with pytest.raises(ValueError, match="at least two learners"):
            tacos.Learner.merge(few)
    for keys, sentence in [
        ({"units": -1}, "units is -1"),
        ({"units": 200000000}, "column_units = 2e\\+08 is out of range"),
        ({"memory_kb": 0.1}, "column_memory_kb is 0.1"),
        ({"match": 2}, "match = 2 is out of range"),
        ({"match": float("nan")}, "match = nan is out of range"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            tacos.Learner.merge(apart, **keys)
    with pytest.raises(AttributeError):
        tacos.Learner.merge([1, 2])
    with pytest.raises(TypeError):
        tacos._core.Engine.merge([apart[0]._engine, 3], 0, 0, 0)
    with pytest.raises(TypeError):
        tacos._core.Engine.merge((apart[0]._engine,), 0, 0, 0)


def test_nothing_is_kept_of_them(apart):
    before = [sys.getrefcount(learner._engine) for learner in apart]
    tacos.Learner.merge(apart)
    with pytest.raises(ValueError):
        tacos.Learner.merge([*apart, columns(seed=2)])
    assert [sys.getrefcount(learner._engine) for learner in apart] == before
    apart[0].learn(X, Y)  # nobody holds its lock


def test_threads_that_merge_the_same_learners_do_not_block_each_other(apart):
    wanted = tacos.Learner.merge(apart).digest
    found = []

    def merge(order):
        for _ in range(20):
            found.append(tacos.Learner.merge(order).digest)

    threads = [threading.Thread(target=merge, args=(o,)) for o in (apart, apart[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 40


def test_columns_have_no_layers():
    learner = columns()
    assert learner.layers == 0
    with pytest.raises(ValueError, match="a columns learner has no layers of synapses"):
        learner.weights(0)
