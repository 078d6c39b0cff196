"""test_bench_streams.py - bench/streams runs, and its page says what its rows say."""

import csv
import subprocess
import sys

import pytest
import stream

pytest.importorskip("sklearn")

BENCH, DOCS, NAME = stream.ROOT / "bench", stream.ROOT / "docs", "streams-comparison"
pytestmark = pytest.mark.skipif(not BENCH.exists(), reason="needs the repository")


def bench(*arguments):
    subprocess.run([sys.executable, BENCH / "streams", *map(str, arguments)], check=True)


def rows(folder):
    with (folder / f"{NAME}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_page_in_docs_is_that_of_its_rows(tmp_path):
    (tmp_path / f"{NAME}.csv").write_bytes((DOCS / f"{NAME}.csv").read_bytes())
    bench("--page", "--out", tmp_path)
    assert (tmp_path / f"{NAME}.md").read_text() == (DOCS / f"{NAME}.md").read_text()


def test_digits_are_learned_as_the_page_says(tmp_path):
    bench("digits", "--ours", "--out", tmp_path)

    def accuracies(found):
        wanted = ("digits", "TacosClassifier", "accuracy")
        return {
            (row["case"], row["seed"]): float(row["value"])
            for row in found
            if (row["task"], row["model"], row["figure"]) == wanted
        }

    ours = accuracies(rows(tmp_path))
    assert len(ours) == 15 and ours == accuracies(rows(DOCS))
    assert "| TacosClassifier |" in (tmp_path / f"{NAME}.md").read_text()
