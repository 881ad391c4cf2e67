"""Effects of the analysis as clues for a draft."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.manifest.draft.weights import worth
from remit.manifest.model import Evidence
from remit.manifest.prose.clue import Clue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remit.core.effect import Effect
    from remit.manifest.draft.places import Places

SECRET = re.compile(r"API_?KEY|TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE_KEY|ACCESS_KEY|AUTH_KEY")
_IN_DOCUMENTS = frozenset({"command", "reference", "people", "hook"})


def effect_clues(effects: Iterable[Effect], places: Places) -> Iterator[Clue]:
    """What the analysis found, with what each place is worth."""
    for effect in effects:
        kind = places.kind(effect)
        capability = effect.capability
        if capability == "process.create" and kind in _IN_DOCUMENTS:
            capability = "shell.execute"  # the agent's own shell starts it
        place = Evidence(effect.where.file, effect.where.line, effect.why, kind)
        yield Clue(capability, worth(kind, capability), kind, place, effect.scope)
        if capability == "source.execute" and kind in _IN_DOCUMENTS:
            yield Clue("shell.execute", worth(kind, "shell.execute"), kind, place)
        if capability == "env.read" and SECRET.search(effect.scope.render()):
            yield Clue("secret.read", worth(kind, "secret.read"), kind, place)
