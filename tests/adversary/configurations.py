"""Random configurations through run, report, every figure, inspect, export, import, compare and predict."""

import json
import math
import re
import shutil
import xml.etree.ElementTree

from key_table import help_text
from program import Finding


def figure_names(tacos):
    """Those that `tacos help plot` lists."""
    listed = re.search(r"^figures:\n((?:  .*\n)+)", help_text(tacos, "plot"), re.M)
    names = [line.split()[0] for line in listed[1].splitlines() if re.match(r"  \S", line)]
    if "accuracy" not in names:
        raise SystemExit("adversary: `tacos help plot` was not understood")
    return names


def require_finite(value, where):
    """No infinity and no NaN anywhere in what JSON holds."""
    if isinstance(value, dict):
        for name, member in value.items():
            require_finite(member, f"{where}.{name}")
    elif isinstance(value, list):
        for i, member in enumerate(value):
            require_finite(member, f"{where}[{i}]")
    elif isinstance(value, float) and not math.isfinite(value):
        raise Finding(f"{where} is {value}")


def read_results(folder):
    """results.json, every number of it finite and every accuracy a percentage."""
    results = json.loads((folder / "results.json").read_text())
    require_finite(results, "results.json")
    for run in results["runs"]:
        accuracies = [cell for row in [*run["R"], run["b"]] for cell in row]
        if not all(0 <= cell <= 100 for cell in accuracies):
            raise Finding(f"an accuracy outside 0 to 100: {accuracies}")
    return results


def draw_all_figures(program, folder, figures):
    for figure in figures:
        for suffix in ("svg", "csv"):
            drawn = program.call("plot", figure, folder, "-o", folder / f"f.{suffix}", allow_refusal=True)
            if drawn is None:
                continue
            text = (folder / f"f.{suffix}").read_text()
            if suffix == "svg":
                xml.etree.ElementTree.fromstring(text)
            if re.search(r"\b-?(nan|inf)\b", text):
                raise Finding(f"plot {figure}: nan or inf in the {suffix}")


def carry_model_around(program, folder, config):
    """A saved learner through inspect, export, import and predict: the same answers on both sides.

    Columns have no weights to export; they answer twice.
    """
    model = folder / "model-1.tacos"
    if not model.exists():  # rivals are not saved
        return
    program.call("inspect", model)
    require_finite(json.loads(program.call("inspect", model, "--json")), "inspect --json")
    again = folder / "again.tacos"
    if config["model"] == "columns":
        if program.call("export", model, folder / "weights.safetensors", allow_refusal=True) is not None:
            raise Finding("columns have weights")
        again = model
    else:
        program.call("export", model, folder / "weights.safetensors")
        program.call("import", folder / "weights.safetensors", again)
    pixels = ",".join("1" if i % 3 else "0.5" for i in range(config["inputs"]))
    answers = [program.call("predict", path, "--label", "none", "--json", text=pixels + "\n") for path in (model, again)]
    if answers[0] != answers[1]:
        raise Finding(f"import answers {answers[1]}, the original {answers[0]}")


def try_one(program, settings, folder, figures, other, with_reference):
    """True if the configuration ran, False if it was refused; Finding for anything else."""
    options = [word for setting in settings for word in ("--set", setting)]
    run = ("run", "demo", "--jobs", "1", *options, "--out")
    if program.call(*run, folder, allow_refusal=True) is None:
        if (folder / "results.json").exists():
            status = json.loads((folder / "results.json").read_text())["status"]
            if status == "complete":
                raise Finding("a run that failed is called complete")
        return False
    results = read_results(folder)
    page = (folder / "report.html").read_text()
    if re.search(r">\s*-?(nan|inf)\b", page):
        raise Finding("nan or inf in the page")
    draw_all_figures(program, folder, figures)
    carry_model_around(program, folder, results["config"])
    beside = [folder] if other is None else [other, folder]
    program.call("compare", *beside)
    program.call("report", *beside, "--out", folder / "beside.html")
    program.call(*run, folder)  # complete already: it must say so and change nothing
    if with_reference:
        reference = folder / "reference"
        program.call(*run, reference, TACOS_KERNEL="ref")
        digests = [r["runs"][0]["model_digest"] for r in (results, read_results(reference))]
        if digests[0] != digests[1]:
            raise Finding(f"the reference kernel ends in {digests[1]}, this machine's in {digests[0]}")
    return True


def clear(folder):
    shutil.rmtree(folder, ignore_errors=True)
