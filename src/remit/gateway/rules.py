"""Keys and limits with which a gateway starts. No request can change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.handles import Limits
from remit.gateway.rate import Rate
from remit.gateway.transactions import LIFETIME, PATIENCE

if TYPE_CHECKING:
    from remit.authority.values.proof import Verifier
    from remit.bundle.keys import PublicKey


class Rules(NamedTuple):
    """The keys and limits. `redact` must be the executor's, so that an approver sees what will happen."""

    operators: Mapping[str, PublicKey]  # by kid
    approvers: Mapping[str, Verifier]  # by kid
    redact: Callable[[str], str]
    limits: Limits = Limits()  # for values shown to a channel
    lifetime: int = LIFETIME  # seconds from a preview to its commit
    patience: int = PATIENCE  # seconds that a request waits for an approver, and for its commit after that
    rate: Rate = Rate()  # of a caller's requests
