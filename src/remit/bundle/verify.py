"""Verification of the bundle in a folder: it returns the level that holds under a trust root."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.bundle.admission_state import FailedStep
from remit.bundle.admit import Inputs, admit
from remit.bundle.binding import because
from remit.bundle.folder import analyse, look, prove
from remit.bundle.refusal import Refusal
from remit.bundle.rotation import pin, read_signatures
from remit.bundle.trust_read import read_trust_root
from remit.bundle.versions import check_version, published, record_version

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from remit.bundle.admission import Admission
    from remit.checker.run import Options


def verify(
    path: str, trust_root: Path, now: datetime, state: Path, options: Options, *, remember: bool, checkout: bool = False
) -> Admission:
    """Return the level that holds. `state` has the accepted roots and versions; `remember`: whether to store this
    result.

    `checkout`: the folder is a checkout of Git, and the question is about what is shipped of it.
    """
    root = read_trust_root(trust_root)
    looked = look(path, options.limits)
    found = pin(state, root, read_signatures(trust_root), now, remember=remember)
    answer = admit(
        Inputs(
            looked.held,
            root,
            now,
            lambda publication: check_version(state, publication),
            lambda: analyse(looked, options),
            lambda manifest, effects, bound: prove(manifest, effects, bound, options),
            found
            if isinstance(found, Refusal)
            else None,  # not the root that was accepted before, nor a signed successor
            checkout,
        )
    )
    if answer.bundle is None or not remember or isinstance(looked.held, FailedStep):
        return answer
    # whatever is admitted, at whichever level, is the newest from now on
    why = record_version(state, published(root, answer.skill, answer.version, looked.held.content, answer.signers, now))
    return answer.without(because(why)) if why else answer
