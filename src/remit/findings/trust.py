"""Who publishes what is fetched: a name that the skill speaks of, or one that it never mentions."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.findings.hosts import ANONYMOUS, is_reserved, is_users_own, kind_of
from remit.findings.lookalikes import is_well_known
from remit.findings.vendors import imitated_vendor
from remit.skill.prose.services import is_listed_service

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_WORD = lazy_pattern(r"[a-z0-9]+")
# Words in addresses that say nothing about a publisher.
_COMMON = frozenset(
    "raw main master refs heads releases release download latest install installer script scripts setup github gitlab com get tree"
    " blob bin the and githubusercontent gist archive tags zip tar src payload www api app apis cloud gateway rest docs dev status"
    " public static cdn service services server online store static files file data auth login web site page pages link update updates"
    " tunnel callback collector telemetry metrics analytics hub project projects host hosting check sync backup upload cli tools tool".split()
)
_SECOND_LEVEL = frozenset({"co", "com", "org", "net", "ac", "gov", "edu"})
_SHORT = 4  # letters of a word that many names have
_LANGUAGE = "lang"  # `ziglang.org` is that of Zig
_LONG = 7  # letters of a name that may be two words


def is_anonymous(host: str) -> bool:
    """Whether the name of a host does not say who runs it."""
    return kind_of(host) in ANONYMOUS


class HostStanding(StrEnum):
    """What the text of a skill and the name of a host say about who receives data, the most trusted first."""

    LOCAL = "local"  # this machine
    VENDOR = "vendor"  # a well-known service
    STATED = "stated"  # the text of the skill has the name of the host
    ECHOED = "echoed"  # only the name of the host speaks of the skill's subject: an author can choose it
    UNNAMED = "unnamed"  # nothing but the code knows the host
    ANONYMOUS = "anonymous"  # the name hides who runs the host
    IMITATION = "imitation"  # it carries the name of a vendor that does not run it

    @property
    def hidden(self) -> bool:
        """Whether a person who has read the text does not know of the receiver."""
        return self in (HostStanding.UNNAMED, HostStanding.ANONYMOUS, HostStanding.IMITATION)


def standing(subject: Subject, host: str, *, instructed: bool = False) -> HostStanding:
    """Who receives what goes to a host. `instructed`: the text itself has the command, so only its sentences count."""
    kind = kind_of(host)
    if kind == "local":
        return HostStanding.LOCAL
    if kind in ANONYMOUS:
        return HostStanding.STATED if publisher_known(subject, host) == "announced" else HostStanding.ANONYMOUS
    if is_vendor(host):
        return HostStanding.VENDOR
    said = subject.prose if instructed else subject.written
    if host in said or host in subject.description:
        return HostStanding.STATED
    described = _WORD.findall(subject.skill.front_matter.text("description").lower())
    if imitated_vendor(host) and (kind == "hosting" or registered(host).partition(".")[0] not in described):
        return HostStanding.IMITATION
    if kind != "hosting":
        if (domain := registered(host)) in said or domain in subject.description:
            return HostStanding.STATED
        # the words of the description alone: an author chooses the name of a skill and of a host alike
        named = registered(host).partition(".")[0] in described
        if named or (speaks_of_network(subject) and publisher_known(subject, host)):
            return HostStanding.ECHOED
    return HostStanding.UNNAMED


_NETWORK = lazy_pattern(
    r"https?://|\b(?:apis?|upload\w*|send\w*|post(?:s|ed|ing)?|cloud\w*|services?|servers?|online|web\w*|internet|network\w*|remote\w*|endpoints?"
    r"|publish\w*|deploy\w*|download\w*|fetch\w*|sync\w*|e-?mails?|search\w*|platforms?|sign[- ]?(?:in|up)|login)\b"
)


def speaks_of_network(subject: Subject) -> bool:
    """Whether a sentence or the description lets a reader expect that data leaves the machine."""
    return _NETWORK.search(f"{subject.description}\n{subject.prose}") is not None


def is_vendor(host: str) -> bool:
    """Whether a host is one of a well-known service, and no space that the service rents to anybody."""
    return kind_of(host) not in ANONYMOUS | {"hosting", "inbox"} and (is_well_known(host) or is_listed_service(host))


def registered(host: str) -> str:
    """The part of a host's name that somebody has registered: `example.co.uk` of `api.example.co.uk`."""
    labels = host.lower().split(".")
    second = -3 if len(labels) > 2 and labels[-2] in _SECOND_LEVEL else -2
    return ".".join(labels[second:])


def publisher_known(subject: Subject, host: str, path: str = "") -> str:
    """`announced` if the description names the publisher, `mentioned` if the text speaks of the product, empty otherwise."""
    if is_reserved(host) or is_users_own(host):
        return ""
    if host.lower() in subject.description or _speaks_of(subject.description, subject.announced, host, path):
        return "announced"
    return "mentioned" if _speaks_of(subject.text, subject.mentioned, host, path) else ""


@lru_cache(64)
def _speaks_of(text: str, words: frozenset[str], host: str, path: str) -> bool:
    """Whether a text has a publisher's name: a name of several words counts as a whole, with or without signs between them."""
    for name in publisher_names(host, path):
        parts = _WORD.findall(name)
        if len(parts) == 1:
            if parts[0] in words or any(parts[0] == a + b for a, b in _pairs(text, parts[0])):
                return True
        elif parts and re.search(r"[\s_-]?".join(map(re.escape, parts)), text):
            return True
    return False


def _pairs(text: str, name: str) -> list[tuple[str, str]]:
    """Two words of a text that stand together and begin as a name does: `private connect` for `privateconnect`."""
    begin = name[:3]
    return re.findall(rf"\b({re.escape(begin)}\w*)[\s_-](\w+)", text) if len(name) > _LONG and begin in text else []


def publisher_names(host: str, path: str = "") -> tuple[str, ...]:
    """The names in an address that say whose it is: on hosts of many the owner's and the repository's."""
    labels = host.lower().split(".")
    if kind_of(host) == "code":
        found = path.lower().strip("/").split("/")[:2]
    elif kind_of(host) == "hosting":
        found = [labels[0], *(word for word in _WORD.findall(labels[0]) if len(word) > _SHORT)]
    else:
        second = -3 if len(labels) > 2 and labels[-2] in _SECOND_LEVEL else -2
        found = (
            [labels[second], "".join(labels[second:])] if len(labels) > 1 else []
        )  # what stands before it anybody chooses
    languages = [name.removesuffix(_LANGUAGE).rstrip("-") for name in found if name.endswith(_LANGUAGE)]
    named = (name for name in found if len(name) > 2 and not _COMMON.issuperset(_WORD.findall(name)))
    return (*named, *filter(None, languages))
