"""table.py - rows of numbers, texts and missing values as the arrays that the extension takes."""

import os
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

# Whether a feature has texts: not known before its first value that is not missing.
Kinds = List[Optional[bool]]

# What a text may be; paths are names of sounds.
TEXTS = (str, bytes, os.PathLike)


class Table(NamedTuple):
    """Rows of features. Where `codes` is not -1, the value is that one of `words`, a category;
    elsewhere it is a number, NaN being a missing value."""

    numbers: npt.NDArray[np.float64]
    codes: Optional[npt.NDArray[np.int64]]
    words: List[str]


def table(x: npt.NDArray[Any], kinds: Kinds) -> Table:
    """A table of a two-dimensional array. In arrays of objects or texts, a column with a text in
    the first rows that are not all missing is of categories, its other values, too; `kinds` learns
    which these are."""
    if x.dtype.kind not in "OUS":
        return _numbers(np.ascontiguousarray(x, np.float64), kinds)
    numbers = np.full(x.shape, np.nan)
    codes = np.full(x.shape, -1, np.int64)
    words: Dict[str, int] = {}
    for j in range(x.shape[1]):
        values = x[:, j].tolist()
        if kinds[j] is None:
            kinds[j] = _kind(values)
        for i, value in enumerate(values):
            if is_missing(value):
                continue
            if kinds[j] or isinstance(value, TEXTS):
                codes[i, j] = words.setdefault(_text(value), len(words))
            else:
                numbers[i, j] = number(value, f"feature {j}")
    return Table(numbers, codes if words else None, list(words))


def _numbers(x: npt.NDArray[np.float64], kinds: Kinds) -> Table:
    for j in [j for j, kind in enumerate(kinds) if kind is None]:
        kinds[j] = None if np.isnan(x[:, j]).all() else False
    return Table(x, None, [])


def row(values: Sequence[Any], names: Sequence[Any]) -> Table:
    """A table of one row, of features with names: a text is a category."""
    numbers = np.full((1, len(values)), np.nan)
    codes: Optional[npt.NDArray[np.int64]] = None
    words: List[str] = []
    for j, value in enumerate(values):
        if isinstance(value, TEXTS):
            codes = np.full(numbers.shape, -1, np.int64) if codes is None else codes
            codes[0, j] = len(words)
            words.append(_text(value))
        elif not is_missing(value):
            numbers[0, j] = number(value, f"feature {names[j]!r}")
    return Table(numbers, codes, words)


def is_missing(value: Any) -> bool:
    """None, NaN, and what pandas has for them."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def number(value: Any, what: str) -> float:
    """A finite number, or an exception that names it."""
    try:
        result = float(value)
    except (TypeError, ValueError):
        kind = type(value).__name__
        raise TypeError(
            f"{what} is of type {kind}; the argument must be a string or a number"
        ) from None
    if np.isinf(result):
        raise ValueError(f"{what} is infinite (inf); it must be finite, or NaN if it is missing")
    return result


def coded(labels: npt.NDArray[Any]) -> Tuple[List[Any], npt.NDArray[np.int64]]:
    """The different labels, as Python has them, and which of them each is."""
    different, codes = np.unique(labels, return_inverse=True)
    return different.tolist(), codes.reshape(-1).astype(np.int64)


def _kind(values: List[Any]) -> Optional[bool]:
    """Whether a column has texts; None if all is missing."""
    present = [value for value in values if not is_missing(value)]
    return any(isinstance(value, TEXTS) for value in present) if present else None


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
