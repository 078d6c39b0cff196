"""learner.py - a network that learns sample after sample without forgetting earlier ones."""

from numbers import Integral, Real
from os import PathLike
from typing import (
    Any,
    Dict,
    Iterable,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypeVar,
    Union,
)

import numpy as np
import numpy.typing as npt

from . import _core, arrays

Key = Union[str, float, Sequence[float], None]
Path = Union[str, bytes, "PathLike[str]", "PathLike[bytes]"]
Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int64]
Counts = npt.NDArray[np.uint32]
SmallCounts = npt.NDArray[np.uint16]
L = TypeVar("L", bound="Learner")


class Counters(NamedTuple):
    """Work done since a learner was created or loaded."""

    samples: int
    input_spikes: int
    hidden_spikes: int
    output_spikes: int
    error_spikes: int
    synaptic_events: int
    error_updates: int
    decay_updates: int


class Stats(NamedTuple):
    """Counters of learning and predicting, and how large the learner is."""

    learning: Counters
    predicting: Counters
    model_bytes: int
    workspace_bytes: int
    baseline_bytes: int


class Weights(NamedTuple):
    """One layer of synapses: element [pre, post] of an array belongs to the synapse from pre to
    post.

    All but m are read-only views. They follow the learning with delay, since updates of a synapse
    may be deferred; call `weights` again to apply them. m is a copy.
    """

    w: Floats
    w_ref: Optional[Floats]  # None in models without consolidation
    m: Floats
    m_steps: Optional[SmallCounts]  # steps that m has grown by; None where m is the same for all


