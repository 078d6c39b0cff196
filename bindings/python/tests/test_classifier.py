"""test_classifier.py - an estimator by scikit-learn's own checks, and what those do not ask."""

import copy
import pickle
import subprocess
import sys
import wave

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import tacos
from tacos import TacosClassifier

SHUFFLED = np.random.default_rng(0).permutation(150)
X, Y = (array[SHUFFLED] for array in load_iris(return_X_y=True))
NAMES = np.array(["setosa", "versicolor", "virginica"])


@parametrize_with_checks([TacosClassifier()])
def test_scikit_learn_s_own_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore:pandas is not installed")
@pytest.mark.parametrize("preset", ["series", "small", "large"])
def test_so_do_the_presets(preset):
    assert check_estimator(TacosClassifier(preset)) is None


def test_only_what_is_so_is_claimed():
    tags = TacosClassifier()._get_tags() if hasattr(TacosClassifier, "_get_tags") else {}
    assert not tags.get("_xfail_checks") and not tags.get("non_deterministic")
    assert not tags.get("poor_score") and not tags.get("no_validation")
    with pytest.raises(ValueError, match="infinity|inf"):  # allow_nan waives the check of both
        TacosClassifier().fit([[1.0], [np.inf]], [0, 1])
    with pytest.raises(ValueError, match="feature 1 is infinite"):
        TacosClassifier().fit([["a", 1.0], ["b", -np.inf]], [0, 1])
    with pytest.raises(TypeError, match="feature 0 is of type dict"):
        TacosClassifier().fit(np.array([[{}], ["a"], [1]], object)[[0, 2]], [0, 1])


# ---- learning


def digits():
    return train_test_split(*load_digits(return_X_y=True), random_state=0)


ORDERS = {
    "shuffled": lambda y: np.arange(len(y)),
    "in pairs": lambda y: np.argsort(y // 2, kind="stable"),
    "class by class": lambda y: np.argsort(y, kind="stable"),
}


@pytest.mark.parametrize("order", ORDERS)
def test_digits_in_any_order(order):
    learn, test, y, wanted = digits()
    at = ORDERS[order](y)
    made = TacosClassifier().partial_fit(learn[at], y[at])
    assert made.score(test, wanted) > 0.97
    assert made.info()["encoder"] == "image" and made.info()["image_shape"] == (8, 8, 1)
    sure = made.predict(test, reject=0.95)
    answered = sure != np.array(None)
    assert answered.mean() > 0.8 and (sure[answered] == wanted[answered]).mean() > 0.97


@pytest.mark.parametrize("scale", [1e-300, 1, 1e300])
def test_features_of_any_size(scale):
    y = np.arange(150) % 3
    x = (y[:, None] + 0.1 * np.random.default_rng(1).normal(size=(150, 2))) * scale
    assert TacosClassifier().fit(x[:100], y[:100]).score(x[100:], y[100:]) > 0.9


def test_random_state_is_the_seed():
    made = {s: TacosClassifier(random_state=s).fit(X, Y).digest() for s in (1, 3)}
    assert made[1] == TacosClassifier().fit(X, Y).digest() != made[3]
    order = np.random.RandomState(3).permutation(150)
    plain = TacosClassifier(random_state=3, shuffle=False).fit(X[order], Y[order])
    assert plain.digest() == made[3]
    state = np.random.RandomState(3)
    assert len({TacosClassifier(random_state=state).fit(X, Y).digest() for _ in range(2)}) == 2
    fresh = {TacosClassifier(random_state=None).fit(X[:9], Y[:9]).digest() for _ in range(3)}
    assert len(fresh) > 1


def test_partial_fit_goes_on_in_the_order_given():
    whole = TacosClassifier().partial_fit(X, Y)
    parts = TacosClassifier()
    for at in range(0, 150, 7):
        parts.partial_fit(X[at : at + 7], Y[at : at + 7])
    assert parts.digest() == whole.digest() == TacosClassifier(shuffle=False).fit(X, Y).digest()
    assert whole.fit(X, Y).info()["n_learned"] == 150  # anew


def test_many_rows_are_taken_in_parts(monkeypatch):
    whole = TacosClassifier().fit(X, Y)
    monkeypatch.setattr("tacos.classifier.CHUNK", 11)
    parts = TacosClassifier().fit(X, Y)
    assert parts.digest() == whole.digest()
    assert (parts.predict_proba(X) == whole.predict_proba(X)).all()


def tone(path, hz):
    """A WAV file of a quarter of a second."""
    samples = (1e4 * np.sin(2 * np.pi * hz * np.arange(2000) / 8000)).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(samples.tobytes())
    return path


def test_names_of_wav_files_are_sounds(tmp_path):
    files = [[tone(tmp_path / f"{k}.wav", 300 + 50 * k)] for k in range(40)]
    labels = np.where(np.arange(40) < 20, "low", "high")
    made = TacosClassifier().fit(files, labels)
    assert made.info()["encoder"] == "spectrogram" and made.info()["image_shape"] == (16, 32, 1)
    assert made.score(np.array(files, object), labels) > 0.9
    texts = [[str(file)] for (file,) in files]
    assert (made.predict(texts) == made.predict(files)).all()
    assert made.novelty([[tone(tmp_path / "silence.wav", 0)]]) == 1
    with pytest.raises(FileNotFoundError, match="gone.wav"):
        made.predict([["gone.wav"]])
    with pytest.raises(ValueError, match="is the name of one WAV file|2 features"):
        TacosClassifier("sound").fit([["a.wav", "b.wav"]] * 2, ["a", "b"])
    river = tacos.RiverClassifier()
    for (file,), label in zip(files, labels):
        river.learn_one({"file": file}, label)
    assert river.predict_one({"file": files[1][0]}) == "low"


# ---- labels


def test_classes_come_as_they_like():
    made = TacosClassifier().partial_fit(X[Y == 2], Y[Y == 2])
    assert made.classes_.tolist() == [2] and (made.predict_proba(X) == 1).all()
    made.partial_fit(X[Y == 0], Y[Y == 0])
    assert made.classes_.tolist() == [0, 2] and made.predict_proba(X).shape == (150, 2)
    made.partial_fit(X[Y == 1], Y[Y == 1], classes=[7])
    assert made.classes_.tolist() == [0, 1, 2, 7] and made.classes_.dtype == Y.dtype
    assert made.score(X, Y) > 0.9 and (made.predict_proba(X)[:, 3] == 0).all()


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.float32, bool, str, object])
def test_labels_stay_what_they_are(kind):
    y = NAMES[Y].astype(object) if kind is object else (NAMES[Y] if kind is str else Y.astype(kind))
    made = TacosClassifier().fit(X, y)
    assert made.classes_.dtype == y.dtype and made.predict(X).dtype == y.dtype
    assert (made.classes_ == np.unique(y)).all() and made.score(X, y) > 0.9


