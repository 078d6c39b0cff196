"""Writes docs/streams-comparison.md from the rows of docs/streams-comparison.csv."""

import statistics

HEAD = """# Streams: beside scikit-learn

Written by `bench/streams` from [streams-comparison.csv](streams-comparison.csv)
({measured}).

Every model sees each sample once. TacosClassifier has no argument, unless a preset is named, and is told nothing in
advance. The models of scikit-learn have their defaults and learn by `partial_fit`; they are told all classes before the
first sample. *Scaled* models have a `StandardScaler` before them, which follows the same samples by `partial_fit`; the
others get features as they are. GaussianNB makes variances greater by a part of those of all samples so far, as `fit`
does; its `partial_fit` takes the samples of the call, and of one sample gives NaN. *5 nearest of 1,000* are the nearest
of the last 1,000 samples, and *least squares* is recursive least squares on 500 frozen random ReLU units, both in numpy.

The best of a column is bold. Times are of the processor, in microseconds a sample, on a machine that was busy with other
work, and include what Python adds.
"""

DIGITS = """
## Digits

The 1,797 digits of scikit-learn, 8 x 8 pixels: accuracy in percent on a quarter of them, after learning the others one
by one; mean and standard deviation of {n} seeds (which also split them). *In pairs*: 0 and 1 in random order, then 2
and 3, and so on.
"""

TABLES = """
## Tables

Accuracy in percent in cross-validation: five folds, samples one by one in random order; mean and standard deviation of
{n} seeds.
"""

PREQUENTIAL = """
## Streams in their order

Each sample is answered and then learned: percent right of all, and kappa-temporal, (accuracy - r) / (1 - r), where r is
the accuracy of repeating the last label. elec2 is the price of electricity in New South Wales, 45,312 half hours;
outdoor shows 40 objects to a robot, 4,000 pictures by 21 colours. TacosClassifier is the mean of {n} seeds.
"""

IMAGES = """
## Images, class by class

MNIST and Fashion-MNIST (60,000 samples) and CIFAR-10 (50,000, in colour): all of a class before the next; percent right
of the 10,000 test images. Pixels are from 0 to 1; models of scikit-learn got blocks of 100, which is faster than one by
one.
"""

SOUNDS = """
## Spoken digits, class by class

3,000 recordings of six speakers as spectrograms ([data.md](data.md#sound)), all of a digit before the next: percent
right of takes 0 to 4 of each digit by each speaker (*all*), then of all takes of a speaker of whom nothing was learned,
and the mean of these six. TacosClassifier is the mean of {n} seeds; it recognises by itself that rows of 512 numbers are
images of 16 x 32, and given the names of the WAV files it makes the same spectrograms.
"""

NOVELTY = """
## Novelty

AUROC of `novelty`: each of the ten classes in turn is not learned, and then told from the others in the test set
(spoken digits: of takes 0 to 4). *Sure* is how much of that test set, with the class that was not learned, is answered
with `reject=0.95`, and how much of this is right, in percent.
"""

REJECTED = """
## "Unknown" as an answer

With `predict(X, reject=0.95)`, or the same in the stream: how many samples were answered, and how many of these
answers were right, in percent. TacosClassifier, mean of the seeds above.
"""


def page(rows):
    """The text of the page. Sections without rows are left out."""
    figures = Figures(row for row in rows if row["figure"] != "measured")
    text = HEAD.format(measured=measured(rows))
    text += figures.section(DIGITS, "digits", [("accuracy", "{:.1f}")])
    text += figures.section(TABLES, "tables", [("accuracy", "{:.1f}")])
    text += figures.section(
        PREQUENTIAL, "prequential", [("accuracy", "{:.2f}"), ("kappa_temporal", "{:.2f}")], ["µs for both"]
    )
    text += figures.section(IMAGES, "images", [("accuracy", "{:.1f}")])
    text += figures.sounds()
    text += figures.novelty()
    text += figures.rejected()
    return text


def measured(rows):
    """The days on each machine."""
    days = {}
    for row in rows:
        if row["figure"] == "measured":
            day, machine = row["value"].split(", ", 1)
            days.setdefault(machine, {})[day] = None
    return "; ".join(f"{' and '.join(days[machine])}, {machine}" for machine in days)


