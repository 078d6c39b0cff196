"""classifier.py - a classifier of streams as a scikit-learn estimator."""

from typing import Any, Callable, Dict, List, Mapping, Optional

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted

from . import validate
from .learner import Key, Path
from .stream import Answers, Stream, joined
from .table import coded, table

Array = npt.NDArray[Any]
Reals = npt.NDArray[np.float64]

# Rows that are converted at a time, so that copies stay small.
CHUNK = 4096


class TacosClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that learns each sample once, in any order, and keeps what it knew.

    Features are numbers of any scale, texts (categories) and missing values; rows of pixels are
    found to be images. Labels are of any kind, and new ones may come at any time: nothing is
    announced. Names of WAV files become spectrograms. It says how sure it is, and how unlike all
    that it knows a sample is.

    Parameters
    ----------
    preset : str, default="default"
        A set of settings; tacos.presets() lists them. "series" is for samples that follow each
        other in time, "paper" the spiking network of the paper.
    random_state : int, RandomState or None, default=1
        The seed, which is that of `tacos learn`, and what `fit` shuffles by. None gives different
        results each time.
    shuffle : bool, default=True
        Whether `fit` takes the samples in random order, or as they are. `partial_fit` never
        shuffles.
    keys : dict or None, default=None
        Any keys of docs/keys.md that are to differ from the preset's, such as
        {"column_memory_kb": 200}. Models other than columns have a fixed number of outputs: `fit`
        sets it to the number of classes.

    Attributes
    ----------
    classes_ : the labels known so far, in ascending order
    n_features_in_, feature_names_in_ : as usual
    """

    def __init__(
        self,
        preset: str = "default",
        *,
        random_state: Any = 1,
        shuffle: bool = True,
        keys: Optional[Mapping[str, Key]] = None,
    ) -> None:
        self.preset = preset
        self.random_state = random_state
        self.shuffle = shuffle
        self.keys = keys

    # ---- learning

    def fit(self, X: Any, y: Any) -> "TacosClassifier":
        """Forget everything and learn (X, y), each sample once."""
        X, y = validate.samples(self, X, y, reset=True)
        check_classification_targets(y)
        random = check_random_state(self.random_state)
        classes = np.unique(y)
        self._begin(random, len(classes))
        self.classes_ = classes
        self._learn(X, y, random.permutation(len(X)) if self.shuffle else np.arange(len(X)))
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> "TacosClassifier":
        """Learn (X, y), each sample once and in this order. `classes`, which need not be given, are
        labels that will come: they are columns of `predict_proba` from now on."""
        first = not hasattr(self, "stream_")
        X, y = validate.samples(self, X, y, reset=first)
        check_classification_targets(y)
        known = None if classes is None else unique_labels(classes)
        if first:
            self._begin(check_random_state(self.random_state), 0 if known is None else len(known))
            self.classes_ = np.unique(y)
        self.classes_ = merged(self.classes_, known, y)
        self._learn(X, y, np.arange(len(X)))
        return self

    # ---- answers

    def predict(self, X: Any, reject: Optional[float] = None, unknown: Any = None) -> Array:
        """The likeliest label of each row.

        With `reject`, rows whose `confidence` is below it are answered with `unknown`. By default
        that is "unknown" if all labels are texts; otherwise it is None, in an array of objects.
        """
        answers = self._answers(X)
        labels: Array = self.classes_[self._columns()[answers.labels]]
        if reject is None:
            return labels
        return _rejected(labels, answers.confidence < reject, self.classes_, unknown)

    def predict_proba(self, X: Any) -> Reals:
        """The chance of each of `classes_`. The greatest is `predict`'s."""
        answers = self._answers(X, chances=True)
        columns = self._columns()
        chances = np.zeros((len(answers.labels), len(self.classes_)))
        chances[:, columns] = answers.chances
        chances /= chances.sum(axis=1, keepdims=True)
        return _with_greatest(chances, columns[answers.labels])

    def confidence(self, X: Any) -> Reals:
        """The chance that `predict` is right, as far as the samples learned have shown; low for
        rows that are unlike all of them."""
        return self._answers(X).confidence

    def novelty(self, X: Any) -> Reals:
        """From 0 to 1: how unlike everything learned each row is. A typical row is near 0.5. NaN
        for models other than columns."""
        return self._answers(X).novelty

    # ---- what it is

    def info(self) -> Dict[str, Any]:
        """Samples, features, labels, the encoder that was chosen, and bytes."""
        check_is_fitted(self)
        return self.stream_.info()

    def digest(self) -> int:
        """A checksum of all that was learned."""
        check_is_fitted(self)
        return self.stream_.core.digest()

    # ---- keeping it

    def save(self, path: Path) -> None:
        """Save to a file, atomically; `tacos learn` and C can go on with it. Labels are kept as
        texts; a pickle keeps them as they are."""
        check_is_fitted(self)
        self.stream_.save(path)

    @classmethod
    def load(cls, path: Path, label: Optional[Callable[[str], Any]] = None) -> "TacosClassifier":
        """A classifier from a file. `label` makes a label of its text: int, for example. Without
        it labels are whole numbers if all texts are, else texts."""
        stream = Stream.load(path, label)
        made = cls(keys=stream.changed_keys())
        made.stream_ = stream
        made.n_features_in_ = stream.info()["n_features"]
        made.classes_ = merged(np.array(stream.labels))
        return made

    # ---- within

    def _begin(self, random: np.random.RandomState, n_classes: int) -> None:
        """A new stream for such data."""
        keys = dict(self.keys or {})
        stream = Stream(self.preset, _seed(self.random_state, random), keys)
        if n_classes > 0 and stream.core.get("model") != "columns" and "outputs" not in keys:
            stream.core.set("outputs", str(max(n_classes, 2)))
        stream.kinds = [None] * int(self.n_features_in_)
        if hasattr(self, "feature_names_in_"):
            stream.core.set_features([str(name) for name in self.feature_names_in_])
        self.stream_ = stream

    def _learn(self, X: Array, y: Array, order: npt.NDArray[np.intp]) -> None:
        labels, codes = coded(y)
        for at in range(0, len(order), CHUNK):
            rows = order[at : at + CHUNK]
            self.stream_.next(table(X[rows], self.stream_.kinds), labels, codes[rows])

    def _answers(self, X: Any, chances: bool = False) -> Answers:
        check_is_fitted(self)
        X = validate.samples(self, X, reset=False)
        kinds = list(self.stream_.kinds)
        parts = [
            self.stream_.answers(table(X[at : at + CHUNK], kinds), chances)
            for at in range(0, len(X), CHUNK)
        ]
        return joined(parts)

    def _columns(self) -> npt.NDArray[np.intp]:
        """Where each label of the stream is in classes_."""
        place = {label: k for k, label in enumerate(self.classes_.tolist())}
        return np.array([place[label] for label in self.stream_.labels], np.intp)

    def _more_tags(self) -> Dict[str, Any]:  # until scikit-learn 1.5
        return {"allow_nan": True, "X_types": ["2darray", "string"]}

    def __sklearn_tags__(self) -> Any:  # from 1.6 on
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags


