"""Variables of the environment: which ones a mapping or a computed name sets, for the program itself and for its children.

A variable whose name is not known goes by a pattern (`*`, `APP_*`): what it may do to a program is judged where that starts.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.commands.values import below, head
from remit.analysis.domain import (
    ANCHORS,
    ANY,
    ARG,
    BOTTOM,
    FILE,
    HOME,
    RANDOM,
    STDIN,
    TEMP,
    Atom,
    Const,
    Data,
    Hole,
    Instance,
    Num,
    Object,
    Text,
    Value,
    concat,
    env_origin,
    hole,
    of_caller,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Binding, Reader
from remit.analysis.engine.heap import Cell, Heap
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.tables import ENVIRONMENTS, ONE, THEIR_NAME, THEIRS, ZERO
from remit.analysis.engine.texts import texts_of
from remit.analysis.steering_variables import may_steer, rule_of
from remit.analysis.summaries.model import Section
from remit.analysis.world import HERE, Child
from remit.core.patterns import lazy_pattern
from remit.core.sensitive import is_credential
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Args
    from remit.analysis.flows import Node
    from remit.analysis.summaries.model import EffectLine


Variables = dict[str, Value]
_SEQUENCES = frozenset({"list", "tuple", "set", "iter"})  # of pairs
_SWITCH = lazy_pattern(r"\d*|true|false|yes|no|on|off", re.IGNORECASE)  # what a loader of settings writes by itself
_FOLDER_VARIABLES = {"HOME": HOME, "USERPROFILE": HOME, "TMPDIR": TEMP, "TEMP": TEMP, "TMP": TEMP}
_MOVED = {HOME: HOME, TEMP: TEMP} | {env_origin(name): place for name, place in _FOLDER_VARIABLES.items()}
_PROXY = lazy_pattern(r"(?:https?|all|ftp|wss?)_proxy", re.IGNORECASE)


def _is_proxy_of_caller(text: Text) -> bool:
    """Nothing, or what a variable of this kind holds anyway."""
    origins = [part.origin for part in text.parts if isinstance(part, Hole)]
    return not text.parts or (
        len(text.parts) == len(origins) == 1
        and origins[0].startswith("env:")
        and bool(_PROXY.fullmatch(origins[0].removeprefix("env:")) or origins[0] == env_origin("*"))
    )


class Environments(EnginePart):
    """What the skill sets in its own environment and in those of its children, and the words of its command line."""

    effects: engine.Effects
    host: engine.Host

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.cwd = Cell()
        self.cwd.value = HERE
        self.environment: dict[str, Value] = {}  # what the skill sets; `*` in a name is what is not known of it
        self.environment_cells: dict[str, Cell] = {}
        self.environment_cell = Cell()  # of all names
        self.environment_readers: dict[Reader, None] = {}  # who started a child with it
        self.moved: dict[str, Cell] = {HOME: Cell(), TEMP: Cell()}  # where the skill itself moves these folders to
        self.parser_words: dict[Object, Cell] = {}  # parser → words that the skill itself gives it, or a file
        self.argv = Cell()  # the words of the command line that the skill itself writes

    def effect_setenv(self, name: str, effect: EffectLine, env: Variables, line: int) -> None:
        """`setenv(name, value)`, or `setenv(mapping)`."""
        first = effect.args[0]
        if len(effect.args) > 1:
            names = self.effects.operand(first, env, line)
            found = self._assigned(names, self.effects.operand(effect.args[1], env, line), line)
        elif first.op == "param" and isinstance(env, Binding) and first.text in env.named:
            known, others, _ = env.named[first.text]
            found = known | ({"*": others} if others else {})
        else:
            found = self.variables_of(self.effects.operand(first, env, line), line)
        for variable, value in found.items():
            self.put_into_environment(variable, value, line)

    def put_into_environment(self, variable: str, value: Value, line: int) -> None:
        """Set a variable of the process itself: its libraries read, write and connect to the places that it holds."""
        self._connect_to_proxies({variable: value}, line)
        self.set_variable(variable, value)
        if rule_of(variable) is not None or is_credential(variable):
            return
        via = Via(Cause.VARIABLE, variable, words="libraries may use {}, which the skill sets")
        places = frozenset(text for text in texts_of(value) if _is_place(text))
        hosts = frozenset(text for text in places if "://" in head(text))
        if hosts:
            self.run.world.effect("net.connect", hosts, self.run.site(line), via)
        if paths := places - hosts:
            for capability in ("file.read", "file.write"):
                self.run.world.effect(capability, paths | frozenset(map(below, paths)), self.run.site(line), via)

    def _connect_to_proxies(self, variables: Variables, line: int) -> None:
        """Requests go through a proxy that the skill itself sets."""
        for variable, value in variables.items():
            if _PROXY.fullmatch(variable):
                hosts = frozenset(text for text in texts_of(value) if not _is_proxy_of_caller(text))
                if hosts:
                    self.run.world.effect(
                        "net.connect",
                        hosts,
                        self.run.site(line),
                        Via(Cause.VARIABLE, variable, words="the skill sets {}"),
                    )

    def child_environment(self, value: Value, line: int) -> Variables:
        """The variables that the skill sets for a child."""
        own = self.variables_of(value, line)
        self._connect_to_proxies(own, line)
        return _joined(self.inherited(), own, surely=len(value) == 1)

    def variables_of(self, value: Value, line: int) -> Variables:
        """The variables that a mapping sets; one of several mappings may set what the others leave alone."""
        out: Variables = {}
        for atom in each(value):
            out = _joined(out, self._variables_of_one(atom, line), surely=False)
        return out

    def _variables_of_one(self, atom: Atom, line: int) -> Variables:
        if isinstance(atom, Instance) and (atom.cls in ENVIRONMENTS or atom.payload is not None):
            return {}  # a child inherits what they hold in any case
        if isinstance(atom, (Const, Text, Num)):
            return {}
        if isinstance(atom, Data):
            return self._assigned(frozenset({atom}), frozenset({atom}), line)
        if isinstance(atom, Instance):
            key = self.objects.call_slot(f"variables of {atom.cls}")
            copy = self.objects.allocate(key, "dict", line)
            self.collections.spread_mapping(self.objects.heap(copy), frozenset({atom}))
            atom = copy
        if not isinstance(atom, Object):
            return {"*": ANY}
        heap = self.objects.heap(atom)
        if heap.kind in _SEQUENCES:
            pairs = self.elements.iterate(frozenset({atom}), line)
            return self._assigned(self.elements.item(pairs, ZERO, line), self.elements.item(pairs, ONE, line), line)
        out = self._variables_of_heap(heap, line)
        for above in (
            each(self.cells.read(heap.proto)) if heap.proto is not None else ()
        ):  # a child gets what is inherited, too
            out = _joined(self._variables_of_one(above, line), out, surely=True)
        return out

    def _variables_of_heap(self, heap: Heap, line: int) -> Variables:
        fields = {key: self.cells.read(cell) for key, cell in list(heap.fields.items())}
        keys, values = self.cells.read(heap.keys), self.cells.read(heap.bag)
        computed = _computed(heap, keys)
        if not keys:  # a library made it: its keys come from where its values come from
            computed = THEIRS if values.issuperset(THEIRS) else values
        out = _joined(self._assigned(computed, values, line) if values else {}, fields, surely=False)
        own_class = heap.cls >= 0 and self.run.language() == "python"  # which may hold what it likes
        return out | {"*": ANY} if heap.escaped or own_class else out

    def is_copy(self, heap: Heap) -> bool:
        """Whether what is not known by name in a mapping is at most a copy of the environment."""
        keys = _computed(heap, self.cells.look(heap.keys))
        values = self.cells.look(heap.bag) - THEIRS - self.cells.look(self.environment_cell)
        return heap.kind == "dict" and heap.cls < 0 and not (heap.escaped or values or keys - THEIRS)

    def _assigned(self, names: Value, values: Value, line: int) -> Variables:
        """What an assignment to one of these names sets; whoever names the variable outside the skill answers for it."""
        out: Variables = {}
        new = values - self.variable("*") if values >= THEIRS else values  # of a copy of the environment nothing is new
        if not new:
            names -= THEIRS
        for atom in each(names):
            for name in texts_of(frozenset({atom})):
                pattern = _pattern(name)
                judged = name.literal is None and may_steer(pattern)
                if judged and self._named_outside(name, new, line, lines=isinstance(atom, Text)):
                    self.found_in_environment("*", values)
                else:
                    out[pattern] = values
        return out

    def _named_outside(self, name: Text, values: Value, line: int, *, lines: bool) -> bool:
        """Whether the caller names the variable, or a file of settings does whose lines are read one by one."""
        holes = [part for part in name.parts if isinstance(part, Hole)]
        if THEIR_NAME not in holes and all(_of_nobody_else(part) for part in holes):
            return True
        of_file = lines and all(of_caller(part) or part.origin in (FILE, STDIN) for part in holes)
        if of_file and all(map(_of_settings, texts_of(values))):
            self.run.world.named_by_file(self.run.site(line))
            return True
        return False

    def here(self) -> Value:
        """The folder in which the code at hand runs: that of the skill's programs, or of a text that was started in another one."""
        own, found = self.run.frame.loaded.cwd, self.cells.look(self.cwd)
        return found if own is None else (found - HERE) | own

    def set_variable(self, name: str, value: Value) -> None:
        """The skill sets a variable of its environment: it is what later reads give, and children inherit it."""
        self.found_in_environment(name, value)
        held = self.environment_cells[name].value
        if self.environment.get(name) != held:
            self.environment[name] = held
            self.work.look_again(self.environment_readers)

    def found_in_environment(self, name: str, value: Value) -> None:
        """A variable that is read may have this value."""
        value = frozenset(texts_of(value))
        if name in _FOLDER_VARIABLES:
            self.cells.write(self.moved[_FOLDER_VARIABLES[name]], value)
        for known in {name, "*"} if "*" in name else {name}:
            self.cells.write(self.environment_cells.setdefault(known, Cell()), value)
        self.cells.write(self.environment_cell, value)

    def relocated(self, value: Value) -> Value:
        """Texts that begin with the home folder or the temporary one, and what they mean where the skill has moved these."""
        out: set[Atom] = set(value)
        for atom in value:
            for item in atom.payload or () if isinstance(atom, Instance) else (atom,):
                first = item.parts[0] if isinstance(item, Text) and item.parts else None
                if isinstance(item, Text) and isinstance(first, Hole) and first.origin in _MOVED:
                    folders = texts_of(self.cells.look(self.moved[_MOVED[first.origin]]))
                    out.update(concat(folder, Text(item.parts[1:])) for folder in folders)
        return frozenset(out)

    def variable(self, name: str) -> Value:
        """A variable of the environment: what the caller gave, or what the skill set; `*` is one that is not known."""
        outside = hole(env_origin(name))
        if name == "*":
            return outside | self.cells.read(self.environment_cell)
        set_here = (self.environment_cells.setdefault(known, Cell()) for known in (name, "*"))
        return outside.union(*map(self.cells.read, set_here))

    def inherited(self) -> dict[str, Value]:
        """What a child finds in its environment beside what the caller gave."""
        self.environment_readers[self.run.reader] = None
        return dict(self.environment)

    def command_line(self) -> Value:
        """What a reader of the command line hands out: what the caller passes, or what the skill itself wrote there."""
        self.run.flows.context.add(self.run.flows.node(("in", self.run.frame.loaded.started)))
        return hole(ARG).union(*map(operands, texts_of(self.cells.read(self.argv) | self.host.further_words())))

    def launched(self, child: Child) -> None:
        """A program of the skill is started by another: what it finds is what that one gives it, besides the caller's."""
        flows = self.run.flows
        for name, value in (child.env or {}).items():
            if name in flows.exported:
                flows.context.add(flows.exported[name])
            self.found_in_environment(name, value)
        outer, flows.context = flows.context, set()  # what the words were made of: see the input of each program
        for value in (*child.words[1:], child.rest):
            self.host.give_words(frozenset(texts_of(value)))
        self.cells.write(self.cwd, child.cwd)
        flows.context = outer


