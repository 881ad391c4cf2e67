"""Whose host it is: the service that a credential belongs to, one that the user names, or another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.scope import AnyScope, HostScope, NameScope, PathScope
from remit.findings.subject import owner_words
from remit.skill.prose.services import is_local

if TYPE_CHECKING:
    from remit.core.scope import Scope
    from remit.findings.subject import Subject

_WORD = re.compile(r"[a-z0-9]+")
# Words in the names of variables and files that do not say whose credential it is.
_KINDS = frozenset(
    "api key keys token tokens secret secrets password passwd pass auth access bearer id client app user private refresh"
    " account base url host endpoint env config credentials json yaml toml ssh home local share etc bin default".split()
)


def names_of(source: Scope) -> frozenset[str]:
    """The words that say whose credential a variable or a file is."""
    if isinstance(source, NameScope):
        text = source.pattern.removeprefix("env:")
    elif isinstance(source, PathScope):
        text = " ".join(source.parts)
    else:
        return frozenset()
    words = frozenset(_WORD.findall(text.lower().replace("_", " ")))
    return frozenset(word for word in words - _KINDS if len(word) > 2)


def chosen_by_user(sink: Scope) -> bool:
    """Whether whoever runs the skill says which host it is: by an argument or a setting."""
    if isinstance(sink, AnyScope):
        return False
    return not isinstance(sink, HostScope) or sink.host.startswith("<")


def belongs_to(source: Scope, sink: Scope, subject: Subject) -> bool:
    """Whether data of a source is expected at a host: it is this machine, the user's choice, the service that the credential
    is named for, or one that the description speaks of."""
    if chosen_by_user(sink):
        return True
    if not isinstance(sink, HostScope):
        return False
    host = sink.host.removeprefix("*.")
    if is_local(host) and not host.endswith((".example", ".test", ".invalid")) and "example." not in host:
        return True
    if subject.names_host(sink):
        return True
    named, owner = names_of(source), owner_words(host)
    return any(mine in other or other in mine for mine in named for other in owner)
