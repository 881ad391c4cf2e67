"""The permit: proof that a request was checked. Only the projector can make one (`core/seal.py`), so its holder need not
check again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

from remit.core.seal import Sealed, Words, registry

if TYPE_CHECKING:
    from remit.policy.request import Request


@final
class Grant(NamedTuple):
    """The fields of a permit."""

    skill: str
    member: int  # the ordinal of the entry that grants, among those of the manifest that do
    request: Request
    uses: tuple[int, ...]
    redact: bool


@final
class Permit(Sealed):
    """The right to do exactly one request. Functions that act on the host for a skill take it as their first argument."""

    __slots__ = ()
    words = Words("a permit", "only the projector issues permits")

    @property
    def skill(self) -> str:
        """The skill that may act."""
        return _held(self).skill

    @property
    def member(self) -> int:
        """The ordinal of the entry that grants it."""
        return _held(self).member

    @property
    def request(self) -> Request:
        """The only request that may be done."""
        return _held(self).request

    @property
    def digest(self) -> str:
        """The digest of the request by this skill."""
        held = _held(self)
        return held.request.digest(held.skill)

    @property
    def uses(self) -> tuple[int, ...]:
        """The ordinals of all entries that were needed: each counts as used, for rate limits."""
        return _held(self).uses

    @property
    def redact(self) -> bool:
        """Whether the value may only be handed out masked or as a handle."""
        return _held(self).redact

    def __repr__(self) -> str:
        held = _held(self)
        return f"<permit {held.member}: {held.request.capability} {held.request.scope.render()}>"


_held, claim_issuing = registry(Permit, Grant)
