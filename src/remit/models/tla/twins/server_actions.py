"""An action on a policy server: what can be asked, and until when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.authority.server.actions import Begun
from remit.models.explore.worlds import server_actions as world
from remit.models.tla.twin import Twin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.authority.server.actions import Entry


def _constants() -> Mapping[str, Any]:
    return {
        "Asked": frozenset(world.ASKED), "Commitments": frozenset(commitment for commitment, _ in world.ASKED),
        "Until": world.UNTIL, "Last": world.LAST,
    }  # fmt: skip


def _question(answer: bytes) -> tuple[str, ...] | None:
    """The answer of a model names its question; the empty one is the answer to none."""
    return tuple(answer.decode().split("/")) if answer else None


def _entry(entry: Entry) -> Mapping[str, Any] | None:
    if entry is None:
        return None
    if isinstance(entry, Begun):
        return {"kind": "begun", **entry._asdict(), "outputs": None, "tag": None}
    return {"kind": "decided", **entry._asdict(), "outputs": _question(entry.outputs), "tag": _question(entry.tag)}


def _seen(state: world.World) -> Mapping[str, Any]:
    signed = state.signed and (_entry(state.signed[0]), *state.signed[1:])
    return {**state._asdict(), "entry": _entry(state.entry), "signed": signed}


TWIN = Twin(_constants, _seen)