class Learner:
    """A spiking network that learns one sample at a time (TACOS; Soures et al., arXiv 2409.00021).

    inputs, hidden and outputs are its sizes; hidden may be several, () for none. seed (0 to
    4294967295) determines everything random. Every other learner key of docs/keys.md may be
    given by name: ``Learner(784, (400, 200), 10, model="snn", learning_rate=0.005)``.

    The same keys, seed and samples give the same bits, on every machine and through every
    interface of the library.

    Samples are rows of `inputs` values: float32 or float64 from 0 to 1, the firing rate of an input
    as a fraction of input_rate_hz; or uint8, taken for pixels, 255 being 1. These three are read
    in place, with any strides; other numbers are copied to floats. Calls that take a batch also
    take a single row, and then return a single answer.

    The GIL is released while a learner works. Threads may share it: calls wait for each other.
    """

    _engine: _core.Engine

    def __init__(
        self,
        inputs: int = 784,
        hidden: Union[int, Sequence[int], None] = 200,
        outputs: int = 2,
        seed: int = 1,
        **keys: Key,
    ) -> None:
        given: Dict[str, Key] = {"inputs": inputs, "hidden": hidden, "outputs": outputs, **keys}
        self._engine = _core.Engine({name: written(name, v) for name, v in given.items()}, seed)

    # ---- learning and predicting

    def learn(self, x: Any, y: Any) -> None:
        """Learn one sample x of target y (the output that should fire), or rows of them in order.

        A batch with an error is rejected before any of it is learned. Ctrl-C ends a long batch
        early; `samples` says how many were learned.
        """
        rows, single = arrays.samples(x, self.inputs)
        self._engine.learn(rows, arrays.targets(y, len(rows), single))

    def predict(self, x: Any, draw: Any = 0) -> Any:
        """The output that fired most, the lowest on a tie, -1 if none fired.

        Nothing of the learner changes but its counters: an answer depends on what was learned, on
        the sample, and on `draw`, the number of the random draw of input spikes. One number
        for all rows, or an array with one per row.
        """
        rows, single = arrays.samples(x, self.inputs)
        outputs, _ = self._predict(rows, draw)
        return int(outputs[0]) if single else outputs

    def counts(self, x: Any, draw: Any = 0) -> Counts:
        """Spikes of each output; otherwise like `predict`."""
        rows, single = arrays.samples(x, self.inputs)
        _, counts = self._predict(rows, draw)
        return counts.reshape(-1) if single else counts

    def predict_proba(self, x: Any, draw: Any = 0) -> npt.NDArray[np.float64]:
        """Probabilities of the outputs: (c + 1) / (sum of all c + number of outputs), c being
        `counts`. Silence is uniform, nothing is certain, and the most probable (the lowest on a
        tie) is `predict`'s, where any fires."""
        return proba(self.counts(x, draw))

    def learn_spikes(self, spikes: Any, y: Any) -> None:
        """Learn from given spikes: booleans (steps, inputs), or a batch (n, steps, inputs).

        There may be fewer steps than the learner has; the missing ones are silent.
        """
        rows, single = arrays.spikes(spikes, self.inputs, self.steps)
        self._engine.learn_spikes(rows, arrays.targets(y, len(rows), single))

    def predict_spikes(self, spikes: Any) -> Any:
        """Like `predict`, from given spikes."""
        outputs, _, single = self._predict_spikes(spikes)
        return int(outputs[0]) if single else outputs

    def counts_spikes(self, spikes: Any) -> Counts:
        """Like `counts`, from given spikes."""
        _, counts, single = self._predict_spikes(spikes)
        return counts.reshape(-1) if single else counts

    # ---- what it is

    @property
    def inputs(self) -> int:
        """Input neurons."""
        return self._engine.shape[0]

    @property
    def hidden(self) -> Tuple[int, ...]:
        """Sizes of the hidden layers, input side first."""
        sizes = self._engine.get("hidden")
        return () if sizes == "none" else tuple(int(n) for n in sizes.split(","))

    @property
    def outputs(self) -> int:
        """Output neurons."""
        return self._engine.shape[1]

    @property
    def layers(self) -> int:
        """Number of layers of synapses: one more than hidden layers; 0 if the model is columns."""
        return self._engine.shape[2]

    @property
    def steps(self) -> int:
        """Time steps per sample."""
        return self._engine.shape[3]

    @property
    def seed(self) -> int:
        """The seed it was created with."""
        return self._engine.seed

    @property
    def keys(self) -> Dict[str, Key]:
        """Every key and its value; ``Learner(seed=..., **keys)`` creates a new learner like it."""
        return {name: _read(name, self._engine.get(name)) for name in _core.keys()}

    @property
    def samples(self) -> int:
        """Samples learned, including those before a copy or a save."""
        return self._engine.learned

    @property
    def digest(self) -> int:
        """A checksum of everything learned; `tacos run` calls it model_digest."""
        return self._engine.digest()

    @property
    def stats(self) -> Stats:
        """Work done since it was created, copied or loaded, and its size in bytes."""
        all_ = self._engine.stats()
        learning, predicting = Counters(**all_.pop("learning")), Counters(**all_.pop("predicting"))
        return Stats(learning, predicting, **all_)

    @property
    def threads(self) -> int:
        """Threads for layers that are wide enough; 1 by default. Results do not depend on it. A
        forked process can use a learner only if this is 1."""
        return self._engine.threads

    @threads.setter
    def threads(self, n: int) -> None:
        self._engine.threads = n

    def weights(self, layer: int) -> Weights:
        """The synapses of a layer; 0 is the first, fed by the inputs, -1 the last."""
        w, w_ref, m_steps, delta_m, m_max, m_all = self._engine.layer(self._layer(layer))
        weights: Floats = np.asarray(w)
        if m_steps is None:
            m = np.full(weights.shape, m_all, np.float32)
            return Weights(weights, _array(w_ref), m, None)
        steps: SmallCounts = np.asarray(m_steps)
        m = np.minimum(steps.astype(np.float32) * np.float32(delta_m), np.float32(m_max))
        return Weights(weights, _array(w_ref), m, steps)

    def set_weights(
        self, layer: int, w: Any = None, w_ref: Any = None, m_steps: Any = None
    ) -> None:
        """Replace values of a layer; None leaves them unchanged.

        Each is an array of the shape that `weights` gives it, of finite numbers, or for m_steps
        of whole ones from 0 to 65535. Arrays that the model does not have must be None.
        """
        at = self._layer(layer)
        shape = self.weights(at).w.shape
        self._engine.set_layer(
            at,
            None if w is None else arrays.matrix(w, shape, "w"),
            None if w_ref is None else arrays.matrix(w_ref, shape, "w_ref"),
            None if m_steps is None else arrays.counts(m_steps, shape, "m_steps"),
        )

    def __repr__(self) -> str:
        hidden = self.hidden if self.layers > 0 else ()  # columns have none
        sizes = "-".join(str(n) for n in (self.inputs, *hidden, self.outputs))
        return (
            f"<tacos.Learner {sizes}, model {self._engine.get('model')}, seed {self.seed}, "
            f"{self.samples} samples learned>"
        )

    # ---- keeping it

    def save(self, path: Path) -> None:
        """Save to a file, atomically; every interface of the library can load it."""
        self._engine.save(path)

    @classmethod
    def load(cls: Type[L], path: Path) -> L:
        """A learner from a file, such as the model-SEED.tacos of `tacos run`; it continues
        exactly as the saved one would."""
        return cls._around(_core.Engine.load(path))

    def to_bytes(self) -> bytes:
        """What `save` would write."""
        return self._engine.save_bytes()

    @classmethod
    def from_bytes(cls: Type[L], data: Any) -> L:
        """A learner from the result of `to_bytes`, or from the content of a file."""
        return cls._around(_core.Engine.load_bytes(data))

    def copy(self: L) -> L:
        """An independent copy that continues as this one would; its counters start at zero."""
        return _rebuild(type(self), self.to_bytes(), self.threads, self._extra())

    def __copy__(self: L) -> L:
        return self.copy()

    def __deepcopy__(self: L, memo: Dict[int, Any]) -> L:
        return self.copy()

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (type(self), self.to_bytes(), self.threads, self._extra())

    # ---- merging

    @classmethod
    def merge(
        cls: Type[L],
        learners: Iterable["Learner"],
        *,
        units: int = 0,
        memory_kb: float = 0,
        match: float = 0,
    ) -> L:
        """One learner of several of model "columns" that learned different samples; these stay as
        they are, and their order does not matter.

        They must have the same seed and keys, except column_memory_kb and column_units. The size of
        the result is `units`, as column_units, or `memory_kb`, as column_memory_kb; by default it
        is that of the largest. Units that match each other by `match` (up to 1) or more become one;
        by default this is two thirds of the way from theta to 1.
        """
        engines = [learner._engine for learner in learners]
        return cls._around(_core.Engine.merge(engines, memory_kb, match, units))

    # ---- within

    def _layer(self, layer: int) -> int:
        if self.layers == 0:
            raise ValueError("a columns learner has no layers of synapses")
        at = layer + self.layers if layer < 0 else layer
        if not 0 <= at < self.layers:
            raise IndexError(
                f"layer {layer} is out of range: the layers are 0 to {self.layers - 1}"
            )
        return at

    def _extra(self) -> Dict[str, Any]:
        """Attributes set by users, which pickles and copies include."""
        return {name: value for name, value in self.__dict__.items() if name != "_engine"}

    @classmethod
    def _around(cls: Type[L], engine: _core.Engine) -> L:
        learner = cls.__new__(cls)
        learner._engine = engine
        return learner

    def _answers(self, n: int) -> Tuple[Labels, Counts]:
        return np.empty(n, np.int64), np.empty((n, self.outputs), np.uint32)

    def _predict(self, rows: arrays.Array, draw: Any) -> Tuple[Labels, Counts]:
        outputs, counts = self._answers(len(rows))
        self._engine.predict(rows, arrays.draws(draw, len(rows)), outputs, counts)
        return outputs, counts

    def _predict_spikes(self, spikes: Any) -> Tuple[Labels, Counts, bool]:
        rows, single = arrays.spikes(spikes, self.inputs, self.steps)
        outputs, counts = self._answers(len(rows))
        self._engine.predict_spikes(rows, outputs, counts)
        return outputs, counts, single


