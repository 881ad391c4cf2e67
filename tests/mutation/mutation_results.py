"""What is known of mutants, in a file that a run goes on with. A result counts while what it hangs on is the same.

Killed: the mutant's file and the file of the test that noticed. Survived: all code, all tests, and how long they may compute.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from mutation_cover import digest
from mutation_kill import KILLED, TIME, Tried
from mutation_sample import ROOT, SOURCE, Mutant

if TYPE_CHECKING:
    from pathlib import Path

MODELS = "tests/mutation/mutation_models.py"
ENDINGS = ("*.py", "*.table", "*.toml", "*.json", "*.ambr")


class Result(NamedTuple):
    """What became of a mutant or a control."""

    mutant: str
    control: bool
    tried: Tried

    @property
    def by_model(self) -> bool:
        """Whether a model noticed."""
        return self.tried.by.startswith(MODELS)

    @property
    def noticed(self) -> bool:
        """Whether anything did."""
        return self.tried.state in (KILLED, TIME)


def all_digest() -> str:
    """Of everything that a survivor may have survived."""
    whole = hashlib.sha256()
    for folder in ("src", "tests"):
        for ending in ENDINGS:
            for path in sorted((ROOT / folder).rglob(ending)):
                whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


class Results:
    """The file, which several processes write to."""

    def __init__(self, path: Path, budget: float) -> None:
        self._path, self._now = path, f"{all_digest()} {budget}"

    def add(self, mutant: Mutant, control: bool, tried: Tried) -> None:
        """Write a line."""
        line = {"mutant": mutant.id, "control": control, **tried._asdict(), "hangs": self._hangs(mutant, tried)}
        with self._path.open("a") as out:
            out.write(json.dumps(line) + "\n")

    def read(self, mutants: dict[str, Mutant]) -> dict[tuple[str, bool], Result]:
        """What still counts, by mutant and whether it is a control."""
        found = {}
        for text in self._path.read_text().splitlines() if self._path.exists() else ():
            line = json.loads(text)
            tried = Tried(*(line[field] for field in Tried._fields))
            if (mutant := mutants.get(line["mutant"])) and line["hangs"] == self._hangs(mutant, tried):
                found[mutant.id, line["control"]] = Result(mutant.id, line["control"], tried)
        return found

    def _hangs(self, mutant: Mutant, tried: Tried) -> Any:
        by = ROOT / tried.by.partition("::")[0]
        if tried.state == KILLED and by.is_file():
            return [digest(SOURCE / mutant.file), digest(by)]
        return self._now
