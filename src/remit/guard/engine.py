"""The engine: decides on the events of hosts, and logs every decision.

A tool call, in order:
(1) what it would do (`hosts/`, `call_analysis/`); a call with unknown effects is denied
(2) the skills that it loads or only reads (`session/call_skills.py`): one that may not be loaded denies the call
(3) patterns against the files that are there (`path_patterns.py`); where it sends things, and which values would leave (`flows.py`)
(4) each request by rights (`policy/decide.py`), the rules over all of that (`rules/`), the decision (`decision.py`), and a
    person's answer to it (`approvals/questions.py`). Without an active skill only the guard's own files and the user's defaults count
(5) the files that the decision rests on are still the same
(6) what it may change is kept, and what waits is flushed if it cannot be undone (`undo/transactions.py`)
(7) the record is written, and then it is answered

Nothing that goes wrong lets a call through: whatever is raised here is a denial with its reason.
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.audit.entry import NOT_LET_THROUGH
from remit.audit.entry import Outcome as Ended
from remit.audit.log import Log
from remit.core import telemetry
from remit.core.digest import digest
from remit.core.errors import RemitError
from remit.guard import audit_records
from remit.guard.approvals.consultation import ConsultationContext, consult
from remit.guard.approvals.questions import agreed, at_once, question
from remit.guard.audit_key import audit_signer
from remit.guard.call_analysis.commands import Cache, Understanding, still_same, understand, understand_code
from remit.guard.call_analysis.flows import arguments, flows, shown_secrets, unnamed
from remit.guard.call_analysis.outgoing_text import holders
from remit.guard.call_analysis.path_patterns import present, resolve_patterns, spare_unknown_places
from remit.guard.call_analysis.requests import CallRequests, draft, key_of, swapped
from remit.guard.call_analysis.result_masking import masked, values_met
from remit.guard.daemon.fast_path import FastPath
from remit.guard.decision import Settled, settle
from remit.guard.event import PASS, Event, Kind, Outcome, Verdict, content_digest
from remit.guard.hosts.payload import leaves
from remit.guard.hosts.toolmap import wants
from remit.guard.rules.exemptions import installed
from remit.guard.rules.model import CallView, Hit, Stop
from remit.guard.rules.registry import stops
from remit.guard.session.call_skills import agreed as agreed_to
from remit.guard.session.call_skills import enter_skills
from remit.guard.session.marked_hosts import mark_written
from remit.guard.session.provenance import AuthorKind as From
from remit.guard.session.provenance import Source, note, note_tokens
from remit.guard.session.sessions import Sessions
from remit.guard.session.state import Pending, SessionState
from remit.guard.session.tokens import Token, TokenKind, name_of
from remit.guard.session.unfinished_calls import any_session, let_through_before, reconcile
from remit.guard.settings import read_settings
from remit.guard.state_folder import StateFolder
from remit.guard.store import RememberedAnswer, answered, remember_answer
from remit.guard.undo.transactions import StartedTransaction, Transactions
from remit.guard.walls import Walls, held_writes, opening, uses_login
from remit.manifest.model import Decision
from remit.policy.decide import Call, Decided, decide, session_grants, subject_of
from remit.policy.gate import Gate
from remit.policy.judge import Ask, Deny
from remit.policy.limits import Moment, Situation
from remit.policy.principal import AGENT

if TYPE_CHECKING:
    from pathlib import Path

    from remit.guard.call_analysis.flows import Flows
    from remit.guard.daemon.dispatch import Mine

_ENDING = 1.0  # seconds in which processes that were ended are gone
_REMEMBERED = 1000  # uses of an entry with a rate
_MASKED = "remit: values of secret files in this result are masked"
_FREE = Decided(Gate.ALLOW, "", (), ())  # of a call in which there is nothing to judge


Facts = tuple[tuple[str, Hit], ...]  # what was found on the way, each with the rule that reports it


class _Followed(NamedTuple):
    """A call, on whose behalf it is made, and what flows where."""

    drafted: CallRequests
    skills: tuple[str, ...]
    flowing: Flows
    facts: Facts


class Engine:
    """Answers the events of all hosts of one user."""

    def __init__(
        self,
        places: StateFolder,
        clock: Callable[[], float] = time.time,
        home: Path | None = None,
        mine: Mine = any_session,
    ) -> None:
        self.sessions = Sessions(places, clock, home)
        self.log = Log.open(places.folder, audit_signer)
        reconcile(self.log, mine)
        self.transactions = Transactions(places.snapshots, self.log, self.sessions.home)
        self.walls = Walls(places, self.sessions.home, self.sessions.temp, self._abandoned)
        self._clock = clock
        self._cache = Cache()
        self._fast_path = FastPath(self.sessions, self.transactions, self._cache)
        self._closed = threading.Event()
        self._handlers: Mapping[Kind, Callable[[SessionState, Event], Verdict]] = {
            Kind.SESSION: self._begins,
            Kind.PROMPT: self._prompted,
            Kind.SKILL: self._before,
            Kind.BEFORE: self._before,
            Kind.AFTER: self._after,
            Kind.FAILED: self._after,
            Kind.DELEGATE: self._told,
            Kind.RETURN: self._told,
            Kind.NOTICE: self._told,
            Kind.STOP: self._stops,
            Kind.END: self._ends,
        }

    def decide(self, event: Event) -> Verdict:
        """The answer to one event."""
        try:
            event = self.walls.original(event)
            return self._handlers[event.kind](self._fast_path.live(event), event)
        except RemitError as error:
            return self._failed(event, f"{error.message}; {error.remedy}")
        except Exception as error:
            if os.environ.get("REMIT_DEBUG"):
                raise
            return self._failed(event, f"unexpected failure of the guard ({type(error).__name__}: {error})"[:500])
        finally:
            self._fast_path.done(event)

    def _failed(self, event: Event, reason: str) -> Verdict:
        """Deny an event after a failure, and log it as far as possible: a failure of the guard must not go unnoticed."""
        plain = audit_records.printable(event)
        with contextlib.suppress(Exception):
            self.log.append(
                audit_records.event_record(plain), audit_records.refusal_record(plain, audit_records.plain_text(reason))
            )
        if event.kind is Kind.PROMPT:  # nothing runs by it, and each call of a tool is denied with the same reason
            return Verdict(Outcome.PASS, f"remit: {reason}")
        return audit_records.denied(reason)

    def _abandoned(self, observed: Path) -> None:
        """Store what a command inside walls changed whose end the host never reported, so that it can be undone."""
        self.transactions.adopt(observed, "", "")

    def slow(self, event: Event) -> bool:
        """Whether an answer may take long: commands are understood, skills are read."""
        return self._fast_path.slow(event)

    def consult(self, _event: Event, verdict: Verdict) -> bool:
        """Ask the broker about a call that was denied for now; return whether the call should be decided again."""
        return consult(
            ConsultationContext(self.sessions.store, self.log, self.sessions.places, self.sessions.now, self._closed),
            verdict.approval,
        )

    def close(self) -> None:
        """Log what waits, and sign the last head."""
        self._closed.set()
        for live in self.sessions.all():
            self.transactions.settle(live)
        self.walls.close()
        self.log.sign()
        self.log.close()

    # --- what a host tells without asking ---

    def _begins(self, live: SessionState, event: Event) -> Verdict:
        self.log.append(audit_records.event_record(event))
        self.transactions.look(live)
        self.sessions.save(live)
        notes = "; ".join(live.workspace.notes)
        return Verdict(Outcome.PASS, note=f"remit: {notes}" if notes else "")

    def _prompted(self, live: SessionState, event: Event) -> Verdict:
        live.hear(event.text)
        self.log.append(audit_records.event_record(event))
        self.sessions.save(live)
        return PASS

    def _told(self, live: SessionState, event: Event) -> Verdict:
        """Handle the begin or end of another agent, and events that only inform."""
        if event.kind is Kind.DELEGATE:
            live.stacks[event.agent] = live.stack(AGENT)
        elif event.kind is Kind.RETURN:
            live.stacks.pop(event.agent, None)
        self.log.append(audit_records.event_record(event))
        return PASS

    def _stops(self, live: SessionState, event: Event) -> Verdict:
        """The final answer of a session with a skill is held while it shows a value that must not be shown."""
        self.log.append(audit_records.event_record(event))
        shown = shown_secrets(live, event.text) if live.stack(event.agent) else ()
        return audit_records.denied(f"the answer shows {', '.join(shown)}; say it without") if shown else PASS

    def _ends(self, live: SessionState, event: Event) -> Verdict:
        self.log.append(audit_records.event_record(event))
        self.transactions.settle(live)
        said = (*self.walls.forget(live), *self.transactions.adopt_later(self.walls.calls, live, _ENDING))
        self.log.append(*(audit_records.note_record(event, sentence) for sentence in said))
        self.sessions.save(live)
        self.sessions.forget(live)
        self.log.sign()
        return PASS

    # --- a call ---

    def _before(self, live: SessionState, event: Event) -> Verdict:
        content = content_digest(event)
        if not event.cwd.startswith("/"):  # a relative path could be anything, also a file of the guard
            return self._refused(event, "the host does not say in which folder the call is made", content)
        understand_it = functools.partial(self._understood, live, event)
        drafted = draft(event, wants(event), str(self.sessions.home), understand_it)  # (1)
        if drafted.problems:
            return self._refused(event, "; ".join(drafted.problems), content)
        drafted, refused, texts, contents = enter_skills(self.sessions, live, event, drafted)  # (2)
        if refused:
            return self._refused(event, refused, content)
        if mark_written(live, drafted):
            self.sessions.save(live)
        followed = self._followed(live, event.agent, drafted)  # (3)
        if not (followed.drafted.requests or drafted.loads or drafted.doubts or texts):  # it does nothing to the world
            _log_decision(self.log, event, _FREE, followed.drafted, content)
            return PASS
        subject = digest([content, *contents]) if contents else content
        loading = tuple(("skill-load", Hit(f"{digest([subject, text])}", text)) for text in texts)
        view, call = self._judged(live, event, followed, subject, loading)  # (4)
        found = stops(view, read_settings(self.sessions.places.folder).rules)
        whose = [(name, live.policy.content(name)) for name in view.skills or (AGENT,)]
        settled = settle(found, answered(self.sessions.store, whose, str(live.workspace.root)))
        decided = self._settled(live, call, view.skills, view.decided, settled)
        if settled.gate is Gate.DENY:
            _log_decision(self.log, event, decided, view.drafted, content)
            return audit_records.denied(audit_records.reason_for(decided))
        if settled.gate is Gate.CONFIRM:
            return _with_notices(self._ask(live, event, decided, view, settled), settled.notices)
        return _with_notices(self._admit(live, event, decided, view.drafted, content), settled.notices)

    def _followed(self, live: SessionState, agent: str, drafted: CallRequests) -> _Followed:
        """The call with patterns against the files that are there, on whose behalf it is made, and what flows where."""
        skills = drafted.runs or live.stack(agent)[-1:]
        kept = self.sessions.kept(live, skills or (AGENT,))
        requests, facts = resolve_patterns(present(drafted.requests), kept)
        if requests is not drafted.requests:
            drafted = drafted._replace(requests=requests)
        flowing = flows(live, drafted, (live.workspace.root, self.sessions.temp), skills)
        if (
            not skills and flowing.speaker
        ):  # the text of a skill that was only read points there: it is that skill's call
            skills = (flowing.speaker,)
        return _Followed(drafted, skills, flowing, facts)

    def _judged(
        self, live: SessionState, event: Event, followed: _Followed, subject: str, loading: Facts
    ) -> tuple[CallView, Call]:
        """The call as rules see it: what walls do not hold of it, judged by rights."""
        drafted, skills, flowing, facts = followed
        situation = Situation(Moment(self.sessions.now()), {}, {"<arg>": arguments(live)}, redacts=True)
        if inside := self.walls.inside(event, skills):  # what walls hold needs no question
            login = self.walls.login(live, inside, drafted, event, situation)
            crossing = self.walls.crossing(live.policy, inside.skill, drafted, situation, live.workspace.root)
            drafted, facts = drafted._replace(requests=crossing, doubts=(), login=login), ()
        named = drafted.requests if skills else spare_unknown_places(drafted.requests)
        call = Call(named, drafted.runs, content=subject)
        decided = decide(live.policy, call, situation, live.used, skills)
        telemetry.current().note(capability=decided.foremost)
        found = (*loading, *facts, *flowing.facts)
        state = self.sessions.places.folder
        view = CallView(live, event, drafted, skills, decided, flowing, state, situation, found, inside is not None)
        return view, call

    def _remember(self, live: SessionState, skills: tuple[str, ...], asked: tuple[Stop, ...]) -> None:
        """A person agreed: none of it is asked again, for each of the skills, in this workspace."""
        for name in skills or (AGENT,):
            for one in asked:
                remember_answer(
                    self.sessions.store,
                    RememberedAnswer(
                        "",
                        name,
                        str(live.workspace.root),
                        live.policy.content(name),
                        one.rule,
                        one.hit.about,
                        one.hit.sentence,
                        self.sessions.now(),
                    ),
                )

    def _understood(self, live: SessionState, event: Event, language: str, text: str) -> Understanding:
        known = self._fast_path.known(event, language, text)
        if known is not None:
            return known
        place = self.sessions.where.place(live, event)
        with self.sessions.analysis:
            if language == "shell":
                return understand(text, place, cache=self._cache)
            return understand_code(language, text, place, cache=self._cache)

    def _refused(self, event: Event, reason: str, content: str) -> Verdict:
        self.log.append(audit_records.event_record(event), audit_records.refusal_record(event, reason, content))
        return audit_records.denied(reason)

    def _settled(
        self, live: SessionState, call: Call, skills: tuple[str, ...], decided: Decided, settled: Settled
    ) -> Decided:
        """The decision on a call by rights, as the rules and persons have it. An approval is bound to the call and to what is asked."""
        if settled.gate is decided.gate is Gate.ALLOW and not settled.answered:
            return decided
        asked = [[one.rule, one.hit.about] for one in settled.stops]
        subject = digest([subject_of(live.policy, call, skills or (AGENT,)), asked])
        reasons = (*settled.reasons, *([f"rule {', '.join(settled.rules)}"] if settled.stops else ()))
        return decided._replace(
            gate=settled.gate,
            principal=decided.principal or " and ".join(skills),
            reasons=reasons,
            subject=subject,
            approved=settled.answered,
        )

    def _ask(self, live: SessionState, event: Event, decided: Decided, view: CallView, settled: Settled) -> Verdict:
        content, drafted = content_digest(event), view.drafted
        found = agreed(self.sessions.store, event, decided, self.sessions.now())
        if found is not None and found.denied:
            reason = f"a person refused the request ({found.approval.id})"
            _log_decision(self.log, event, decided, drafted, content, Ended.PERSON_DENIED)
            return audit_records.denied(f"{audit_records.reason_for(decided)}; {reason}")
        if found is not None:
            self._keep_answer(live, decided, only_once_a_session=not found.for_session)
            return self._admit(live, event, decided._replace(approved=True), drafted, content)
        if event.asks:
            begun = self.transactions.begin(live, event.call, decided, drafted)
            asked, decided, begun = self._walled(live, event, decided, drafted, begun, Outcome.ASK)
            pending = Pending(content, decided, drafted, True, settled.stops, view.skills, begun)
            live.await_end(key_of(event, content), pending)
            _log_decision(self.log, event, decided, drafted, content)
            return asked._replace(reason=f"remit: {audit_records.reason_for(decided)}")
        ruling = at_once(self.sessions.places, live, decided, view.situation, settled.stops)
        if ruling.decision is Decision.ALLOW:
            # a person wrote the rule: it is that person's word
            reasons = (*decided.reasons, f"allowed by {ruling.reason}")
            return self._admit(live, event, decided._replace(approved=True, reasons=reasons), drafted, content)
        said = audit_records.reason_for(decided)
        put = None
        if ruling.decision is None:
            put = question(self.sessions.store, live, event, decided, drafted, self.sessions.now(), settled.stops)
        _log_decision(self.log, event, decided, drafted, content, Ended.DENY)
        if put is None:
            return audit_records.denied(f"{said}; {ruling.reason}")
        return audit_records.denied(
            f"{said}. A person must agree first: `remit approvals` shows it as {put.id}; then try again"
        )._replace(approval=put.id)

    def _keep_answer(self, live: SessionState, decided: Decided, *, only_once_a_session: bool = False) -> None:
        """A person's answer for the session; what is asked once a session is answered for all of it."""
        if only_once_a_session:
            once = tuple(one for one in decided.asks if isinstance(one.judgement, Ask) and one.judgement.once)
            decided = decided._replace(judged=once)
        # who agrees to what nobody can name agrees to this call, not to whatever it may be the next time
        decided = decided._replace(judged=tuple(one for one in decided.judged if not unnamed(one.request)))
        granted = session_grants(live.policy, decided, self.sessions.now())
        if granted:
            live.policy = live.policy.with_grants(granted)
            self.sessions.save(live)

    def _admit(
        self, live: SessionState, event: Event, decided: Decided, drafted: CallRequests, content: str
    ) -> Verdict:
        for known in drafted.understood:  # (5)
            if changed := still_same(known):
                return self._refused(event, f"`{changed.path}` changed while it was looked at", content)
        if not decided.approved and any(isinstance(one.judgement, Deny) for one in decided.judged):
            return self._refused(event, "an entry denies it", content)
        begun = self.transactions.begin(live, event.call, decided, drafted)  # (6)
        if not begun.opened.control.admitted:
            return self._refused(event, "the rules of the session do not admit it", content)
        verdict, decided, begun = self._walled(live, event, decided, drafted, begun)
        if decided.approved:
            agreed_to(self.sessions, live, event.agent, drafted)
        ended = Ended.PERSON_APPROVED if decided.approved else Ended.ADMIT
        for use in decided.uses:
            live.used[use] = (*live.used.get(use, ())[-_REMEMBERED:], self._clock())
        if decided.uses:
            self.sessions.save(live)  # who begins anew counts on
        live.await_end(key_of(event, content), Pending(content, decided, drafted, asked=False, begun=begun))
        _log_decision(self.log, event, decided, drafted, content, ended)  # (7)
        return verdict

    def _walled(
        self,
        live: SessionState,
        event: Event,
        decided: Decided,
        drafted: CallRequests,
        begun: StartedTransaction,
        outcome: Outcome = Outcome.PASS,
    ) -> tuple[Verdict, Decided, StartedTransaction]:
        """The verdict on a call, and what is recorded of it; one on behalf of a skill is rewritten so that it runs inside of walls."""
        inside = self.walls.inside(event, drafted.runs or live.stack(event.agent)[-1:])
        if inside is None:
            return Verdict(outcome), decided, begun
        uses = uses_login(drafted.login, (one.request.capability for one in decided.judged))
        login = drafted.login if uses else None
        entered = self.walls.enter(live, inside, opening(decided.judged), Verdict(outcome), event, login)
        decided = decided._replace(judged=(*decided.judged, *held_writes(live, inside)))
        return entered.verdict, decided, begun._replace(observed=entered.kept)

    # --- what a host tells afterwards ---

    def _after(self, live: SessionState, event: Event) -> Verdict:
        """A call ran; it should be the one that was let through."""
        ran = content_digest(event)
        pending = live.pending.pop(key_of(event, ran), None)
        alarm = ""
        if pending is None:
            known = not wants(event) or let_through_before(self.log, event, ran)
            alarm = "" if known else NOT_LET_THROUGH
        elif pending.content != ran:
            alarm = "the arguments were changed after the call was let through"
        elif alarm := swapped(event, wants(event), pending.drafted, str(self.sessions.home)):
            pass
        elif pending.asked:  # the host asked its user, who agreed
            self._remember(live, pending.skills, pending.stops)
            agreed_to(self.sessions, live, event.agent, pending.drafted)
        ended = Ended.EXECUTED if event.kind is Kind.AFTER else Ended.FAILED
        decided, judged = (pending.decided, pending.content) if pending else (None, "")
        entry = audit_records.effect_record(event, ended, decided, judged=judged, ran=ran, reason=alarm)
        alarms = [alarm] if alarm else []
        notices: tuple[str, ...] = ()
        written: tuple[str, ...] = ()
        observed = self.walls.observed(event)
        if pending and pending.begun:
            done = self.transactions.end(live, pending.begun, entry)
            alarms += (*done.alarms, *self.walls.new_settings(live))
            notices, written = done.notices, done.changed
        else:
            self.log.append(entry)
            if observed is not None:  # let through by a guard that was killed
                self.transactions.adopt(observed, live.name, event.call)
        notices += self.transactions.adopt_later(self.walls.calls, live)
        if pending and pending.drafted.loads:
            self.walls.expect(live, event, live.stack(event.agent))
        changed = self._heard(live, event, pending, written)
        if not alarms and not notices:
            return PASS if changed is None else Verdict(Outcome.PASS, note=_MASKED, changed=changed)
        said = "; ".join((*alarms, *notices))
        return Verdict(
            Outcome.PASS, f"remit: {said}", note=f"remit: {'ALARM: ' if alarms else ''}{said}", changed=changed
        )

    def _heard(
        self, live: SessionState, event: Event, pending: Pending | None, written: tuple[str, ...]
    ) -> Mapping[str, Any] | None:
        """What a tool returned names nothing by itself; what it read from a secret place, or by the right of one skill, is followed.

        What the code of a skill printed, and the files that it wrote, count as text of that skill. Packages that were installed belong
        to the project from now on.
        Secrets that a skill met in a folder which it read as a whole are masked, where the host takes a changed result, or followed.
        """
        values = values_met(pending.drafted.requests, event.text) if pending and pending.decided.principal else ()
        changed = masked(event.result, values) if values and event.result is not None else None
        if values and changed is None:
            live.index = note(live.index, "\n".join(values), Source(From.SECRET, event.tool))
        by = Source(From.TOOL, event.tool)
        if pending and (whose := live.skill_of(pending.drafted)):
            by = Source(From.SKILL, whose)
            paths = (path.removeprefix(f"{live.workspace.root}/") for path in written)
            live.index = note_tokens(
                live.index,
                (Token(TokenKind.NAME, name_of(one)) for path in paths for one in (path, path.rpartition("/")[2])),
                by,
            )
        live.listen("\n".join(leaves(changed)) if changed is not None else event.text, by)
        if pending and event.kind is Kind.AFTER:
            live.index = note_tokens(live.index, installed(pending.drafted.requests), Source(From.WORKSPACE))
        requests = pending.drafted.requests if pending else ()
        sources = [Source(From.HELD, name) for name in (holders(pending.decided) if pending else ())]
        credentials = pending.drafted.credentials if pending else ()
        if credentials or any(request.capability == "secret.read" for request in requests):
            sources.append(Source(From.SECRET, event.tool))
        for source in sources:
            live.index = note(live.index, event.text, source)
        if (sources or (values and changed is None)) and not live.read_secrets:
            live.read_secrets = True
            self.sessions.save(live)
        return changed


def _log_decision(
    log: Log, event: Event, decided: Decided, drafted: CallRequests, content: str, ended: Ended | None = None
) -> None:
    said = audit_records.decision_record(event, decided, drafted, ended, content)
    log.append(audit_records.event_record(event), said)


def _with_notices(verdict: Verdict, notices: tuple[str, ...]) -> Verdict:
    """A verdict with what a person should know of a call that runs or is asked about."""
    if verdict.outcome is Outcome.DENY or not notices:
        return verdict
    said = "; ".join(dict.fromkeys(notices))
    return verdict._replace(reason=f"{verdict.reason}; {said}" if verdict.reason else f"remit: {said}")


def make_engine(folder: Path, mine: Mine) -> Engine:
    """The engine on a state folder, for the sessions that are decided in this process."""
    engine = Engine(StateFolder(folder), mine=mine)
    threading.Thread(target=engine.transactions.prune, daemon=True).start()
    return engine
