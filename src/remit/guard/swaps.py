"""Links that were swapped between check and run: where the path of a tool led when it was let through, and where it leads now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.hosts.toolmap import wants
from remit.guard.hosts.want import Role
from remit.guard.paths import exactly, landing

if TYPE_CHECKING:
    from remit.guard.drafting import Drafted
    from remit.guard.event import Event


def swapped(event: Event, drafted: Drafted, home: str) -> str:
    """Why a call may have acted elsewhere than was judged; empty if its paths lead where they led. A swap back is not seen."""
    for want in wants(event):
        if want.role is Role.PATH and not want.problem:
            where = landing(want.target, event.cwd, home)
            if where is None or not any(exactly(where) == one.scope for one in drafted.requests):
                return f"`{want.target[:200]}` leads elsewhere now than when the call was let through"
    return ""