def _is_place(item: Text) -> bool:
    """An address, an absolute path, or one that begins at a known folder."""
    first = item.parts[0] if item.parts else ""
    if isinstance(first, Hole):
        return first.origin in ANCHORS
    return first != "/dev/null" and re.match(r"[a-z][a-z0-9+.-]*://|\.{0,2}/|~", first) is not None


def _computed(heap: Heap, keys: Value) -> Value:
    """The keys of a mapping beside those that it has a field for."""
    return frozenset(key for key in keys if not isinstance(key, Text) or key.literal not in heap.fields)


def _joined(before: Variables, after: Variables, *, surely: bool) -> Variables:
    """Variables that are set one after the other; `surely`: what is set last is all that counts."""
    if surely:
        return before | after
    return before | {name: value | before.get(name, BOTTOM) for name, value in after.items()}


def _of_nobody_else(part: Hole) -> bool:
    return of_caller(part) or part.origin == RANDOM or part.origin in ANCHORS


def _pattern(name: Text) -> str:
    return "".join("*" if isinstance(part, Hole) else part for part in name.parts)


def _of_settings(value: Text) -> bool:
    """Whether a value is one that stands in a file, or a plain switch; the skill's own words are neither."""
    holes = [part for part in value.parts if isinstance(part, Hole)]
    if not holes:
        return _SWITCH.fullmatch(value.literal or "") is not None
    return all(of_caller(part) or part.origin in (FILE, STDIN) for part in holes)


