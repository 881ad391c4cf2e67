"""Model of the settings audit (`gateway/inbound/findings.py`): every bind, mode and secret, and the possible sharers of
a session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.core.errors import UsageError
from remit.gateway.inbound import findings
from remit.gateway.inbound.access import Access, Auth, Bind, fingerprint
from remit.gateway.inbound.events import Direct, Gate
from remit.gateway.inbound.pairing import Rules
from remit.gateway.inbound.routing import Scope, Sessions
from remit.gateway.inbound.settings.values import ChannelSettings, Platform, Settings
from remit.models.explore.model import Case, Invariant, Model, Mutant, Patch, every, model_of, was_asked


class OperatorChoice(NamedTuple):
    """What the operator wrote: access, and who speaks in direct on the one channel."""

    bind: Bind
    auth: Auth
    token: bool
    password: bool
    scope: Scope
    direct: Direct
    named: frozenset[str]
    secret: str

    def settings(self) -> Settings:
        """As the gateway takes it."""
        access = Access(
            self.bind, "10.0.0.2", self.auth, fingerprint("t") if self.token else b"", fingerprint("p") if self.password else b"", 40, 40
        )  # fmt: skip
        channel = ChannelSettings(Platform.WEBHOOK, "us", Gate(self.direct, self.named), Rules(), self.secret)
        return Settings(access, sessions=Sessions(self.scope), channels={"chat": channel})


class AuditAnswer(NamedTuple):
    """Ids of what was found, and whether the gateway starts."""

    found: frozenset[str]
    starts: bool


_SETTINGS = every(
    OperatorChoice, bind=Bind, auth=Auth, token=(False, True), password=(False, True), scope=Scope, direct=Direct,
    named=(frozenset(), frozenset({"ann"}), frozenset({"ann", "bob"})), secret=("", "secret"),
)  # fmt: skip


def _answers(chosen: OperatorChoice) -> Iterator[tuple[str, AuditAnswer]]:
    settings = chosen.settings()
    found = frozenset(one.id for one in findings.findings(settings))
    try:
        findings.checked(settings)
    except UsageError:
        yield "the audit", AuditAnswer(found, starts=False)
    else:
        yield "the audit", AuditAnswer(found, starts=True)


def _open(case: Case) -> bool:
    """Others can reach it, and nothing is asked of them."""
    chosen = case.settings
    nothing = chosen.auth is Auth.NONE or (chosen.auth is Auth.AUTO and not chosen.token and not chosen.password)
    return was_asked(case) and chosen.bind is not Bind.LOOPBACK and nothing


def _several(case: Case) -> bool:
    """More than one person may come to speak in the one session for all."""
    chosen = case.settings
    return (
        was_asked(case)
        and chosen.scope is Scope.MAIN
        and (chosen.direct in (Direct.PAIRED, Direct.ANYONE) or len(chosen.named) > 1)
    )


_INVARIANTS = (
    Invariant("open-is-found", "a gateway that others can reach without a secret is reported and does not start", _open,
              lambda case: "gateway.bind_no_auth" in case.answer.found and not case.answer.starts),
    Invariant("missing-secrets-are-found", "a mode whose secret is not set is reported, and the gateway does not start",
              lambda case: was_asked(case) and ((case.settings.auth is Auth.TOKEN and not case.settings.token)
                                                or (case.settings.auth is Auth.PASSWORD and not case.settings.password)),
              lambda case: bool({"gateway.token_missing", "gateway.password_missing"} & case.answer.found) and not case.answer.starts),
    Invariant("shared-sessions-are-found", "one session for several people is reported, and the gateway does not start", _several,
              lambda case: "sessions.main_shared" in case.answer.found and not case.answer.starts),
    Invariant("unsigned-is-found", "a platform that proves nothing is reported, and the gateway does not start", lambda case: was_asked(case) and not case.settings.secret,
              lambda case: "channel.no_secret" in case.answer.found and not case.answer.starts),
    Invariant("what-is-grave-does-not-start", "a gateway starts if and only if no severe problem is found", was_asked,
              lambda case: case.answer.starts != any(findings.kinds()[one].grave for one in case.answer.found)),
    Invariant("safe-starts", "a gateway with a secret, separate sessions and a signed platform starts",
              lambda case: was_asked(case) and case.settings.scope is not Scope.MAIN and bool(case.settings.secret) and case.settings.token and case.settings.password,
              lambda case: case.answer.starts or case.settings.auth is Auth.NONE),
)  # fmt: skip


def _leaves_out(*names: str) -> Callable[..., Any]:
    return lambda real: lambda settings: tuple(one for one in real(settings) if one.id not in names)


def _counts_names(real: Callable[..., Any]) -> Callable[..., Any]:
    """Looks at who is named, and not at who may be paired."""

    def found(settings: Settings) -> Any:
        named = settings.channels["chat"].gate.named
        return (one for one in real(settings) if len(named) > 1 or one != "sessions.main_shared")

    return found


def model() -> Model:
    """The model."""
    loopback = Patch(findings, "exposed", lambda real: lambda bind: real(bind) and bind not in (Bind.AUTO, Bind.CUSTOM))
    mutants = (
        Mutant("takes `auto` for this machine", "open-is-found", loopback),
        Mutant("looks for no secret", "missing-secrets-are-found", Patch(findings, "findings", _leaves_out("gateway.token_missing"))),
        Mutant("does not count who may be paired", "shared-sessions-are-found", Patch(findings, "_sessions", _counts_names)),
        Mutant("wants no proof of a platform", "unsigned-is-found", Patch(findings, "findings", _leaves_out("channel.no_secret"))),
        Mutant("starts whatever is found", "what-is-grave-does-not-start", Patch(findings, "checked", lambda _: lambda settings: settings)),
        Mutant("takes every bind for exposed without a secret", "safe-starts", Patch(findings, "resolved", lambda _: lambda _: Auth.NONE)),
    )  # fmt: skip
    return model_of(
        "audit", "the settings check finds exposed, unprotected, unsigned or shared settings, and the gateway does not start with a severe problem",
        _SETTINGS, ("look", _answers), _INVARIANTS, mutants,
    )  # fmt: skip
