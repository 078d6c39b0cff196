"""nir.py - a learner as a graph of the Neuromorphic Intermediate Representation (NIR), in a file.

    tacos.nir.write(learner, "model.nir")
    python3 -m tacos.nir model-1.tacos model.nir

NIR is an exchange format of simulators and neuromorphic chips; the file is HDF5. docs/python.md
documents the mapping, and what NIR cannot express. Needs h5py.
"""

import argparse
import io
import sys
from typing import Any, Dict, List, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .learner import Learner, Path

# Groups and datasets of the file: names and content.
Content = Dict[str, Any]

# The NIR version of this layout.
NIR_VERSION = "1.0"


def write(learner: Union[Learner, Path], path: Path) -> None:
    """Write a learner, or a saved one, as a NIR graph to `path`, atomically. The same learner gives
    the same bytes."""
    h5py = _h5py()
    content = _file(learner if isinstance(learner, Learner) else Learner.load(learner))
    file = io.BytesIO()
    with h5py.File(file, "w") as root:
        _put(h5py, root, content)
    _core.write_file(path, file.getvalue())


def main(arguments: Optional[List[str]] = None) -> int:
    """The command: 0 if the file was written, 1 with a message on stderr if not."""
    parser = argparse.ArgumentParser(
        prog="python3 -m tacos.nir",
        description="Write a saved learner as a NIR graph, for other simulators and for chips.",
    )
    parser.add_argument("model", metavar="MODEL", help="saved by `tacos run` or Learner.save")
    parser.add_argument("file", metavar="FILE.nir", help="the graph to write")
    given = parser.parse_args(arguments)
    try:
        write(given.model, given.file)
    except (ImportError, OSError, ValueError, MemoryError) as error:
        print(f"tacos.nir: {error}", file=sys.stderr)
        return 1
    return 0


# ---- the mapping


def _file(learner: Learner) -> Content:
    names = ["input"]
    nodes: Content = {"input": {"type": "Input", "shape": np.array([learner.inputs])}}
    for layer in range(learner.layers):
        nodes[f"synapses_{layer}"] = _synapses(learner, layer)
        nodes[f"neurons_{layer}"] = _neurons(learner, layer)
        names += [f"synapses_{layer}", f"neurons_{layer}"]
    nodes["output"] = {"type": "Output", "shape": np.array([learner.outputs])}
    names += ["output"]
    graph = {
        "type": "NIRGraph",
        "nodes": nodes,
        "edges": np.array(list(zip(names, names[1:])), dtype=object),
        "metadata": _story(learner),
    }
    return {"version": NIR_VERSION, "node": graph}


def _story(learner: Learner) -> Content:
    """Identifies the learner. Metadata has no groups, which some readers reject."""
    settings = {name: learner._engine.get(name) for name in _core.keys()}
    return {
        "program": f"tacos {_core.version()}",
        "config": "".join(f"{name} = {value}\n" for name, value in settings.items()),
        "seed": np.array(learner.seed),
        "samples_learned": np.array(learner.samples, np.uint64),
        "digest": np.array(learner.digest),
        "dt": np.array(_number(learner, "dt_ms") / 1000),
        "steps": np.array(learner.steps),
    }


def _synapses(learner: Learner, layer: int) -> Content:
    """NIR has one row per postsynaptic neuron, tacos one per presynaptic neuron."""
    weights = learner.weights(layer)
    metadata: Content = {"m": np.ascontiguousarray(weights.m.T)}
    if weights.w_ref is not None:
        metadata["w_ref"] = np.ascontiguousarray(weights.w_ref.T)
    return {"type": "Linear", "weight": np.ascontiguousarray(weights.w.T), "metadata": metadata}


def _neurons(learner: Learner, layer: int) -> Content:
    """The neurons that a layer of synapses feeds."""
    kind = "output" if layer == learner.layers - 1 else "hidden"
    n = learner.weights(layer).w.shape[1]
    dt = _number(learner, "dt_ms")
    tau_syn = _number(learner, "tau_syn_input_ms" if layer == 0 else "tau_syn_later_ms")
    tau_mem = _number(learner, f"tau_m_{kind}_ms")
    threshold = _number(learner, f"threshold_{kind}")
    silent_steps = int(_number(learner, "refractory_ms") / dt + 1e-9)
    return {
        "type": "CubaLIF",
        "tau_syn": _each(n, tau_syn / 1000),
        "tau_mem": _each(n, tau_mem / 1000),
        "r": _each(n, _number(learner, f"r_{kind}")),
        "v_leak": _each(n, 0),
        "v_reset": _each(n, 0),
        "v_threshold": _each(n, threshold),
        "w_in": _each(n, 1),
        "metadata": {
            "refractory_steps": np.array(silent_steps),
            "v_min": np.array(-threshold / 10, np.float32),
            "dt_over_tau_syn": np.array(dt / tau_syn, np.float32),
            "dt_over_tau_mem": np.array(dt / tau_mem, np.float32),
        },
    }


def _each(n: int, value: float) -> npt.NDArray[np.float32]:
    """NIR requires parameters per neuron."""
    return np.full(n, value, np.float32)


def _number(learner: Learner, key: str) -> float:
    return float(learner._engine.get(key))


# ---- HDF5


def _h5py() -> Any:
    try:
        import h5py
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] != "h5py":
            raise
        raise ImportError("tacos.nir needs h5py, which is not installed") from missing
    return h5py


def _put(h5py: Any, group: Any, content: Content) -> None:
    for name, value in content.items():
        if isinstance(value, dict):
            _put(h5py, group.create_group(name), value)
        elif isinstance(value, str) or value.dtype == object:
            group.create_dataset(name, data=value, dtype=h5py.string_dtype())
        else:
            group.create_dataset(name, data=value)


if __name__ == "__main__":
    sys.exit(main())
