"""Fits the weights by which sections of a skill's text are scored (src/remit/findings/order_score.py).

    bench/fit_orders.py PUBLIC… [--write] [--blind FOLDER …]

PUBLIC are folders of public skills: nearly all of their sections are harmless. bench/data/orders.jsonl holds passages that were written for
this, hostile and honest ones. Half of the public skills are kept apart to see how many would be reported; `--blind` names folders with
`labels.jsonl` of skills that the weights have not seen. `--write` fits to everything and writes the table.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

import numpy as np

from remit.analysis.result import Effects
from remit.core.errors import RemitError
from remit.findings import order_score
from remit.findings.order_score import sections, terms
from remit.findings.subject import Subject
from remit.skill.find import find_skills
from remit.skill.load import load_skill

ROOT = Path(__file__).resolve().parent.parent
PASSAGES = ROOT / "bench/data/orders.jsonl"
LABELS = ROOT / "bench/data/judgement.jsonl"
LEAST = 2  # hostile passages that have a term
PENALTY = 5.0
ROUNDS = 400
SCALE = 100  # weights are whole numbers: hundredths of a unit of log odds
LIGHTEST = 5  # of the weights that the table keeps
SHARES = (0.005, 0.01, 0.02, 0.05, 0.1)
Rows = list[frozenset[str]]


def rows_of(folder: str) -> tuple[str, Rows]:
    """The terms of every section of a skill."""
    try:
        skill = load_skill(Path(folder))
    except RemitError:
        return folder, []
    reading = Subject(skill, Effects(skill.name, "", (), (), (), 0, 0, 0)).reading
    parts = ([number for number in part if not reading.warned[number]] for part in sections(reading.passages))
    return folder, [terms("\n".join(reading.passages[number].text for number in part)) for part in parts if part]


class Fit:
    """Weights by logistic regression: full gradients with momentum, each weight at a pace of its own."""

    def __init__(self, rows: Rows, labels: np.ndarray) -> None:
        counts = Counter(term for row, label in zip(rows, labels, strict=True) if label for term in row)
        self.names = sorted(term for term, count in counts.items() if count >= LEAST)
        self.index = {term: at for at, term in enumerate(self.names)}
        row, column = self._cells(rows)
        size = len(self.names)
        pace = 0.05 / (np.bincount(column, minlength=size) / 4 + PENALTY)
        weights, bias = np.zeros(size), 0.0
        speed, bias_speed = np.zeros(size), 0.0
        for _ in range(ROUNDS):
            odds = np.bincount(row, weights[column], minlength=len(rows)) + bias
            error = 1 / (1 + np.exp(-odds)) - labels
            slope = np.bincount(column, error[row], minlength=size) + PENALTY * weights
            speed = 0.9 * speed - pace * slope
            bias_speed = 0.9 * bias_speed - 0.2 * error.sum() / len(rows)
            weights, bias = weights + speed, bias + bias_speed
        self.weights, self.bias = weights, bias

    def _cells(self, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
        cells = [(at, self.index[term]) for at, row in enumerate(rows) for term in row if term in self.index]
        pairs = np.array(cells, dtype=np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    def scores(self, rows: Rows) -> np.ndarray:
        """The score of each section."""
        row, column = self._cells(rows)
        return np.bincount(row, self.weights[column], minlength=len(rows)) + self.bias

    def table(self) -> str:
        """The weights as a table; what weighs next to nothing is left out."""
        head = "# Made by bench/fit_orders.py; do not edit. Words | weight in hundredths; the row without words is the score of an empty text.\n"
        found = {"": round(self.bias * SCALE)} | {
            name: round(float(weight) * SCALE) for name, weight in zip(self.names, self.weights, strict=True)
        }
        return head + "".join(
            f"{name} | {weight}\n" for name, weight in found.items() if abs(weight) >= LIGHTEST or not name
        )


def _labelled(folder: Path) -> list[tuple[dict[str, str], Rows]]:
    items = map(json.loads, (folder / "labels.jsonl").read_text("utf-8").splitlines())
    return [(item, rows_of(str(folder / item["skill"]))[1]) for item in items]


def main() -> None:
    """Fit, measure, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("public", nargs="+", type=Path)
    parser.add_argument("--blind", nargs="*", type=Path, default=[])
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    hostile = tuple(
        item["skill"]
        for line in LABELS.read_text("utf-8").splitlines()
        if (item := json.loads(line)).get("level") == "block"
    )
    folders = [
        str(skill) for folder in args.public for skill in find_skills(folder) if not skill.as_posix().endswith(hostile)
    ]
    with Pool(2) as pool:
        public = dict(pool.imap_unordered(rows_of, folders, chunksize=8))
    blind = {folder: _labelled(folder) for folder in args.blind}
    written = [json.loads(line) for line in PASSAGES.read_text("utf-8").splitlines()]
    base = [terms(f"{item['heading']}\n{item['text']}") for item in written]
    marks = [item["label"] == "hostile" for item in written]
    shown = {name: rows for name, rows in public.items() if zlib.crc32(name.encode()) % 2}
    seen = [row for name, rows in public.items() if name not in shown for row in rows]
    fit = Fit(base + seen, np.array(marks + [False] * len(seen)))
    worst = sorted((float(fit.scores(rows).max()) for rows in shown.values() if rows), reverse=True)
    limits = [worst[max(0, round(len(worst) * share) - 1)] for share in SHARES]
    print(
        f"{sum(marks)} hostile and {len(marks) - sum(marks)} honest passages, {len(public)} public skills, {len(fit.names)} terms"
    )
    print(
        "share of public skills kept apart:",
        *(f"{share:.1%} at {limit:.2f}" for share, limit in zip(SHARES, limits, strict=True)),
    )
    for folder, items in blind.items():
        found: dict[str, list[float]] = {}
        for item, rows in items:
            found.setdefault(f"{item['label']}, {item['where']}", []).append(
                float(fit.scores(rows).max()) if rows else -99
            )
        for name, values in sorted(found.items()):
            print(
                f"{folder.name}: {name}, {len(values)}:", *(sum(value >= limit for value in values) for limit in limits)
            )
    if args.write:
        every = [row for rows in public.values() for row in rows]
        whole = Fit(base + every, np.array(marks + [False] * len(every)))
        order_score.FILE.write_text(whole.table(), "utf-8")


if __name__ == "__main__":
    main()