def test_labels_of_several_kinds():
    made = TacosClassifier().partial_fit(X[:50], Y[:50]).partial_fit(X[50:], NAMES[Y[50:]])
    made.partial_fit(X[:1], np.array(["1"]))  # not 1
    assert set(made.classes_) == {0, 1, 2, "1", *NAMES} and made.classes_.dtype == object
    assert made.predict_proba(X).shape == (150, 7)
    assert set(made.predict(X)) <= set(made.classes_)
    made = TacosClassifier().partial_fit(X[:50], Y[:50]).partial_fit(X[50:], Y[50:] + 0.0)
    assert made.classes_.dtype == float


def test_the_empty_text_is_a_label():
    labels = np.array(["", "''", "b"])
    made = TacosClassifier().fit(X, labels[Y])
    assert made.classes_.tolist() == labels.tolist() and made.score(X, labels[Y]) > 0.9


# ---- features


FRUIT = np.array([["apple", 3.0], ["pear", None], ["fig", 9.5], [None, 4.0]] * 10, object)
WANTED = np.array([0, 1, 2, 0] * 10)


def frame(rows):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"what": rows[:, 0], "weight": rows[:, 1].astype(float)})


@pytest.mark.parametrize("given", [lambda x: x, lambda x: x.tolist(), frame])
def test_texts_and_missing_values(given):
    made = TacosClassifier().fit(given(FRUIT), WANTED)
    assert made.score(given(FRUIT), WANTED) == 1 and made.info()["n_inputs"] == 18
    new = np.array([["kiwi", 9.6], ["pear", np.nan]], object)  # a category that is not known
    assert made.predict(given(new)).tolist() == [2, 1]


def test_frames_of_all_kinds():
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame({
        "what": pandas.Categorical(["a", "b", None] * 20), "n": pandas.array([1, None, 3] * 20),
        "text": pandas.array(["x", pandas.NA, "z"] * 20, dtype="string"), "is": [True, False] * 30,
    })  # fmt: skip
    y = np.array(["one", "two", "three"] * 20)
    made = TacosClassifier().fit(rows, y)
    assert made.score(rows, y) == 1 and list(made.feature_names_in_) == list(rows.columns)
    with pytest.raises(ValueError, match="feature names"):
        made.predict(rows[["n", "what", "text", "is"]])


