"""What a skill can certainly not do. Where nothing that can be reached is opaque, absence is a theorem.

A guarantee speaks of the code of a skill (`About`). Sentences never earn one: what an agent makes of a sentence is no theorem, and
the guard and the manifest hold it to its limits. But a sentence that seems to ask for something takes the guarantee away. ADR 27 has
the reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.capability import FILE_DELETES, FILE_WRITES, vocabulary
from remit.core.effect import Assumed, Effect, Opaque, Origin
from remit.core.location import Location
from remit.core.scope import (
    ANY_SCOPE,
    DEEP,
    HOME,
    ROOT,
    SKILL,
    WORKSPACE,
    AnyScope,
    HostScope,
    NameScope,
    PathScope,
    ScopeKind,
    SymbolScope,
)
from remit.core.sensitive import may_touch
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.result import Effects


class GuaranteeSubject(StrEnum):
    """What a guarantee speaks of, the narrower part first."""

    SCRIPTS = "scripts"  # files of code, and what a host or tool runs by itself
    CODE = "code"  # and every command, code block and sample of the documents

    @property
    def words(self) -> str:
        """The subject of the sentence."""
        return "its code " if self is GuaranteeSubject.CODE else "the code of its scripts "


class UnknownKind(StrEnum):
    """Why it is not known what happens at a location."""

    OPAQUE = "not-understood"  # code that the analysis does not understand
    COMMAND = "unknown-command"  # a document shows a program or an option of which there is no summary
    CONTENT = "assumed-content"  # a template or markup of the skill might do more than it is assumed to
    PROGRAM = "unnamed-program"  # it starts what the caller names, or a tool, a container or an agent
    PACKAGE = "package"  # it installs a package, which brings code of its own
    PLANTED = (
        "left-for-later"  # it writes files that are run or obeyed later: start-up files, jobs, hooks, settings, memory
    )
    PATTERN = "unnamed-file"  # it reads or writes files by a pattern, or by a name that is not known
    DASH = "value-with-dash"  # a value that the caller passes might begin with a dash


_REASONS = {
    UnknownKind.OPAQUE: "not understood",
    UnknownKind.COMMAND: "unknown program or option",
    UnknownKind.CONTENT: "template or markup",
    UnknownKind.PROGRAM: "starts a program that others choose",
    UnknownKind.PACKAGE: "installs a package",
    UnknownKind.PLANTED: "writes files that are run or obeyed later",
    UnknownKind.PATTERN: "file name not known",
    UnknownKind.DASH: "if a value that you pass begins with a dash",
}
_SOME = 3  # locations that a sentence names


class Condition(NamedTuple):
    """Locations that could do it, for all that is known."""

    kind: UnknownKind
    where: tuple[Location, ...]

    @property
    def note(self) -> str:
        """Where the guarantee might not hold, and why: the end of a sentence that begins with `except possibly`."""
        more = len(self.where) - _SOME
        shown = ", ".join(map(str, self.where[:_SOME])) + (f" and {more} more" if more > 0 else "")
        return f"at {shown} ({_REASONS[self.kind]})"


class GuaranteeStatus(NamedTuple):
    """How a guarantee stands for one part of the skill."""

    about: GuaranteeSubject
    conditions: tuple[Condition, ...] = ()


class Guarantee(NamedTuple):
    """One thing that a skill never does, and for which parts of the skill that is known."""

    ident: str
    text: str
    standings: tuple[GuaranteeStatus, ...]  # the narrower part first; a part that holds no code is left out
    broken_by: tuple[Effect, ...] = ()  # what does it, anywhere in the skill; of a sentence, what it seems to ask for
    hosts: tuple[str, ...] = ()  # of `only-hosts`

    @property
    def about(self) -> GuaranteeSubject | None:
        """The widest part of which it is a theorem."""
        return next((one.about for one in reversed(self.claims) if not one.conditions), None)

    @property
    def conditions(self) -> tuple[GuaranteeStatus, ...]:
        """What stands in the way, for each part only what no narrower part holds."""
        seen: set[tuple[UnknownKind, Location]] = set()
        found = []
        for standing in self.standings:
            new = {one.kind: [at for at in one.where if (one.kind, at) not in seen] for one in standing.conditions}
            seen.update((kind, at) for kind, places in new.items() for at in places)
            rest = tuple(Condition(kind, tuple(places)) for kind, places in new.items() if places)
            found += [standing._replace(conditions=rest)] if rest else []
        return tuple(found)

    @property
    def claims(self) -> tuple[GuaranteeStatus, ...]:
        """What may be said, of each part that is subject to fewer conditions than a wider one.

        Nothing is said where any part of the skill does it, sentences included: "the code of its scripts never uses the network" would
        comfort the reader of a skill that has the agent send its keys.
        """
        if self.broken_by:
            return ()
        widest = self.standings[-1:]
        return (*(one for one in self.standings[:-1] if one.conditions != widest[0].conditions), *widest)


_DELETES = frozenset({"file.delete", "source.delete", "secret.delete", "schedule.delete"})
_AGENT = frozenset(
    {"memory.write", "policy.expand", "policy.restrict", "hook.install", "skill.install", "profile.write"}
)
_PROGRAMS = frozenset({"shell.execute", "process.create", "container.run", "repl.create"})
_FETCHES_CODE = frozenset({"package.install", "skill.install"})
_RUNS = _PROGRAMS | {"source.execute", "repl.execute"}
_LATER = frozenset(
    {
        "memory.write",
        "policy.expand",
        "hook.install",
        "skill.install",
        "profile.write",
        "schedule.create",
        "system.configure",
    }
)
_OTHERS_CODE = frozenset({"container.run", "repl.execute", "subagent.delegate", "tool.invoke"})
# What reaches other machines without naming a host: registries, remotes, services of models, tools of the agent.
_NETWORK = frozenset(
    "commit.push message.send publish pay package.install subagent.delegate tool.invoke container.run container.manage".split()
)


class Certain:
    """What a skill does and what is not understood, by what it rests on and by the part of the skill in which it stands."""

    def __init__(self, found: Effects) -> None:
        self._found = found
        self._documents = frozenset(found.documents)
        samples = frozenset(found.samples)
        real = [effect for effect in found.effects if effect.where not in samples]
        certain = [effect for effect in real if not effect.via.possible]
        self.approvals = tuple(filter(_approves, certain))  # what a tool may do that the agent need not ask for
        self.effects = tuple(effect for effect in certain if not _approves(effect))
        self.opaque = tuple(item for item in found.opaque if item.where not in samples)
        self.samples = tuple(effect for effect in found.effects if effect.where in samples)
        self.shown = tuple(item for item in found.opaque if item.where in samples)  # opaque samples
        self._unknown: dict[GuaranteeSubject, tuple[tuple[Condition, ...], list[Effect]]] = {}

    @cached_property
    def parts(self) -> tuple[GuaranteeSubject, ...]:
        """The parts of which there is something to say: without code, what code does is no news."""
        code = set(self._found.code)
        scripts = code - self._documents or any(effect.origin is Origin.HOOK for effect in self._found.effects)
        held = [GuaranteeSubject.SCRIPTS] if scripts else []
        return (*held, GuaranteeSubject.CODE) if code else ()

    @cached_property
    def by_sentences(self) -> tuple[Effect, ...]:
        """What sentences that cannot be checked seem to ask for."""
        via = Via(Cause.SENTENCE, words="the text seems to ask for it: {}")
        return tuple(
            Effect(capability, ANY_SCOPE, item.where, via._replace(name=item.text), Origin.INSTRUCTED)
            for item in self._found.unread
            for capability in item.likely
        )

    @cached_property
    def done(self) -> tuple[Effect, ...]:
        """Everything that the skill does or seems to ask for, samples included: the agent may follow one."""
        return (*(effect for effect in self._found.effects if not effect.via.possible), *self.by_sentences)

    def unknown_in(self, about: GuaranteeSubject, test: Callable[[Effect], bool]) -> Iterator[Condition]:
        """What could do, for all that is known, what `test` asks for."""
        if about not in self._unknown:
            effects = [effect for effect in self._found.effects if self._within(effect, about)]
            loose = [effect for effect in effects if effect.via.possible or _may_be_more(effect)]
            self._unknown[about] = tuple(self._unknown_to_all(about, effects)), loose
        unknown, loose = self._unknown[about]
        yield from unknown
        yield from _condition(UnknownKind.PATTERN, [effect.where for effect in loose if _reaches(effect, test)])
        yield from _condition(
            UnknownKind.DASH, [effect.where for effect in loose if effect.via.possible and test(effect)]
        )

    def _unknown_to_all(self, about: GuaranteeSubject, effects: list[Effect]) -> Iterator[Condition]:
        """What could do anything."""
        found = self._found
        opaque = [item.where for item in found.opaque if self._within(item, about)]
        if (
            about is GuaranteeSubject.SCRIPTS
        ):  # scripts that the text has the agent change are not those that were analysed
            opaque += [effect.where for effect in found.effects if self._changes_code(effect)]
        yield from _condition(UnknownKind.OPAQUE, opaque)
        assumed = [item for item in found.assumed if self._within(item, about)]
        commands = [item.where for item in assumed if item.ident == "instructed-commands"]
        yield from _condition(UnknownKind.COMMAND, commands)
        yield from _condition(
            UnknownKind.CONTENT, [item.where for item in assumed if item.ident != "instructed-commands"]
        )
        yield from _condition(UnknownKind.PROGRAM, [effect.where for effect in effects if _starts_unnamed(effect)])
        yield from _condition(
            UnknownKind.PACKAGE, [effect.where for effect in effects if effect.capability in _FETCHES_CODE]
        )
        yield from _condition(UnknownKind.PLANTED, [effect.where for effect in effects if _plants(effect)])

    def _changes_code(self, effect: Effect) -> bool:
        """Whether an effect writes into the folder of the skill, or to a path that one of its files has there."""
        scope = effect.scope
        if not isinstance(scope, PathScope) or effect.capability not in (*FILE_WRITES, *FILE_DELETES):
            return False
        return scope.anchor == SKILL or (scope.anchor == WORKSPACE and "/".join(scope.parts) in self._found.code)

    def _within(self, item: Effect | Opaque | Assumed, about: GuaranteeSubject) -> bool:
        if isinstance(item, Effect) and (item.via.cause is Cause.SENTENCE or _approves(item)):
            return False
        return about is GuaranteeSubject.CODE or item.origin is Origin.HOOK or item.where.file not in self._documents


def _approves(effect: Effect) -> bool:
    """Whether an effect is what a tool may do that the front matter allows without a question: it is not yet used."""
    setting = effect.via.cause is Cause.SETTING and effect.origin is Origin.INSTRUCTED
    return setting and effect.capability not in ("policy.expand", "hook.install")


def _starts_unnamed(effect: Effect) -> bool:
    """Whether an effect runs something of which only the caller, or nobody here, knows what it does."""
    if effect.capability in _OTHERS_CODE:
        return True
    scope = effect.scope
    named = isinstance(scope, NameScope) or (isinstance(scope, PathScope) and not scope.anchor.startswith("<"))
    return effect.capability in _RUNS and (not named or "*" in scope.render())


def _plants(effect: Effect) -> bool:
    """Whether an effect writes what others run or obey later. Hooks that the skill itself brings are code that was analysed."""
    return effect.capability in _LATER and effect.via.cause is not Cause.SETTING


def _reaches(effect: Effect, test: Callable[[Effect], bool]) -> bool:
    """Whether an effect on files that it does not name may be one that `test` asks for."""
    if effect.via.possible or not _may_be_more(effect) or test(effect):
        return False
    return any(test(effect._replace(capability=name)) for name in may_touch(effect.capability, effect.scope))


def _may_be_more(effect: Effect) -> bool:
    """Whether an effect on files that it does not name may be another one as well."""
    return not _named_by_caller(effect) and bool(may_touch(effect.capability, effect.scope))


def _condition(kind: UnknownKind, where: Iterable[Location]) -> Iterator[Condition]:
    if found := tuple(sorted(set(where))):
        yield Condition(kind, found)


def guarantees(found: Effects) -> tuple[Guarantee, ...]:
    """Every guarantee, in the order in which they matter to a person."""
    return _guarantees(Certain(found))


def _guarantees(known: Certain) -> tuple[Guarantee, ...]:
    return (_network(known), *(_never(known, ident, text, test) for ident, text, test in _NEVER))


def encode(found: Effects) -> list[Any]:
    """The guarantees as JSON values, for the cache: effects by their number."""
    known = Certain(found)
    numbers = {id(effect): number for number, effect in enumerate(known.done)}
    return [
        [
            item.ident,
            item.text,
            [[about, [[kind, *where] for kind, where in conditions]] for about, conditions in item.standings],
            [numbers[id(effect)] for effect in item.broken_by],
            item.hosts,
        ]
        for item in _guarantees(known)
    ]


def decode(data: list[Any], found: Effects) -> tuple[Guarantee, ...]:
    """From JSON values and the effects from which they were computed."""
    done = Certain(found).done
    return tuple(
        Guarantee(
            ident,
            text,
            tuple(
                GuaranteeStatus(
                    GuaranteeSubject(about),
                    tuple(
                        Condition(UnknownKind(kind), tuple(Location(*at) for at in where))
                        for kind, *where in conditions
                    ),
                )
                for about, conditions in standings
            ),
            tuple(done[number] for number in broken_by),
            tuple(hosts),
        )
        for ident, text, standings, broken_by, hosts in data
    )


def is_network(effect: Effect) -> bool:
    """Whether an effect reaches another machine."""
    return vocabulary()[effect.capability].scope_kind is ScopeKind.HOST or effect.capability in _NETWORK


def _network(found: Certain) -> Guarantee:
    """Never uses the network, or only known hosts."""
    using = [effect for effect in found.done if is_network(effect)]
    installs = any(effect.capability == "package.install" for effect in using)
    if not using or not all(map(_has_known_end, using)):
        return _never(found, "no-network", "never uses the network", is_network)
    hosts = tuple(sorted({effect.scope.host for effect in using if isinstance(effect.scope, HostScope)}))

    def elsewhere(effect: Effect) -> bool:
        known = isinstance(effect.scope, HostScope) and effect.scope.host in hosts
        return is_network(effect) and not known and not (installs and effect.capability == "package.install")

    if not hosts:
        return _never(found, "only-installs", "uses the network only to install packages", elsewhere)
    text = f"talks only to {', '.join(hosts)}{' and package registries' if installs else ''}"
    return _never(found, "only-hosts", text, elsewhere)._replace(hosts=hosts)


def _has_known_end(effect: Effect) -> bool:
    """Whether it is known to whom an effect talks."""
    fixed = isinstance(effect.scope, HostScope) and "*" not in effect.scope.host
    return fixed or effect.capability == "package.install"


def _is_wide(effect: Effect) -> bool:
    """Whether an effect is on everything below the home folder or the root of the machine, or on a pattern there."""
    scope = effect.scope
    return isinstance(scope, PathScope) and scope.anchor in (HOME, ROOT) and DEEP in scope.parts[:2]


def _named_by_caller(effect: Effect) -> bool:
    """A file that the caller names, or one of the skill's own."""
    scope = effect.scope
    if isinstance(scope, SymbolScope):
        return True
    if not isinstance(scope, PathScope) or scope.is_beside:
        return False
    return bool(scope.symbol) or scope.anchor in ("skill", "temp")


