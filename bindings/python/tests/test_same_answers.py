"""test_same_answers.py - Python and C give the same answers to the same stream, to the last bit,
and the same file, though here C is compiled in another way and uses another kernel."""

import numpy as np
import pytest

import stream
import tacos

COLOURS = ["red", "green", "blue", "grün"]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    if not (stream.ROOT / "src/stream/classifier.c").exists():
        pytest.skip("not in a checkout of the project")
    return stream.build(tmp_path_factory.mktemp("classify"), name="classify")


def mixed(n):
    """Numbers of any scale, colours, missing values; four labels that come one after another."""
    random = np.random.default_rng(5)
    y = np.minimum(np.arange(n) // (n // 5), random.integers(0, 4, n))
    rows = []
    for k in y:
        row = [1e6 * k + 1e5 * random.normal(), COLOURS[k] if random.random() < 0.8 else None,
               random.normal() if random.random() < 0.9 else None, 1e-9 * (k % 2)]  # fmt: skip
        rows.append(row)
    return rows, [f"label {k}" for k in y]


def river_of(preset, seed, rows, labels):
    """What is answered in the stream."""
    made = tacos.RiverClassifier(preset, seed=seed)
    answers = [made.answer_one(dict(enumerate(row)), label) for row, label in zip(rows, labels)]
    return made, [(a.label or "", a.confidence, a.novelty) for a in answers]


@pytest.mark.parametrize("preset", ["default", "series", "paper"])
def test_a_stream_of_anything(program, tmp_path, preset):
    rows, labels = mixed(400)
    labels[7] = labels[300] = None  # samples without a label
    said = stream.classify(program, preset, 9, rows, labels, tmp_path / "c", kernel="ref")
    made, answers = river_of(preset, 9, rows, labels)
    np.testing.assert_equal(answers, said.in_stream)  # NaN is NaN here
    assert made.stream.labels == said.labels
    for row, told in zip(rows, said.after):
        answer = made.stream.answers(tacos.table.row(row, range(4)), chances=True)
        assert made.stream.labels[answer.labels[0]] == told[0]
        assert answer.chances[0].tolist() == list(told[3:])


def test_a_file_goes_between_them(program, tmp_path):
    """Names of features are in it, so here the estimator, which was told none, is compared."""
    pytest.importorskip("sklearn")
    rows, labels = mixed(300)
    said = stream.classify(program, "default", 1, rows, labels, tmp_path / "c", kernel="ref")
    x = np.array(rows, dtype=object)
    made = tacos.TacosClassifier().partial_fit(x, labels)
    assert made.digest() == said.digest
    made.save(tmp_path / "python")
    assert (tmp_path / "c").read_bytes() == (tmp_path / "python").read_bytes()
    loaded = tacos.TacosClassifier.load(tmp_path / "c")
    assert (loaded.predict_proba(x) == made.predict_proba(x)).all()


@pytest.mark.parametrize("order", ["shuffled", "by class"])
def test_the_digits_without_an_argument(program, tmp_path, order):
    datasets = pytest.importorskip("sklearn.datasets")
    x, y = datasets.load_digits(return_X_y=True)
    learn, test = np.arange(len(x)) % 4 != 0, np.arange(len(x)) % 4 == 0
    at = np.flatnonzero(learn)
    at = np.random.default_rng(0).permutation(at) if order == "shuffled" else at[np.argsort(y[at])]
    made = tacos.TacosClassifier().partial_fit(x[at], y[at])
    # In C the others are samples without a label, after the end of learning.
    everything = [*x[at], *x[test]]
    labels = [*map(str, y[at]), *[None] * int(test.sum())]
    said = stream.classify(program, "default", 1, everything, labels, tmp_path / "c", kernel="ref")
    guesses = [int(told[0]) for told in said.after[len(at) :]]
    assert made.predict(x[test]).tolist() == guesses
    assert np.mean(np.array(guesses) == y[test]) > 0.97
