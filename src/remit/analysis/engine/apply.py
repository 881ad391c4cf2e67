"""Summaries at work: binding arguments, reporting effects, computing results."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    INERT,
    NONE,
    NOTHING,
    PERHAPS,
    UNREACHED,
    Anything,
    Atom,
    Closure,
    Const,
    Data,
    Instance,
    Lib,
    Module,
    Object,
    Value,
    hole,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args, Binding
from remit.analysis.engine.kept_objects import classes_in
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.tables import BUILTIN_MEMBER, CHOSEN, UNKNOWN_MEMBER
from remit.analysis.engine.texts import concat_values
from remit.analysis.summaries.library import KEPT
from remit.analysis.summaries.model import Entry, Expr, Parameter, Section
from remit.analysis.summaries.parser import FUNCTIONS

if TYPE_CHECKING:
    from remit.analysis.engine import engine

_TAKING = frozenset({"__init__", "__setattr__", "__setitem__"})  # they give nothing back
_OBJECTS = frozenset({"data", "instance", "any", "param", "class", "module", "member", "result"})
_TEXTS = FUNCTIONS - {"item", "key", "values", "rest"}
_PLAIN_OPERANDS = frozenset({"param", "key", "item", "values", "union"})
_DECORATORS = frozenset({"decorates", "identity", "passes"})
_VARIABLES = frozenset({Instance, Const})
_COUNTS = frozenset({"somenum", "somebool", "num", "const"})  # results that say nothing of what an argument holds


class Summaries(EnginePart):
    """Calls into libraries."""

    expressions: engine.Expressions
    data_flow: engine.DataFlow
    decorators: engine.Decorators
    effects: engine.Effects
    environments: engine.Environments
    js_collections: engine.JavaScriptCollections
    kept: engine.KeptObjects
    receivers: engine.Receivers
    lost: engine.Lost
    library_members: engine.LibraryMembers

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.extra_words: list[Value] = []
        self._traits: dict[int, EntryTraits] = {}
        self.entries_kept: list[object] = []
        self._widened: set[str] = set()
        self.plain_entries: dict[int, Entry] = {}

    def call_library(self, name: str, args: Args, line: int) -> Value:
        """Call a function or class of a library by its qualified name."""
        library = self.run.library()
        section = library.section(name)
        if section is not None:
            return self.construct_library(section, args, line)
        owner, _, member = name.rpartition(".")
        found = library.member(owner, member) if owner else None
        if isinstance(found, Section):
            return self.construct_library(found, args, line)
        if found is None:
            self.leak_all(args)
            return self.run.opaque(f"`{name}` has no summary", line, f"describe `{name}` in a summary file")
        return self.apply(name, found, None, args, line)

    def construct_library(self, section: Section, args: Args, line: int) -> Value:
        """An instance of a summarised class; a Node module is called through its `default`."""
        if not section.is_class:
            whole = section.entries.get("default")
            if whole is None:
                self.leak_all(args)
                if self.run.language() == "python":
                    return BOTTOM  # a module is not callable
                return self.run.opaque(f"`{section.name}` is called, and its summary does not say what that does", line)
            if whole.params is not None or whole.pure:
                return self.apply(section.name, whole, None, args, line)
            meant = self.evaluate_entry(f"{section.name}.default", whole, None, line)
            if Lib(section.name) in meant:
                self.leak_all(args)
                return self.run.opaque(f"`{section.name}` is called, and its summary does not say what that does", line)
            return self.calls.call(meant, args, line)
        made: Atom = Instance(section.name)
        self.receivers.add(section.name)
        found = self.run.library().listed(section.name, "__init__")
        if found is not None:
            receiver = None if found.params and found.params[0].name != "self" else made
            value = self.apply(section.name, found, receiver, args, line)
            if found.result is not None or found.flag("intrinsic") is not None:
                return value
        else:
            outer, self.run.serving = self.run.serving, self.run.library().top_of(section.name)
            for value in args.everything():
                self.kept.keep(value, line)
            self.run.serving = outer
            self.leak_all(args)
        return frozenset({made})

    def leak_all(self, args: Args) -> None:
        """Every argument leaks."""
        for value in args.everything():
            self.leaks.leak(value)

    def evaluate_entry(self, name: str, entry: Entry, receiver: Instance | None, line: int) -> Value:
        """The value of an attribute."""
        return self.apply(name, entry, receiver, Args(), line)

    def call_method(self, name: str, receiver: Atom, args: Args, line: int) -> Value:
        """Call a method of a library class, of a built-in type, or of an unknown receiver."""
        if name.startswith(BUILTIN_MEMBER):
            return self.js_collections.builtin_method(name[len(BUILTIN_MEMBER) :], receiver, args, line)
        if name == CHOSEN.name:
            self.leak_all(args)
            return self.library_members.chosen(receiver, line)
        if name.startswith(UNKNOWN_MEMBER):
            return self.call_by_name(name[len(UNKNOWN_MEMBER) :], args, line)
        owner, _, member = name.rpartition(".")
        found = self.run.library().member(owner, member)
        if not isinstance(found, Entry):
            self.leak_all(args)
            return self.run.opaque(f"`{name}` has no summary", line, f"describe `{name}` in a summary file")
        if isinstance(receiver, Instance) and member == "__call__" and owner.endswith(KEPT):
            return self.kept.call_kept(receiver, args, line)
        if isinstance(receiver, Instance) and owner.endswith(KEPT) and self.kept.may_hold_function(receiver, member):
            called = self.calls.call(self.kept.called_in(receiver), args, line)
            return called | self.apply(name, found, receiver, args, line)
        if member == "__call__" and found.name != "__call__":
            self.leak_all(args)
            return (
                frozenset({Data("any")})
                if found.pure
                else self.run.opaque(f"`{owner}` is called, and its summary does not say what that does", line)
            )
        return self.apply(name, found, receiver, args, line)

    def call_listed(self, atom: Instance, name: str, args: Args, line: int) -> Value | None:
        """Call a special method of a library's object; None if its summary does not list it."""
        listed = self.run.library().listed(atom.cls, name) is not None
        return self.call_method(f"{atom.cls}.{name}", atom, args, line) if listed else None

    # ── unknown receivers (rule 4) ──

    def call_by_name(self, name: str, args: Args, line: int) -> Value:
        """A method of an unknown receiver: everything of this name that can exist."""
        if name == "*":
            self.leak_all(args)
            return self.run.opaque(
                "a method of an unknown object is chosen by a computed name", line, "call the method by its name"
            )
        self.receivers.cell.readers[self.run.reader] = None
        for owner in list(self.receivers.owners_of.get((self.run.language(), name), ())):
            self._try_member(owner, name, Instance(owner) if owner in self.receivers.classes else None, args, line)
        for module in list(self.leaks.leaked_modules):
            if self.run.library().section(f"{module}.{name}") is not None:
                self._try_member(module, name, None, args, line)
        for index in range(len(self.programs.classes)) if name in self.class_members.class_names else ():
            for found in each(self.class_members.class_member(index, name)):
                if isinstance(found, Closure):
                    self.calls.call_closure(
                        found, args.with_receiver(frozenset({self.programs.classes[index].instance})), line, bound=True
                    )
        self.leak_all(args)
        return ANY

    def _try_member(self, owner: str, name: str, receiver: Instance | None, args: Args, line: int) -> None:
        library = self.run.library()
        found = library.member(owner, name)
        if isinstance(found, Entry) and found.name == name:
            acts = found.effects or found.flag("intrinsic") is not None
            if acts and self.fits(found, receiver, args):
                self.cells.hold(self.apply(f"{owner}.{name}", found, receiver, args, line))
        elif isinstance(found, Section) and receiver is None:
            self.construct_library(found, args, line)

    def fits(self, entry: Entry, receiver: Instance | None, args: Args) -> bool:
        """Whether a call with these arguments can be a call of this member: arity and keywords."""
        if entry.params is None:
            return False
        if self.run.language() == "js":  # which drops arguments that are too many, and passes undefined for others
            return True
        params = list(entry.params)
        if receiver is not None and params and params[0].name == "self":
            params = params[1:]
        positional = [param for param in params if param.kind == "positional"]
        has_rest = any(param.kind == "rest" for param in params)
        has_keywords = any(param.kind == "keywords" for param in params)
        names = {param.name for param in params}
        if len(args.positional) > len(positional) and not has_rest:
            return False
        if not has_keywords and any(word not in names for word in args.keywords):
            return False
        if args.star or args.keyword_star:
            return True
        required = [param for param in positional[len(args.positional) :] if param.default is None]
        return all(param.name in args.keywords for param in required)

    # ── one entry ──

    def apply(self, name: str, entry: Entry, receiver: Atom | None, args: Args, line: int) -> Value:  # noqa: C901  one case for each kind of value
        """Carry out what a summary line says."""
        known = self._traits_of(entry)
        if known.looks:
            for value in args.everything():
                self.lost.looked_at(value)
        for assumption in known.assumes:
            self.run.world.assume(assumption, self.run.site(line))
        if known.intrinsic is not None:
            if known.acts:
                self._perform_capabilities(name, entry, receiver, args, line)
            if known.calls:
                self._note_called(name, known, self.bind_entry(entry, receiver, args)[0])
            return self.intrinsics.run_intrinsic(known.intrinsic, name, receiver, args, line)
        env, given = self.bind_entry(entry, receiver, args)
        extra = self.extra_words
        outer, self.run.serving = self.run.serving, self.run.library().top_of(name)
        if (receiver is not None or known.may_keep) and not known.decorates:
            for key, value in env.items():
                if key not in known.consumed:
                    self.kept.keep(value, line)
            for value in [*extra] if entry.params is not None else args.everything():
                self.kept.keep(value, line)
        if known.calls:
            self._note_called(name, known, env)
        if known.mutates:
            self.data_flow.mutated(entry, known.mutates, receiver, args)
        value = self._carry_out(name, entry, env, given, args, line)
        self.run.serving = outer
        return value

    def _traits_of(self, entry: Entry) -> EntryTraits:
        known = self._traits.get(id(entry))
        if known is None:
            known = self._traits[id(entry)] = entry_traits(entry)
        return known

    def _note_called(self, name: str, known: EntryTraits, env: dict[str, Value]) -> None:
        """The functions that a line calls may be read back from the library."""
        for expr in known.callees:
            callee = self.expressions.expression(expr, env, set(env), "", 0)
            for owner in (name, *known.makes):
                self.kept.note_called(callee, self.run.library().top_of(owner))

    def _carry_out(
        self, name: str, entry: Entry, env: dict[str, Value], given: set[str], args: Args, line: int
    ) -> Value:
        """The effects and the result of a line whose parameters are bound."""
        known = self._traits_of(entry)
        for effect in entry.effects:
            if not effect.conditions or self.expressions.may_all_hold(effect.conditions, env, given):
                self.effects.perform(name, effect, env, line)
        if known.decorates:
            return self.decorators.decorator_value(name, entry, env, given, args, line)
        self._leak_unconsumed(entry, known, env, args)
        if known.mutates and known.mutates in env:
            self.leaks.give_away(env[known.mutates])
        if entry.result is None:
            if entry.params is not None:
                self.widen_universe(name)
            return ANY | self.kept.kept_or_called()
        quiet, self.run.quiet = self.run.quiet, entry.params is None and self.run.language() == "python"
        value = self.expressions.expression(entry.result, env, given, name, line)
        self.run.quiet = quiet
        if entry.result.op == "any":
            self.widen_universe(name)
        return value

    def _perform_capabilities(self, name: str, entry: Entry, receiver: Atom | None, args: Args, line: int) -> None:
        """What the line of an intrinsic says besides: the code knows what it returns and calls, not what it touches."""
        env, given = self.bind_entry(entry, receiver, args)
        for effect in entry.effects:
            if effect.kind == "cap" and self.expressions.may_all_hold(effect.conditions, env, given):
                self.effects.perform(name, effect, env, line)

    def show(self, value: Value, line: int) -> None:
        """A text is made of a value: for some objects that reads what they stand for (`print(os.environ)`)."""
        for atom in each(value):
            if isinstance(atom, Instance) and atom.payload is None:
                found = self.run.library().listed(atom.cls, "__repr__")
                if found is not None and found.effects:
                    self.evaluate_entry(f"{atom.cls}.__repr__", found, atom, line)

    def import_effects(self, module: Value, line: int) -> None:
        """What importing a library does: the entry `__init__` of its section and of those above it.

        A module of the skill runs in the folder of the text that imports it.
        """
        own = self.run.frame.loaded.cwd
        for atom in each(module):
            if own is not None and isinstance(atom, Module):
                self.cells.write(self.environments.cwd, own)
            if isinstance(atom, Lib):
                parts = atom.name.split(".") if self.run.language() == "python" else [atom.name]
                for i in range(len(parts)):
                    name = ".".join(parts[: i + 1])
                    section = self.run.library().section(name)
                    entry = section.entries.get("__init__") if section is not None and not section.is_class else None
                    if entry is not None:
                        self.apply(f"import {name}", entry, None, Args(), line)

    def widen_universe(self, name: str) -> None:
        """A result `any` may be an instance of any class that the same summary file describes."""
        top = self.run.library().top_of(name)
        key = f"{self.run.language()} {top}"
        if key in self._widened:
            return
        self._widened.add(key)
        library = self.run.library()
        for section in list(library.sections.values()):
            if section.is_class and library.top_of(section.name) == top:
                self.receivers.add(section.name)

    def bind_entry(self, entry: Entry, receiver: Atom | None, args: Args) -> tuple[dict[str, Value], set[str]]:
        """Parameters by name, and which of them the caller gave."""
        env = Binding()
        env["self"] = frozenset({receiver}) if receiver is not None else BOTTOM
        given: set[str] = set()
        positional = list(args.positional)
        for param in entry.params or ():
            if param.name == "self" and receiver is not None:
                given.add("self")
            elif param.kind == "rest":
                env[param.name] = args.star.union(*positional) if positional else args.star
                env.words[param.name] = (list(positional), args.star)
                if env[param.name]:
                    given.add(param.name)
                positional = []
            elif param.kind == "keywords":
                named = {word: value for word, value in args.keywords.items() if word not in env}
                env[param.name] = args.keyword_star.union(*named.values())
                env.named[param.name] = (named, args.keyword_star, args.perhaps)
                if env[param.name]:
                    given.add(param.name)
            else:
                value = self._actual(param, positional, args, given)
                lenient = param.default is not None and NONE in value  # where None is no mistake
                env[param.name] = value - UNREACHED if lenient else value
        self.extra_words = positional
        if entry.params is not None:
            for value in positional:
                self.leaks.leak(value)
        return env, given

    def _actual(self, param: Parameter, positional: list[Value], args: Args, given: set[str]) -> Value:
        if param.kind == "positional" and positional:
            given.add(param.name)
            return positional.pop(0)
        named = args.keywords.get(param.name)
        if named is not None:
            given.add(param.name)
            missing = param.default is not None and param.name in args.perhaps
            return named | self._default(param) if missing else named
        unknown = args.keyword_star | args.star if param.kind == "positional" else args.keyword_star
        if unknown:
            given.add(param.name)
            return unknown | self._default(param) if param.default is not None else unknown
        return self._default(param)

    def _default(self, param: Parameter) -> Value:
        return NOTHING if param.default is None else self.expressions.expression(param.default, {}, set(), "", 0)

    def _leak_unconsumed(self, entry: Entry, known: EntryTraits, env: dict[str, Value], args: Args) -> None:
        """A function among the arguments is called by the library, unless the summary tracks it."""
        lose = self.leaks.give_away if known.gives_away else self.leaks.hand_over
        if entry.params is None:
            for value in args.everything():
                if not INERT.issuperset(map(type, value)):
                    if not known.counts:
                        self.show(value, self.run.current_line)
                    lose(value)
            return
        for key, value in env.items():
            if key in known.tracked or INERT.issuperset(map(type, value)):
                continue
            if key != "env" or not _VARIABLES.issuperset(map(type, value)):  # those of a child: handed on, not read
                self.show(value, self.run.current_line)
                lose(value)

    def words_of(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        """Texts with blanks between; a list gives its elements."""
        pieces: list[Value] = []
        for arg in expr.args:
            value = self.expressions.expression(arg, env, given, name, line)
            lists = frozenset(atom for atom in value if isinstance(atom, (Object, Anything)))
            known, rest = self.effects.word_list(lists, arg, env, line) if lists else ([value], BOTTOM)
            if lists and lists != value - PERHAPS:
                known, rest = [], ANY
            for word in [*known, hole("any")] if rest else known:
                pieces.extend([lit(" "), word] if pieces else [word])
        return concat_values(pieces)


class EntryTraits(NamedTuple):
    """What a summary line says of its parameters, whatever they are."""

    entry: Entry
    looks: bool
    assumes: tuple[str, ...]
    intrinsic: str | None
    acts: bool  # it has capabilities
    calls: bool
    callees: tuple[Expr, ...]  # functions that it calls and that may be read back
    makes: tuple[str, ...]  # classes whose instances it gives
    decorates: bool
    mutates: str | None
    may_keep: bool
    consumed: frozenset[str]  # parameters that do not come out as `data`
    tracked: frozenset[str]  # parameters whose functions it calls or returns
    gives_away: bool  # an argument may come back where the analysis does not see it
    counts: bool  # an attribute that says nothing of what an argument holds


def entry_traits(entry: Entry) -> EntryTraits:
    """The same for every call of an entry."""
    callees = [effect.args[0] for effect in entry.effects if effect.kind == "calls"]
    operands = [
        expr
        for effect in entry.effects
        if effect.kind != "calls"
        for expr in (*effect.args, *(value for _, value in effect.keywords))
    ]
    result = entry.result
    tracked = _params_in([*callees, *([result] if result is not None and result.op != "data" else [])])
    named = _params_in([*callees, *operands, *([result] if result is not None else [])])
    opaque = result is None or _holds_anything(result)
    plain = entry.pure and not opaque
    return EntryTraits(
        entry,
        looks=entry.flag("looks") is not None,
        assumes=tuple(value for flag, value in entry.flags if flag == "assumes"),
        intrinsic=entry.flag("intrinsic"),
        acts=any(effect.kind == "cap" for effect in entry.effects),
        calls=bool(callees),
        callees=tuple(expr for expr in callees if expr.op in _PLAIN_OPERANDS),
        makes=tuple(classes_in(result)),
        decorates=any(flag in _DECORATORS for flag, _ in entry.flags),
        mutates=entry.flag("mutates"),
        may_keep=_may_keep(entry),
        consumed=(named | {"self"}) - {entry.flag("keeps") or ""},
        tracked=tracked | {"self"},
        gives_away=not plain if entry.params is None else entry.name not in _TAKING and opaque,
        counts=plain and result is not None and result.op in _COUNTS,
    )


def _params_in(exprs: list[Expr]) -> frozenset[str]:
    """The parameters that expressions name."""
    out: set[str] = set()
    for expr in exprs:
        if expr.op == "param":
            out.add(expr.text)
        out |= _params_in([*expr.args])
    return frozenset(out)


def _may_keep(entry: Entry) -> bool:
    """Whether a function may hand out later what it was given: one that returns text, a number or nothing says so itself."""
    return (
        entry.name == "__init__"
        or entry.flag("keeps") is not None
        or entry.result is None
        or holds_objects(entry.result)
    )


def holds_objects(expr: Expr) -> bool:
    """Whether an object with effects may be part of what an expression stands for."""
    return expr.op in _OBJECTS or (expr.op not in _TEXTS and any(holds_objects(arg) for arg in expr.args))


def _holds_anything(expr: Expr) -> bool:
    """Whether an argument may come back where the analysis does not see it."""
    return expr.op == "any" or any(_holds_anything(arg) for arg in expr.args)
