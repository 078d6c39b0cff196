"""classifier.py - a learner as a scikit-learn estimator, for features of any range."""

from numbers import Integral
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted

from .learner import Floats, Key, Learner, proba

Matrix = npt.NDArray[np.float64]

# Rows that are encoded at a time, so that the wider copy stays small.
CHUNK = 1024

# Where a learner's defaults are not the best for shuffled samples; docs/python.md has the numbers.
DEFAULTS: Dict[str, Key] = {"feedback": "shared"}


class TacosClassifier(ClassifierMixin, BaseEstimator):
    """TACOS as a scikit-learn classifier: one output per class, each sample seen `epochs` times.

    Features of any range become intensities: each is scaled to 0..1 by its limits, clipped, and
    (with fields > 1) spread over overlapping receptive fields, since a network with few inputs has
    little to distinguish samples by. `fit` starts over; `partial_fit` continues in the order given.

    Parameters
    ----------
    hidden : int or sequence of int, default=200
        Sizes of the hidden layers; () for none.
    fields : int, default=5
        Inputs per feature. 1: its scaled value itself, which is right for pixels. k > 1: input j of
        the k fires with max(0, 1 - |(k - 1) value - j|), so that two neighbours share the value.
    limits : (low, high) or None, default=None
        What is scaled to 0 and 1; numbers, or arrays of one per feature. None: the least and the
        greatest value of each feature in the data of `fit`, or of the first `partial_fit`.
    epochs : int, default=1
        Number of passes of `fit` over the data.
    shuffle : bool, default=True
        Whether each pass of `fit` uses a new random order.
    draws : int, default=1
        Number of draws of input spikes whose output spikes a prediction sums. Predictions do not
        depend on each other or on their order.
    random_state : int, RandomState or None, default=1
        Determines everything random. None gives different results each time.
    keys : dict or None, default=None
        Other keys of the learner, such as {"model": "snn", "learning_rate": 0.005}. All have the
        learner's defaults but `feedback`, which is "shared" unless it is among them.

    Attributes
    ----------
    classes_ : the labels, ascending; output i stands for classes_[i]
    learner_ : the tacos.Learner
    limits_ : (low, high), one number per feature each
    n_features_in_, feature_names_in_ : as usual
    """

    def __init__(
        self,
        hidden: Union[int, Sequence[int]] = 200,
        *,
        fields: int = 5,
        limits: Optional[Tuple[Any, Any]] = None,
        epochs: int = 1,
        shuffle: bool = True,
        draws: int = 1,
        random_state: Any = 1,
        keys: Optional[Dict[str, Key]] = None,
    ) -> None:
        self.hidden = hidden
        self.fields = fields
        self.limits = limits
        self.epochs = epochs
        self.shuffle = shuffle
        self.draws = draws
        self.random_state = random_state
        self.keys = keys

    def fit(self, X: Any, y: Any) -> "TacosClassifier":
        """Forget everything and learn (X, y)."""
        epochs = _count("epochs", self.epochs)
        X, y = _validated(self, X, y, reset=True)
        check_classification_targets(y)
        classes, targets = np.unique(y, return_inverse=True)
        random = check_random_state(self.random_state)
        self._begin(X, classes, random)
        for _ in range(epochs):
            order = random.permutation(len(X)) if self.shuffle else np.arange(len(X))
            self._learn(X, targets, order)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> "TacosClassifier":
        """Learn (X, y) once, in this order. The first call must be given all classes."""
        first = not hasattr(self, "learner_")
        if first and classes is None:
            raise ValueError("classes must be given in the first call of partial_fit")
        X, y = _validated(self, X, y, reset=first)
        check_classification_targets(y)
        known = self.classes_ if classes is None else unique_labels(classes)
        if not first and not np.array_equal(known, self.classes_):
            raise ValueError(f"classes are not those of the first call, {self.classes_}")
        targets = _targets(y, known)
        if first:
            self._begin(X, known, check_random_state(self.random_state))
        self._learn(X, targets, np.arange(len(X)))
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class whose output fired most: the first on a tie, or if none fired."""
        counts = self._counts(X)
        labels: npt.NDArray[Any] = self.classes_[np.argmax(counts, axis=1)]
        return labels

    def predict_proba(self, X: Any) -> Matrix:
        """(c + 1) / (sum of all c + number of classes), c being the spikes of a class's output over
        all draws. Silence is uniform, and the most probable is `predict`'s."""
        return proba(self._counts(X))

    # ---- within

    def _begin(self, X: Matrix, classes: npt.NDArray[Any], random: np.random.RandomState) -> None:
        """A new learner for such data."""
        n = int(self.n_features_in_)
        keys = {**DEFAULTS, **(self.keys or {})}
        for name in ("inputs", "hidden", "outputs", "seed"):
            if name in keys:
                raise ValueError(f"keys must not contain {name!r}")
        seed = int(random.randint(2**32, dtype=np.uint64))
        learner = Learner(
            n * _count("fields", self.fields), self.hidden, len(classes), seed, **keys
        )
        self.limits_ = _limits(self.limits, X)
        self.classes_ = classes
        self.learner_ = learner

    def _learn(self, X: Matrix, targets: npt.NDArray[np.intp], order: npt.NDArray[np.intp]) -> None:
        for at in range(0, len(order), CHUNK):
            rows = order[at : at + CHUNK]
            self.learner_.learn(self._encoded(X[rows]), targets[rows])

    def _counts(self, X: Any) -> npt.NDArray[np.uint64]:
        check_is_fitted(self)
        draws = _count("draws", self.draws)
        X = _validated(self, X, reset=False)
        counts = np.zeros((len(X), len(self.classes_)), np.uint64)
        for at in range(0, len(X), CHUNK):
            rows = self._encoded(X[at : at + CHUNK])
            for draw in range(draws):
                counts[at : at + CHUNK] += self.learner_.counts(rows, draw)
        return counts

    def _encoded(self, X: Matrix) -> Floats:
        """Rows of intensities; see the parameters `limits` and `fields`."""
        low, high = self.limits_
        # Halves, since a range may be larger than the largest number.
        span = high / 2 - low / 2
        value = (X / 2 - low / 2) / np.where(span > 0, span, 1)
        value = np.clip(value, 0, 1)
        fields = self.learner_.inputs // int(self.n_features_in_)
        if fields > 1:
            away = np.abs(value[:, :, None] * (fields - 1) - np.arange(fields))
            value = np.maximum(0, 1 - away).reshape(len(X), -1)
        encoded: Floats = value.astype(np.float32)
        return encoded


