"""Who publishes what is fetched: a name that the skill speaks of, or one that it never mentions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.findings.hosts import ANONYMOUS, kind_of
from remit.findings.subject import owner_words

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_WORD = re.compile(r"[a-z0-9]+")
# Words in addresses that say nothing about a publisher.
_COMMON = frozenset(
    "raw main master refs heads releases release download latest install installer script scripts setup github gitlab com get tree"
    " blob bin the and githubusercontent gist archive tags zip tar src payload".split()
)


def is_anonymous(host: str) -> bool:
    """Whether it cannot be told who is behind a host."""
    return kind_of(host) in ANONYMOUS


def publisher_known(subject: Subject, host: str, path: str = "") -> str:
    """`announced` if the description names the publisher, `mentioned` if the text speaks of the product, empty otherwise."""
    words = publisher_words(host, path)
    if host.lower() in subject.description or words & subject.announced:
        return "announced"
    return "mentioned" if words & subject.mentioned else ""


def publisher_words(host: str, path: str = "") -> frozenset[str]:
    """The words of an address that say whose it is: on hosts of many the owner's and the repository's."""
    if kind_of(host) == "code":
        parts = path.strip("/").split("/")[:2]
        found = {word for part in parts for word in _WORD.findall(part.lower())}
    elif kind_of(host) == "hosting":
        found = set(_WORD.findall(host.lower().partition(".")[0]))
    else:
        found = set(owner_words(host))
    return frozenset(word for word in found if len(word) > 2 and word not in _COMMON)