def operands(text: Text) -> Value:
    """A word of a command line as an operand: an option is none, but its value after `=` is."""
    first = text.parts[0] if text.parts else ""
    if not isinstance(first, str) or not first.startswith("-"):
        return frozenset({text})
    name, sign, value = first.partition("=")
    return frozenset({Text(((value,) if value else ()) + text.parts[1:])}) if sign and name else BOTTOM


class EnvironmentArgument(NamedTuple):
    """The argument that is the environment of a child, or that holds it under the key `env`."""

    place: int
    name: str
    keyed: bool


class ChildEnvironments(EnginePart):
    """Tells what the environment of a child holds from what it inherits."""

    data_flow: engine.DataFlow
    environments: engine.Environments

    def variables(self, name: str) -> tuple[EnvironmentArgument, ...]:
        """Where a function of a library is given the environment of a program that it starts, as its summary says."""
        owner, _, member = name.rpartition(".")
        library = self.run.library()
        section = library.section(name)
        found = section or library.member(owner, member)
        if isinstance(found, Section):
            found = found.entries.get("__init__" if found.is_class else "default")
        if found is None or found.params is None:
            return ()
        names = [param.name for param in found.params if param.name != "self"]
        given = {expr for effect in found.effects for key, expr in effect.keywords if key == "env"}
        holders = {(expr.args[0] if expr.op == "key" else expr).text: expr.op == "key" for expr in given}
        return tuple(
            EnvironmentArgument(names.index(name), name, keyed) for name, keyed in holders.items() if name in names
        )

    def given(self, args: Args, variables: tuple[EnvironmentArgument, ...]) -> set[Node]:
        """What a call is given. A child has the variables of its parent anyway: of its environment only what the skill puts there counts."""
        flows, known = self.run.flows, args.flow
        values: dict[int | str, Value] = dict(enumerate(args.positional)) | args.keywords
        apart: dict[int | str, set[Node]] = {}
        for where in variables if known is not None else ():
            at = where.name if where.name in args.keywords else where.place
            given = (self._options_given if where.keyed else self.environment_given)(values.get(at, BOTTOM))
            if given is not None:
                apart[at] = given
        if known is not None and apart:
            contexts: dict[int | str, set[Node]] = dict(enumerate(known.positional)) | known.keywords
            flows.context = known.rest.union(known.callee, *(apart.get(at, one) for at, one in contexts.items()))
        for value in (args.star, args.keyword_star, *(value for at, value in values.items() if at not in apart)):
            if Object in map(type, value):
                flows.context |= self.data_flow.content(value)
        return flows.context

    def environment_given(self, value: Value) -> set[Node] | None:
        """What the environment of a child holds besides a copy of the parent's; None if that cannot be told apart."""
        out: set[Node] = set()
        for atom in value:
            if isinstance(atom, Object):
                heap = self.objects.heap(atom)
                if not _is_plain_mapping(heap):
                    return None
                out |= self._members(heap, heap.fields, rest=not self.environments.is_copy(heap))
            elif not isinstance(atom, Const) and not (isinstance(atom, Instance) and atom.cls in ENVIRONMENTS):
                return None
        return out

    def _options_given(self, value: Value) -> set[Node] | None:
        """What options hold, with an environment under the key `env`; None if that cannot be told apart."""
        out: set[Node] = set()
        for atom in value:
            heap = self.objects.heap(atom) if isinstance(atom, Object) else None
            if heap is None or not _is_plain_mapping(heap) or "env" not in heap.fields:
                return None
            given = self.environment_given(self.cells.look(heap.fields["env"]))
            if given is None:
                return None
            rest = bool(self.cells.look(heap.bag)) or not self.environments.is_copy(heap)
            out |= given | self._members(heap, heap.fields.keys() - {"env"}, rest=rest)
        return out

    def _members(self, heap: Heap, names: Collection[str], *, rest: bool) -> set[Node]:
        """What some members of a mapping hold. `rest`: and those whose names are not known."""
        cells = [heap.fields[name] for name in names if not self._is_fixed(heap.fields[name])]
        cells += [heap.bag, heap.keys] if rest else []
        return set(cells).union(*(self.data_flow.content(self.cells.look(cell)) for cell in cells))

    def _is_fixed(self, cell: Cell) -> bool:
        """Whether a cell holds nothing but texts that stand in the program: no data, whatever was read when they were put there."""
        return all(isinstance(atom, Text) and atom.literal is not None for atom in self.cells.look(cell))


def _is_plain_mapping(heap: Heap) -> bool:
    return heap.kind == "dict" and heap.cls < 0 and heap.proto is None and not heap.escaped
