"""Fetches that are not the skill's doing: nothing goes out with them, and no text of a skill or result of a tool points there."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from remit.core.scope import ANY_SCOPE, HostScope
from remit.guard.context.provenance import is_named, origins
from remit.guard.context.tokens import Sort, Token

if TYPE_CHECKING:
    from remit.guard.rules.model import CallView
    from remit.policy.request import Request

_GIT = frozenset({"fetch", "pull"})


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
