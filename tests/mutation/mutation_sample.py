"""All mutants of the core, and a sample of them that depends on the seed and on each mutant alone.

A mutant is drawn by a number made of its own name and the seed: a change in one file draws no other mutants in the rest.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mutation_edits import WEIGHTS, checkers, variants
from mutation_walk import Spot, walk

from remit.core.errors import DataError
from remit.core.table import read_table

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCE = ROOT / "src"
ROOMS = ("gateway", "policy", "executor", "web")


class Mutant(NamedTuple):
    """One change of one file."""

    id: str  # short digest of what it is
    file: str  # below src
    scope: str
    line: int
    kind: str
    place: int  # which spot of the walk
    variant: int  # which of the changes there
    block: str
    inside: bool  # a function; else it runs when the module is imported

    @property
    def module(self) -> str:
        """The name by which it is imported."""
        return self.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def core_files(table: Path = HERE / "core.table") -> tuple[list[str], dict[str, str]]:
    """Files that count as core, and the others with the reason. A line is a file or a folder; the longest that fits decides."""
    lines: dict[str, tuple[str, str]] = {}
    for row in read_table(table, 2):
        if row.section not in ("core", "left out") or row.cells[0] in lines:
            raise DataError(f"{row.where}: not a line of [core] or [left out], or it occurs twice", "correct the line")
        lines[row.cells[0]] = (row.section, row.cells[1])
    core, out = [], {}
    for room in ROOMS:
        for path in sorted((SOURCE / "remit" / room).rglob("*.py")):
            name = path.relative_to(SOURCE / "remit").as_posix()
            fits = [line for line in lines if name == line or name.startswith(line + "/")]
            if not fits:
                raise DataError(f"`{name}` stands nowhere in {table.name}", "say there whether it is core")
            section, reason = lines[max(fits, key=len)]
            if section == "core":
                core.append(f"remit/{name}")
            else:
                out[f"remit/{name}"] = reason
    return core, out


def mutants_of(file: str, text: str) -> list[Mutant]:
    """All mutants of a file."""
    tree = ast.parse(text)
    known = checkers(tree)
    found, seen = [], Counter()
    for place, spot in enumerate(walk(tree)):
        if not isinstance(spot, Spot):
            continue
        for variant, (kind, new) in enumerate(variants(spot, known)):
            line = getattr(spot.node, "lineno", 0) or getattr(getattr(spot.node, "guard", None), "lineno", 0)
            line = line or getattr(getattr(spot.node, "target", None), "lineno", 0)
            what = f"{file}:{spot.scope}:{kind}:{ast.unparse(spot.node)}:{_shown(new)}"
            seen[what] += 1
            name = hashlib.sha256(f"{what}:{seen[what]}".encode()).hexdigest()[:12]
            found.append(Mutant(name, file, spot.scope, line, kind, place, variant, spot.block, spot.outer is not None))
    return found


def _shown(node: ast.AST) -> str:
    if isinstance(node, ast.match_case):
        return ast.unparse(ast.Match(subject=ast.Name(id="_"), cases=[node]))
    return (
        ast.unparse(ast.fix_missing_locations(node)) if not isinstance(node, ast.comprehension) else ast.unparse(node)
    )


def spoiled_tree(mutant: Mutant, text: str) -> ast.Module:
    """The file with the mutant in it."""
    tree = ast.parse(text)
    known = checkers(tree)
    for place, spot in enumerate(walk(tree)):
        if place == mutant.place:
            assert isinstance(spot, Spot)
            new = list(variants(spot, known))[mutant.variant][1]
            spot.put(ast.copy_location(new, spot.node) if isinstance(new, ast.expr | ast.stmt) else new)
            return ast.fix_missing_locations(tree)
    raise AssertionError(mutant)


def diff(mutant: Mutant, text: str) -> str:
    """What the mutant changes, in lines as Python spells them itself."""
    before, after = (ast.unparse(one).splitlines() for one in (ast.parse(text), spoiled_tree(mutant, text)))
    lines = list(difflib.unified_diff(before, after, n=2, lineterm=""))[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))


def every_mutant(files: Iterable[str]) -> list[Mutant]:
    """All mutants of some files."""
    return [one for file in files for one in mutants_of(file, (SOURCE / file).read_text("utf-8"))]


def draw(mutants: Iterable[Mutant], count: int, seed: str) -> list[Mutant]:
    """The first `count` by a number that is drawn for each, which is small the sooner, the heavier its kind is."""

    def drawn(one: Mutant) -> float:
        number = int.from_bytes(hashlib.sha256(f"{seed}:{one.id}".encode()).digest()[:8])
        return -math.log((number + 1) / (1 << 64)) / WEIGHTS[one.kind]

    return sorted(mutants, key=lambda one: (drawn(one), one.id))[:count]
