"""Does it stay inside? Containment of what a skill can do in what it may do."""

from remit.proof.assumptions import Assumption, assumptions, rests_on
from remit.proof.containment import Containment, Escape, Residual, Verdict, contain

__all__ = ["Assumption", "Containment", "Escape", "Residual", "Verdict", "assumptions", "contain", "rests_on"]