def _validated(estimator: Any, X: Any, *y: Any, reset: bool) -> Any:
    """X (and y) validated by scikit-learn, whose function for that moved in 1.6."""
    given = {"X": X, "y": y[0]} if y else {"X": X}
    try:
        from sklearn.utils.validation import validate_data
    except ImportError:
        return estimator._validate_data(**given, reset=reset)
    return validate_data(estimator, **given, reset=reset)


def _targets(y: npt.NDArray[Any], classes: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """The index of each label in classes."""
    unknown = np.setdiff1d(y, classes)
    if len(unknown):
        raise ValueError(f"y has {unknown[0]!r}, which is not among the classes {classes}")
    targets: npt.NDArray[np.intp] = np.searchsorted(classes, y)
    return targets


def _count(name: str, value: Any) -> int:
    if not isinstance(value, Integral) or value < 1:
        raise ValueError(f"{name} is {value!r}; it must be a positive whole number")
    return int(value)


def _limits(limits: Optional[Tuple[Any, Any]], X: Matrix) -> Tuple[Matrix, Matrix]:
    """One number per feature, low and high."""
    if limits is None:
        return X.min(axis=0).astype(np.float64), X.max(axis=0).astype(np.float64)
    low, high = (np.broadcast_to(np.asarray(v, np.float64), X.shape[1:]) for v in limits)
    if not (np.isfinite(low) & np.isfinite(high) & (low < high)).all():
        raise ValueError(f"limits are {limits!r}; they must be finite, the low below the high")
    return low.copy(), high.copy()
