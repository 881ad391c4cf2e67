"""What a call of an agent would do, before it runs."""

from remit.guard.understand.ask import understand, understand_code
from remit.guard.understand.cache import Cache, still_same
from remit.guard.understand.values import Doubt, Glance, Part, Place, Seen, Understanding

__all__ = [
    "Cache",
    "Doubt",
    "Glance",
    "Part",
    "Place",
    "Seen",
    "Understanding",
    "still_same",
    "understand",
    "understand_code",
]
