"""Constants of the twin of skill admission: the updates, their digests, and the names of levels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.manifest.model import Verification
from remit.models.explore.worlds import admission
from remit.models.explore.worlds.admission import offered
from remit.models.tla.twin import Twin


def _constants() -> Mapping[str, Any]:
    return {
        "Offers": admission.OFFERS, "Digests": tuple(offered(offer).content for offer in admission.OFFERS),
        "Unverified": Verification.UNVERIFIED, "Level": Verification.DECLARED,
    }  # fmt: skip


TWIN = Twin(_constants)
