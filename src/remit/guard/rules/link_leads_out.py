"""A skill reads a folder through links that lead out of the workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.call_analysis.folder_links import leads_out
from remit.guard.rules.model import Action, Hit, Rule
from remit.policy.judge import Allow, judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.rules.model import CallView
    from remit.policy.request import Request


def find(view: CallView) -> Iterator[Hit]:
    """Links that lead to what one of those on whose behalf it is may not read."""
    if not view.drafted.follows:
        return
    live = view.live
    policies = [live.policy.policy(name) for skill in view.skills for name in live.policy.chain(skill)]

    def may(request: Request) -> bool:
        return all(isinstance(judge(policy, request, view.situation), Allow) for policy in policies)

    for real, link in leads_out(view.drafted.follows, view.own, may):
        yield Hit(real, f"`{link}` is a link to `{real}`, outside the workspace, and would be read with its folder")


RULE = Rule(
    "link-leads-out",
    Action.ASK,
    "A skill reads a folder through links that lead out of the workspace.",
    "cat notes/* where `notes/x` is a link to another folder",
    "cat notes/* without such a link",
    find,
)
