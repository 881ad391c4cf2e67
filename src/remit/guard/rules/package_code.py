"""A skill writes into an installed package, whose code is taken for what its name says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.rules.model import Action, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.guard.rules.model import CallView, Hit


def find(view: CallView) -> Iterable[Hit]:
    """What was found while the call was looked at."""
    return view.found("package-code")


RULE = Rule(
    "package-code",
    Action.ASK,
    "A skill writes into an installed package, whose code is taken for what its name says.",
    "echo x > node_modules/react/index.js",
    "echo x > src/index.js",
    find,
)