class Figures:
    def __init__(self, rows):
        self.values = {}
        for row in rows:
            key = row["task"], row["case"], row["model"], row["figure"]
            self.values.setdefault(key, []).append(float(row["value"]))

    def names(self, task, part):
        """Cases (1) or models (2) of a task, in their order."""
        return list(dict.fromkeys(key[part] for key in self.values if key[0] == task))

    def mean(self, *key):
        values = self.values.get(key)
        return statistics.mean(values) if values else None

    def section(self, text, task, figures, times=("µs to learn", "µs to answer")):
        cases, models = self.names(task, 1), self.names(task, 2)
        if not cases:
            return ""
        ours = [len(v) for (t, _, model, _), v in self.values.items() if t == task and "Tacos" in model]
        columns = [(case, name, shape) for case in cases for name, shape in figures]
        lines = [[model, *self.cells(task, model, columns), *self.times(task, cases, model)] for model in models]
        for j in range(1, len(columns) + 1):
            mark_best(lines, j)
        head = ["", *(c if n == "accuracy" else "kappa-t." for c, n, _ in columns), *times]
        if len(times) == 1:  # for both
            lines = [line[:-1] for line in lines]
        return text.format(n=max(ours, default=0)) + "\n" + table(head, lines)

    def cells(self, task, model, columns):
        for case, name, shape in columns:
            values = self.values.get((task, case, model, name))
            if not values:
                yield ""
            elif len(values) > 1 and name == "accuracy":
                yield f"{shape.format(statistics.mean(values))} ± {statistics.stdev(values):.1f}"
            else:
                yield shape.format(statistics.mean(values))

    def times(self, task, cases, model):
        for name in ("learn_us", "predict_us"):
            all_ = [self.mean(task, case, model, name) for case in cases]
            all_ = [value for value in all_ if value is not None]
            yield f"{statistics.mean(all_):.0f}" if all_ else ""

    def sounds(self):
        cases, models = self.names("sounds", 1), self.names("sounds", 2)
        lines = []
        for model in models:
            values = [self.mean("sounds", case, model, "accuracy") for case in cases]
            lines.append([model, *(f"{v:.1f}" for v in [*values, statistics.mean(values[1:])])])
        for j in range(1, len(cases) + 2):
            mark_best(lines, j)
        ours = [len(v) for (task, _, model, _), v in self.values.items() if task == "sounds" and "Tacos" in model]
        head = ["", *cases, "mean of speakers"]
        return SOUNDS.format(n=max(ours, default=0)) + "\n" + table(head, lines) if lines else ""

    def each(self, case, figure):
        """Of novelty: a value for each class left out."""
        return [v[0] for (task, c, _, f), v in self.values.items() if (task, c, f) == ("novelty", case, figure)]

    def novelty(self):
        lines = []
        for case in self.names("novelty", 1):
            values = self.each(case, "auroc")
            sure = [f"{statistics.mean(self.each(case, figure)):.1f}" for figure in ("sure", "sure_right")]
            lines.append([case, f"{statistics.mean(values):.3f}", *(f"{v:.3f}" for v in values), *sure])
        head = ["", "mean", *map(str, range(10)), "sure", "right"]
        return NOVELTY + "\n" + table(head, lines) if lines else ""

    def rejected(self):
        lines = []
        for task, case, model, figure in self.values:
            if figure == "answered":
                share = self.mean(task, case, model, "answered_right")
                all_ = self.mean(task, case, model, "accuracy")
                what = {"digits": f"digits, {case}", "sounds": f"spoken digits, {case}"}.get(task, case)
                lines.append([what, model, *(f"{v:.1f}" for v in (all_, self.mean(task, case, model, figure), share))])
        head = ["", "", "right of all", "answered", "right of these"]
        return REJECTED + "\n" + table(head, lines) if lines else ""


def mark_best(lines, column):
    """Bold, by the number that a cell begins with."""
    shown = [float(line[column].split()[0]) for line in lines if line[column]]
    for line in lines:
        if line[column] and float(line[column].split()[0]) == max(shown):
            line[column] = f"**{line[column]}**"


def table(head, lines):
    rows = [head, ["---"] * len(head), *lines]
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)
