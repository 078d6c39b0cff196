"""test_learner.py - learning and predicting: every way to give samples gives the same bits, and
what is wrong is refused with a sentence, before anything is learned."""

import resource

import numpy as np
import pytest

import tacos
from conftest import LIVELY, MODELS, toy_learner, toy_samples

PIXELS, Y = toy_samples(12)
X = PIXELS.astype(np.float32) / np.float32(255)


def digest_after(x, y=Y, **keys):
    made = toy_learner(**keys)
    made.learn(x, y)
    return made.digest


WANTED = digest_after(X)


# ---- making


def test_the_paper_s_network_is_the_default():
    made = tacos.Learner()
    assert (made.inputs, made.hidden, made.outputs, made.seed) == (784, (200,), 2, 1)
    assert made.keys["model"] == "tacos" and made.samples == 0
    assert made.weights(0).w.shape == (784, 200) and made.weights(1).w.shape == (200, 2)
    assert "784-200-2" in repr(made) and "seed 1" in repr(made)


@pytest.mark.parametrize(
    "hidden, sizes",
    [
        (9, (9,)),
        ((9, 8), (9, 8)),
        ([], ()),
        (None, ()),
        ("7,5", (7, 5)),
        (np.array([4, 3]), (4, 3)),
        (np.int64(6), (6,)),
    ],
)
def test_hidden_layers(hidden, sizes):
    made = tacos.Learner(40, hidden, 3)
    assert made.hidden == sizes and made.layers == len(sizes) + 1


def test_keys_make_the_same_learner_anew():
    made = tacos.Learner(
        40,
        (7, 5),
        3,
        seed=9,
        model="fixed",
        learning_rate=0.1 / 3,
        init_w=(1.5, 1e-05, 2),
        i_min=-3,
    )
    again = tacos.Learner(seed=9, **made.keys)
    assert again.keys == made.keys and again.digest == made.digest
    assert made.keys["learning_rate"] == 0.1 / 3 and made.keys["init_w"] == (1.5, 1e-05, 2)
    assert tacos.Learner(40, (), 3).keys["hidden"] == ()


@pytest.mark.parametrize("given, bound", [(None, None), ("none", None), (25, 25), (0.5, 0.5)])
def test_a_bound_may_be_none(given, bound):
    made = tacos.Learner(40, 7, 3, m_max_output=given)
    assert made.keys["m_max_output"] == bound and made.keys["hidden"] == 7
    assert tacos.Learner(**made.keys).keys == made.keys


@pytest.mark.parametrize(
    "given, error, sentence",
    [
        ({"lerning_rate": 1}, ValueError, "learning_rate"),
        ({"learning_rate": 11}, ValueError, "learning_rate"),
        ({"learning_rate": float("nan")}, ValueError, "learning_rate"),
        ({"learning_rate": "much"}, ValueError, "learning_rate"),
        ({"learning_rate": {}}, TypeError, "learning_rate is {}"),
        ({"hidden": True}, TypeError, "hidden is True"),
        ({"hidden": (3, "a")}, TypeError, "hidden is 'a'"),
        ({"hidden": -1}, ValueError, "hidden"),
        ({"inputs": 0}, ValueError, "inputs"),
        ({"outputs": 5000}, ValueError, "outputs"),
        ({"model": "fxied"}, ValueError, "fixed"),
        ({"model": "a\0b"}, ValueError, None),
        ({"seed": -1}, ValueError, "seed is -1; it must be from 0 to 4294967295"),
        ({"seed": 2**32}, ValueError, "4294967295"),
        ({"seed": 2**80}, ValueError, "4294967295"),
        ({"seed": 1.5}, TypeError, "integer"),
        ({"init_w": (1, 2, 3)}, ValueError, "init_w has 3 values"),
        ({"m_max": None}, ValueError, "m_max"),
        ({"m_max_output": float("inf")}, ValueError, "m_max_output"),
        ({"feedback": "sharde"}, ValueError, "shared"),
    ],
)
def test_bad_keys_are_explained(given, error, sentence):
    with pytest.raises(error, match=sentence):
        tacos.Learner(**given)


def test_absurd_sizes_are_no_memory():
    if open("/proc/sys/vm/overcommit_memory").read().strip() == "1":
        pytest.skip("this system promises any amount of memory")
    with pytest.raises(MemoryError, match="no memory for a network of"):
        tacos.Learner(inputs=1_000_000, hidden=(1_000_000, 1_000_000))


