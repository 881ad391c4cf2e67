"""Does it stay inside? Containment of what a skill can do in what it may do."""

from remit.proof.assumptions import rests_on
from remit.proof.containment import Containment, Escape, Residual, Verdict, contain

__all__ = ["Containment", "Escape", "Residual", "Verdict", "contain", "rests_on"]
