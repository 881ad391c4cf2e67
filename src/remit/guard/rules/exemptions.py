"""Exemptions from rules: fetches and packages that a trusted source names, and changes of what a host asks about."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from remit.core.scope import ANY_SCOPE, HostScope, NameScope
from remit.core.scope.component import literal
from remit.guard.approvals.file_diff import edited_file
from remit.guard.hosts.toolmap import wants
from remit.guard.paths import file_scope, read_start
from remit.guard.rules.own_ideas import is_own_name
from remit.guard.session.followed_values import is_opaque
from remit.guard.session.package_names import declared, package_name, requirements
from remit.guard.session.provenance import AuthorKind, is_named, origins
from remit.guard.session.tokens import Token, TokenKind

if TYPE_CHECKING:
    from remit.guard.rules.model import CallView
    from remit.policy.request import Request

_GIT = frozenset({"fetch", "pull"})
_SETTINGS = ("/.claude/settings.json", "/.claude/settings.local.json")
_PROMPTS = ("allow", "ask", "deny", "additionalDirectories")
_TITLE, _WORD = 100, 15  # characters of a title in an address, and of a word
_LARGEST = 200_000  # bytes of a requirements file


def is_plain_fetch(view: CallView, request: Request) -> bool:
    """Whether a fetch needs no right of the skill.

    It needs none from a host that the user or the workspace names, or from the workspace's own remotes. Nor for a page
    that the agent's own tool reads without a query, if its address is the agent's own idea and can hardly hold data, or is
    written exactly so in the text of the skill as a person trusted it.
    """
    scope = request.scope
    if scope == ANY_SCOPE:
        return _from_remotes(view) if view.drafted.understood else True
    if not isinstance(scope, HostScope):
        return False
    token = Token(TokenKind.HOST, scope.host)
    service = Token(TokenKind.HOST, scope.host.removeprefix("api."))  # `gh pr view` asks the service of the remote
    if is_named(view.live.index, token, ()) or is_named(view.live.index, service, ()):
        return True
    words = [value for value in view.event.args.values() if isinstance(value, str)]
    if view.drafted.understood or any(urlsplit(value).query for value in words):
        return False
    pages = [Token(TokenKind.PAGE, word.rstrip(".,;:!")) for word in words if urlsplit(word).hostname]
    if pages and all(is_named(view.live.index, page, view.skills) for page in pages):
        return True
    return not origins(view.live.index, token) and not any(map(_carries_data, words))


def _carries_data(text: str) -> bool:
    """Whether a part of an address could be data: a word that looks random, or more than a title is long."""
    parts = re.split(r"[/.]", text) if "://" in text else ()
    return any(len(part) > _TITLE or (len(part) > _WORD and is_opaque(part)) for part in parts)


def _from_remotes(view: CallView) -> bool:
    """Whether all fetches are by git, from remotes that the repository names."""
    parts = (part for known in view.drafted.understood for part in known.parts)
    fetching = [part.command.split() for part in parts if part.capability == "web.fetch" and part.scope == ANY_SCOPE]
    return bool(fetching) and all(
        words[:1] == ["git"]
        and not _GIT.isdisjoint(words)
        and not any(":" in word or "/" in word for word in words[2:3])
        for words in fetching
    )


def is_named_package(view: CallView, request: Request) -> bool:
    """Whether the files of the project declared a package when the session began.

    Inside walls, where only registries can be reached, it is also enough if the user's words or the trusted code of the
    skill name it, or if the package is the agent's own idea.
    """
    if request.capability != "package.install" or not isinstance(request.scope, NameScope):
        return False
    asked = literal(request.scope.pattern) or ""
    names = _required(view, asked) if asked.endswith(".txt") else (package_name(asked),)
    if names == (name := package_name(asked),) and name and view.inside and is_own_name(view.live.index, (name, asked)):
        return True
    return bool(names) and all(_is_named(view, name) for name in names)


def installed(requests: Iterable[Request]) -> Iterator[Token]:
    """Return the packages that a call installed, as if project files declared them."""
    asked = (one.scope for one in requests if one.capability == "package.install")
    names = (package_name(literal(scope.pattern) or "") for scope in asked if isinstance(scope, NameScope))
    yield from (Token(TokenKind.PACKAGE, name) for name in names if name)


def undeclared_packages(view: CallView) -> tuple[str, ...]:
    """Return packages that files of the project declare only since the session began, and that no other trusted source
    names.
    """
    known = view.live.workspace.packages
    found = sorted(declared(view.live.workspace.root) - known)
    return tuple(name for name in found if not _is_named(view, name))


def _is_named(view: CallView, name: str) -> bool:
    kinds = {
        source.kind
        for token in (Token(TokenKind.PACKAGE, name), Token(TokenKind.NAME, name))
        for source in origins(view.live.index, token)
        if (source.kind is AuthorKind.USER) is (token.sort is TokenKind.NAME)
        if source.kind is not AuthorKind.MANIFEST or source.name in view.skills
    }
    return bool(name) and (
        AuthorKind.WORKSPACE in kinds or (view.inside and not kinds.isdisjoint((AuthorKind.USER, AuthorKind.MANIFEST)))
    )


def _required(view: CallView, asked: str) -> tuple[str, ...]:
    """Return the packages of a requirements file; none if one of its lines is anything but a name."""
    data = read_start(Path(view.event.cwd, asked), _LARGEST + 1) or b""
    try:
        return requirements(data.decode()) or () if len(data) <= _LARGEST else ()
    except ValueError:
        return ()


def is_about_prompts(view: CallView, request: Request) -> bool:
    """Whether the agent, for no skill, changes nothing in its host's settings but the lists of what the host asks
    about.
    """
    edit = None if view.skills else edited_file(view.event, wants(view.event), str(Path.home()))
    if edit is None or edit.before is None or edit.after is None or request.scope != file_scope(edit.path):
        return False
    try:
        return edit.path.endswith(_SETTINGS) and _without_prompts(edit.before) == _without_prompts(edit.after)
    except (ValueError, RecursionError):
        return False


def _without_prompts(text: str) -> tuple[dict[str, object], dict[str, object]]:
    settings = json.loads(text or "{}", object_pairs_hook=_named_once)
    permissions = settings.pop("permissions", {}) if isinstance(settings, dict) else None
    if not isinstance(permissions, dict):
        raise ValueError  # noqa: TRY004  (as text that is no JSON)
    return settings, {name: value for name, value in permissions.items() if name not in _PROMPTS}


def _named_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON; ValueError if a name occurs twice, because readers differ in which value counts."""
    if len(found := dict(pairs)) < len(pairs):
        raise ValueError
    return found
