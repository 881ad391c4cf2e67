"""A twin and its constants as files for TLC: a module that extends the twin and gives each constant its value, and what is to be checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from remit.models.tla.machine import MODULE
from remit.models.tla.values import NOTHING, identifier, told

NO_BUG = "none"


def made(
    twin: str, constants: Mapping[str, Any], *, bug: str = NO_BUG, invariants: Iterable[str] = (), promises: Iterable[str] = (),
    fair: Iterable[str] = (),
) -> dict[str, str]:  # fmt: skip
    """The files by their names. Invariants, promises and fair actions are given by the names that the model has for them."""
    given = {name: told(value) for name, value in {**constants, "Bug": bug}.items()}
    defined = [f"Given{name} == {text}" for name, text in given.items()]
    fairness = "".join(f" /\\ WF_vars({identifier(name)})" for name in fair)
    module = [
        f"---- MODULE {MODULE} ----",
        f"EXTENDS {twin}, TLC",
        *defined,
        f"Spec == Init /\\ [][Next]_vars{fairness}",
        "====",
    ]
    settings = [
        f"CONSTANT {NOTHING} = {NOTHING}",
        *(f"CONSTANT {name} <- Given{name}" for name in given),
        "SPECIFICATION Spec",
    ]
    settings += [f"INVARIANT {identifier(name)}" for name in invariants]
    settings += [f"PROPERTY {identifier(name)}" for name in promises]
    return {f"{MODULE}.tla": "\n".join(module) + "\n", f"{MODULE}.cfg": "\n".join(settings) + "\n"}
