"""conftest.py - a small learner in which all mechanisms work within a few samples; samples."""

import numpy as np
import pytest

import tacos

MODELS = ["tacos", "snn", "snn+metaplasticity", "snn+consolidation", "fixed"]

LIVELY = {
    "steps": 60,
    "init_w": 2,
    "m_threshold_input": 3,
    "m_threshold_hidden": 1,
    "m_threshold_output": 0.1,
    "w_ref_rate": 0.12,
    "alpha": 0.01,
    "delta_m_hidden": 0.2,
    "delta_m_output": 0.02,
    "m_max": 5,
    "threshold_hidden": 0.4,
    "threshold_output": 0.5,
}


def toy_learner(seed=1, **keys):
    return tacos.Learner(40, 20, 2, seed, **{**LIVELY, **keys})


def toy_samples(n, seed=0):
    """Rows of 40 pixels: one half is bright, which half is the class."""
    random = np.random.default_rng(seed)
    y = np.arange(n) % 2
    bright = (np.arange(40) < 20) == (y == 0)[:, None]
    return np.where(bright, random.integers(150, 256, (n, 40)), 0).astype(np.uint8), y


@pytest.fixture
def learner():
    return toy_learner()


@pytest.fixture
def taught():
    made = toy_learner()
    made.learn(*toy_samples(30))
    return made