def proba(counts: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """See Learner.predict_proba: the shares of the spikes, had each output fired once more."""
    more = counts.astype(np.float64) + 1
    shares: npt.NDArray[np.float64] = more / more.sum(axis=-1, keepdims=True)
    return shares


def _rebuild(cls: Type[L], data: bytes, threads: int, extra: Dict[str, Any]) -> L:
    learner = cls.from_bytes(data)
    learner.__dict__.update(extra)
    if threads > 1:
        learner.threads = threads
    return learner


def _array(view: Optional[_core.View]) -> Optional[Floats]:
    return None if view is None else np.asarray(view)


def written(name: str, value: Key) -> str:
    """A value as written in a .conf file."""
    if isinstance(value, str):
        return value
    if value is None:
        return "none"
    if isinstance(value, (Sequence, np.ndarray)):
        return ",".join(_number(name, v) for v in value) or "none"
    return _number(name, value)


def _number(name: str, value: Any) -> str:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r}; a key takes a number, numbers, or a word")
    return str(int(value)) if isinstance(value, Integral) else repr(float(value))


def _read(name: str, text: str) -> Key:
    """The reverse: a number, a tuple of several, a word, or None for no bound."""
    if text == "none":
        return () if name == "hidden" else None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        return text
    whole = [int(n) if n.is_integer() else n for n in numbers]
    return whole[0] if len(whole) == 1 else tuple(whole)