# ---- the same bits, whatever the samples come as


def unaligned(x):
    room = np.zeros(x.nbytes + 1, np.uint8)
    view = room[1:].view(x.dtype).reshape(x.shape)
    view[:] = x
    assert not view.flags.aligned
    return view


def locked(x):
    x = x.copy()
    x.flags.writeable = False
    return x


def between_others(x):
    wide = np.full((2 * len(x), 3 * x.shape[1]), 7, x.dtype)
    wide[::2, ::3] = x
    return wide[::2, ::3]


@pytest.mark.parametrize("kind", ["float32", "float64", "uint8"])
@pytest.mark.parametrize(
    "lay",
    [
        np.array,
        np.asfortranarray,
        locked,
        between_others,
        lambda x: x[::-1, ::-1].copy()[::-1, ::-1],
        lambda x: unaligned(x) if x.itemsize > 1 else x,
        lambda x: x.astype(x.dtype.newbyteorder()),
    ],
    ids=["plain", "columns", "locked", "between", "backwards", "unaligned", "swapped"],
)
def test_every_layout(kind, lay):
    assert digest_after(lay(PIXELS if kind == "uint8" else X.astype(kind))) == WANTED


def test_one_by_one_or_in_batches(learner):
    for x, y in zip(X[:5], Y[:5]):
        learner.learn(x, y)
    learner.learn(X[5:8], Y[5:8].tolist())
    learner.learn(X[8:8], Y[8:8])
    learner.learn(np.empty((0, 40)), [])
    learner.learn(PIXELS[8:], Y[8:].astype(np.uint8))
    assert learner.digest == WANTED and learner.samples == 12


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_nothing_is_copied(taught, kind):
    """Gigabytes, if it were."""
    x = np.broadcast_to(np.array(np.nan, kind), (10_000_000, 40))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ValueError, match="row 0"):
        taught.predict(x)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000  # KiB


def test_lists_and_other_numbers():
    ones = (X > 0).astype(float)
    wanted = digest_after(ones)
    for x in (
        ones.tolist(),
        ones.astype(int),
        ones.astype(bool),
        ones.astype(np.float16),
        ones.astype(np.longdouble),
        ones.astype(object),
    ):
        assert digest_after(x) == wanted


def test_a_buffer_that_numpy_does_not_know():
    floats = memoryview(bytearray(X.tobytes())).cast("f", X.shape)
    assert digest_after(floats) == WANTED


@pytest.mark.parametrize("model", MODELS)
def test_seeds_and_models_differ(model):
    assert digest_after(X, model=model) == digest_after(X, model=model)
    assert digest_after(X, model=model) != digest_after(X, model=model, seed=2)


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_threads_change_nothing(threads):
    a, b = tacos.Learner(40, 600, 2), tacos.Learner(40, 600, 2)
    b.threads = threads
    a.learn(X, Y)
    b.learn(X, Y)
    assert a.digest == b.digest and b.threads == max(threads, 1) and b.copy().threads == b.threads


# ---- refusing


BAD_SAMPLES = [
    (X[0, :39], 0, ValueError, r"x has shape \(39,\); one sample is \(40,\), a batch is \(n, 40\)"),
    (X[:, :39], Y, ValueError, "x has shape"),
    (X.reshape(3, 4, 40), Y, ValueError, "x has shape"),
    (np.float32(0.5), 0, ValueError, "x has shape"),
    ([], [], ValueError, "x has shape"),
    (X * np.nan, Y, ValueError, "row 0: intensity 0 is nan; it must be from 0 to 1"),
    (X + 1, Y, ValueError, "row 0: intensity 0 is .*; it must be from 0 to 1"),
    (-X, Y, ValueError, "it must be from 0 to 1"),
    (np.full(40, np.inf), 0, ValueError, "^intensity 0 is inf"),
    (PIXELS.astype(int), Y, ValueError, "it must be from 0 to 1"),
    (X.astype(complex), Y, TypeError, "x holds complex128; it must be numbers"),
    (X.astype(str), Y, TypeError, "x holds <U"),
    (X.astype("datetime64[s]"), Y, TypeError, "x holds datetime"),
    (np.zeros((12, 40), [("a", "f4")]), Y, TypeError, "x holds"),
    (None, Y, (TypeError, ValueError), None),
    ([[0.5], [0.5, 0.5]], [0, 1], ValueError, None),
    (object(), 0, TypeError, None),
    (X, Y[:11], ValueError, r"y has shape \(11,\); it must be shape \(12,\)"),
    (X, 1, ValueError, r"y has shape \(\)"),
    (X[0], [1], ValueError, "one number"),
    (X, Y.astype(float), TypeError, "y holds float64; it must be whole numbers"),
    (X, ["a"] * 12, TypeError, "y holds <U1"),
    (X, Y + 1, ValueError, "row 1: target 2 is out of range: the outputs are 0 to 1"),
    (X, Y - 1, ValueError, "row 0: target -1 is out of range"),
    (X, Y.astype(np.uint64) + np.uint64(2**63), ValueError, "out of range"),
    (X[0], 2, ValueError, "^target 2 is out of range"),
    (X[0], 2**70, (TypeError, OverflowError, ValueError), None),
]


