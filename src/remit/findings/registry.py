"""All rules, by their identifiers."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.findings.model import Rule

# One module of `rules` each, by the identifier of its rule with underscores; in the order in which they are documented.
NAMES = (
    "secret_to_network",
    "hides_from_user",
)


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its identifier."""
    found = [import_module(f"remit.findings.rules.{name}").RULE for name in NAMES]
    return {rule.ident: rule for rule in found}
