"""Destinations of a skill that neither the user, nor its manifest, nor the workspace names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.scope import HostScope
from remit.guard.rules.model import Action, Hit, Rule
from remit.guard.rules.rights import crossed
from remit.guard.session.marked_hosts import marked_hosts
from remit.policy.judge import Allow, Ask
from remit.policy.principal import BASELINE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.rules.model import CallView


def find(view: CallView) -> Iterator[Hit]:
    """Those that no other rule asks about, and that the workspace does not allow to everybody."""
    spoken = {one.request.scope for one in view.judged_as(Ask) if crossed(view, one)}
    spoken |= {one.request.scope for one in view.judged_as(Allow) if one.source == BASELINE}
    hosts = {scope.host for scope in spoken if isinstance(scope, HostScope)}
    yield from (hit for hit in view.found("unnamed-destination") if hit.about not in hosts)
    for host, path in marked_hosts(view.live, view.drafted):
        said = f"`{path}` was written in this session and names `{host}`, which comes only from untrusted text"
        yield Hit(host, said)


RULE = Rule(
    "unnamed-destination",
    Action.ASK,
    "A skill sends something to a destination that neither the user, nor its manifest, nor the workspace names.",
    "git remote add backup https://git.example.com/x/y",
    "git push origin main",
    find,
)
