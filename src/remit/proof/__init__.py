"""Containment proofs: whether everything that a skill can do lies inside what it may do."""

from typing import TYPE_CHECKING

from remit.proof.assumptions import rests_on
from remit.proof.outcome import Containment, Denied, Escape, Verdict, remedy_for

if TYPE_CHECKING:
    from remit.proof.containment import contain
    from remit.proof.counterexample import Counterexample, Evidence, counterexamples
    from remit.proof.residuals import Residual

__all__ = [
    "Containment",
    "Counterexample",
    "Denied",
    "Escape",
    "Evidence",
    "Residual",
    "Verdict",
    "contain",
    "counterexamples",
    "remedy_for",
    "rests_on",
]


def __getattr__(name: str) -> object:
    """Import what a comparison with a manifest needs on first use, because most skills have no manifest."""
    if name not in __all__:
        raise AttributeError(f"module `remit.proof` has no attribute `{name}`")
    from remit.proof import containment, counterexample, residuals  # noqa: PLC0415

    return {
        "Counterexample": counterexample.Counterexample,
        "Evidence": counterexample.Evidence,
        "Residual": residuals.Residual,
        "contain": containment.contain,
        "counterexamples": counterexample.counterexamples,
    }[name]
