"""validate.py - scikit-learn's validation of samples, for features of any kind and all its
versions."""

from typing import Any

import numpy as np
import sklearn.utils.validation


def samples(estimator: Any, X: Any, *y: Any, reset: bool) -> Any:
    """X (and y) as arrays. X has numbers, or objects if there are texts; NaN is a missing value."""
    given = {"X": _table(X), "y": y[0]} if y else {"X": _table(X)}
    if hasattr(sklearn.utils.validation, "validate_data"):  # from 1.6 on
        return sklearn.utils.validation.validate_data(
            estimator, **given, reset=reset, dtype=None, ensure_all_finite="allow-nan"
        )
    return estimator._validate_data(**given, reset=reset, dtype=None, force_all_finite="allow-nan")


def _table(X: Any) -> Any:
    """Frames and lists with texts in them as objects: numpy would make texts of all."""
    if hasattr(X, "dtypes") and hasattr(X, "columns"):
        plain = all(isinstance(t, np.dtype) and t.kind in "biuf" for t in X.dtypes)
        return X if plain else X.astype(object)
    if isinstance(X, (list, tuple)):
        try:
            if np.asarray(X).dtype.kind in "US":
                return np.array(X, dtype=object)
        except ValueError:  # rows differ in length: scikit-learn says so
            pass
    return X