def _reads_elsewhere(effect: Effect) -> bool:
    return effect.capability in ("file.read", "source.read", "secret.read") and not _named_by_caller(effect)


def deletes(effect: Effect) -> bool:
    """Whether an effect deletes something beyond temporary files."""
    own = isinstance(effect.scope, PathScope) and effect.scope.anchor == "temp"
    return effect.capability in _DELETES and not own


def reads_secret(effect: Effect) -> bool:
    """Whether an effect reads a credential, or all variables of the environment."""
    return effect.capability == "secret.read" or (
        isinstance(effect.scope, AnyScope) and effect.capability == "env.read"
    )


_NEVER: Sequence[tuple[str, str, Callable[[Effect], bool]]] = (
    ("no-secrets", "reads no secrets", reads_secret),
    ("reads-named-files", "reads only files you name and its own", _reads_elsewhere),
    ("deletes-no-files", "deletes no files", deletes),
    ("no-programs", "starts no other program", lambda effect: effect.capability in _PROGRAMS),
    ("no-agent-settings", "never touches your agent's settings", lambda effect: effect.capability in _AGENT),
    ("installs-nothing", "installs nothing", lambda effect: effect.capability in _FETCHES_CODE),
)


def _never(found: Certain, ident: str, text: str, test: Callable[[Effect], bool]) -> Guarantee:
    return Guarantee(
        ident,
        text,
        tuple(GuaranteeStatus(about, tuple(found.unknown_in(about, test))) for about in found.parts),
        tuple(effect for effect in found.done if test(effect) or (_is_wide(effect) and _reaches(effect, test))),
    )