@pytest.mark.parametrize("x, y, error, sentence", BAD_SAMPLES)
def test_bad_samples_are_refused_without_a_trace(learner, x, y, error, sentence):
    with pytest.raises(error, match=sentence):
        learner.learn(x, y)
    assert learner.samples == 0
    learner.learn(X, Y)
    assert learner.digest == WANTED


@pytest.mark.parametrize("wrong", [0, 5, 11])
def test_a_batch_is_learned_whole_or_not_at_all(learner, wrong):
    x, y = X.copy(), Y.copy()
    x[wrong, 17] = 1.5
    with pytest.raises(ValueError, match=f"row {wrong}: intensity 17 is 1.5"):
        learner.learn(x, Y)
    y[wrong] = 7
    with pytest.raises(ValueError, match=f"row {wrong}: target 7"):
        learner.learn(X, y)
    assert learner.samples == 0 and learner.digest == toy_learner().digest


def test_bad_predictions_are_refused(taught):
    for x, _, error, sentence in BAD_SAMPLES[:17]:
        with pytest.raises(error, match=sentence):
            taught.predict(x)
    for draw, error in [
        (-1, ValueError),
        (1.5, TypeError),
        ([0, 1], ValueError),
        ([[0]], ValueError),
        ("a", TypeError),
    ]:
        with pytest.raises(error, match="draw"):
            taught.predict(X, draw=draw)


# ---- predicting


def test_one_answer_for_one_sample(taught):
    answer = taught.predict(X[0])
    assert type(answer) is int and answer == taught.predict(X)[0]
    assert taught.counts(X[0]).shape == (2,) and taught.counts(X).shape == (12, 2)
    assert taught.predict_proba(X[0]).shape == (2,)
    for batch in (taught.predict(X[:0]), taught.counts(X[:0]), taught.predict_proba(X[:0])):
        assert len(batch) == 0


def test_it_learns_to_tell_two_classes():
    made = tacos.Learner(40, 20, 2)
    made.learn(*toy_samples(200))
    x, y = toy_samples(200, seed=5)
    assert np.mean(made.predict(x) == y) > 0.95


def test_the_most_spikes_win_and_ties_go_to_the_lowest(learner):
    x, _ = toy_samples(300)
    counts, outputs = learner.counts(x), learner.predict(x)
    assert counts.dtype == np.uint32 and outputs.dtype == np.int64
    silent = counts.sum(axis=1) == 0
    assert (outputs[silent] == -1).all()
    assert (outputs[~silent] == counts.argmax(axis=1)[~silent]).all()
    assert (counts[:, 0] == counts[:, 1]).any()


def test_probabilities_are_the_shares_of_one_spike_more(taught):
    counts = taught.counts(X).astype(float)
    wanted = (counts + 1) / (counts.sum(axis=1, keepdims=True) + 2)
    np.testing.assert_allclose(taught.predict_proba(X), wanted)
    np.testing.assert_allclose(taught.predict_proba(X).sum(axis=1), 1)
    mute = tacos.Learner(40, 20, 4, init_w=0)
    assert (mute.predict(X) == -1).all() and (mute.predict_proba(X) == 0.25).all()


def test_predicting_changes_nothing_and_repeats(taught):
    before, counts = taught.digest, taught.counts(X)
    assert (taught.counts(X) == counts).all() and (taught.counts(X[::-1])[::-1] == counts).all()
    assert taught.digest == before
    assert taught.stats.predicting.samples == 36


