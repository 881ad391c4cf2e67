"""The list of claims (`data/properties.table`), each with its model, invariant and module of the reference. It is
committed, so that a removed or changed claim is noticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table

if TYPE_CHECKING:
    from remit.models.explore.model import Model
    from remit.models.proofs.theory import Theory

FILE = Path(__file__).with_name("data") / "properties.table"
REFERENCE = FILE.with_name("reference.table")
OURS = "ours"


class Property(NamedTuple):
    """One claim. `modules`: of the reference, or `ours`."""

    id: str
    modules: tuple[str, ...]
    model: str
    invariant: str
    says: str


def read_properties(path: Path = FILE) -> tuple[Property, ...]:
    """Read a table."""
    found: dict[str, Property] = {}
    for row in read_table(path, 5):
        name, modules, model, invariant, says = row.cells
        if row.section != "property" or name in found or not modules:
            raise DataError(f"{row.where}: not a line of [property], or it occurs twice", "correct the line")
        found[name] = Property(name, tuple(modules.split()), model, invariant, says)
    return tuple(found.values())


def check_properties(properties: Iterable[Property], models: Sequence[Model | Theory]) -> list[str]:
    """Return claims without a model and a mutant, invariants without a claim, and claims that differ from their model."""
    claimed = {(one.model, one.invariant): one for one in properties}
    there = {(model.name, one.name): one.says for model in models for one in model.properties}
    noticed = {(model.name, mutant.invariant) for model in models for mutant in model.mutants}
    faults = [f"`{claimed[at].id}` is claimed, and no model has it" for at in sorted(claimed.keys() - there.keys())]
    faults += [f"`{' '.join(at)}` is claimed nowhere" for at in sorted(there.keys() - claimed.keys())]
    faults += [f"`{claimed[at].id}` has no mutant" for at in sorted((claimed.keys() & there.keys()) - noticed)]
    return faults + [
        f"`{claimed[at].id}` says something else than its model: {there[at]}"
        for at in sorted(claimed.keys() & there.keys())
        if claimed[at].says != there[at]
    ]


class Module(NamedTuple):
    """A module of the reference."""

    topic: str
    name: str


def read_reference(path: Path = REFERENCE) -> tuple[Module, ...]:
    """Read a table: `[module]` topic, module."""
    found: dict[str, Module] = {}
    for row in read_table(path, 2):
        topic, name = row.cells
        if row.section != "module" or name in found or not topic or not name:
            raise DataError(f"{row.where}: not a line of [module], or it occurs twice", "topic | module")
        found[name] = Module(topic, name)
    return tuple(found.values())


def check_reference(properties: Iterable[Property], reference: Iterable[Module]) -> list[str]:
    """Return modules of the reference without a counterpart, and names of modules that do not exist."""
    listed = {one.name for one in reference}
    covered = {module for one in properties for module in one.modules} - {OURS}
    return [
        *(f"nothing of ours says what `{name}` of the reference says" for name in sorted(listed - covered)),
        *(f"`{name}` is no module of the reference" for name in sorted(covered - listed)),
    ]
