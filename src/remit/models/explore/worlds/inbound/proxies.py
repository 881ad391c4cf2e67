"""Model of client addresses behind proxies (`gateway/inbound/access.py`): every chain of up to three hops, honest
and forged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

from remit.gateway.inbound import access
from remit.gateway.inbound.access import Client
from remit.models.explore.model import Case, Invariant, Model, Mutant, Patch, model_of, was_asked

_HERE, _OURS, _THEIRS, _FAR, _ODD = "127.0.0.1", "10.0.0.9", "10.9.9.9", "203.0.113.5", "no address"
_PROXIES = ((), (_OURS,), (_OURS, "::ffff:10.0.0.10/128"), ("127.0.0.0/8",))


class ArrivedRequest(NamedTuple):
    """A request as it arrives. `written`: hops that the one who asks wrote; `seen`: what honest proxies of ours added behind them."""

    peer: str
    written: tuple[str, ...]
    seen: tuple[str, ...] = ()

    @property
    def headers(self) -> dict[str, str]:
        """What stands in it."""
        hops = self.written + self.seen
        return {"x-forwarded-for": ", ".join(hops)} if hops else {}


_STRAIGHT = tuple(
    ArrivedRequest(peer, written)
    for peer in (_HERE, _THEIRS, _FAR)
    for length in range(3)
    for written in product((_HERE, _OURS, _FAR, _ODD), repeat=length)
)  # whoever asks writes what it likes, and no proxy of ours has a part in it
_THROUGH = tuple(
    ArrivedRequest(_OURS, written, seen)
    for seen in ((_FAR,), (_THEIRS,), (_FAR, _OURS))
    for length in range(3)
    for written in product((_HERE, _OURS, _FAR, _ODD), repeat=length)
)  # a proxy of ours wrote at the end whom it saw


def _answers(proxies: tuple[str, ...]) -> Iterator[tuple[ArrivedRequest, Client]]:
    for sent in (*_STRAIGHT, *_THROUGH):
        yield sent, access.client_of(sent.peer, sent.headers, proxies)


def _trusted(case: Case) -> bool:
    return was_asked(case) and access.within(case.asked.peer, case.settings)


def _is_local(answer: Client) -> bool:
    return answer.address.startswith("127.") and not answer.proxied


_INVARIANTS = (
    Invariant("headers-of-strangers-count-for-nothing", "the headers of a request change nothing unless a named proxy forwarded it",
              lambda case: was_asked(case) and not _trusted(case), lambda case: case.answer.address == case.asked.peer),
    Invariant("nobody-writes-itself-here", "no header makes a request count as one from this machine",
              lambda case: was_asked(case) and bool(case.asked.headers), lambda case: not _is_local(case.answer)),
    Invariant("whom-our-proxy-saw", "behind a named proxy the client is the one that the proxy saw, whatever the client wrote before",
              lambda case: _trusted(case) and bool(case.asked.seen), lambda case: case.answer.address == case.asked.seen[0]),
    Invariant("straight-is-straight", "without a proxy the client is the other end of the connection",
              lambda case: was_asked(case) and not case.asked.headers,
              lambda case: case.answer == Client(case.asked.peer, proxied=False)),
    Invariant("what-is-no-address-is-none", "an invalid address belongs to no client", lambda case: was_asked(case) and case.answer.proxied,
              lambda case: case.answer.address != _ODD),
)  # fmt: skip


def _first_hop(real: Callable[..., Any]) -> Callable[..., Any]:
    def client_of(peer: str, headers: dict[str, str], proxies: tuple[str, ...]) -> Any:
        hops = headers.get("x-forwarded-for", "").split(", ")
        return real(peer, {"x-forwarded-for": hops[0]} if headers else {}, proxies)

    return client_of


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("trusts every proxy", "headers-of-strangers-count-for-nothing", Patch(access, "client_of",
            lambda real: lambda peer, headers, _: real(peer, headers, (peer,)))),
        Mutant("forgets that there was a proxy", "nobody-writes-itself-here", Patch(access, "client_of",
            lambda real: lambda *args: real(*args)._replace(proxied=False))),
        Mutant("takes the first hop", "whom-our-proxy-saw", Patch(access, "client_of", _first_hop)),
        Mutant("sees proxies everywhere", "straight-is-straight", Patch(access, "client_of",
            lambda real: lambda *args: real(*args)._replace(proxied=True))),
        Mutant("reads anything as an address", "what-is-no-address-is-none",
            Patch(access, "_address", lambda real: lambda text: real(text) or real(_FAR))),
    )  # fmt: skip
    return model_of(
        "proxies", "forwarded headers count only from a proxy that the operator named, and only the part that this proxy wrote",
        _PROXIES, ("ask", _answers), _INVARIANTS, mutants,
    )  # fmt: skip