def merged(*arrays: Optional[Array]) -> Array:
    """All different labels of these arrays, in ascending order if they have one, else as they come;
    of numpy's type for them where there is one for all."""
    given = [array for array in arrays if array is not None]
    kinds = {array.dtype.kind for array in given}
    if len(kinds) == 1 and kinds != {"O"} or kinds <= set("iuf"):
        different: Array = np.unique(np.concatenate(given))
        return different
    labels = list(dict.fromkeys(label for array in given for label in array.tolist()))
    try:
        labels.sort()
    except TypeError:
        pass
    return _objects(labels)


def _objects(labels: List[Any]) -> Array:
    """An array of objects, which may be sequences."""
    array = np.empty(len(labels), object)
    for k, label in enumerate(labels):
        array[k] = label
    return array


def _rejected(labels: Array, where: npt.NDArray[np.bool_], classes: Array, unknown: Any) -> Array:
    """See TacosClassifier.predict."""
    texts = all(isinstance(label, str) for label in classes.tolist())
    if unknown is None and texts:
        unknown = "unknown"
    if unknown in classes.tolist():
        raise ValueError(f"{unknown!r} is one of the labels; choose another `unknown`")
    kinds = {classes.dtype.kind, np.array(unknown).dtype.kind}
    if kinds == {"U"} or kinds <= set("iuf"):
        least = np.array(unknown).dtype if texts else np.min_scalar_type(unknown)
        labels = labels.astype(np.result_type(labels, least))
    else:
        labels = labels.astype(object)
    labels[where] = unknown
    return labels


def _with_greatest(chances: Reals, best: npt.NDArray[np.intp]) -> Reals:
    """Where others are as great as the best, by rounding, the best is made greater by the least
    difference that there is."""
    rows = np.arange(len(chances))
    wrong = np.argmax(chances, axis=1) != best
    chances[rows[wrong], best[wrong]] = np.nextafter(chances[wrong].max(axis=1), 2)
    return chances


def _seed(random_state: Any, random: np.random.RandomState) -> int:
    """A whole number is the seed itself."""
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(random.randint(2**32, dtype=np.uint64))
