"""The program's own table of keys, and random values for each of them.

Everything is read from `tacos help`, so a new key or model is attacked without a line here.
"""

import math
import re
import subprocess

# Largest values that still leave a configuration cheap and mostly possible. Without an entry, a key's whole range is
# drawn from.
COST_LIMITS = {
    "batch": 512,
    "column_cells": 30,
    "column_looks": 9,
    "column_memory_kb": 2000,
    "column_places": 400,
    "column_recycle": 200,
    "column_stride": 8,
    "column_units": 20000,
    "column_window": 14,
    "draws": 12,
    "epochs": 3,
    "hidden": 260,
    "iterations": 40,
    "memory_kb": 2000,
    "neurogenesis_neurons": 300,
    "pad_to": 48,
    "rehearsal_means": 20,
    "rehearsal_rounds": 4,
    "steps": 200,
}

# Set for every configuration after everything else, so that it stays cheap; not drawn.
SIZE_KEYS = ("samples_per_task", "test_samples_per_task")

TASK_LISTS = (
    "0-1,2-3,4-5,6-7,8-9",
    "0-1",
    "9-3,1-7",
    "0-1-2,3-4-5,6-7-8",
    "0-1-2-3-4-5-6-7-8-9",
    "0-1,0-1",
    "random:4x2",
    "random:3x5",
    "random:2x5:seed",
    "0-1,2",
    "0-0,1-2",
    "",
    "0-1,,2-3",
    "random:99x99",
    "0-11",
    "-",
)

# What no key should be given.
BAD_VALUES = ("", "nan", "inf", "-inf", "1e999", "-1", "0x10", "1,2", "99999999999999999999", "é", "none", "1 2", "\x9b", "1e-320")


class Key:
    """One key: its type and range as `tacos help KEY` states them."""

    def __init__(self, name, text):
        fields = dict(re.findall(r"^  (type|range|default|a key of) +(.*)$", text, re.M))
        self.name = name
        self.type = fields["type"]
        self.default = fields["default"]
        of = fields["a key of"]
        self.kind = "rival" if of.startswith("rival") else "columns" if "model = columns" in of else "spiking"
        self.choices = fields["range"].split(", ") if self.type == "a choice" else []
        self.low, self.high = 0.0, 0.0
        bounds = re.match(r"(\S+) to (\S+)", fields["range"])
        if bounds:
            self.low, self.high = float(bounds[1]), float(bounds[2])
        self.high = min(self.high, COST_LIMITS.get(name, math.inf))

    def number(self, rng):
        """A value of the range: often an end of it, else spread over its magnitudes."""
        if rng.random() < 0.15:
            return rng.choice((self.low, self.high))
        if rng.random() < 0.3:
            return rng.uniform(self.low, self.high)
        largest = max(abs(self.low), abs(self.high))
        smallest = max(abs(self.low) if self.low > 0 else 0, largest * 1e-9, 1e-12)
        value = math.exp(rng.uniform(math.log(smallest), math.log(max(largest, smallest))))
        if self.low < 0 and rng.random() < 0.5:
            value = -value
        return min(max(value, self.low), self.high)

    def draw(self, rng):
        """A random value as text; now and then one that must be refused."""
        if rng.random() < 0.03:
            return rng.choice(BAD_VALUES)
        if self.choices:
            return rng.choice(self.choices)
        if self.name == "tasks":
            return rng.choice(TASK_LISTS)
        if self.name == "dataset":
            return rng.choice(("glyphs", "glyphs", "glyphs", "nonesuch", "../glyphs", "/"))
        if self.type.startswith("whole numbers"):
            sizes = [str(max(1, round(self.number(rng)))) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
            return rng.choice((",".join(sizes), ",".join(sizes), "none"))
        if self.type.startswith("a whole number"):
            return str(round(self.number(rng)))
        if self.type == "a number, or none" and rng.random() < 0.3:
            return "none"
        if "several" in self.type:
            return ",".join(f"{self.number(rng):.6g}" for _ in range(rng.choice((1, 1, 2, 3))))
        return f"{self.number(rng):.6g}"


def help_text(tacos, topic):
    """What `tacos help TOPIC` prints."""
    return subprocess.run([tacos, "help", topic], check=True, capture_output=True, text=True).stdout


class KeyTable:
    """All keys and models that the program lists, to draw configurations from."""

    def __init__(self, tacos):
        names = [line.split()[0] for line in help_text(tacos, "keys").splitlines()[1:] if line.strip()]
        self.keys = [Key(name, help_text(tacos, name)) for name in names]
        rows = [line.split() for line in help_text(tacos, "models").splitlines() if line.strip()]
        self.kinds = {row[0]: row[1] for row in rows}  # spiking, columns or rival
        unknown = (set(COST_LIMITS) | set(SIZE_KEYS) | {"model"}) - set(names)
        listed = {name for key in self.keys if key.name == "model" for name in key.choices}
        if unknown or listed != set(self.kinds):
            raise SystemExit(f"adversary: `tacos help` was not understood: {sorted(unknown)}, {sorted(listed)}")

    def draw(self, rng, model=None):
        """KEY=VALUE for each setting of a random configuration that is cheap to run, of any model or of this one."""
        model = model or rng.choice(sorted(self.kinds))
        drawable = [key for key in self.keys if key.name != "model" and key.name not in SIZE_KEYS]
        if rng.random() < 0.7:  # mostly keys that mean something to the model
            kind = self.kinds[model]
            drawable = [key for key in drawable if key.kind == kind or rng.random() < 0.3]
        n_keys = rng.choice((0, 1, 2, 3, 4, 6, 9, 15))
        settings = [f"{key.name}={key.draw(rng)}" for key in rng.sample(drawable, min(n_keys, len(drawable)))]
        sizes = zip(SIZE_KEYS, (rng.choice((1, 2, 7, 16)), rng.choice((1, 5, 8))))
        return [f"model={model}", *settings, *(f"{name}={size}" for name, size in sizes)]
