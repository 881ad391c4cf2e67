"""Does it stay inside? Containment of what a skill can do in what it may do."""

from remit.proof.assumptions import rests_on
from remit.proof.containment import Containment, Denied, Escape, Verdict, contain, remedy_for
from remit.proof.counterexample import Counterexample, Evidence, counterexamples
from remit.proof.least import least
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
    "least",
    "remedy_for",
    "rests_on",
]
