"""A verified bundle. Only admission can make one (`core/seal.py`), so its holder need not check again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

from remit.core.seal import Sealed, Words, registry

if TYPE_CHECKING:
    from remit.analysis.result import Effects
    from remit.bundle.statement import Statement
    from remit.manifest.model import Manifest, Verification


class BundleFields(NamedTuple):
    """The fields of a verified bundle."""

    level: Verification  # that holds, whatever is claimed
    statement: Statement
    manifest: Manifest
    effects: Effects
    signers: tuple[str, ...]  # keyids


@final
class VerifiedBundle(Sealed):
    """A skill, its manifest and its effects, at the level that was shown."""

    __slots__ = ()
    words = Words("a verified bundle", "only admission issues them")

    @property
    def held(self) -> BundleFields:
        """What was admitted."""
        return _held(self)


_held, claim_issuing = registry(VerifiedBundle, BundleFields)