def test_a_column_of_texts_stays_one():
    x = np.array([["1", 5], ["b", 6], [1, 5], [2, 6]], object)
    made = TacosClassifier().fit(x, [0, 1, 0, 2])
    assert made.predict(np.array([[1, 5], ["1", 5]], object)).tolist() == [0, 0]
    numbers = TacosClassifier().fit(X, Y)
    with pytest.raises(ValueError, match="row 1: feature 1 is 'red'; it was a number before"):
        numbers.partial_fit(np.array([X[0], ["red", *X[1][1:]]], object), [0, 1])
    with pytest.raises(ValueError, match="null character"):
        made.partial_fit(np.array([["a\0b", 1]], object), [0])
    with pytest.raises(ValueError, match="surrogates"):
        made.partial_fit(np.array([["\ud800", 1]], object), [0])


# ---- answers


def test_what_is_not_sure_is_unknown():
    made = TacosClassifier().fit(X, Y)
    sure = made.confidence(X) >= 0.9
    assert 0 < sure.sum() < 150
    for classes, unknown, wanted, kind in [
        (np.arange(3), None, None, object), (np.arange(3), -1, -1, np.int64),
        (np.arange(3), "?", "?", object), (NAMES, None, "unknown", "<U10"),
        (NAMES, "nothing of that kind", "nothing of that kind", "<U20"), (NAMES, 0, 0, object),
        (NAMES.astype(object), None, "unknown", object), (np.arange(3.0), -1, -1, float),
    ]:  # fmt: skip
        made = TacosClassifier().fit(X, classes[Y])
        told = made.predict(X, reject=0.9, unknown=unknown)
        assert told.dtype == kind and told[~sure].tolist() == [wanted] * (~sure).sum()
        assert (told[sure] == made.predict(X)[sure]).all()
    with pytest.raises(ValueError, match="'virginica' is one of the labels"):
        TacosClassifier().fit(X, NAMES[Y]).predict(X, reject=0.9, unknown="virginica")
    assert (made.predict(X, reject=0) == made.predict(X)).all()


def test_probabilities_agree_with_answers():
    learn, test, y, _ = digits()
    made = TacosClassifier().fit(learn[:200], y[:200])
    chances = made.predict_proba(test)
    np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-12)
    assert (made.classes_[chances.argmax(axis=1)] == made.predict(test)).all()
    rows = np.array([[0.2, 0.4, 0.4], [0.2, 0.4, 0.4]])
    best = tacos.classifier._with_greatest(rows.copy(), np.array([1, 2]))
    assert best.argmax(axis=1).tolist() == [1, 2] and np.allclose(best, rows)


def test_novelty_knows_what_was_never_seen():
    learn, test, y, wanted = digits()
    made = TacosClassifier().fit(learn[y != 4], y[y != 4])
    novelty = made.novelty(test)
    assert ((0 <= novelty) & (novelty <= 1)).all()
    assert sklearn.metrics.roc_auc_score(wanted == 4, novelty) > 0.9
    assert np.isnan(TacosClassifier("paper").fit(X, Y).novelty(X)).all()


# ---- settings


def test_presets():
    assert list(tacos.presets())[0] == "default" and "paper" in tacos.presets()
    with pytest.raises(ValueError, match="unknown preset 'serie'; the nearest is 'series'"):
        TacosClassifier("serie").fit(X, Y)
    small = TacosClassifier("small").fit(X, Y).info()["model_bytes"]
    assert small < 80_000 < TacosClassifier().fit(X, Y).info()["model_bytes"]


@pytest.mark.parametrize("how", [{"preset": "paper"}, {"keys": {"model": "tacos"}}])
def test_models_with_a_fixed_number_of_outputs(how):
    made = TacosClassifier(**how).fit(X, Y)
    assert made.stream_.keys()["outputs"] == "3" and made.score(X, Y) > 0.85
    made = TacosClassifier(**how).partial_fit(X, Y, classes=range(4))
    assert made.stream_.keys()["outputs"] == "4"
    made = TacosClassifier(keys={"model": "snn", "outputs": 2, "hidden": (30, 20)})
    with pytest.raises(ValueError, match="one too many: .* outputs = 2"):
        made.fit(X, Y)


