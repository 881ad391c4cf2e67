"""Effects of a skill that neither its manifest nor ordinary work in the workspace holds: the wall that is crossed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import FILE_DELETES, FILE_READS, FILE_WRITES
from remit.core.scope import ANY_SCOPE, DEEP, HostScope, PathScope, SymbolScope
from remit.guard.rules.command_prefix import command_prefix
from remit.guard.rules.effect_words import effect_words
from remit.guard.rules.exemptions import is_named_package, is_plain_fetch, undeclared_packages
from remit.guard.rules.model import Action, Hit, Rule
from remit.policy.judge import Allow, Ask
from remit.policy.principal import UNLISTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.core.scope import Scope
    from remit.guard.rules.model import CallView
    from remit.policy.decide import Judged

_SENDS = frozenset({"api.call", "net.connect", "web.interact", "web.post"})  # one question for one host
_BY_FOLDER = frozenset((*FILE_READS, *FILE_WRITES, *FILE_DELETES))


def crossed(view: CallView, one: Judged) -> tuple[str, ...]:
    """The capabilities of a request that no entry speaks of."""
    if not isinstance(one.judgement, Ask):
        return ()
    granting = view.live.policy.policy(one.principal).granting
    return tuple(name for name, member in one.judgement.held if granting[member][1].source == UNLISTED)


def find(view: CallView) -> Iterator[Hit]:
    """One hit for each capability and place."""
    for one in view.judged_as(Ask):
        names = crossed(view, one)
        if not names or (names == ("web.fetch",) and is_plain_fetch(view, one.request)):
            continue
        if is_named_package(view, one.request):
            continue
        name = "web.post" if names[-1] in _SENDS else names[-1]  # a sensitive place says more than `file.write`
        words = effect_words(name, one.request.scope)
        sentence = f"`{one.principal}` wants to {words}, which its manifest does not grant"
        yield Hit(f"{name} {_remembered(view, name, one.request.scope)}", sentence)
    if any(one.request.capability == "package.install" for one in view.judged_as(Allow)):
        for name in undeclared_packages(view):
            sentence = f"{view.skill} wants to install the package `{name}`, which the project declares only since this session"
            yield Hit(f"package.install {name}", sentence)


def _remembered(view: CallView, name: str, scope: Scope) -> str:
    """What a yes counts for: the folder of a file or of a skill, exactly what was asked, or the command where that has no name."""
    if scope == ANY_SCOPE or isinstance(scope, SymbolScope):
        return f"by {command_prefix(view.drafted) if view.drafted.understood else view.event.tool}"
    if isinstance(scope, HostScope):
        return scope.host
    if not isinstance(scope, PathScope):
        return scope.render()
    parts = scope.parts[:-1] if scope.parts[-1:] == (DEEP,) else scope.parts
    if name == "skill.install" and "skills" in parts[:-1]:
        parts = parts[: parts.index("skills") + 2]
    elif name in _BY_FOLDER and parts == scope.parts and len(parts) > 1:
        parts = parts[:-1]
    return PathScope(scope.anchor, parts).render()


RULE = Rule(
    "not-granted",
    Action.ASK,
    "A skill wants to do something that is neither ordinary work in the workspace nor granted by its manifest.",
    "curl -d @report.txt https://api.example.com",
    "cat report.txt",
    find,
)
