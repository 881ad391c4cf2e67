"""Rule about changes of the guard's own state, program, hooks and policy files, and reads of its state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from remit.core.capability import FILE_READS
from remit.core.scope import AnyScope, PathScope, covers
from remit.guard.paths import file_scope, folder_scope
from remit.guard.rules.exemptions import is_about_prompts
from remit.guard.rules.model import Action, CallView, Hit, Rule
from remit.policy.entry_matches import may_deny
from remit.policy.judge import Deny

_READS = (*FILE_READS, "secret.read")


def find(view: CallView) -> Iterator[Hit]:
    """Return a hit for each request that an entry for the guard's own files denies, and for reads that begin in its
    state folder.
    """
    for one in view.judged_as(Deny):
        request = one.request._replace(scope=view.live.policy.policy(one.principal).resolve(one.request.scope))
        entry = next((entry for entry in view.live.policy.protected if may_deny(entry, request)), None)
        if entry is None:
            continue
        effect = f"{request.capability} {request.scope.render()}"
        if is_about_prompts(view, request):
            yield Hit(
                effect,
                f"the agent wants to change what its host asks you about, in `{request.scope.render()}`",
                Action.ASK,
            )
        elif not isinstance(request.scope, AnyScope):
            yield Hit(effect, f"`{effect}` would change the guard itself: {entry.fallback_msg}")
        elif view.skills:  # an unknown path cannot be said to be the guard's
            yield Hit(
                effect,
                f"`{effect}` could change the guard itself: Remit cannot tell which files it changes",
                Action.ASK,
            )
    own = (folder_scope(view.state), file_scope(str(view.state)))
    for request in view.drafted.requests:
        scope = request.scope
        reads = request.capability in _READS and isinstance(scope, PathScope)
        if reads and any(covers(folder, scope) for folder in own):
            effect = f"{request.capability} {scope.render()}"
            yield Hit(effect, f"`{effect}` would read the guard's own state; use `remit audit` and `remit approvals`")
    if view.drafted.doubts and _names(view.drafted.outgoing, str(view.state)):
        yield Hit("unread", "Remit cannot analyse this command, and it names the guard's own folder")


def _names(text: str, folder: str) -> bool:
    """Whether a text contains the path of a folder, absolute or from the home folder."""
    home = str(Path.home())
    short = folder.removeprefix(f"{home}/") if folder.startswith(f"{home}/") else folder
    return folder in text or any(f"{start}/{short}" in text for start in ("~", "$HOME", "${HOME}") if short != folder)


RULE = Rule(
    "guard-files",
    Action.DENY,
    "The call would read or change the guard's state, or change its program, its hooks or the files that say what agents may do here.",
    "rm -rf @{state}",
    "rm -rf build",
    find,
    fixed=True,
    always=True,
)
