"""test_classifier.py - an estimator by scikit-learn's own checks, and what those do not ask."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, make_blobs
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import tacos
from tacos import TacosClassifier


@parametrize_with_checks([TacosClassifier()])
def test_scikit_learn_s_own_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore:pandas is not installed")
def test_no_check_is_waived():
    tags = TacosClassifier()._get_tags() if hasattr(TacosClassifier, "_get_tags") else {}
    assert not tags.get("_xfail_checks") and not tags.get("non_deterministic")
    assert not tags.get("poor_score") and not tags.get("no_validation")
    check_estimator(TacosClassifier(hidden=300, fields=8, draws=2, epochs=2))


X, Y = load_iris(return_X_y=True)


def test_it_learns_iris_in_one_pass():
    learn, test, y, wanted = train_test_split(X, Y, random_state=0, stratify=Y)
    assert TacosClassifier().fit(learn, y).score(test, wanted) > 0.9
    names = np.array(["setosa", "versicolor", "virginica"])
    named = TacosClassifier().fit(learn, names[y])
    assert (named.predict(test) == names[TacosClassifier().fit(learn, y).predict(test)]).all()


def test_pixels_need_no_fields():
    images, labels = load_digits(return_X_y=True)
    learn, test, y, wanted = train_test_split(images, labels, random_state=0)
    made = TacosClassifier(fields=1, limits=(0, 16)).fit(learn, y)
    assert made.learner_.inputs == 64 and made.score(test, wanted) > 0.8


def test_random_state_decides_everything():
    a, b, c = (TacosClassifier(random_state=s).fit(X, Y) for s in (3, 3, 4))
    assert a.learner_.digest == b.learner_.digest != c.learner_.digest
    state = np.random.RandomState(3)
    assert TacosClassifier(random_state=state).fit(X, Y).learner_.digest == a.learner_.digest
    assert TacosClassifier(random_state=state).fit(X, Y).learner_.digest != a.learner_.digest
    fresh = [TacosClassifier(random_state=None).fit(X[:9], Y[:9]).learner_.seed for _ in range(3)]
    assert len(set(fresh)) > 1


def test_partial_fit_goes_on_in_the_order_given():
    whole = TacosClassifier(limits=(0, 8)).partial_fit(X, Y, classes=[0, 1, 2])
    parts = TacosClassifier(limits=(0, 8))
    for at in range(0, 150, 50):  # class by class: it must be told of all three first
        parts.partial_fit(X[at : at + 50], Y[at : at + 50], classes=[0, 1, 2] if at == 0 else None)
    straight = TacosClassifier(limits=(0, 8), shuffle=False).fit(X, Y)
    assert whole.learner_.digest == parts.learner_.digest == straight.learner_.digest
    again = pickle.loads(pickle.dumps(whole))
    assert (again.predict_proba(X) == whole.predict_proba(X)).all()
    again.partial_fit(X, Y)
    whole.partial_fit(X, Y)
    assert again.learner_.digest == whole.learner_.digest
    assert whole.fit(X, Y).learner_.samples == 150  # anew


def test_the_first_data_decide_the_limits():
    made = TacosClassifier().partial_fit(X[:100], Y[:100], classes=[0, 1, 2])
    assert (made.limits_[0] == X[:100].min(axis=0)).all()
    beyond = X[100:] + 1000
    edge = np.broadcast_to(made.limits_[1], beyond.shape)
    assert (made.predict_proba(beyond) == made.predict_proba(edge)).all()  # clipped
    given = TacosClassifier(limits=(X.min(axis=0), X.max(axis=0))).fit(X, Y)
    assert given.learner_.digest == TacosClassifier().fit(X, Y).learner_.digest


@pytest.mark.filterwarnings("ignore:invalid value")  # scikit-learn adds all values up
@pytest.mark.parametrize("scale", [1e-300, 1e300, 1.7e308])
def test_features_of_any_size(scale):
    usual = np.linspace(-1, 1, 60)[:, None] * np.ones((1, 3))
    wanted, y = TacosClassifier(), usual[:, 0] > 0
    made = TacosClassifier().fit(usual * scale, y)
    assert (made.predict(usual * scale) == wanted.fit(usual, y).predict(usual)).mean() > 0.9


def test_fields_share_a_value():
    made = TacosClassifier(fields=5, limits=(0, 4)).fit(np.array([[0.0], [4.0]]), [0, 1])
    rows = made._encoded(np.array([[0.0], [1.0], [2.25], [4.0], [9.0], [-1.0]]))
    wanted = [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0.75, 0.25, 0], [0, 0, 0, 0, 1],
              [0, 0, 0, 0, 1], [1, 0, 0, 0, 0]]  # fmt: skip
    np.testing.assert_allclose(rows, wanted)


def test_many_rows_are_encoded_in_parts():
    x, y = make_blobs(2500, centers=2, random_state=0)
    made = TacosClassifier(20, keys={"steps": 30}).fit(x, y)
    plain = tacos.Learner(seed=made.learner_.seed, **made.learner_.keys)
    order = np.random.RandomState(1)
    order.randint(2**32, dtype=np.uint64)  # the seed
    order = order.permutation(2500)
    plain.learn(made._encoded(x[order]), y[order])
    assert plain.digest == made.learner_.digest
    assert (made.predict(x) == np.maximum(plain.predict(made._encoded(x)), 0)).all()


def test_probabilities_and_draws():
    made = TacosClassifier(draws=3).fit(X, Y)
    rows = made._encoded(X)
    counts = sum(made.learner_.counts(rows, draw).astype(float) for draw in range(3))
    wanted = (counts + 1) / (counts.sum(axis=1, keepdims=True) + 3)
    np.testing.assert_allclose(made.predict_proba(X), wanted)
    assert (made.predict(X) == made.classes_[wanted.argmax(axis=1)]).all()
    mute = TacosClassifier(keys={"init_w": 0, "learning_rate": 0}).fit(X, Y)
    assert (mute.predict_proba(X) == 1 / 3).all() and (mute.predict(X) == 0).all()


def test_all_keys_but_one_are_the_learner_s_defaults():
    usual = tacos.Learner(20, 200, 3).keys
    made = TacosClassifier().fit(X, Y)
    assert made.learner_.keys == {**usual, "feedback": "shared"} != usual
    made.set_params(keys={"feedback": "separate"})
    assert made.fit(X, Y).learner_.keys == usual


@pytest.mark.parametrize("hidden", [(), (100, 100), (100, 100, 100)])
def test_any_depth_learns(hidden):
    assert cross_val_score(TacosClassifier(hidden), X, Y, cv=5).mean() > 0.9
    assert TacosClassifier(hidden or None).fit(X, Y).learner_.hidden == hidden


def test_keys_reach_the_learner():
    made = TacosClassifier(keys={"model": "snn", "learning_rate": 0.02}).fit(X, Y)
    assert made.learner_.keys["model"] == "snn" and made.learner_.keys["learning_rate"] == 0.02


@pytest.mark.parametrize(
    "given, sentence",
    [
        ({"fields": 0}, "fields is 0"),
        ({"fields": 1.5}, "fields is 1.5"),
        ({"epochs": 0}, "epochs is 0"),
        ({"keys": {"outputs": 3}}, "keys must not contain 'outputs'"),
        ({"keys": {"lerning_rate": 3}}, "learning_rate"),
        ({"limits": (1, 0)}, "limits are"),
        ({"limits": (0, np.inf)}, "limits are"),
        ({"limits": ([0, 0], 1)}, "broadcast|shape"),
        ({"hidden": 0}, "hidden"),
    ],
)
def test_bad_parameters_are_explained(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        TacosClassifier(**given).fit(X, Y)


def test_bad_calls_are_explained():
    with pytest.raises(ValueError, match="classes must be given"):
        TacosClassifier().partial_fit(X, Y)
    made = TacosClassifier().partial_fit(X[:100], Y[:100], classes=[0, 1])
    with pytest.raises(ValueError, match="y has 2, which is not among the classes"):
        made.partial_fit(X, Y)
    with pytest.raises(ValueError, match="not those of the first call"):
        made.partial_fit(X[:100], Y[:100], classes=[0, 1, 2])
    assert made.learner_.samples == 100
    with pytest.raises(ValueError, match="y cannot be None|requires y"):
        made.partial_fit(X, None)
    begun = TacosClassifier()
    with pytest.raises(ValueError, match="y has 2"):
        begun.partial_fit(X, Y, classes=[0, 1])
    with pytest.raises(ValueError, match="classes must be given"):  # nothing has begun
        begun.partial_fit(X, Y)
    with pytest.raises(ValueError, match="draws is 0"):
        made.set_params(draws=0).predict(X)


def test_it_works_within_scikit_learn():
    search = GridSearchCV(
        make_pipeline(StandardScaler(), TacosClassifier()),
        {"tacosclassifier__hidden": [100, (100, 100)], "tacosclassifier__keys": [{"model": "snn"}]},
        cv=3,
    )
    assert search.fit(X, Y).best_score_ > 0.8
    assert cross_val_score(clone(TacosClassifier(50)), X, Y, cv=3, n_jobs=2).mean() > 0.7
    assert TacosClassifier(7, fields=2).get_params()["hidden"] == 7


def test_without_scikit_learn_all_else_works():
    code = (
        "import sys\n"
        "sys.modules['sklearn'] = None\n"
        "import tacos\n"
        "assert tacos.Learner(4, 2, 2).predict([1, 1, 1, 1]) in (-1, 0, 1)\n"
        "assert 'TacosClassifier' in dir(tacos)\n"
        "try:\n"
        "    tacos.TacosClassifier\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "needs scikit-learn" in told.stdout
    with pytest.raises(AttributeError, match="no attribute 'Lerner'"):
        tacos.Lerner
