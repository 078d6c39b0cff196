"""tacos - a spiking neural network that learns task after task without forgetting earlier ones.

Learner          a network that learns and predicts, one sample or one batch at a time
RiverClassifier  a classifier of streams like River's: samples are dicts, labels of any kind
TacosClassifier  the same as a scikit-learn estimator (needs scikit-learn)
presets          names of settings for these two
tacos.nir        exports a learner as a NIR file (a module; needs h5py)

The project's docs/python.md documents them.
"""

from typing import TYPE_CHECKING, Any, List

from ._core import version as _version
from .learner import Counters, Learner, Stats, Weights
from .river import Answer, RiverClassifier
from .stream import presets

__version__ = _version()
__all__ = [
    "Answer",
    "Counters",
    "Learner",
    "RiverClassifier",
    "Stats",
    "TacosClassifier",
    "Weights",
    "presets",
]

if TYPE_CHECKING:
    from .classifier import TacosClassifier
else:

    def __getattr__(name: str) -> Any:
        """Import scikit-learn only on first use, since that takes longer than everything else."""
        if name != "TacosClassifier":
            raise AttributeError(f"module 'tacos' has no attribute {name!r}")
        try:
            from .classifier import TacosClassifier
        except ModuleNotFoundError as missing:
            if (missing.name or "").split(".")[0] != "sklearn":
                raise
            sentence = "tacos.TacosClassifier needs scikit-learn, which is not installed"
            raise ImportError(sentence) from missing
        return TacosClassifier


def __dir__() -> List[str]:
    return [*__all__, "__version__"]
