"""Does it stay inside? Containment of what a skill can do in what it may do."""

from remit.proof.assumptions import rests_on
from remit.proof.containment import Containment, Denied, Escape, Verdict, contain, remedy_for
from remit.proof.residuals import Residual

__all__ = ["Containment", "Denied", "Escape", "Residual", "Verdict", "contain", "remedy_for", "rests_on"]
