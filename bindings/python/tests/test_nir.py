"""test_nir.py - a NIR file has NIR's layout, and holds all that is needed to get the learner's own
spikes: what is rebuilt here knows the file and nothing else."""

import builtins
import os
import resource
import subprocess
import sys

import numpy as np
import pytest

import tacos
import tacos.nir
from conftest import LIVELY, MODELS, toy_learner, toy_samples

h5py = pytest.importorskip("h5py")

# What NIR's own reader hands to the constructors of its nodes; metadata may be added.
PARAMETERS = {
    "Input": {"shape"},
    "Output": {"shape"},
    "Linear": {"weight"},
    "CubaLIF": {"tau_syn", "tau_mem", "r", "v_leak", "v_reset", "v_threshold", "w_in"},
}


def unpacked(group):
    """Groups as dicts and datasets as what they hold, as NIR's reader does it."""
    read = {}
    for name, item in group.items():
        value = unpacked(item) if isinstance(item, h5py.Group) else item[()]
        read[name] = value.decode() if isinstance(value, bytes) else value
    return read


def graph_of(path):
    with h5py.File(path, "r") as file:
        assert set(file) == {"version", "node"}
        assert file["version"][()].decode() == "1.0"
        graph = unpacked(file["node"])
    graph["edges"] = [(a.decode(), b.decode()) for a, b in graph["edges"]]
    return graph


def written(learner, tmp_path):
    tacos.nir.write(learner, tmp_path / "model.nir")
    return graph_of(tmp_path / "model.nir")


def chain(graph):
    """The nodes from the input to the output, along the edges."""
    follower = dict(graph["edges"])
    assert len(follower) == len(graph["edges"]) == len(graph["nodes"]) - 1
    names = ["input"]
    while names[-1] in follower:
        names.append(follower[names[-1]])
    return [graph["nodes"][name] for name in names]


# ---- the forward pass, from the file alone


def fma(a, b, c):
    """a b + c of float32 with one rounding: what float64 loses becomes an odd last bit, which the
    second rounding cannot mistake for a tie."""
    product = np.float64(a) * np.asarray(b, np.float64)
    total = product + np.asarray(c, np.float64)
    back = total - product
    lost = (product - (total - back)) + (c - back)
    nudge = (lost != 0) & (total.view(np.int64) % 2 == 0)
    toward = np.where(lost > 0, np.inf, -np.inf)
    return np.where(nudge, np.nextafter(total, toward), total).astype(np.float32)


def heard(weight, spikes):
    """The sum over those that spike, one after the other, in single precision."""
    total = np.zeros(len(weight), np.float32)
    for pre in np.flatnonzero(spikes):
        total += weight[:, pre]
    return total


def fired(node, currents):
    """Spikes of CubaLIF neurons, step by step; `currents` are what arrives in each."""
    more = node["metadata"]
    i, v = np.zeros_like(node["r"]), np.zeros_like(node["r"])
    silent = np.zeros(len(i), int)
    said = []
    for current in currents:
        i = fma(more["dt_over_tau_syn"], node["w_in"] * current - i, i)
        v = fma(more["dt_over_tau_mem"], fma(node["r"], i, node["v_leak"] - v), v)
        v = np.maximum(v, more["v_min"])
        v = np.where(silent > 0, node["v_reset"], v)
        spikes = v >= node["v_threshold"]
        v = np.where(spikes, node["v_reset"], v)
        silent = np.where(spikes, more["refractory_steps"], np.maximum(silent - 1, 0))
        said.append(spikes)
    return np.array(said)


def spikes_of(graph, raster):
    """Spikes of each layer of neurons, [steps][neurons]."""
    nodes, spikes = chain(graph)[1:-1], raster
    layers = []
    for synapses, neurons in zip(nodes[::2], nodes[1::2]):
        spikes = fired(neurons, [heard(synapses["weight"], step) for step in spikes])
        layers.append(spikes)
    return layers


def check_spikes(learner, graph, n=8):
    random = np.random.default_rng(5)
    for rate in np.linspace(0.02, 0.5, n):
        raster = random.random((learner.steps, learner.inputs)) < rate
        before = learner.stats.predicting
        counts = learner.counts_spikes(raster)
        after = learner.stats.predicting
        layers = spikes_of(graph, raster)
        assert (layers[-1].sum(axis=0) == counts).all()
        hidden = sum(int(layer.sum()) for layer in layers[:-1])
        assert hidden == after.hidden_spikes - before.hidden_spikes
    return after


@pytest.mark.parametrize("model", MODELS)
def test_the_file_alone_gives_the_learner_s_spikes(model, tmp_path):
    learner = toy_learner(model=model, threshold_output=0.1)
    learner.learn(*toy_samples(30))
    told = check_spikes(learner, written(learner, tmp_path), 12)
    assert told.output_spikes > 20 and told.hidden_spikes > 200  # there was something to compare


@pytest.mark.parametrize(
    "hidden, keys",
    [
        ((), {}),
        ((30, 17), {"init_w": (4, 9, 9)}),
        ((20,), {"refractory_ms": 0}),
        ((20,), {"dt_ms": 0.3, "steps": 200, "refractory_ms": 2, "tau_syn_input_ms": 7}),
        ((20,), {"tau_m_hidden_ms": 1, "tau_syn_later_ms": 1}),
    ],
)
def test_every_shape_and_parameter(hidden, keys, tmp_path):
    learner = tacos.Learner(40, hidden, 3, **{**LIVELY, "init_w": 5, **keys})
    learner.learn(*toy_samples(10))
    graph = written(learner, tmp_path)
    assert check_spikes(learner, graph, 4).output_spikes > 0
    assert len(chain(graph)) == 2 + 2 * (len(hidden) + 1)


