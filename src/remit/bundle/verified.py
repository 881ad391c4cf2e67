"""A bundle that was admitted. Whoever holds one need not check again, because nothing but admission can make one.

As with permits: the object is empty, what it holds is kept beside it under its identity, and the right to issue is handed out
once, to `admit`, when it is first imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, final
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.result import Effects
    from remit.bundle.statement import Statement
    from remit.manifest.model import Manifest, Verification


class Held(NamedTuple):
    """What a verified bundle holds."""

    level: Verification  # that holds, whatever is claimed
    statement: Statement
    manifest: Manifest
    effects: Effects
    signers: tuple[str, ...]  # keyids


def _forgery(what: str) -> TypeError:
    return TypeError(f"a verified bundle {what}; only admission issues them")


class _Sealed(type):
    """A class that stays as it is: what `held` means is not replaced."""

    def __setattr__(cls, name: str, value: object) -> NoReturn:
        raise _forgery("is changed")

    def __delattr__(cls, name: str) -> NoReturn:
        raise _forgery("is changed")


@final
class VerifiedBundle(metaclass=_Sealed):
    """A skill, its manifest and its effects, at the level that was shown."""

    __slots__ = ("__weakref__",)

    def __new__(cls, *_: object, **__: object) -> NoReturn:  # noqa: D102
        raise _forgery("is made by hand")

    def __init_subclass__(cls, **_: object) -> NoReturn:
        raise _forgery("is subclassed")

    @property
    def held(self) -> Held:
        """What was admitted."""
        return _held(self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise _forgery("is changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise _forgery("is changed")

    def __copy__(self) -> NoReturn:
        raise _forgery("is copied")

    def __deepcopy__(self, _: object) -> NoReturn:
        raise _forgery("is copied")

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise _forgery("is written down")


def _registry() -> tuple[Callable[[VerifiedBundle], Held], Callable[[], Callable[[Held], VerifiedBundle]]]:
    """What bundles hold, and the right to issue them, in a place that has no name outside."""
    issued: WeakKeyDictionary[VerifiedBundle, Held] = WeakKeyDictionary()
    claimed: list[bool] = []

    def held(bundle: VerifiedBundle) -> Held:
        found = issued.get(bundle)
        if found is None:
            raise _forgery("was not issued")
        return found

    def issue(what: Held) -> VerifiedBundle:
        make: Callable[[type], Any] = object.__new__
        bundle: VerifiedBundle = make(VerifiedBundle)
        issued[bundle] = what
        return bundle

    def claim() -> Callable[[Held], VerifiedBundle]:
        if claimed:
            raise _forgery("is to be issued by a second maker")
        claimed.append(True)
        return issue

    return held, claim


_held, claim_issuing = _registry()
