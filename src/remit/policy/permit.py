"""The permit: whoever holds one need not check again, because nothing but the projector can make one.

A `Permit` is an empty object; what it permits is kept beside it, under its identity, out of reach. So an object that was not
issued (made by `object.__new__`, by unpickling, by changing the class of another) holds nothing, and asking it for anything fails.
The right to issue is handed out once, to the projector, when this room is first imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, final
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.policy.request import Request


class Grant(NamedTuple):
    """What a permit holds."""

    skill: str
    member: int  # the ordinal of the entry that grants, among those of the manifest that do
    request: Request
    uses: tuple[int, ...]
    redact: bool


def _forgery(what: str) -> TypeError:
    """A fault of our own code, which no caller may take for a missing attribute or for bad input."""
    return TypeError(f"a permit {what}; only the projector issues permits")


class _Sealed(type):
    """A class that stays as it is."""

    def __setattr__(cls, name: str, value: object) -> NoReturn:
        raise _forgery("is changed")

    def __delattr__(cls, name: str) -> NoReturn:
        raise _forgery("is changed")


@final
class Permit(metaclass=_Sealed):
    """The right to do exactly one request. Functions that act on the host for a skill take it as their first argument."""

    __slots__ = ("__weakref__",)

    def __new__(cls, *_: object, **__: object) -> NoReturn:  # noqa: D102
        raise _forgery("is made by hand")

    def __init_subclass__(cls, **_: object) -> NoReturn:
        raise _forgery("is subclassed")

    @property
    def skill(self) -> str:
        """The skill that may do it."""
        return _held(self).skill

    @property
    def member(self) -> int:
        """The ordinal of the entry that grants it."""
        return _held(self).member

    @property
    def request(self) -> Request:
        """What may be done: this, and nothing else."""
        return _held(self).request

    @property
    def digest(self) -> str:
        """The digest of the request by this skill."""
        held = _held(self)
        return held.request.digest(held.skill)

    @property
    def uses(self) -> tuple[int, ...]:
        """The ordinals of all entries that were needed: each counts as used, for limits on how often."""
        return _held(self).uses

    @property
    def redact(self) -> bool:
        """Whether the value may only be handed out masked or as a handle."""
        return _held(self).redact

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

    def __repr__(self) -> str:
        held = _held(self)
        return f"<permit {held.member}: {held.request.capability} {held.request.scope.render()}>"


def _registry() -> tuple[Callable[[Permit], Grant], Callable[[], Callable[[Grant], Permit]]]:
    """What permits hold, and the right to issue them, in a place that has no name outside."""
    issued: WeakKeyDictionary[Permit, Grant] = WeakKeyDictionary()
    claimed: list[bool] = []

    def held(permit: Permit) -> Grant:
        found = issued.get(permit)
        if found is None:
            raise _forgery("was not issued")
        return found

    def issue(grant: Grant) -> Permit:
        make: Callable[[type], Any] = object.__new__
        permit: Permit = make(Permit)
        issued[permit] = grant
        return permit

    def claim() -> Callable[[Grant], Permit]:
        if claimed:
            raise _forgery("is to be issued by a second maker")
        claimed.append(True)
        return issue

    return held, claim


_held, claim_issuing = _registry()
