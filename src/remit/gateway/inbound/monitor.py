"""Monitor that checks the laws while the gateway runs: after each stored operation, before a sending, and when tools
are shown and run.

It sees only its own process; changes by other processes appear as earlier state. An alarm is raised before the
operation's caller continues. The monitor changes nothing, and its own failure is an alarm too. Only the alarm's
receiver can stop the gateway (`StopError`), also if it cannot write the alarm down.
"""

from __future__ import annotations

import random
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from remit.core import telemetry
from remit.core.errors import AuthorityError, RemitError
from remit.gateway.inbound import laws
from remit.gateway.inbound.delivery import TABLE as DELIVERY
from remit.gateway.inbound.delivery import Piece, PiecePhase
from remit.gateway.inbound.events import speaker_of
from remit.gateway.inbound.laws import CheckContext, Law, LawViolation, by_table, heard_in, judged
from remit.gateway.inbound.tool_policy import names
from remit.gateway.inbound.turn_context import allowed_now
from remit.gateway.inbound.turns import COMMANDS, Turn

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.turn import TurnOrigin
    from remit.gateway.inbound.nodes.runs import Request
    from remit.gateway.inbound.routing import ChatAddress
    from remit.gateway.inbound.settings.values import Settings
    from remit.gateway.inbound.stores.operations import Observed

T = TypeVar("T")
ITSELF = Law("monitor", "the monitor can judge what it sees")
_REMEMBERED = 10_000  # sessions, and sent pieces


class StopError(AuthorityError):
    """The receiver of an alarm stops the gateway."""


class Monitor:
    """The monitor. `rate`: the share of operations and sendings that are checked; counters are always updated."""

    def __init__(
        self, alarm: Callable[[LawViolation], None], rate: float = 1.0, clock: Callable[[], float] = time.time,
        chance: Callable[[], float] = random.random,
    ) -> None:  # fmt: skip
        self._alarm = alarm
        self._rate = rate
        self._clock = clock
        self._chance = chance
        self._settings: tuple[Settings, ...] = ()
        self._people: OrderedDict[str, ChatAddress] = OrderedDict()  # by session, the first speaker
        self._out: OrderedDict[str, int] = OrderedDict()  # by piece, how often it was or may have been sent
        self._sending: list[str] = []
        self.alarms: Counter[str] = Counter()  # by law
        self.seen = 0  # operations

    def use(self, settings: Settings) -> None:
        """Adopt new settings. The previous ones still apply to what was under way."""
        self._settings = (settings, *self._settings[:1])

    def wants(self) -> bool:
        """Return whether to check the next operation."""
        return self._chance() < self._rate

    def kept(self, observed: Observed) -> None:
        """Check a stored operation."""
        with self._judging(observed.changes[0].key):
            self.seen += 1
            for one in judged(observed, CheckContext(self._settings, int(self._clock()), COMMANDS)):
                self._raise(one)
            self._shared(observed)
            for change in observed.changes:
                sent = change.table == DELIVERY and change.after is not None and change.after.phase is PiecePhase.SENT
                if sent and change.before != change.after and self._out.get(change.key) != 1:
                    self._raise(LawViolation(laws.SENT_IS_KEPT, change.key, change.after.session))

    def _shared(self, observed: Observed) -> None:
        """Check who shares a session."""
        for key, (event, turn) in heard_in(by_table(observed.changes)).items():
            here = event.place._replace(peer=speaker_of(event))
            first = _remember(self._people, turn.session, here)
            shares = any(laws.may_share(one.sessions, first, here) for one in self._settings)
            self._check(laws.ISOLATION, shares, key, turn.session)

    def going_out(self, key: str, piece: Piece, kept: Piece | None) -> None:
        """Check a piece that is about to be sent. `kept`: its stored state."""
        with self._judging(key):
            self._check(laws.TAKEN_FIRST, laws.taken_first(kept), key, piece.session)
            self._check(laws.NO_CROSS_STREAM, kept is None or laws.same_stream(kept, piece), key, piece.session)

    @contextmanager
    def sending(self, key: str, session: str) -> Iterator[Callable[[], None]]:
        """Count a sending. Yields a function to call if the piece was certainly not sent."""
        self._sending.append(key)
        with self._judging(key):
            self._check(laws.ONE_WORKER, laws.one_worker(self._sending), key, session)
        times = _remember(self._out, key, 0) + 1
        self._out[key] = times

        def stayed() -> None:
            self._out[key] = times - 1

        try:
            yield stayed
        finally:
            self._sending.remove(key)
            with self._judging(key):
                self._check(laws.AT_MOST_ONCE, laws.at_most_once((self._out.get(key, 0),)), key, session)

    def asks(self, name: str, kept: Request | None) -> None:
        """Check a request that is about to go to a device. `kept`: its stored state."""
        with self._judging(name):
            self._check(laws.RUN_KEPT_FIRST, laws.run_kept_first(kept), name)

    def shows(self, settings: Settings, about: TurnOrigin, shown: frozenset[str]) -> None:
        """Check the tools that are about to be shown to a model."""
        with self._judging(about.key):
            allowed = allowed_now(settings, about)
            self._check(laws.NOT_SHOWN, laws.denied_is_not_shown(shown, allowed), about.key, about.session)
            policy = settings.policy(about.agent, about.speaker.channel, about.session)
            wins = policy is None or laws.deny_wins(laws.denied_by(names(), policy), shown)
            self._check(laws.DENY_WINS, wins, about.key, about.session)

    def runs(self, settings: Settings, about: TurnOrigin, tool: str) -> None:
        """Check a tool that is about to run."""
        with self._judging(about.key):
            allowed = allowed_now(settings, about)
            self._check(laws.RUNS_BY_POLICY, laws.by_the_policy(tool, allowed), about.key, about.session)

    def acts(self, about: TurnOrigin, kept: Turn | None) -> None:
        """Check a changing tool that is about to run. `kept`: the stored state of the turn."""
        with self._judging(about.key):
            self._check(laws.ACTING_KEPT_FIRST, laws.turn_kept_first(kept), about.key, about.session)

    @contextmanager
    def _judging(self, key: str) -> Iterator[None]:
        try:
            yield
        except RemitError:
            raise  # an alarm's receiver stops the gateway, or the alarm could not be written
        except Exception:  # noqa: BLE001  a failing monitor must not be silent
            self._raise(LawViolation(ITSELF, key))

    def _check(self, law: Law, holds: bool, key: str, session: str = "") -> None:  # noqa: FBT001  what is checked
        if not holds:
            self._raise(LawViolation(law, key, session))

    def _raise(self, broken: LawViolation) -> None:
        self.alarms[broken.law.id] += 1
        telemetry.count("remit_inbound_alarms", broken.law.id)
        telemetry.event("INBOUND_ALARM", law=broken.law.id)
        self._alarm(broken)


def _remember(known: OrderedDict[str, T], key: str, value: T) -> T:
    """Return the known value, or store this one; the least recently used entry is dropped."""
    found = known.setdefault(key, value)
    known.move_to_end(key)
    if len(known) > _REMEMBERED:
        known.popitem(last=False)
    return found
