"""river.py - learning one sample at a time from dicts, with the methods of River classifiers."""

from typing import Any, Dict, Hashable, List, Mapping, Optional

import numpy as np
import numpy.typing as npt

from .learner import Learner, proba


class RiverClassifier:
    """A learner whose samples are dicts of features and whose targets are labels of any kind.

    Features get inputs, and labels outputs, when they are first learned, while any are left.
    Values must be from 0 to 1 (River's preprocessing.MinMaxScaler does that); a missing feature is
    0. Predictions ignore features that were never learned.
    """

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.features: Dict[Hashable, int] = {}
        self.labels: List[Hashable] = []

    def learn_one(self, x: Mapping[Hashable, float], y: Hashable) -> None:
        """Learn one sample. Errors are raised before anything changes."""
        features = self._features_with(x)
        labels = self._labels_with(y)
        self.learner.learn(self._row(x, features), labels.index(y))
        self.features, self.labels = features, labels

    def predict_one(self, x: Mapping[Hashable, float], draw: int = 0) -> Optional[Hashable]:
        """The label whose output fired most, the first on a tie; None if no label is known."""
        chances = self.predict_proba_one(x, draw)
        return max(chances, key=chances.__getitem__) if chances else None

    def predict_proba_one(
        self, x: Mapping[Hashable, float], draw: int = 0
    ) -> Dict[Hashable, float]:
        """The probability of each label learned so far, from the spikes of their outputs as in
        Learner.predict_proba."""
        if not self.labels:
            return {}
        counts = self.learner.counts(self._row(x, self.features), draw)[: len(self.labels)]
        return dict(zip(self.labels, proba(counts).tolist()))

    # ---- within

    def _features_with(self, x: Mapping[Hashable, float]) -> Dict[Hashable, int]:
        new = [name for name in x if name not in self.features]
        if len(self.features) + len(new) > self.learner.inputs:
            raise ValueError(
                f"feature {new[-1]!r} is one too many: the network has {self.learner.inputs} inputs"
            )
        return {**self.features, **{name: len(self.features) + k for k, name in enumerate(new)}}

    def _labels_with(self, y: Hashable) -> List[Hashable]:
        labels = self.labels if y in self.labels else [*self.labels, y]
        if len(labels) > self.learner.outputs:
            raise ValueError(
                f"label {y!r} is one too many: the network has {self.learner.outputs} outputs"
            )
        return labels

    def _row(
        self, x: Mapping[Hashable, float], features: Mapping[Hashable, int]
    ) -> npt.NDArray[np.float32]:
        row = np.zeros(self.learner.inputs, np.float32)
        for name, value in x.items():
            if name in features:
                row[features[name]] = _intensity(name, value)
        return row


def _intensity(name: Hashable, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"feature {name!r} is {value!r}; it must be a number") from None
    if not 0 <= number <= 1:
        raise ValueError(f"feature {name!r} is {value!r}; it must be from 0 to 1")
    return number
