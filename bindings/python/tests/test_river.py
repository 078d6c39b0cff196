"""test_river.py - dicts of features, labels as they come."""

import copy
import pickle

import numpy as np
import pytest

import tacos


def weather(n, seed=0):
    """Numbers of two scales, a text, sometimes a missing value; one of three labels."""
    random = np.random.default_rng(seed)
    for _ in range(n):
        k = random.integers(3)
        yield {
            "warm": [25.0, 12.0, 8.0][k] + random.normal(),
            "hPa": [1030, 1010, None][k],
            "sky": ["blue", "grey", "grey"][k] if random.random() < 0.9 else None,
            "gusts": bool(k == 2),
        }, ["sun", "rain", ("a", "storm")][k]


def taught(n=200, **how):
    made = tacos.RiverClassifier(**how)
    for x, y in weather(n):
        made.learn_one(x, y)
    return made


def test_it_learns_one_by_one():
    made = taught()
    later = list(weather(100, seed=1))
    assert np.mean([made.predict_one(x) == y for x, y in later]) > 0.97
    for x, _ in later:
        chances = made.predict_proba_one(x)
        assert set(chances) == {"sun", "rain", ("a", "storm")}
        assert sum(chances.values()) == pytest.approx(1)
        assert chances[made.predict_one(x)] == max(chances.values())
    assert made.features == ["warm", "hPa", "sky", "gusts"]


def test_answers_change_nothing():
    made, plain = taught(), taught()
    for x, _ in weather(50, seed=1):
        made.predict_one(x), made.predict_proba_one(x), made.novelty_one(x)
    assert made.stream.core.digest() == plain.stream.core.digest()


def test_it_is_the_estimator_one_by_one():
    estimator = pytest.importorskip("tacos.classifier").TacosClassifier
    samples = list(weather(120))
    x = np.array([list(x.values()) for x, _ in samples], object)
    y = [str(y) for _, y in samples]
    whole = estimator(keys={"context": "none"}).partial_fit(x, y)
    made = tacos.RiverClassifier(keys={"context": "none"})
    for row, label in zip(x, y):
        made.learn_one(dict(enumerate(row)), label)
    for row, chances in zip(x, whole.predict_proba(x)):
        told = made.predict_proba_one(dict(enumerate(row)))
        assert [told[label] for label in whole.classes_] == pytest.approx(chances.tolist())


def test_before_any_label_it_knows_nothing():
    made = tacos.RiverClassifier()
    assert made.predict_one({"a": 1}) is None and made.predict_proba_one({"a": 1}) == {}
    assert made.novelty_one({"a": 1}) == 1 and made.features == []
    assert made.answer_one({"a": 1}).label is None  # a sample without a label
    assert made.features == ["a"] and made.stream.info()["n_seen"] == 1


def runs():
    """Labels that come in runs, and a feature that says little."""
    random = np.random.default_rng(2)
    for y in np.repeat(random.integers(0, 2, 60), 20).tolist():
        yield {"a": y + 2 * random.normal()}, y


def test_answers_know_what_came_before():
    made, right, alone = tacos.RiverClassifier(), 0, 0
    for x, y in runs():
        rows = tacos.table.row(list(x.values()), list(x))
        alone += made.stream.labels != [] and made.stream.answers(rows).labels[0] == y
        right += made.predict_one(x) == y
        made.learn_one(x, y)
    assert right / 1200 > 0.9 > 0.75 > alone / 1200


@pytest.mark.parametrize("samples", [runs, lambda: weather(300)])
@pytest.mark.parametrize("preset", ["default", "series", "paper"])
def test_predicting_and_learning_is_answering(preset, samples):
    made, other = (tacos.RiverClassifier(preset) for _ in range(2))
    for k, (x, y) in enumerate(samples()):
        guess, chances = made.predict_one(x), made.predict_proba_one(x)
        made.learn_one(x, y)
        answer = other.answer_one(x, y)
        if k > 10:  # before, a category may be new
            assert guess == answer.label
            assert 0 <= answer.confidence <= max(chances.values()) + 1e-12
    assert made.stream.core.digest() == other.stream.core.digest()


def test_features_that_come_later_are_ignored_with_a_warning():
    made, plain = taught(), taught()
    extra = {"warm": 25, "hPa": 1030, "sky": "blue", "moon": 1, "sun": 2}
    with pytest.warns(UserWarning, match="feature 'moon' is new and is ignored"):
        made.learn_one(extra, "sun")
    made.learn_one(extra, "sun")  # once is enough; warnings are errors here
    for _ in range(2):
        plain.learn_one({"sky": "blue", "warm": 25, "hPa": 1030, "gusts": None}, "sun")
    assert made.stream.core.digest() == plain.stream.core.digest()


def test_features_may_be_named_before():
    made = tacos.RiverClassifier(features=["a", "b"], keys={"context": "none"})
    made.learn_one({"b": 3}, 0)
    for k in range(20):
        made.learn_one({"a": k % 2, "b": 3}, k % 2)
    assert made.features == ["a", "b"]
    assert [made.predict_one({"a": k}) for k in (0, 1)] == [0, 1]


@pytest.mark.parametrize(
    "value, error, sentence",
    [
        (float("inf"), ValueError, "feature 'warm' is infinite"),
        ("hot", ValueError, "feature 'warm' is 'hot'; it was a number before"),
        ([1], TypeError, "feature 'warm' is of type list"),
        ("a\0", ValueError, "null character"),
    ],
)
def test_values_that_are_wrong_change_nothing(value, error, sentence):
    made = taught()
    before = made.stream.core.digest()
    with pytest.raises(error, match=sentence):
        made.learn_one({"warm": value}, "snow")
    assert made.stream.core.digest() == before and "snow" not in made.stream.labels
    fresh = tacos.RiverClassifier()
    if error is TypeError:
        with pytest.raises(error):
            fresh.learn_one({"warm": value}, "snow")
        assert fresh.features == []


def test_nothing_to_learn_from():
    with pytest.raises(ValueError, match="at least one feature"):
        tacos.RiverClassifier().learn_one({}, "a")


def test_it_may_decline():
    made = taught()
    doubt = {"warm": 10.0}
    assert made.predict_one(doubt, reject=0) is not None
    assert made.predict_one(doubt, reject=1.1) is None


@pytest.mark.parametrize("way", [copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
def test_copies_go_on(way):
    made = taught(100)
    other = way(made)
    assert other.stream.core.digest() == made.stream.core.digest()
    for x, y in weather(100, seed=3):
        assert other.answer_one(x, y) == made.answer_one(x, y)
    assert other.stream.labels == made.stream.labels and ("a", "storm") in made.stream.labels


def test_settings():
    made = taught(preset="small", seed=4, keys={"context": "none"})
    assert made.stream.keys()["context"] == "none" and made.stream.info()["model_bytes"] < 80_000
    with pytest.raises(ValueError, match="unknown preset"):
        tacos.RiverClassifier("tiny")
