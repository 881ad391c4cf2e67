"""Does it stay inside? Containment of what a skill can do in what it may do."""

from remit.proof.assumptions import rests_on
from remit.proof.containment import Containment, Denied, Escape, Verdict, contain
from remit.proof.residuals import Residual

__all__ = ["Containment", "Denied", "Escape", "Residual", "Verdict", "contain", "rests_on"]