def test_keys_reach_the_model():
    made = TacosClassifier(keys={"column_memory_kb": 50, "encoder_fields": 4, "context": "none"})
    made.fit(X, Y)
    assert made.info()["n_inputs"] == 16 and made.stream_.keys()["context"] == "none"
    trends = TacosClassifier(keys={"encoder_trends": (3, 9)}).fit(X, Y)
    assert trends.info()["n_inputs"] == 3 * TacosClassifier().fit(X, Y).info()["n_inputs"]


@pytest.mark.parametrize(
    "keys, sentence",
    [
        ({"encoder_field": 3}, "unknown key 'encoder_field'; the nearest is 'encoder_fields'"),
        ({"encoder": "picture"}, "encoder = picture"),
        ({"inputs": 3}, "'inputs' of a classifier follows from its samples"),
        ({"warm_up": 0}, "out of range"),
    ],
)
def test_bad_keys_are_explained(keys, sentence):
    with pytest.raises(ValueError, match=sentence):
        TacosClassifier(keys=keys).fit(X, Y)


def test_bad_calls_change_nothing():
    made = TacosClassifier(keys={"labels_max": 3}).fit(X, Y)
    before = made.digest()
    for x, y in ((X[:, :3], Y), (X, None), (X[:5], Y), (X * np.inf, Y), (X, X[:, 0])):
        with pytest.raises(ValueError):
            made.partial_fit(x, y)
    with pytest.raises(ValueError, match="label '3' is one too many: labels_max is 3"):
        made.partial_fit(X[:1], [3])
    assert made.digest() == before


# ---- keeping it


def through_file(made, tmp_path):
    made.save(tmp_path / "model.tacos")
    return TacosClassifier.load(tmp_path / "model.tacos")


WAYS = {
    "file": through_file,
    "pickle": lambda made, _: pickle.loads(pickle.dumps(made)),
    "deepcopy": lambda made, _: copy.deepcopy(made),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("preset", ["default", "series", "paper"])
@pytest.mark.parametrize("n", [20, 120], ids=["warming up", "later"])
def test_it_goes_on_bit_for_bit(way, preset, n, tmp_path):
    made = TacosClassifier(preset, keys={"warm_up": 50}).partial_fit(X[:n], Y[:n], range(3))
    other = WAYS[way](made, tmp_path)
    assert other.digest() == made.digest()
    assert (other.predict_proba(X) == made.predict_proba(X)).all()
    for each in (made, other):
        each.partial_fit(X[n:], Y[n:])
    assert other.digest() == made.digest() and (other.predict(X) == made.predict(X)).all()
    again = clone(other).partial_fit(X, Y, range(3))  # its parameters make one like it
    assert again.digest() == made.digest()


def test_labels_of_files(tmp_path):
    for labels, wanted in ((Y - 1, int), (Y + 0.0, str), (NAMES[Y], str)):
        made = through_file(TacosClassifier().fit(X, labels), tmp_path)
        assert all(type(label) is wanted for label in made.classes_.tolist())
    made = TacosClassifier().fit(X, Y + 0.0)
    made.save(tmp_path / "floats")
    loaded = TacosClassifier.load(tmp_path / "floats", label=float)
    assert (loaded.predict(X) == made.predict(X)).all() and loaded.classes_.dtype == float


def test_files_that_are_none(tmp_path):
    (tmp_path / "x").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="is not a saved classifier"):
        TacosClassifier.load(tmp_path / "x")
    with pytest.raises(FileNotFoundError):
        TacosClassifier.load(tmp_path / "none")
    with pytest.raises(sklearn.exceptions.NotFittedError):
        TacosClassifier().save(tmp_path / "y")


# ---- within scikit-learn


def test_it_works_within_scikit_learn():
    search = GridSearchCV(
        make_pipeline(StandardScaler(), TacosClassifier()),
        {"tacosclassifier__preset": ["default", "small"],
         "tacosclassifier__keys": [{"context": "none"}]},  # fmt: skip
        cv=3,
    )
    assert search.fit(X, Y).best_score_ > 0.9
    assert cross_val_score(clone(TacosClassifier()), X, Y, cv=3, n_jobs=2).mean() > 0.9
    assert repr(TacosClassifier("small")) == "TacosClassifier(preset='small')"


def test_without_scikit_learn_all_else_works():
    code = (
        "import sys\n"
        "sys.modules['sklearn'] = None\n"
        "import tacos\n"
        "assert tacos.Learner(4, 2, 2).predict([1, 1, 1, 1]) in (-1, 0, 1)\n"
        "assert tacos.RiverClassifier().predict_one({'a': 1}) is None\n"
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
