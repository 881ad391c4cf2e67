"""An accepted request. Adapters require one, and only the acceptance predicate can make it (`core/seal.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, final

from remit.core.seal import Sealed, Words, registry

if TYPE_CHECKING:
    from remit.authority.values.outputs import Outputs
    from remit.authority.values.request import Request


class AcceptedFields(NamedTuple):
    """The fields of an accepted request."""

    action_id: str
    request: Request
    outputs: Outputs
    inputs: dict[str, Any]  # those of the effect
    secrets: Mapping[str, bytes]  # the values of the handles among them
    tag: bytes  # the beginning of the ticket that both servers signed: it ties records to proofs
    expires: int  # until then the mark must be kept
    epoch: int  # of the policy that allows it
    confirmed_by: str


@final
class Accepted(Sealed):
    """A request that may happen once its action is marked. Functions that perform effects take it as first argument."""

    __slots__ = ()
    words = Words("an accepted request", "only the acceptance predicate issues them")

    @property
    def action_id(self) -> str:
        """The id of the action."""
        return _held(self).action_id

    @property
    def request(self) -> Request:
        """The request."""
        return _held(self).request

    @property
    def outputs(self) -> Outputs:
        """The outputs of the decision."""
        return _held(self).outputs

    @property
    def inputs(self) -> dict[str, Any]:
        """The inputs of the effect."""
        return dict(_held(self).inputs)

    @property
    def secrets(self) -> Mapping[str, bytes]:
        """The values of the handles that the request names. They go only where the effect goes."""
        return dict(_held(self).secrets)

    @property
    def tag(self) -> bytes:
        """The beginning of the ticket, which links records to proofs."""
        return _held(self).tag

    @property
    def expires(self) -> int:
        """The time until which the mark is kept."""
        return _held(self).expires

    @property
    def epoch(self) -> int:
        """The epoch of the policy that allows it."""
        return _held(self).epoch

    @property
    def confirmed_by(self) -> str:
        """The approver's key; empty if no confirmation was needed."""
        return _held(self).confirmed_by

    def __repr__(self) -> str:
        held = _held(self)
        return f"<accepted {held.action_id}: {held.request.intent}>"


_held, claim_issuing = registry(Accepted, AcceptedFields)
