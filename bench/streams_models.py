"""The models of bench/streams: each learns block after block and answers in between."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

import tacos

warnings.simplefilter("ignore", ConvergenceWarning)
warnings.simplefilter("ignore", RuntimeWarning)  # a variance of 0 in GaussianNB


class Rival:
    """A model of scikit-learn by partial_fit, perhaps behind a StandardScaler that follows the same
    stream. It is told all classes before the first sample."""

    def __init__(self, make, scaled):
        self.make, self.scaled = make, scaled

    def begin(self, classes, seed):
        self.model = self.make(seed)
        self.scaler = StandardScaler() if self.scaled else None
        self.classes = classes
        self.empty = True

    def learn(self, x, y):
        if self.scaler:
            x = self.scaler.partial_fit(x).transform(x)
        self.model.partial_fit(x, y, self.classes if self.empty else None)
        self.empty = False

    def predict(self, x):
        if self.empty:
            return np.full(len(x), self.classes[0])
        return self.model.predict(self.scaler.transform(x) if self.scaler else x)


class NaiveBayes(GaussianNB):
    """GaussianNB makes variances greater by a part of that of the features, so that none is 0.
    Its partial_fit takes that from the samples of the call: of one sample, 0, and then answers are
    NaN. Here it is taken from all samples so far, as `fit` would."""

    def partial_fit(self, X, y, classes=None):
        if hasattr(self, "least"):
            self.var_ = self.var_ - self.least
            super().partial_fit(X, y, classes)  # which takes its part away, and adds it again
        else:
            self.n, self.mean, self.square = 0, 0.0, 0.0
            super().partial_fit(X, y, classes)
            self.var_ = self.var_ - self.epsilon_
        for row in X:
            self.n += 1
            away = row - self.mean
            self.mean = self.mean + away / self.n
            self.square = self.square + away * (row - self.mean)
        self.least = self.var_smoothing * np.max(self.square) / self.n
        self.var_ = self.var_ + self.least
        return self


class Neighbours:
    """The majority of the k nearest among the last samples; of several, the nearest one's."""

    def __init__(self, k=5, window=1000):
        self.k, self.window = k, window

    def partial_fit(self, x, y, classes=None):
        if not hasattr(self, "x"):
            self.x, self.y = np.zeros((self.window, x.shape[1])), np.zeros(self.window, y.dtype)
            self.n = 0
        for row, label in zip(x, y):
            self.x[self.n % self.window], self.y[self.n % self.window] = row, label
            self.n += 1

    def predict(self, x):
        n = min(self.n, self.window)
        kept, labels = self.x[:n], self.y[:n]
        if len(x) == 1:
            return np.array([self.vote(((kept - x) ** 2).sum(axis=1), labels)])
        norms = (kept**2).sum(axis=1)
        return np.array([self.vote(norms - 2 * kept @ row, labels) for row in x])

    def vote(self, away, labels):
        k = min(self.k, len(away))
        nearest = np.argpartition(away, k - 1)[:k]
        near = labels[nearest[np.argsort(away[nearest], kind="stable")]]
        different, first, counts = np.unique(near, return_index=True, return_counts=True)
        return different[np.lexsort((first, -counts))[0]]


class LeastSquares:
    """Recursive least squares on frozen random ReLU units: what the project has as `rls relu`."""

    def __init__(self, seed, units=500, ridge=1.0):
        self.random, self.units, self.ridge = np.random.default_rng(seed), units, ridge

    def hidden(self, x):
        return np.maximum(0, x @ self.w + self.b)

    def partial_fit(self, x, y, classes=None):
        if classes is not None:
            scale = np.sqrt(2 / x.shape[1])
            self.classes = np.asarray(classes)
            self.w = self.random.normal(0, scale, (x.shape[1], self.units))
            self.b = self.random.normal(0, 0.3, self.units)
            self.p = np.eye(self.units) / self.ridge
            self.out = np.zeros((self.units, len(classes)))
        h = self.hidden(x)
        hp = h @ self.p
        gain = np.linalg.solve(np.eye(len(x)) + hp @ h.T, hp)
        self.p -= hp.T @ gain
        targets = (np.asarray(y)[:, None] == self.classes) * 2.0 - 1
        self.out += gain.T @ (targets - h @ self.out)

    def predict(self, x):
        return self.classes[np.argmax(self.hidden(x) @ self.out, axis=1)]


class Ours:
    """TacosClassifier, which is told nothing before the first sample."""

    def __init__(self, preset="default"):
        self.preset = preset

    def begin(self, classes, seed):
        self.model = tacos.TacosClassifier(self.preset, random_state=seed)

    def learn(self, x, y):
        self.model.partial_fit(x, y)

    def predict(self, x):
        return self.model.predict(x)


def sgd(seed):
    return SGDClassifier(random_state=seed)


def mlp(seed):
    return MLPClassifier(random_state=seed)


def knn(seed):
    return Neighbours()


def naive_bayes(seed):
    return NaiveBayes()


SCALED = {
    "GaussianNB": Rival(naive_bayes, False),
    "SGDClassifier": Rival(sgd, False),
    "SGDClassifier, scaled": Rival(sgd, True),
    "MLPClassifier": Rival(mlp, False),
    "MLPClassifier, scaled": Rival(mlp, True),
    "5 nearest of 1,000": Rival(knn, False),
    "5 nearest of 1,000, scaled": Rival(knn, True),
    "least squares, scaled": Rival(LeastSquares, True),
}
PIXELS = {
    "GaussianNB": Rival(naive_bayes, False),
    "SGDClassifier": Rival(sgd, False),
    "MLPClassifier": Rival(mlp, False),
    "5 nearest of 1,000": Rival(knn, False),
    "least squares": Rival(LeastSquares, False),
}
OURS = {"TacosClassifier": Ours()}
SERIES = {"TacosClassifier, series": Ours("series")}
