"""river.py - learning one sample at a time from dicts, with the methods of River classifiers."""

import warnings
from typing import Any, Dict, Hashable, List, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from .learner import Key
from .stream import Answers, Stream
from .table import Table, row

Sample = Mapping[Hashable, Any]
ZERO = np.zeros(1, np.int64)


class Answer(NamedTuple):
    """The likeliest label (None before anything was learned), the chance that it is right, and how
    unlike everything learned the sample was."""

    label: Optional[Hashable]
    confidence: float
    novelty: float


class RiverClassifier:
    """A classifier of streams whose samples are dicts of features and whose labels are of any kind.

    Features are numbers of any scale, texts (categories), or None or NaN for a missing value. They
    are those of the first sample learned, or `features` if given; later samples may lack some,
    which are then missing values, and others in them are ignored, with a warning the first time.

    preset, seed and keys are those of tacos.TacosClassifier. `stream` is what does the work.
    """

    def __init__(
        self,
        preset: str = "default",
        *,
        seed: int = 1,
        keys: Optional[Mapping[str, Key]] = None,
        features: Optional[Sequence[Hashable]] = None,
    ) -> None:
        self.stream = Stream(preset, seed, keys)
        self.features: List[Hashable] = []
        self._place: Dict[Hashable, int] = {}
        self._warned = False
        if features is not None:
            self._set_features(list(features))

    def learn_one(self, x: Sample, y: Hashable) -> None:
        """Learn one sample. Errors are raised before anything changes."""
        self.stream.next(self._first(x), [y], ZERO)

    def answer_one(self, x: Sample, y: Optional[Hashable] = None) -> Answer:
        """Answer the next sample of the stream, and then learn it if y is not None. The answer
        takes account of the samples before it, such as how often a label follows itself."""
        labels = None if y is None else [y]
        answers = self.stream.next(self._first(x), labels, ZERO, answer=True)
        assert answers is not None
        return self._answer(answers)

    def predict_one(self, x: Sample, reject: Optional[float] = None) -> Optional[Hashable]:
        """The likeliest label; None if none is known, or if its confidence is below `reject`. It is
        answered as the next sample of the stream, as by `answer_one`."""
        if not self.stream.labels:
            return None
        answer = self._answer(self.stream.answers(self._row(x), in_stream=True))
        return None if reject is not None and answer.confidence < reject else answer.label

    def predict_proba_one(self, x: Sample) -> Dict[Hashable, float]:
        """The chance of each label learned so far."""
        if not self.stream.labels:
            return {}
        answers = self.stream.answers(self._row(x), chances=True, in_stream=True)
        assert answers.chances is not None
        return dict(zip(self.stream.labels, answers.chances[0].tolist()))

    def novelty_one(self, x: Sample) -> float:
        """From 0 to 1: how unlike everything learned the sample is."""
        return float(self.stream.answers(self._row(x)).novelty[0]) if self.stream.labels else 1.0

    # ---- within

    def _set_features(self, names: List[Hashable]) -> None:
        self.stream.core.set_features([str(name) for name in names])
        self.features = names
        self._place = {name: j for j, name in enumerate(names)}

    def _first(self, x: Sample) -> Table:
        """A row of a sample that is to be learned, perhaps the first one."""
        if self.features:
            return self._row(x)
        names = list(x)
        values = row([x[name] for name in names], names)
        self._set_features(names)
        return values

    def _row(self, x: Sample) -> Table:
        new = [name for name in x if name not in self._place]
        if new and not self._warned:
            self._warned = True
            warnings.warn(
                f"feature {new[0]!r} is new and is ignored: the features are those of the first "
                "sample, or `features` of RiverClassifier",
                stacklevel=3,
            )
        return row([x.get(name) for name in self.features], self.features)

    def _answer(self, answers: Answers) -> Answer:
        number = int(answers.labels[0])
        label = self.stream.labels[number] if number >= 0 else None
        return Answer(label, float(answers.confidence[0]), float(answers.novelty[0]))
