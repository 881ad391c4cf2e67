"""Model of access (`gateway/inbound/access.py`): every bind and authentication mode with every secret set or not, from
every origin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.gateway.inbound import access
from remit.gateway.inbound.access import USER, Access, Asking, Auth, Bind, fingerprint
from remit.models.explore.model import Case, Invariant, Model, Mutant, Patch, every, model_of, subsets, was_asked

_TOKEN, _PASSWORD = "right token", "right password"
_HERE, _PROXY, _FAR = "127.0.0.1", "10.0.0.9", "203.0.113.5"
_HEADERS = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host")


class ExposureCase(NamedTuple):
    """What is asked: from where, with which headers, showing what, and for whom the tailnet vouches."""

    peer: str
    headers: frozenset[str]  # names; USER says `ann`, others that it comes from this machine
    shown: str
    vouched: str = ""


_SETTINGS = every(
    Access, bind=Bind, auth=Auth, token=(b"", fingerprint(_TOKEN)), password=(b"", fingerprint(_PASSWORD)),
    proxies=((), (_PROXY + "/32", "127.0.0.0/8")), tailnet_users=((), ("ann",)),
)  # fmt: skip
_PLAIN = every(ExposureCase, peer=(_HERE, _PROXY, _FAR), headers=(frozenset(), frozenset(_HEADERS[:1])),
               shown=("", "wrong", _TOKEN, _PASSWORD))  # fmt: skip
_NAMING = every(ExposureCase, peer=(_HERE, _FAR), headers=[one for one in subsets((USER, *_HEADERS)) if USER in one],
                shown=("",), vouched=("", "ann", "bob"))  # fmt: skip


def _asking(question: ExposureCase) -> Asking:
    headers = {name: "ann" if name == USER else _HERE for name in question.headers}
    return Asking(question.peer, headers, question.shown, question.vouched)


_ASKED = tuple((question, _asking(question)) for question in (*_PLAIN, *_NAMING))


def _answers(settings: Access) -> Iterator[tuple[ExposureCase, Any]]:
    for question, asking in _ASKED:
        yield question, access.log_in(settings, asking)


def _knows(case: Case) -> bool:
    """Whether the secret was shown that these settings want: a password rather than a token, where both would do."""
    access = case.settings
    by_auto = _PASSWORD if access.password else _TOKEN if access.token else ""
    wanted = {
        Auth.AUTO: by_auto,
        Auth.PASSWORD: _PASSWORD if access.password else "",
        Auth.TOKEN: _TOKEN if access.token else "",
    }
    return bool(case.asked.shown and case.asked.shown == wanted.get(access.auth))


def _open(case: Case) -> bool:
    """Whether these settings want no secret."""
    access = case.settings
    return access.auth is Auth.NONE or (access.auth is Auth.AUTO and not access.password and not access.token)


def _vouched(case: Case) -> bool:
    asked, access = case.asked, case.settings
    proxied = set(_HEADERS) < asked.headers and asked.peer == _HERE and bool(access.proxies)
    return proxied and asked.vouched == "ann" and access.tailnet_users == ("ann",)


def _by_tailnet(case: Case) -> bool:
    return case.answer is not None and case.answer.by.startswith("tailnet:")


def _far(case: Case) -> bool:
    return was_asked(case) and (case.asked.peer != _HERE or bool(case.asked.headers))


_INVARIANTS = (
    Invariant("strangers-stay-out", "no settings let in a remote client that shows no valid secret and that the tailnet does not confirm",
              lambda case: _far(case) and not _knows(case) and not _vouched(case), lambda case: not case.answer.by),
    Invariant("open-is-this-machine-alone", "without a secret only this machine is let in, and only if no other machine can reach the gateway",
              lambda case: was_asked(case) and case.answer.by == "local",
              lambda case: case.asked.peer == _HERE and not case.asked.headers and case.settings.bind is Bind.LOOPBACK),
    Invariant("auto-is-exposed", "`auto` and a custom address count as exposed: without a secret no client is let in there",
              lambda case: was_asked(case) and _open(case) and case.settings.bind in (Bind.AUTO, Bind.CUSTOM),
              lambda case: not case.answer.by or _by_tailnet(case)),
    Invariant("password-first", "if both are set, `auto` requires the password",
              lambda case: was_asked(case) and case.settings.auth is Auth.AUTO and bool(case.settings.password) and not _by_tailnet(case),
              lambda case: bool(case.answer.by) == (case.asked.shown == _PASSWORD)),
    Invariant("nothing-set-lets-nobody-in", "a mode without its secret lets no client in, whatever the client shows",
              lambda case: was_asked(case) and not _by_tailnet(case)
              and case.settings.auth in (Auth.TOKEN, Auth.PASSWORD)
              and not (case.settings.token if case.settings.auth is Auth.TOKEN else case.settings.password),
              lambda case: not case.answer.by),
    Invariant("right-is-enough", "a client with the valid secret is let in from everywhere", lambda case: was_asked(case) and _knows(case),
              lambda case: bool(case.answer.by)),
    Invariant("tailnet-needs-its-proxy", "a name of the tailnet counts only with all headers of the tailnet's proxy, from this machine",
              _by_tailnet, lambda case: set(_HEADERS) < case.asked.headers and case.asked.peer == _HERE and bool(case.settings.proxies)),
    Invariant("tailnet-vouches", "a name of the tailnet counts only if the tailnet confirms that the address belongs to this user",
              _by_tailnet, lambda case: case.asked.vouched == "ann"),
    Invariant("tailnet-users-are-named", "a name of the tailnet counts only if the operator admitted it",
              _by_tailnet, lambda case: case.settings.tailnet_users == ("ann",)),
)  # fmt: skip


def _always(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *_: True


def _exposes(*binds: Bind) -> Callable[..., Any]:
    return lambda real: lambda bind: real(bind) and bind not in binds


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("takes every address for this machine", "strangers-stay-out", Patch(access, "local", _always)),
        Mutant("compares no secret", "strangers-stay-out", Patch(access, "compare_digest", _always)),
        Mutant("counts the own network as this machine", "open-is-this-machine-alone", Patch(access, "exposed", _exposes(Bind.LAN, Bind.TAILNET))),
        Mutant("counts `auto` as this machine", "auto-is-exposed", Patch(access, "exposed", _exposes(Bind.AUTO))),
        Mutant("counts a given address as this machine", "auto-is-exposed", Patch(access, "exposed", _exposes(Bind.CUSTOM))),
        Mutant("wants the token first", "password-first", Patch(access, "resolved",
            lambda real: lambda access: Auth.TOKEN if access.auth is Auth.AUTO and access.token else real(access))),
        Mutant("takes nothing for a secret", "nothing-set-lets-nobody-in", Patch(access, "expected",
            lambda real: lambda access: real(access) or fingerprint(""))),
        Mutant("forgets the secret of `auto`", "right-is-enough", Patch(access, "expected",
            lambda real: lambda access: b"" if access.auth is Auth.AUTO else real(access))),
        Mutant("does without the proxy's headers", "tailnet-needs-its-proxy", Patch(access, "_tailnet_user",
            lambda real: lambda access, asking: real(access, asking._replace(headers={**dict.fromkeys(_HEADERS, _HERE), **asking.headers})))),
        Mutant("asks the tailnet nothing", "tailnet-vouches", Patch(access, "_tailnet_user",
            lambda real: lambda access, asking: real(access, asking._replace(vouched=asking.headers.get(USER, ""))))),
        Mutant("knows every user of the tailnet", "tailnet-users-are-named", Patch(access, "_tailnet_user",
            lambda real: lambda access, asking: real(access._replace(tailnet_users=("ann", "bob")), asking))),
    )  # fmt: skip
    return model_of(
        "exposure", "no settings let a remote client in without the secret or the confirmation of the tailnet",
        _SETTINGS, ("ask to be let in", _answers), _INVARIANTS, mutants,
    )  # fmt: skip
