"""typed_use.py - the package as mypy --strict sees it from outside; it is not run. An error that is
no longer one is an error."""

import numpy as np
import numpy.typing as npt

import tacos
import tacos.nir

learner = tacos.Learner(40, (20, 10), 2, seed=3, model="snn", learning_rate=0.01)
learner.learn(np.zeros((3, 40)), [0, 1, 0])
learner.threads = 2

counts: npt.NDArray[np.uint32] = learner.counts(np.zeros(40))
chances: npt.NDArray[np.float64] = learner.predict_proba(np.zeros(40))
w: npt.NDArray[np.float32] = learner.weights(0).w
sizes: int = learner.stats.model_bytes + learner.stats.learning.samples
again: tacos.Learner = tacos.Learner.from_bytes(learner.to_bytes()).copy()

both: tacos.Learner = tacos.Learner.merge([again, learner], units=100)
tacos.Learner.merge(3)  # type: ignore[arg-type]

river = tacos.RiverClassifier("series", seed=2, keys={"encoder_trends": (6, 24)})
river.learn_one({"a": 0.5, "b": "red", "c": None}, "yes")
share: float = river.predict_proba_one({"a": 0.5})["yes"]
sure: float = river.answer_one({"a": 0.5}, "no").confidence
river.learn_one([0.5], "yes")  # type: ignore[arg-type]

tacos.nir.write(learner, "model.nir")
tacos.nir.write(3, "model.nir")  # type: ignore[arg-type]

made: tacos.TacosClassifier = tacos.TacosClassifier(keys={"warm_up": 9}).fit([[0], [1]], [0, 1])
novel: npt.NDArray[np.float64] = made.novelty([[0]])
about: str = tacos.presets()["default"]
tacos.TacosClassifier(preset=3)  # type: ignore[arg-type]

tacos.Learner(inputs="many")  # type: ignore[arg-type]
learner.seed = 4  # type: ignore[misc]
learner.weights(0).w_ref + 1  # type: ignore[operator]
tacos.Learner.load(5)  # type: ignore[arg-type]
tacos.Lerner  # type: ignore[attr-defined]
