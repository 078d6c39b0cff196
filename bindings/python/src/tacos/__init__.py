"""tacos - a spiking neural network that learns one task after another and keeps the old ones.

Learner          a network that learns and predicts, one sample or one batch at a time
RiverClassifier  the same for dicts of features and labels of any kind, with River's methods
TacosClassifier  the same as an estimator of scikit-learn (which must then be installed)
tacos.nir        what was learned, as a NIR file (a module; h5py must then be installed)

docs/python.md of the project tells all about them.
"""

from typing import TYPE_CHECKING, Any, List

from ._core import version as _version
from .learner import Counters, Learner, Stats, Weights
from .river import RiverClassifier

__version__ = _version()
__all__ = ["Counters", "Learner", "RiverClassifier", "Stats", "TacosClassifier", "Weights"]

if TYPE_CHECKING:
    from .classifier import TacosClassifier
else:

    def __getattr__(name: str) -> Any:
        """scikit-learn is loaded when it is asked for: it takes longer than all the rest."""
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
