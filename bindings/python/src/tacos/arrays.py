"""arrays.py - convert what callers pass to the arrays that the extension takes, or say why not."""

from typing import Any, Tuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def samples(x: Any, inputs: int) -> Tuple[Array, bool]:
    """Rows of float32, float64 or uint8, and whether x was a single sample."""
    rows = _numbers(x, "x", keep="fdB")
    if rows.ndim not in (1, 2) or rows.shape[-1] != inputs:
        raise ValueError(
            f"x has shape {rows.shape}; one sample is ({inputs},), a batch is (n, {inputs})"
        )
    return (rows.reshape(1, -1), True) if rows.ndim == 1 else (rows, False)


def spikes(x: Any, inputs: int, steps: int) -> Tuple[Array, bool]:
    """Rows of shape (steps, inputs), uint8, and whether x was a single sample."""
    rows = _numbers(x, "spikes", keep="?B")
    if rows.dtype.char not in "?B":
        rows = rows != 0
    if rows.ndim not in (2, 3) or rows.shape[-1] != inputs or rows.shape[-2] > steps:
        raise ValueError(
            f"spikes have shape {rows.shape}; one sample is (steps, {inputs}) of at most {steps} "
            f"steps, a batch is (n, steps, {inputs})"
        )
    rows = np.ascontiguousarray(rows)
    return (rows[None], True) if rows.ndim == 2 else (rows, False)


def targets(y: Any, n: int, single: bool) -> Array:
    """The target output of each of n rows."""
    numbers = _whole(y, "y")
    shape = () if single else (n,)
    if numbers.shape != shape:
        wanted = "one number" if single else f"shape ({n},), one number per row of x"
        raise ValueError(f"y has shape {numbers.shape}; it must be {wanted}")
    return numbers.astype(np.int64).reshape(-1)


def draws(draw: Any, n: int) -> Array:
    """Numbers of random draws: one for all rows, or one per row."""
    numbers = _whole(draw, "draw")
    if numbers.shape not in ((), (n,)):
        raise ValueError(f"draw has shape {numbers.shape}; it must be one number or {n}")
    if numbers.size and numbers.min() < 0:
        raise ValueError(f"draw is {numbers.min()}; it must not be negative")
    return numbers.astype(np.uint64).reshape(-1)


def matrix(x: Any, shape: Tuple[int, ...], what: str) -> Array:
    """Weights of a layer, float32."""
    values = _numbers(x, what, keep="fd")
    if values.shape != shape:
        raise ValueError(f"{what} has shape {values.shape}; it must be {shape}")
    return np.require(values, np.float32, ["C", "A"])


def counts(x: Any, shape: Tuple[int, ...], what: str) -> Array:
    """Metaplastic steps of a layer, uint16."""
    values = _whole(x, what)
    if values.shape != shape:
        raise ValueError(f"{what} has shape {values.shape}; it must be {shape}")
    for value in (values.min(), values.max()):
        if not 0 <= value <= 65535:
            raise ValueError(f"{what} has {value}; it must be from 0 to 65535")
    return np.require(values, np.uint16, ["C", "A"])


def _numbers(x: Any, what: str, keep: str) -> Array:
    """The array unchanged if its type is in `keep`, else converted to floats."""
    array = np.asarray(x)
    if array.dtype.char in keep and array.dtype.isnative:
        return array
    if array.dtype.kind not in "biufO":
        raise TypeError(f"{what} holds {array.dtype}; it must be numbers")
    return array.astype(np.float64 if array.dtype.kind in "fO" else np.float32)


def _whole(x: Any, what: str) -> Array:
    """An array of whole numbers; an empty one counts, whatever its type."""
    array = np.asarray(x)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "biu":
        raise TypeError(f"{what} holds {array.dtype}; it must be whole numbers")
    return array
