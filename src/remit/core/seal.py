"""Sealed values: a value need not be checked again, because only its one issuer can create it.

A sealed object is empty; its content is stored separately, by identity, out of reach. An object that was not issued
(made by `object.__new__`, by unpickling, by changing the class of another) has no content, and any access fails. The
right to issue is handed out once, to the first claimant: the issuer, when its package is first imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn, Self, TypeVar
from weakref import WeakKeyDictionary

Held = TypeVar("Held")
Kind = TypeVar("Kind", bound="Sealed")


class Words(NamedTuple):
    """The words of the forgery error: `a permit`, `only the projector issues permits`."""

    name: str
    maker: str

    def forgery(self, what: str) -> TypeError:
        """An error in our own code, which no caller may mistake for a missing attribute or bad input."""
        return TypeError(f"{self.name} {what}; {self.maker}")


class _SealedClass(type):
    """A class that cannot be changed: its methods cannot be replaced."""

    words = Words("a sealed value", "only its maker issues it")

    def __setattr__(cls, name: str, value: object) -> NoReturn:
        raise cls.words.forgery("is changed")

    def __delattr__(cls, name: str) -> NoReturn:
        raise cls.words.forgery("is changed")


class Sealed(metaclass=_SealedClass):
    """The base of a kind of sealed values. A kind has `words`, empty slots, and no subclasses."""

    __slots__ = ("__weakref__",)

    def __new__(cls, *_: object, **__: object) -> Self:  # noqa: D102
        raise cls.words.forgery("is made by hand")

    def __init_subclass__(cls, **_: object) -> None:
        if cls.__bases__ != (Sealed,):
            raise cls.words.forgery("is subclassed")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise type(self).words.forgery("is changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise type(self).words.forgery("is changed")

    def __copy__(self) -> NoReturn:
        raise type(self).words.forgery("is copied")

    def __deepcopy__(self, _: object) -> NoReturn:
        raise type(self).words.forgery("is copied")

    def __reduce__(self) -> NoReturn:
        raise type(self).words.forgery("is written down")

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise type(self).words.forgery("is written down")


def registry(
    kind: type[Kind],
    what: type[Held],  # noqa: ARG001  what objects of the kind hold, for the type checker
) -> tuple[Callable[[Kind], Held], Callable[[], Callable[[Held], Kind]]]:
    """Return the contents of objects of a kind, and the right to issue them, from a closure without an outside name."""
    issued: WeakKeyDictionary[Kind, Held] = WeakKeyDictionary()
    claimed: list[bool] = []

    def held(one: Kind) -> Held:
        found = issued.get(one)
        if found is None:
            raise kind.words.forgery("was not issued")
        return found

    def issue(holds: Held) -> Kind:
        one = object.__new__(kind)
        issued[one] = holds
        return one

    def claim() -> Callable[[Held], Kind]:
        if claimed:
            raise kind.words.forgery("is to be issued by a second maker")
        claimed.append(True)
        return issue

    return held, claim
