"""Fits the weights by which the text of a skill is scored (src/remit/findings/order_score.py).

    bench/fit_orders.py PUBLIC… [--write]

PUBLIC are folders of public skills: nearly all of their sentences are harmless. bench/data/orders.jsonl holds passages that were written for
this, hostile and honest ones. Half of the public skills and a fifth of the passages are kept apart: how many of them would be reported. `--write`
fits to everything and writes the table.

What is hostile in a passage is one of its windows, and nobody has marked which: after a first fit only the worst window of each stays, and
further windows of public skills that are taken for hostile come in.
The weight of a word is its own and one that it shares with words that stand in the same company, so that a word that no hostile passage has is not unknown.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from itertools import chain
from multiprocessing import Pool
from pathlib import Path

import numpy as np

from remit.analysis.result import Effects
from remit.core.errors import RemitError
from remit.findings import order_score
from remit.findings.order_score import meanings, read, sections, windows
from remit.findings.subject import Subject
from remit.skill.find import find_skills
from remit.skill.load import load_skill

ROOT = Path(__file__).resolve().parent.parent
PASSAGES = ROOT / "bench/data/orders.jsonl"
LABELS = ROOT / "bench/data/judgement.jsonl"
LEAST = 2  # hostile passages that have a term
COMMON = 5  # sentences that have a word
WORDS, COMPANY, SIZE = (
    20_000,
    3_000,
    150,
)  # words with a vector, words by whose company they are told apart, numbers of a vector
PENALTY = 5.0
ROUNDS = 120
HONEST = 2.0  # how much an honest passage counts: it was written to look like a hostile one
MOST = 150_000  # windows of public skills that are fitted to at first
HARD = -2.0  # score of further ones that are fitted to then
SCALE = 100  # weights are whole numbers: hundredths of a unit of log odds
LIGHTEST = 5  # of the weights that the table keeps
SHARES = (0.002, 0.005, 0.01, 0.02, 0.05)
APART = 5  # one passage in so many is kept apart
Text = list[frozenset[str]]  # the terms of each sentence


def texts_of(folder: str) -> tuple[str, list[Text]]:
    """The sections of a skill."""
    try:
        skill = load_skill(Path(folder))
    except RemitError:
        return folder, []
    reading = Subject(skill, Effects(skill.name, "", (), (), (), 0, 0, 0)).reading
    return folder, [
        [frozenset(words | meanings(sentence)) for _, sentence, words in part] for part in sections(reading)
    ]


def passage_of(item: dict[str, str]) -> Text:
    """A written passage under its heading."""
    return [frozenset(terms) for terms in read(f"{item['heading']}\n\n{item['text']}")]


def vectors(texts: list[Text]) -> dict[str, np.ndarray]:
    """Words as vectors: words that stand in sentences with the same words are near each other."""
    every = {frozenset(term for term in one if term[0] != "=" and " " not in term) for text in texts for one in text}
    counts = Counter(chain.from_iterable(every))
    names = sorted((name for name, count in counts.items() if count >= COMMON), key=lambda name: (-counts[name], name))[
        :WORDS
    ]
    index = {name: at for at, name in enumerate(names)}
    company = min(COMPANY, len(names))
    together = np.zeros(len(names) * company, np.float32)
    batch: list[np.ndarray] = []
    for number, sentence in enumerate(sorted(map(sorted, every))):
        some = np.array([index[word] for word in sentence if word in index], dtype=np.int64)
        batch.append((some[:, None] * company + some[some < company][None, :]).ravel())
        if number % 50_000 == 0 or number == len(every) - 1:
            cells, found = np.unique(np.concatenate(batch), return_counts=True)
            together[cells] += found
            batch = []
    table = together.reshape(len(names), company)
    table[np.arange(company), np.arange(company)] = 0
    column = (table.sum(0) + 1) ** 0.75
    table = np.log(np.maximum(table / ((table.sum(1, keepdims=True) + 1) * (column / column.sum())), 1))
    sizes, turned = np.linalg.eigh(table.T @ table)
    size = min(SIZE, company)
    found = (table @ turned[:, -size:]) / np.maximum(sizes[-size:], 1e-6) ** 0.25
    found /= np.linalg.norm(found, axis=1, keepdims=True) + 1e-9
    return dict(zip(names, found, strict=True))


class Windows:
    """Windows as rows of terms, with the text that each belongs to."""

    def __init__(self, texts: list[Text], index: dict[str, int]) -> None:
        rows: list[np.ndarray] = []
        owners: list[int] = []
        for owner, text in enumerate(texts):
            known = [[index[term] for term in one if term in index] for one in text]
            for window in windows(known) if known else ():
                rows.append(np.fromiter(set(chain.from_iterable(window)), dtype=np.int64))
                owners.append(owner)
        self.owners = np.array(owners, dtype=np.int64)
        self.rows = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        self.terms = np.concatenate(rows)

    def odds(self, weights: np.ndarray, bias: float) -> np.ndarray:
        """The score of each window."""
        return np.bincount(self.rows, weights[self.terms], minlength=len(self.owners)) + bias


def worst(values: np.ndarray, owners: np.ndarray, size: int) -> np.ndarray:
    """The highest value of each owner."""
    found = np.full(size, -99.0)
    np.maximum.at(found, owners, values)
    return found


class Fit:
    """Weights by logistic regression: full gradients with momentum, each weight at a pace of its own."""

    def __init__(
        self, written: list[Text], hostile: np.ndarray, public: list[Text], near: dict[str, np.ndarray]
    ) -> None:
        counts = Counter(
            chain.from_iterable(frozenset().union(*text) for text, bad in zip(written, hostile, strict=True) if bad)
        )
        own = sorted(term for term, count in counts.items() if count >= LEAST)
        self.names = own + sorted(near.keys() - set(own))
        self.own = (np.arange(len(self.names)) < len(own)).astype(float)
        self.index = {term: at for at, term in enumerate(self.names)}
        nothing = np.zeros(SIZE)
        self.near = np.stack([near.get(name, nothing) for name in self.names])
        self.weights, self.shared, self.bias = np.zeros(len(self.names)), np.zeros(SIZE), -2.0
        texts = [*written, *{id(text): text for text in public}.values()]
        self.windows = Windows(texts, self.index)
        owners = self.windows.owners
        bad = np.append(hostile, np.zeros(len(texts) - len(hostile), dtype=bool))[owners]
        others = owners >= len(written)
        drawn = np.random.default_rng(1).random(len(owners)) < MOST / max(1, others.sum())
        counted = np.where(others, np.where(drawn, 1.0, 0.0), np.where(bad, 1.0, HONEST))
        self._go(bad, counted)
        reached = self.windows.odds(self.all_weights, self.bias)
        counted[others & (reached >= HARD)] = 1.0
        counted[bad & (reached < worst(reached, owners, len(texts))[owners])] = 0.0
        self._go(bad, counted)

    @property
    def all_weights(self) -> np.ndarray:
        """The weight of each term."""
        return self.weights + self.near @ self.shared

    def _go(self, bad: np.ndarray, counted: np.ndarray) -> None:
        some = counted[self.windows.rows] > 0
        rows, terms = self.windows.rows[some], self.windows.terms[some]
        size = len(self.names)
        often = np.bincount(terms, minlength=size) / 4
        pace = 0.05 / (often + PENALTY)
        shared_pace = 0.05 / ((self.near**2).T @ often + PENALTY) / 8
        speed, shared_speed, bias_speed = np.zeros(size), np.zeros(SIZE), 0.0
        for _ in range(ROUNDS):
            odds = np.bincount(rows, self.all_weights[terms], minlength=len(bad)) + self.bias
            error = (1 / (1 + np.exp(-odds)) - bad) * counted
            slope = np.bincount(terms, error[rows], minlength=size)
            speed = 0.9 * speed - pace * self.own * (slope + PENALTY * self.weights)
            shared_speed = 0.9 * shared_speed - shared_pace * (self.near.T @ slope + PENALTY * self.shared)
            bias_speed = 0.9 * bias_speed - 0.2 * error.sum() / counted.sum()
            self.weights, self.shared, self.bias = (
                self.weights + speed,
                self.shared + shared_speed,
                self.bias + bias_speed,
            )

    def scores(self, texts: list[Text]) -> np.ndarray:
        """The score of the worst window of each text."""
        some = Windows(texts, self.index)
        return worst(some.odds(self.all_weights, self.bias), some.owners, len(texts))

    def table(self) -> str:
        """The weights as a table; what weighs next to nothing is left out."""
        head = "# Made by bench/fit_orders.py; do not edit. Words | weight in hundredths; the row without words is the score of an empty text.\n"
        found = sorted(zip(self.names, np.round(self.all_weights * SCALE).astype(int).tolist(), strict=True))
        rows = [f"{name} | {weight}\n" for name, weight in found if abs(weight) >= LIGHTEST]
        return head + f" | {round(self.bias * SCALE)}\n" + "".join(rows)


def main() -> None:
    """Fit, measure, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("public", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    blocked = tuple(
        item["skill"]
        for line in LABELS.read_text("utf-8").splitlines()
        if (item := json.loads(line)).get("level") == "block"
    )
    folders = [
        str(skill) for folder in args.public for skill in find_skills(folder) if not skill.as_posix().endswith(blocked)
    ]
    with Pool(2) as pool:
        public = dict(pool.imap_unordered(texts_of, folders, chunksize=8))
    items = [json.loads(line) for line in PASSAGES.read_text("utf-8").splitlines()]
    written = [passage_of(item) for item in items]
    hostile = np.array([item["label"] == "hostile" for item in items])
    apart = np.array([zlib.crc32(item["description"].lower().encode()) % APART == 0 for item in items])
    near = vectors([*written, *chain.from_iterable(public[name] for name in sorted(public))])
    shown = {name: texts for name, texts in public.items() if zlib.crc32(name.encode()) % 2 and texts}
    seen = [text for name in sorted(public) if name not in shown for text in public[name]]
    fit = Fit([text for text, other in zip(written, apart, strict=True) if not other], hostile[~apart], seen, near)
    of_skills = np.repeat(np.arange(len(shown)), [len(texts) for texts in shown.values()])
    ranked = np.sort(worst(fit.scores(list(chain.from_iterable(shown.values()))), of_skills, len(shown)))[::-1]
    found = fit.scores(written)
    print(
        f"{hostile.sum()} hostile and {(~hostile).sum()} honest passages, {len(public)} public skills, {len(fit.names)} terms"
    )
    for share in SHARES:
        limit = ranked[max(0, round(len(ranked) * share) - 1)]
        reported = found >= limit
        print(
            f"{limit:.2f}: {share:.1%} of public skills, {reported[apart & hostile].mean():.1%} of hostile and"
            f" {reported[apart & ~hostile].mean():.1%} of honest passages, all kept apart"
        )
    if args.write:
        every = [text for name in sorted(public) for text in public[name]]
        order_score.FILE.write_text(Fit(written, hostile, every, near).table(), "utf-8")


if __name__ == "__main__":
    main()