def test_draws_are_other_noise(taught):
    alone = np.array([taught.counts(X[0], draw=d) for d in range(12)])
    assert (taught.counts(np.repeat(X[:1], 12, axis=0), draw=np.arange(12)) == alone).all()
    assert len(np.unique(alone, axis=0)) > 1
    assert (taught.counts(X, draw=3) == taught.counts(X, draw=[3] * 12)).all()
    assert taught.predict(X[0], draw=2**64 - 1) in (0, 1)


# ---- spikes


def test_given_spikes_are_learned():
    spikes = np.random.default_rng(0).random((6, 60, 40)) < 0.2
    a, b, c = toy_learner(), toy_learner(), toy_learner()
    a.learn_spikes(spikes, Y[:6])
    for s, y in zip(spikes, Y):
        b.learn_spikes(s.astype(int), y)
    c.learn_spikes(np.asfortranarray(spikes.astype(np.uint8) * 9), Y[:6])
    assert a.digest == b.digest == c.digest != toy_learner().digest
    assert a.predict_spikes(spikes).tolist() == [a.predict_spikes(s) for s in spikes]
    assert a.counts_spikes(spikes).shape == (6, 2) and a.counts_spikes(spikes[0]).shape == (2,)
    short = spikes.copy()
    short[:, 30:] = False
    assert (a.counts_spikes(short) == a.counts_spikes(spikes[:, :30])).all()


@pytest.mark.parametrize("shape", [(61, 40), (60, 39), (40,), (2, 61, 40), (1, 1, 60, 40)])
def test_spikes_of_other_shapes_are_refused(learner, shape):
    with pytest.raises(ValueError, match="spikes have shape"):
        learner.learn_spikes(np.zeros(shape, bool), 0)
    with pytest.raises(ValueError, match="spikes have shape"):
        learner.predict_spikes(np.zeros(shape, bool))


def test_spikes_of_a_bad_target_are_refused(learner):
    with pytest.raises(ValueError, match="row 1: target 2"):
        learner.learn_spikes(np.ones((2, 60, 40), bool), [0, 2])
    assert learner.samples == 0


# ---- looking inside


@pytest.mark.parametrize("model", MODELS)
def test_weights(model):
    made = toy_learner(model=model)
    made.learn(*toy_samples(100))
    for layer, shape in ((0, (40, 20)), (1, (20, 2)), (-1, (20, 2))):
        view = made.weights(layer)
        assert view.w.shape == view.m.shape == shape and view.w.dtype == np.float32
        assert (view.w_ref is not None) == (model in ("tacos", "snn+consolidation", "fixed"))
        assert (view.m_steps is not None) == (model in ("tacos", "snn+metaplasticity"))
        assert (view.m >= 0).all() and (view.m <= 5).all()
        if view.m_steps is not None:
            delta = np.float32(made.keys["delta_m_output" if layer else "delta_m_hidden"])
            wanted = np.minimum(view.m_steps.astype(np.float32) * delta, np.float32(5))
            assert (view.m == wanted).all()
    assert (made.weights(0).m == 5).any() == (model not in ("snn", "snn+consolidation"))
    assert (made.weights(1).m > 0).any() == (model not in ("snn", "snn+consolidation"))


def test_m_of_the_outputs_has_a_bound_only_if_told():
    for bound in (None, 0.5):
        made = toy_learner(delta_m_output=0.2, m_max_output=bound)
        made.learn(*toy_samples(100))
        hidden, output = made.weights(0), made.weights(1)
        assert hidden.m.max() == 5
        assert output.m.max() == 0.5 if bound else output.m.max() > 5
        steps = output.m_steps.astype(np.float32) * np.float32(0.2)
        assert (output.m == np.minimum(steps, np.inf if bound is None else bound)).all()


