"""test_keep.py - files, bytes, pickles and copies: all go on bit for bit; no damage passes."""

import copy
import os
import pathlib
import pickle
import subprocess
import sys
import threading

import pytest

import tacos
from conftest import MODELS, toy_learner, toy_samples

X, Y = toy_samples(20)


class Named(tacos.Learner):
    """What somebody may have made of it."""

    name = "none"


def through_file(made, tmp_path):
    made.save(tmp_path / "a.tacos")
    return type(made).load(tmp_path / "a.tacos")


WAYS = {
    "file": through_file,
    "bytes": lambda made, _: type(made).from_bytes(made.to_bytes()),
    "pickle": lambda made, _: pickle.loads(pickle.dumps(made)),
    "pickle 2": lambda made, _: pickle.loads(pickle.dumps(made, protocol=2)),
    "copy": lambda made, _: made.copy(),
    "copy.copy": lambda made, _: copy.copy(made),
    "deepcopy": lambda made, _: copy.deepcopy(made),
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("way", WAYS)
def test_it_goes_on_bit_for_bit(way, model, tmp_path):
    made = toy_learner(model=model, seed=7)
    made.learn(X[:10], Y[:10])
    other = WAYS[way](made, tmp_path)
    assert (other.digest, other.samples, other.seed) == (made.digest, 10, 7)
    assert other.keys == made.keys
    other.learn(X[10:], Y[10:])
    assert made.samples == 10  # they are two
    made.learn(X[10:], Y[10:])
    assert other.digest == made.digest and (other.counts(X) == made.counts(X)).all()
    assert other.to_bytes() == made.to_bytes()


@pytest.mark.parametrize("way", WAYS)
def test_a_class_of_one_s_own_stays_one(way, tmp_path):
    made = Named(40, 20, 2)
    made.name = "mine"
    other = WAYS[way](made, tmp_path)
    assert type(other) is Named
    assert other.name == ("none" if way in ("file", "bytes") else "mine")


def test_a_file_holds_what_bytes_do(taught, tmp_path):
    for path in (tmp_path / "a", str(tmp_path / "b"), os.fsencode(tmp_path / "c")):
        taught.save(path)
        assert pathlib.Path(os.fsdecode(path)).read_bytes() == taught.to_bytes()
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "c"]
    taught.save(tmp_path / "ä€")
    assert tacos.Learner.load(tmp_path / "ä€").digest == taught.digest


def test_places_that_are_wrong(taught, tmp_path):
    with pytest.raises(FileNotFoundError, match="no/such"):
        tacos.Learner.load(tmp_path / "no/such")
    with pytest.raises(FileNotFoundError, match="no/such"):
        taught.save(tmp_path / "no/such")
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(OSError, match="file/below"):
        taught.save(tmp_path / "file/below")
    with pytest.raises(ValueError, match="is not a saved learner"):
        tacos.Learner.load(tmp_path / "file")
    with pytest.raises((OSError, ValueError)):
        tacos.Learner.load(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"\\xe4"):
        tacos.Learner.load(b"/no/\xe4")
    for path in (None, 3.5, "a\0b"):
        with pytest.raises((TypeError, ValueError)):
            taught.save(path)
        with pytest.raises((TypeError, ValueError)):
            tacos.Learner.load(path)
    with pytest.raises(ValueError, match="too long"):
        taught.save("a" * 5000)


def test_no_damage_passes():
    whole = tacos.Learner(5, 3, 2, steps=20).to_bytes()
    for k in range(len(whole)):
        changed = bytearray(whole)
        changed[k] ^= 0x41
        with pytest.raises(ValueError, match="what was read"):
            tacos.Learner.from_bytes(changed)
        with pytest.raises(ValueError, match="what was read"):
            tacos.Learner.from_bytes(whole[:k])
    for wrong in (whole + b"x", b""):
        with pytest.raises(ValueError, match="what was read"):
            tacos.Learner.from_bytes(wrong)
    for wrong in ("text", None, 5):
        with pytest.raises(TypeError):
            tacos.Learner.from_bytes(wrong)
    assert tacos.Learner.from_bytes(memoryview(whole)).inputs == 5


def in_child(code, *words):
    """A process that does this; the sentence that ends it."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done
    return done.stderr.splitlines()[-1]


LIMITED = """
import resource, sys, tacos
made = tacos.Learner.load(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
made.save(sys.argv[2])
"""


def test_a_file_that_may_not_grow_is_an_error(taught, tmp_path):
    """And what was there stays. Python ignores SIGXFSZ, which would end it."""
    taught.save(tmp_path / "a.tacos")
    (tmp_path / "b.tacos").write_bytes(b"before")
    said = in_child(LIMITED, tmp_path / "a.tacos", tmp_path / "b.tacos")
    assert said == f"OSError: cannot write {tmp_path / 'b.tacos'}: File too large"
    assert (tmp_path / "b.tacos").read_bytes() == b"before"
    assert sorted(os.listdir(tmp_path)) == ["a.tacos", "b.tacos"]


def test_many_may_save_to_one_file(tmp_path):
    """The last one wins, whole."""
    learners = [toy_learner(seed=seed) for seed in range(12)]
    path = tmp_path / "a.tacos"
    threads = [threading.Thread(target=made.save, args=(path,)) for made in learners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in [made.to_bytes() for made in learners]
    assert os.listdir(tmp_path) == ["a.tacos"]
