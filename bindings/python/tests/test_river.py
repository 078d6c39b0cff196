"""test_river.py - dicts of features, labels as they come."""

import pickle

import pytest

import tacos
from conftest import LIVELY, toy_samples


def river(outputs=3):
    return tacos.RiverClassifier(tacos.Learner(40, 20, outputs, **LIVELY))


def as_dict(row):
    return {f"pixel {j}": float(v) / 255 for j, v in enumerate(row)}


def test_it_learns_as_the_learner_does():
    x, y = toy_samples(40)
    made, plain = river(), tacos.Learner(40, 20, 3, **LIVELY)
    for row, label in zip(x, y):
        made.learn_one(as_dict(row), ["left", "right"][label])
        plain.learn(row, label)
    assert made.learner.digest == plain.digest
    assert made.labels == ["left", "right"] and made.features["pixel 7"] == 7
    for row in x:
        counts = plain.counts(row)[:2].astype(float)
        wanted = dict(zip(["left", "right"], (counts + 1) / (counts.sum() + 2)))
        assert made.predict_proba_one(as_dict(row)) == pytest.approx(wanted)
        assert made.predict_one(as_dict(row)) == max(wanted, key=wanted.get)
    guesses = [made.predict_one(as_dict(row)) for row in x]
    assert set(guesses) == {"left", "right"}
    again = pickle.loads(pickle.dumps(made))
    assert [again.predict_one(as_dict(row)) for row in x] == guesses


def test_before_any_label_it_knows_nothing():
    assert river().predict_one({"a": 1}) is None
    assert river().predict_proba_one({"a": 1}) == {}


def test_features_and_labels_grow_up_to_the_network():
    made = river(outputs=2)
    for k in range(40):
        made.learn_one({k: 0.5, (k - 1) % 40: 1} if k else {0: True}, k % 2)
    before = made.learner.digest
    with pytest.raises(ValueError, match="feature 'new' is one too many: .* 40 inputs"):
        made.learn_one({0: 1, "new": 0}, 0)
    with pytest.raises(ValueError, match="label 7 is one too many: .* 2 outputs"):
        made.learn_one({0: 1}, 7)
    assert made.learner.digest == before and len(made.features) == 40 and made.labels == [0, 1]
    assert made.predict_one({0: 1, "unheard of": 99}) == made.predict_one({0: 1})


@pytest.mark.parametrize("value", [1.5, -0.1, float("nan"), 37])
def test_values_out_of_range_change_nothing(value):
    made = river()
    with pytest.raises(ValueError, match="feature 'age' is .*; it must be from 0 to 1"):
        made.learn_one({"age": value}, "a")
    assert made.features == {} and made.labels == [] and made.learner.samples == 0


def test_values_that_are_no_numbers():
    for value in (None, "old", [1]):
        with pytest.raises(TypeError, match="feature 'age' is"):
            river().learn_one({"age": value}, "a")


def test_silence_is_uniform():
    made = tacos.RiverClassifier(tacos.Learner(2, 4, 3, init_w=0))
    for label in "abc":
        made.learn_one({"x": 0}, label)
    assert made.predict_proba_one({"x": 0}) == pytest.approx({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3})
    assert made.predict_one({}) == "a"
