"""The registry of twins. A file in `twins` that is not listed here fails a test. docs/models.md lists the models without
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import DataError, UsageError
from remit.core.table import read_table
from remit.models.tla.runner import TWINS

if TYPE_CHECKING:
    from remit.models.tla.twin import Twin

EXCUSES = Path(__file__).with_name("data") / "excuses.table"
SETTINGS, MISSING = "settings", "missing"
_FILES = """
    acceptance transactions handles declassification approvals admission connection pairing pairing_store
    limits ingress about hearing turns turn_lines delivery node_runs
"""
MODELS = {file.replace("_", "-"): file for file in _FILES.split()}  # name of the model: its file


def twins(names: Iterable[str] = ()) -> dict[str, Twin]:
    """The twins of these models; all of them without a name."""
    wanted = tuple(dict.fromkeys(names)) or tuple(MODELS)
    for name in wanted:
        if name not in MODELS:
            raise UsageError(f"`{name}` is not a model that has a twin in TLA+", f"those are: {', '.join(MODELS)}")
    return {name: import_module(f"{__package__}.twin_values").TWINS[MODELS[name]] for name in wanted}


def lying(folder: Path = TWINS) -> tuple[str, ...]:
    """Return the twin names of the files in the folder."""
    named = {file: name for name, file in MODELS.items()}
    return tuple(sorted(named.get(path.stem, path.stem) for path in folder.glob("[!_]*.tla")))


class Excuse(NamedTuple):
    """Why a model has no twin."""

    kind: str  # `settings`: there is no protocol; `missing`: nobody has written it
    why: str


def excuses(path: Path = EXCUSES) -> dict[str, Excuse]:
    """By the names of models."""
    found: dict[str, Excuse] = {}
    for row in read_table(path, 2):
        name, why = row.cells
        if row.section not in (SETTINGS, MISSING) or not why or name in found:
            raise DataError(
                f"{row.where}: not a line of [{SETTINGS}] or [{MISSING}], or it occurs twice", "correct the line"
            )
        found[name] = Excuse(row.section, why)
    return found


def uncovered(models: Iterable[str], excused: Mapping[str, Excuse]) -> list[str]:
    """Return what is wrong: every model must have either a twin or an excuse."""
    known = tuple(models)
    faults = [
        f"the model `{name}` has neither a twin in TLA+ nor an excuse"
        for name in known
        if name not in MODELS and name not in excused
    ]
    faults += [
        f"the model `{name}` has a twin in TLA+, and an excuse for having none" for name in excused if name in MODELS
    ]
    return faults + [f"`{name}` has an excuse, and is no model" for name in excused if name not in known]
