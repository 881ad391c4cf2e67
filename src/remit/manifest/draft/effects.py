"""Effects of the analysis as clues for a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.sensitive import variable_of
from remit.manifest.draft.clue import Clue
from remit.manifest.draft.fences import SCRIPTING
from remit.manifest.draft.fileuse import file_use
from remit.manifest.draft.meant import meant_by
from remit.manifest.draft.possible import is_only_possible
from remit.manifest.draft.slight import at_most
from remit.manifest.draft.weights import worth
from remit.skill.prose.lexicon import ENOUGH
from remit.skill.prose.services import is_local, is_service

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remit.core.effect import Effect
    from remit.manifest.draft.archetype import Archetype
    from remit.manifest.draft.places import Places

_IN_DOCUMENTS = frozenset({"command", "reference", "people", "hook"})
_GETS_REPOSITORY = ("git clone", "git pull", "git fetch", "git submodule")  # over ssh as well as over https
_REQUESTS = frozenset({"web.fetch", "web.post"})

# A program that is shown in a scripting language and works on data is what the agent writes and runs for the task; one
# that only makes clients of a service is a sample of the user's application.
_ON_DATA = frozenset({"file.read", "file.write", "web.fetch", "web.post"})


def effect_clues(effects: Sequence[Effect], places: Places, skill: Archetype) -> Iterator[Clue]:
    """What the analysis found, with what each place is worth."""
    keyed = _keyed(effects)
    for effect in effects:
        if is_only_possible(effect, places):
            continue
        kind = places.kind(effect)
        capability = effect.capability
        capability, most = file_use(effect, kind) if capability.startswith("file.") else (capability, ENOUGH)
        most = min(most, at_most(effect, kind, places))
        if kind == "code" and not skill.builds and capability in _ON_DATA and places.language(effect) in SCRIPTING:
            kind = "instrument"
        place = places.evidence(effect.where, effect.why)
        yield Clue(capability, min(most, worth(kind, capability)), kind, place, effect.scope)
        if capability == "source.execute" and kind in _IN_DOCUMENTS:
            yield Clue("shell.execute", worth(kind, "shell.execute"), kind, place)
        if kind == "instrument":
            for used in ("source.write", "source.execute"):
                yield Clue(used, worth(kind, used), kind, place)
        for other in meant_by(effect):
            yield Clue(other, worth(kind, other), kind, place)
        if capability == "net.connect" and effect.via.name.startswith(_GETS_REPOSITORY):
            yield Clue("web.fetch", worth(kind, "web.fetch"), kind, place, effect.scope)
        if capability in _REQUESTS and _calls_service(effect, keyed):
            yield Clue("api.call", worth(kind, "api.call"), kind, place, effect.scope)


def _keyed(effects: Iterable[Effect]) -> frozenset[str]:
    """The files that read a key, token or password from the environment."""
    return frozenset(
        effect.where.file for effect in effects if effect.capability == "secret.read" and variable_of(effect.scope)
    )


def _calls_service(effect: Effect, keyed: frozenset[str]) -> bool:
    """Whether a web request is a call of a hosted service's API: by its host, or because its program holds a key."""
    host = effect.scope.render()
    return is_service(host) or (effect.where.file in keyed and not is_local(host))
