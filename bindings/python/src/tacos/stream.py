"""stream.py - a classifier of the library whose labels may be of any kind."""

from typing import Any, Callable, Dict, Hashable, List, Mapping, NamedTuple, Optional, Sequence

import numpy as np
import numpy.typing as npt

from . import _core
from .learner import Key, Path, written
from .table import Kinds, Table

Reals = npt.NDArray[np.float64]

# What follows from the samples, so that nobody sets it.
FOLLOWING = ("inputs", "input_shape", "outputs", "column_group")


class Answers(NamedTuple):
    """Of rows: the number of the likeliest label (-1 before anything was learned), the chance that
    it is right, how unlike everything learned the row is, and the chances of all labels."""

    labels: npt.NDArray[np.int64]
    confidence: Reals
    novelty: Reals
    chances: Optional[Reals]


def presets() -> Dict[str, str]:
    """The presets of classifiers and what each is for. The first is the default."""
    return {name: about for name, about, _ in _core.presets()}


class Stream:
    """A tacos_classifier; see tacos_stream.h. Its labels are names, those of Python are hashable:
    this has both."""

    def __init__(self, preset: Optional[str], seed: int, keys: Optional[Mapping[str, Key]]) -> None:
        self._begin(_core.Classifier(preset, seed), 0)
        for name, value in (keys or {}).items():
            self.core.set(name, written(name, value))

    def _begin(self, core: _core.Classifier, n_features: int) -> None:
        self.core = core
        self.kinds: Kinds = [None] * n_features
        self.labels: List[Any] = []  # in the order of their numbers
        self._names: Dict[Hashable, str] = {}
        self._by_name: Dict[str, Any] = {}

    # ---- samples

    def next(
        self,
        rows: Table,
        labels: Optional[Sequence[Any]],
        codes: Optional[npt.NDArray[np.int64]],
        answer: bool = False,
    ) -> Optional[Answers]:
        """The next rows of the stream; row i has the label labels[codes[i]]."""
        given = None if labels is None else (codes, [self._name(label) for label in labels])
        answers = self._room(len(rows.numbers), chances=False) if answer else None
        try:
            self.core.next(tuple(rows), given, answers and tuple(answers))
        finally:
            self._follow()
        return answers

    def answers(self, rows: Table, chances: bool = False, in_stream: bool = False) -> Answers:
        """Answers to rows that are not part of the stream; or to such as may come next."""
        answers = self._room(len(rows.numbers), chances)
        predict = self.core.predict_next if in_stream else self.core.predict
        predict(tuple(rows), tuple(answers))
        return answers

    def _room(self, n: int, chances: bool) -> Answers:
        room = np.empty((n, len(self.labels))) if chances else None
        return Answers(np.empty(n, np.int64), np.empty(n), np.empty(n), room)

    # ---- labels

    def _name(self, label: Hashable) -> str:
        """A name that no other label has, for a file or for C."""
        name = self._names.get(label)
        if name is None:
            name = str(label) or "''"
            while name in self._by_name:
                name += "'"
            self._names[label] = name
            self._by_name[name] = label
        return name

    def _follow(self) -> None:
        """Note the labels that were learned for the first time."""
        for name, _ in self.core.labels()[len(self.labels) :]:
            self.labels.append(self._by_name[name])

    # ---- what it is

    def keys(self) -> Dict[str, str]:
        """All keys and their values."""
        return {k: self.core.get(k) for k in [*_core.classifier_keys(), *_core.keys()]}

    def changed_keys(self) -> Dict[str, Key]:
        """Those that differ from the default preset's, without those that follow from samples."""
        usual = Stream(None, 0, None).keys()
        return {k: v for k, v in self.keys().items() if v != usual[k] and k not in FOLLOWING}

    def info(self) -> Dict[str, Any]:
        return self.core.info()

    # ---- keeping it

    def save(self, path: Path) -> None:
        self.core.save(path)

    @classmethod
    def load(cls, path: Path, label: Optional[Callable[[str], Any]] = None) -> "Stream":
        """A stream from a file. `label` makes a label of its name; without it labels are whole
        numbers if all names are, else texts."""
        core = _core.Classifier.load(path)
        names = [name for name, _ in core.labels()]
        if label is None:
            label = int if names and all(_is_whole(name) for name in names) else str
        return cls._around(core, names, [label(name) for name in names])

    @classmethod
    def _around(
        cls, core: _core.Classifier, names: Sequence[str], labels: Sequence[Any]
    ) -> "Stream":
        stream = cls.__new__(cls)
        stream._begin(core, core.info()["n_features"])
        stream._names = dict(zip(labels, names))
        stream._by_name = dict(zip(names, labels))
        stream._follow()
        return stream

    def __reduce__(self) -> Any:
        return _rebuild, (self.core.save_bytes(), list(self._by_name.items()), self.kinds)


def joined(parts: Sequence[Answers]) -> Answers:
    """Answers to rows that were taken in parts, one or more."""
    chances = [part.chances for part in parts if part.chances is not None]
    return Answers(
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.confidence for part in parts]),
        np.concatenate([part.novelty for part in parts]),
        np.concatenate(chances) if chances else None,
    )


def _rebuild(data: bytes, names: List[Any], kinds: Kinds) -> Stream:
    core = _core.Classifier.load_bytes(data)
    stream = Stream._around(core, [name for name, _ in names], [label for _, label in names])
    stream.kinds = list(kinds)
    return stream


def _is_whole(name: str) -> bool:
    digits = name[1:] if name.startswith("-") else name
    return digits.isascii() and digits.isdigit() and str(int(name)) == name
