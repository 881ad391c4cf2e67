"""Admission of skills (`bundle/admit.py`, `bundle/versions.py`): updates are offered one after the other, honest ones and such as a liar can make,
to two processes that remember in one store what was admitted; meanwhile a key is revoked, or bundles are not required any more.

Admission itself is one step, and remembering what was admitted another one, as in `bundle/verify.py`: a process may be overtaken in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.bundle import admit, binding, recheck, trust, versions
from remit.manifest.model import Verification
from remit.models.explore.interleave import put
from remit.models.explore.model import Action, Invariant, Model, Mutant, remembering
from remit.models.explore.patching import Patch
from remit.models.explore.worlds._offers import CLEAN, NAME, Offer, Root, inputs_of, offered, publication_of

OFFERS = (
    *(Offer(version) for version in (1, 2)),
    *(Offer(2, content) for content in ("other content",)),
    *(Offer(2, drift=drift) for drift in ("file", "added", "manifest", "evidence")),
    *(Offer(2, signer=signer) for signer in ("nobody", "stranger", "low")),
    Offer(2, secret=True),
    Offer(2, hides=True),
)


class Answer(NamedTuple):
    """What admission said of an offer, and what stood there then."""

    offer: Offer
    root: Root
    level: Verification
    refused: bool
    before: tuple[int, str] | None = None  # what the store held when it was remembered


class World(NamedTuple):
    """The trust root, the store, and two processes."""

    root: Root = Root()
    seen: tuple[int, str] | None = None  # the newest version that was admitted, and its content
    looked: tuple[Answer | None, ...] = (None, None)  # admitted, and not yet remembered
    last: Answer | None = None  # what a process was told just now


def _judged(seen: tuple[int, str] | None, new: versions.Publication) -> Any:
    """What the store says of something new, without its database."""
    rows = [versions.Admitted(NAME, signer, str(seen[0]), seen[1]) for signer in new.signers] if seen else []
    return versions.judge(rows, new)


class _Admitting:
    """Admission, for one exploration."""

    def __init__(self) -> None:
        self._admit = remembering(self._admitted)

    @staticmethod
    def _admitted(offer: Offer, root: Root, seen: tuple[int, str] | None) -> Answer:
        given = inputs_of(offer, root, lambda new: _judged(seen, new))
        answer = admit.admit(given)
        return Answer(offer, root, answer.level, answer.refused)

    def look(self, world: World) -> Iterator[tuple[Any, World]]:
        """A process looks at what is offered. What holds is then remembered; anything else is told at once."""
        for place, busy in enumerate(world.looked):
            for offer in OFFERS if busy is None else ():
                answer = self._admit(offer, world.root, world.seen)
                if answer.refused or answer.level is Verification.UNVERIFIED:
                    yield (place, offer), world._replace(last=answer)
                else:
                    yield (place, offer), world._replace(looked=put(world.looked, place, answer), last=None)


def _remember(world: World) -> Iterator[tuple[Any, World]]:
    for place, answer in enumerate(world.looked):
        if answer is not None:
            content = offered(answer.offer).content
            why = _judged(world.seen, publication_of(answer.offer, answer.root))
            free = world._replace(looked=put(world.looked, place, None))
            if why is not None:
                yield place, free._replace(last=answer._replace(level=Verification.UNVERIFIED, refused=True))
            else:
                yield (
                    place,
                    free._replace(seen=(answer.offer.version, content), last=answer._replace(before=world.seen)),
                )


def _revoke(world: World) -> Iterator[tuple[Any, World]]:
    if not world.root.revoked:
        yield "the key of ours", world._replace(root=world.root._replace(revoked=True), last=None)


def _demand(world: World) -> Iterator[tuple[Any, World]]:
    yield not world.root.required, world._replace(root=world.root._replace(required=not world.root.required), last=None)


def _actions() -> tuple[Action, ...]:
    return (
        Action("look", _Admitting().look), Action("remember", _remember), Action("revoke", _revoke), Action("bundles are required", _demand),
    )  # fmt: skip


def _held(world: World) -> bool:
    """Whether something was admitted just now, at a level that a bundle shows."""
    return world.last is not None and not world.last.refused and world.last.level is not Verification.UNVERIFIED


def _never_back(world: World) -> bool:
    assert world.last is not None
    offer, before = world.last.offer, world.last.before
    return before is None or offer.version > before[0] or (offer.version, offered(offer).content) == before


def _honest(world: World) -> bool:
    """Whether what was offered is honest and new, in a store that holds nothing newer."""
    if world.last is None or world.last.offer != Offer(2) or world.last.root.revoked:
        return False
    before = world.last.before if _held(world) else world.seen
    return before is None or before[0] < world.last.offer.version


_INVARIANTS = (
    Invariant("signed", "what is admitted at a level was signed by a key that the trust root had then, not revoked, whose word is good for that", _held,
              lambda world: world.last.offer.signer == "ours" and not world.last.root.revoked),
    Invariant("as-it-was-attested", "what is admitted at a level is byte for byte what was attested", _held, lambda world: not world.last.offer.drift),
    Invariant("never-back", "no older version follows a newer one, and no other content the same version, whichever process is faster",
              lambda world: _held(world) and world.last.before is not None, _never_back),
    Invariant("cleared", "nothing is admitted at a level whose label the reader is not cleared for",
              lambda world: world.last is not None and world.last.offer.secret, lambda world: not _held(world)),
    Invariant("found-out-again", "what is not understood here is not admitted, whatever its author attests",
              lambda world: world.last is not None and world.last.offer.hides, lambda world: not _held(world)),
    Invariant("required", "where bundles are required nothing is loaded without one that holds",
              lambda world: world.last is not None and world.last.root.required and world.last.level is Verification.UNVERIFIED,
              lambda world: world.last.refused),
    Invariant("honest-is-admitted", "a newer version that one of ours signed is admitted", _honest, _held),
)  # fmt: skip


def _nothing(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *_: ()


def _believes(_: Callable[..., Any]) -> Callable[..., Any]:
    def method_a(case: Any) -> tuple[()]:
        case.effects = CLEAN
        return ()

    return method_a


def _not_revoked(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda root, keyid, now: real(
        root._replace(keys=tuple(key._replace(revoked=None) for key in root.keys)), keyid, now
    )


def _loads_all(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda case, reasons, steps: real(case, reasons, steps)._replace(refused=False)


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("looks at no signature", "signed", Patch(binding, "signers", _nothing)),
        Mutant("takes a key that was revoked", "signed", Patch(trust, "authority", _not_revoked)),
        Mutant("compares no digest", "as-it-was-attested", Patch(binding, "digests", _nothing)),
        Mutant("remembers no version", "never-back", Patch(versions, "judge", lambda _: lambda *_: None)),
        Mutant("looks at no clearance", "cleared", Patch(binding, "cleared", lambda _: lambda *_: None)),
        Mutant("believes what the author found", "found-out-again", Patch(recheck, "method_a", _believes)),
        Mutant("loads whatever it finds", "required", Patch(admit, "_admission", _loads_all)),
        Mutant("refuses everything", "honest-is-admitted", Patch(versions, "parse_version", lambda _: lambda _: None)),
    )  # fmt: skip
    return Model(
        "admission", "a skill is admitted as it was attested, by whom the trust root names now, never an older one, and only if it is found contained again",
        (World(),), _actions, _INVARIANTS, lambda _: False, mutants,
    )  # fmt: skip