def test_the_paper_s_network(tmp_path):
    learner = tacos.Learner()
    random = np.random.default_rng(1)
    learner.learn(random.random((4, 784)) * 0.5, [0, 1, 0, 1])
    assert check_spikes(learner, written(learner, tmp_path), 2).output_spikes > 0


# ---- the layout


def test_nodes_are_nir_s(taught, tmp_path):
    graph = written(taught, tmp_path)
    assert set(graph) == {"type", "nodes", "edges", "metadata"} and graph["type"] == "NIRGraph"
    kinds = [node["type"] for node in chain(graph)]
    assert kinds == ["Input", "Linear", "CubaLIF", "Linear", "CubaLIF", "Output"]
    shape = (40,)
    for node in chain(graph):
        assert set(node) - {"type", "metadata"} == PARAMETERS[node["type"]]
        metadata = node.get("metadata", {})
        assert not any(isinstance(value, dict) for value in metadata.values())
        if node["type"] == "Linear":
            assert node["weight"].dtype == np.float32 and node["weight"].shape[1:] == shape
            shape = node["weight"].shape[:1]
        elif node["type"] == "CubaLIF":
            for name in PARAMETERS["CubaLIF"]:
                assert node[name].dtype == np.float32 and node[name].shape == shape
        else:
            assert tuple(node["shape"]) == shape


def test_parameters_are_the_keys_in_seconds(tmp_path):
    graph = written(tacos.Learner(), tmp_path)
    wanted = {"tau_syn": 0.01, "tau_mem": 0.015, "r": 1, "v_threshold": 1}
    wanted.update(v_leak=0, v_reset=0, w_in=1)
    for name, value in wanted.items():
        assert (graph["nodes"]["neurons_0"][name] == np.float32(value)).all(), name
    wanted.update(tau_syn=0.025, tau_mem=0.025, r=5, v_threshold=2)
    for name, value in wanted.items():
        assert (graph["nodes"]["neurons_1"][name] == np.float32(value)).all(), name
    more = graph["nodes"]["neurons_1"]["metadata"]
    assert more["refractory_steps"] == 4 and more["v_min"] == np.float32(-0.2)
    dt = graph["metadata"]["dt"]
    for node in (graph["nodes"]["neurons_0"], graph["nodes"]["neurons_1"]):
        for name in ("tau_syn", "tau_mem"):  # but for the last bit
            assert dt / node[name][0] == pytest.approx(node["metadata"][f"dt_over_{name}"], 1e-6)


@pytest.mark.parametrize("model", MODELS)
def test_what_was_learned_is_there(model, tmp_path):
    learner = toy_learner(model=model, seed=7)
    learner.learn(*toy_samples(30))
    graph = written(learner, tmp_path)
    for layer in range(2):
        node, weights = graph["nodes"][f"synapses_{layer}"], learner.weights(layer)
        assert (node["weight"] == weights.w.T).all()
        assert (node["metadata"]["m"] == weights.m.T).all()
        assert ("w_ref" in node["metadata"]) == (weights.w_ref is not None)
        assert weights.w_ref is None or (node["metadata"]["w_ref"] == weights.w_ref.T).all()
    story = graph["metadata"]
    assert (story["seed"], story["samples_learned"], story["digest"]) == (7, 30, learner.digest)
    assert story["program"] == f"tacos {tacos.__version__}" and story["steps"] == 60
    keys = dict(line.split(" = ") for line in story["config"].splitlines())
    assert tacos.Learner(seed=7, **keys).keys == learner.keys


# ---- the file


def test_the_same_learner_gives_the_same_bytes(taught, tmp_path):
    taught.save(tmp_path / "model.tacos")
    for name, learner in [("a", taught), ("b", taught.copy()), ("c", tmp_path / "model.tacos")]:
        tacos.nir.write(learner, tmp_path / name)
    tacos.nir.write(str(tmp_path / "model.tacos"), os.fsencode(tmp_path / "a"))  # over the old one
    first = (tmp_path / "a").read_bytes()
    assert (tmp_path / "b").read_bytes() == first and (tmp_path / "c").read_bytes() == first
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "c", "model.tacos"]


def test_a_file_is_whole_or_not_there(taught, tmp_path):
    with pytest.raises(FileNotFoundError, match="no/such"):
        tacos.nir.write(taught, tmp_path / "no/such")
    with pytest.raises(FileNotFoundError, match="no/such"):
        tacos.nir.write(tmp_path / "no/such", tmp_path / "a")
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(ValueError, match="is not a saved learner"):
        tacos.nir.write(tmp_path / "a", tmp_path / "b")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            tacos.nir.write(taught, tmp_path / "a")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert os.listdir(tmp_path) == ["a"] and (tmp_path / "a").read_bytes() == b"old"


def test_without_h5py(taught, tmp_path, monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.split(".")[0] == "h5py":
            raise ModuleNotFoundError("No module named 'h5py'", name="h5py")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match="tacos.nir needs h5py, which is not installed"):
        tacos.nir.write(taught, tmp_path / "a")
    assert os.listdir(tmp_path) == []


def command(*args):
    return subprocess.run(
        [sys.executable, "-m", "tacos.nir", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_command(taught, tmp_path):
    taught.save(tmp_path / "model.tacos")
    done = command(tmp_path / "model.tacos", tmp_path / "model.nir")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert graph_of(tmp_path / "model.nir")["metadata"]["digest"] == taught.digest
    done = command(tmp_path / "nothing", tmp_path / "b.nir")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("tacos.nir: ") and "nothing" in done.stderr
    assert done.stderr.count("\n") == 1 and not (tmp_path / "b.nir").exists()
    done = command(tmp_path / "model.tacos")
    assert done.returncode == 2 and "FILE.nir" in done.stderr
