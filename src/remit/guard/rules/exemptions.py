"""What a skill does that no entry speaks of and that is no question all the same: fetches and packages that somebody named who may."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from remit.core.scope import ANY_SCOPE, HostScope, NameScope
from remit.core.scope.component import literal
from remit.guard.session.package_names import declared, package_name, requirements
from remit.guard.session.provenance import is_named, origins
from remit.guard.session.source import Kind
from remit.guard.session.tokens import Sort, Token

if TYPE_CHECKING:
    from remit.guard.rules.model import CallView
    from remit.policy.request import Request

_GIT = frozenset({"fetch", "pull"})
_LARGEST = 200_000  # bytes of a requirements file


def is_plain_fetch(view: CallView, request: Request) -> bool:
    """Whether a fetch needs no right of the skill: from a host that the user or the workspace names, from the workspace's own
    remotes, or a page that the agent itself thought of and that its own tool reads without a query."""
    scope = request.scope
    if scope == ANY_SCOPE:
        return _from_remotes(view) if view.drafted.understood else True
    if not isinstance(scope, HostScope):
        return False
    token = Token(Sort.HOST, scope.host)
    if is_named(view.live.index, token, ()):
        return True
    if view.drafted.understood or any(
        urlsplit(value).query for value in view.event.args.values() if isinstance(value, str)
    ):
        return False
    return not origins(view.live.index, token)


def _from_remotes(view: CallView) -> bool:
    """Whether all that fetches from somewhere is git, from remotes that the repository names."""
    parts = (part for known in view.drafted.understood for part in known.parts)
    fetching = [part.command.split() for part in parts if part.capability == "web.fetch" and part.scope == ANY_SCOPE]
    return bool(fetching) and all(
        words[:1] == ["git"]
        and not _GIT.isdisjoint(words)
        and not any(":" in word or "/" in word for word in words[2:3])
        for words in fetching
    )


def is_named_package(view: CallView, request: Request) -> bool:
    """Whether the files of the project declared a package when the session began; inside of walls, where nothing but registries is
    reached, also whether the user's words name it, or the code of the skill, as a person trusted it."""
    if request.capability != "package.install" or not isinstance(request.scope, NameScope):
        return False
    asked = literal(request.scope.pattern) or ""
    names = _required(view, asked) if asked.endswith(".txt") else (package_name(asked),)
    return bool(names) and all(_is_named(view, name) for name in names)


def undeclared_packages(view: CallView) -> tuple[str, ...]:
    """Packages that files of the project declare only since the session began, and that nobody named."""
    known = view.live.workspace.packages
    found = sorted(declared(view.live.workspace.root) - known)
    return tuple(name for name in found if not _is_named(view, name))


def _is_named(view: CallView, name: str) -> bool:
    kinds = {
        source.kind
        for token in (Token(Sort.PACKAGE, name), Token(Sort.NAME, name))
        for source in origins(view.live.index, token)
        if (source.kind is Kind.USER) is (token.sort is Sort.NAME)
        if source.kind is not Kind.MANIFEST or source.name in view.skills
    }
    return bool(name) and (
        Kind.WORKSPACE in kinds or (view.inside and not kinds.isdisjoint((Kind.USER, Kind.MANIFEST)))
    )


def _required(view: CallView, asked: str) -> tuple[str, ...]:
    """The packages of a requirements file; none if one of its lines is anything but a name."""
    try:
        with Path(view.event.cwd, asked).open("rb") as file:
            data = file.read(_LARGEST + 1)
        return requirements(data.decode()) or () if len(data) <= _LARGEST else ()
    except (OSError, ValueError):
        return ()