@pytest.mark.parametrize("bound, step", [(None, 1e-4), (6.5, 1e-4), (6.6, 2e-4), (25, 4e-4)])
def test_a_bound_beyond_65535_steps_takes_larger_ones(bound, step):
    """m is the same but for a step: they are as many times rarer."""
    wanted = toy_learner(delta_m_output=1e-4)
    made = toy_learner(delta_m_output=1e-4, m_max_output=bound)
    for learner in (wanted, made):
        learner.learn(*toy_samples(50))
    view = made.weights(1)
    assert (view.m == view.m_steps.astype(np.float32) * np.float32(step)).all()
    taken = view.m_steps.max() * step / 1e-4
    assert abs(taken - wanted.weights(1).m_steps.max()) <= 0.5 * taken
    full = np.full(view.m.shape, 65535)
    made.set_weights(1, m_steps=full)
    assert made.weights(1).m.max() == pytest.approx(bound or 65535 * step)


def test_weights_are_views_that_cannot_be_written(taught):
    view = taught.weights(0)
    for array in (view.w, view.w_ref, view.m_steps):
        assert not array.flags.writeable and not array.flags.owndata
        with pytest.raises(ValueError):
            array[0, 0] = 1
        with pytest.raises(ValueError):
            array.flags.writeable = True
    before = view.w.copy()
    taught.learn(*toy_samples(20))
    settled = taught.weights(0)
    assert (settled.w != before).any() and (view.w == settled.w).all()


def test_weights_outlive_their_learner():
    w = tacos.Learner(40, 20, 2).weights(0).w
    for _ in range(20):
        tacos.Learner(40, 20, 2, seed=2).learn(X, Y)
    assert (w == tacos.Learner(40, 20, 2).weights(0).w).all()


@pytest.mark.parametrize("layer", [2, -3, 2**40, 2**70])
def test_layers_out_of_range(learner, layer):
    with pytest.raises(IndexError, match="the layers are 0 to 1"):
        learner.weights(layer)
    with pytest.raises(IndexError, match="the layers are 0 to 1"):
        learner.set_weights(layer)


@pytest.mark.parametrize("model", MODELS)
def test_weights_can_be_given(model):
    made, other = toy_learner(model=model), toy_learner(model=model)
    made.learn(*toy_samples(30))
    for layer in (0, -1):
        w, w_ref, _, m_steps = (None if a is None else a.copy() for a in made.weights(layer))
        other.set_weights(layer, np.asfortranarray(w).tolist(), w_ref)
        other.set_weights(layer, m_steps=None if m_steps is None else m_steps.astype(np.int64))
    assert other.digest == made.digest and other.samples == 0
    other.learn(*toy_samples(5))
    assert other.digest != made.digest


@pytest.mark.parametrize(
    "given, error, sentence",
    [
        ({"w": np.zeros((20, 40))}, ValueError, r"w has shape \(20, 40\); it must be \(40, 20\)"),
        ({"w": np.full((40, 20), np.nan)}, ValueError, "value 0 is not finite"),
        ({"w_ref": np.full((40, 20), 1e300)}, ValueError, "not finite"),
        ({"w": np.zeros((40, 20), complex)}, TypeError, "w holds complex"),
        ({"m_steps": np.zeros((40, 20))}, TypeError, "m_steps holds float64"),
        ({"m_steps": np.full((40, 20), 65536)}, ValueError, "m_steps has 65536"),
        ({"m_steps": np.full((40, 20), -1)}, ValueError, "m_steps has -1"),
        ({"m_steps": [0]}, ValueError, "m_steps has shape"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow")
def test_bad_weights_change_nothing(taught, given, error, sentence):
    before = taught.digest
    with pytest.raises(error, match=sentence):
        taught.set_weights(0, **given)
    assert taught.digest == before


def test_what_a_model_has_not_cannot_be_given():
    plain = toy_learner(model="snn")
    with pytest.raises(ValueError, match="no reference weights"):
        plain.set_weights(0, w_ref=np.zeros((40, 20)))
    with pytest.raises(ValueError, match="no metaplastic states"):
        plain.set_weights(0, m_steps=np.zeros((40, 20), int))


def test_stats_add_up(learner):
    learner.learn(X, Y)
    learner.predict(X[:5])
    stats = learner.stats
    assert (stats.learning.samples, stats.predicting.samples) == (12, 5)
    for counted in (stats.learning, stats.predicting):
        assert counted.output_spikes > 0
        assert counted.synaptic_events == 20 * counted.input_spikes + 2 * counted.hidden_spikes
    assert stats.model_bytes > stats.baseline_bytes > 0 and stats.workspace_bytes > 0


def test_every_key_is_documented_and_every_lively_one_known(learner):
    assert set(LIVELY) < set(learner.keys) and len(learner.keys) > 30
