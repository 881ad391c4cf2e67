"""Which data reaches which effect: a graph that the front ends fill while they evaluate, solved once at the end.

A node is anything that holds data: a cell of the engine, a variable of the shell, a call, an effect. `into` are the nodes whose
data may be part of it. While something is evaluated, `context` is the set of all that was read so far: whatever is written, passed
or reported meanwhile may hold any of it. Front ends narrow the context where operands are evaluated apart. A step that nobody
narrows is imprecise, never forgotten.
"""

from __future__ import annotations

import itertools
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from remit.analysis.domain import Text, Value
from remit.core.capability import vocabulary
from remit.core.effect import Origin
from remit.core.flow import Endpoint, Flow
from remit.core.scope import DEEP, AnyScope, NameScope, PathScope, Scope, ScopeKind, SymbolScope, overlaps
from remit.core.scope.component import escape

if TYPE_CHECKING:
    from remit.core.location import Location

MAX_FLOWS = 300  # of one skill; what is more only repeats
_BRINGS = frozenset(
    "file.read source.read secret.read profile.read env.read memory.read clipboard.read commit.read db.read schedule.read"
    " process.query container.query screen.capture camera.capture microphone.record input.access repl.read".split()
)
# The old name of a file that is moved: what it holds gets the new one.
_MOVES = frozenset({"file.delete", "source.delete"})
_TAKES = frozenset(
    "file.write source.write profile.write env.write memory.write secret.write clipboard.write commit.create commit.push shell.execute"
    " process.create source.execute container.run repl.execute hook.install schedule.create skill.install policy.expand"
    " message.send publish pay db.write tool.invoke subagent.delegate context.load container.manage".split()
)


_AGES = itertools.count()
_AGE = attrgetter("age")
_STARTS = frozenset({"shell.execute", "process.create", "source.execute"})


class Node:
    """Something that holds data."""

    __slots__ = ("age", "aliases", "brought", "carries", "into", "mixes", "where")

    def __init__(self, where: Location | None = None) -> None:
        self.age = next(_AGES)  # so that two runs are alike
        self.into: set[Node] = set()
        self.where = where
        self.mixes: set[Node] | None = None  # of a call: operands that it may change
        self.carries = False  # of a call: what it gives may be changed later
        self.aliases = False  # what is put into it is put into what it came from
        self.brought: set[Node] | None = None  # of the result of a call that reaches a host: what the host sent


class Call(Node):
    """A call of a function that is not seen, or of a program."""

    __slots__ = ("answers", "counts", "given", "handles", "opens", "reply", "sends", "unknown")

    def __init__(self, where: Location | None = None) -> None:
        super().__init__(where)
        self.given = Node()  # what it was given, without what it brings in itself
        self.sends = False  # it takes data out
        self.reply: Node | None = None  # if it reaches a host: what it gives back, which is not what it sent
        self.unknown = False  # nobody knows what is called
        self.answers = False  # it gives the answer to a request that was made before
        self.counts = False  # it tells how many or how long
        self.handles = False  # the number that it gives stands for what it was called on
        self.opens = False  # a number that it gives may stand for an open file

    @property
    def result(self) -> Node:
        """What it gives back."""
        return self.reply or self


Begun: TypeAlias = tuple[Call, "set[Node]", "Call | None"]  # a call, what was read before it, and the call around it


class Key(NamedTuple):
    """An effect, as reports tell effects apart."""

    capability: str
    scope: Scope
    where: Location
    origin: Origin


class _Ends(dict[Key, Node]):
    """The nodes of effects, each made when it is first asked for."""

    def __missing__(self, key: Key) -> Node:
        found = self[key] = Node(key.where)
        return found


class Flows:
    """The graph, and what is being evaluated."""

    def __init__(self) -> None:
        self.context: set[Node] = set()
        self._nodes: defaultdict[Hashable, Node] = defaultdict(Node)
        self._called: dict[Hashable, Call] = {}
        self.sources = _Ends()
        self.sinks = _Ends()
        self.parts: Callable[[Node], None] = lambda _: None  # gives the content of an object its nodes
        self.exported: dict[str, Node] = {}  # the variables that the program at hand is given
        self.fed: Node | None = None  # the input of the program that is started
        self.model = Node()  # what the agent has read of the output of programs that documents tell it to run
        self.call: Call | None = None  # the call of a library or program that is carried out

    def node(self, key: Hashable) -> Node:
        """The node of this name."""
        return self._nodes[key]

    def begin(self, key: Hashable, where: Callable[[], Location | None]) -> Begun:
        """A call: it may use whatever is in the context, and change what it is given."""
        found = self._called.get(key)
        if found is None:
            found = self._called[key] = Call(where())
        outer, caller = self.context, self.call
        found.into |= outer
        if caller is not None and caller in outer:
            found.given.into |= outer - {caller}
            found.given.into.add(caller.given)
        else:
            found.given.into |= outer
        self.context, self.call = {found}, found
        return found, outer, caller

    def passed(self) -> set[Node]:
        """What the program at hand is given by whoever starts it."""
        return self.context if self.call is None else {self.call.given}

    def end(self, begun: Begun) -> None:
        """What the call gives back may hold all that it used."""
        node, outer, self.call = begun
        node.into |= self.context
        node.into.discard(node)
        self.context = outer
        outer.add(node.result)
        if node.unknown and node.reply is not None:  # it may send something, or only turn it into something else
            node.reply.into.add(node)

    def effect(self, key: Key) -> None:
        """An effect takes the context out, or brings data in."""
        sends = vocabulary()[key.capability].scope_kind is ScopeKind.HOST
        call = self.call
        if sends and call is not None and call.reply is None:
            call.reply = Node(key.where)
        if sends or key.capability in _TAKES:
            sink = self.sinks[key]
            sink.into |= self.passed() if key.capability in _STARTS else self.context
            if call is not None:
                call.sends = True
            if sends and call is not None and call.reply is not None:
                sink.into.add(call.reply)  # what is put into a request or a connection later is sent, too
        if sends or key.capability in _BRINGS or key.capability in _MOVES:
            source = self.sources[key]
            self.context.add(source)
            if key.capability == "env.read" and self.exported:
                self.context.update(self._exported_as(key.scope))
            if sends and call is not None and call.reply is not None:
                call.reply.into.add(source)
                call.reply.brought = (call.reply.brought or set()) | {source}

    def _exported_as(self, scope: Scope) -> Iterator[Node]:
        """The variables among those that the program at hand is given which a scope may name."""
        if isinstance(scope, NameScope) and scope.pattern in self.exported:
            return iter((self.exported[scope.pattern],))
        return (node for name, node in self.exported.items() if overlaps(scope, NameScope(escape(name))))

    def names(self, file: str) -> Node:
        """The names of files and targets of links that a script makes: they are data, too."""
        return self.node(("names", file))

    def named(self, program: Value, file: str) -> None:
        """A program is started that may give names to files, or tell them."""
        for atom in program:
            known = atom.literal if isinstance(atom, Text) else None
            if known in _NAMING:
                self.names(file).into |= self.context
            elif known in _LISTING:
                self.context.add(self.names(file))

    def same(self, one: Key, other: Key) -> None:
        """An effect is another one as well: what lies behind a link."""
        if one in self.sources:
            self.sources[one].into.add(self.sources[other])
        if one in self.sinks:
            self.sinks[other].into.add(self.sinks[one])

    def result(self) -> tuple[Flow, ...]:
        """Every flow, in order."""
        if not self.sources or not self.sinks:
            return ()
        self._through_stores()
        return _Solution(self).flows()

    def _through_stores(self) -> None:  # noqa: C901, PLR0912  one case for each kind of flow
        """What is written to a file or variable may be read from it again; what is committed or built leaves with it."""
        for kept, sent in _SHIPPED:
            for key, node in self.sinks.items():
                if key.capability == sent:
                    node.into.update(
                        other for its, other in self.sinks.items() if its.capability == kept and _may_ship(its, key)
                    )
        moving = {key.where for key in self.sources if key.capability in _MOVES}
        for taking, bringing in (_FILES, _VARIABLES):
            writes, reads = _Store(), _Store()
            for key, node in self.sinks.items():
                if key.capability in taking:
                    writes.add(key, node)
                    if key.where in moving and isinstance(key.scope, PathScope):
                        writes.add(key._replace(scope=_with_content(key.scope)), node)
            for key, node in self.sources.items() if writes.scopes else ():
                if key.capability in bringing:
                    reads.add(key, node)
                    if key.capability in _MOVES and isinstance(key.scope, PathScope):
                        reads.add(key._replace(scope=_with_content(key.scope)), node)
            for scope, readers in reads.scopes.items():
                for other in writes.overlapping(scope):
                    if _is_fixed(scope) and _is_fixed(other):
                        joint = writes.joint(other)
                        for _, reader in readers:
                            reader.into.add(joint)
                    else:
                        for read, reader in readers:
                            if read.origin is not Origin.INSTRUCTED:
                                reader.into.update(writes.beside(other, read))

    @property
    def calls(self) -> Iterable[Call]:
        """Calls in the order in which they were first carried out."""
        return self._called.values()


_FILES = (
    frozenset({"file.write", "source.write", "profile.write", "secret.write", "memory.write"}),
    frozenset({"file.read", "source.read", "profile.read", "secret.read", "memory.read", *_MOVES}),
)
_VARIABLES = (frozenset({"env.write"}), frozenset({"env.read"}))


_SHIPPED = (("commit.create", "commit.push"), ("container.manage", "publish"))


def _may_ship(kept: Key, sent: Key) -> bool:
    """Whether what one effect keeps in a repository or an image may leave by another. Which repository it is, a path does not say."""
    if Origin.INSTRUCTED in (kept.origin, sent.origin) and kept.where.file != sent.where.file:
        return False
    return isinstance(kept.scope, PathScope) or overlaps(kept.scope, sent.scope)


_NAMING = frozenset("ln touch mkdir mv cp install rename split".split())
_LISTING = frozenset("readlink realpath ls find fd tree stat dir du".split())


class _Store:
    """Where data is written to or read from: nodes by their scopes."""

    def __init__(self) -> None:
        self.scopes: dict[Scope, list[tuple[Key, Node]]] = {}
        self._paths: dict[str, dict[str, list[Scope]]] = {}  # by anchor and first component; patterns under `*`
        self._others: list[Scope] = []
        self._joints: dict[Scope, Node] = {}
        self._scripts: dict[Scope, defaultdict[tuple[str, Origin], list[Node]]] = {}

    def add(self, key: Key, node: Node) -> None:
        """One effect."""
        if key.scope not in self.scopes:
            self.scopes[key.scope] = []
            if isinstance(key.scope, PathScope):
                self._paths.setdefault(key.scope.anchor, {}).setdefault(_first(key.scope), []).append(key.scope)
            else:
                self._others.append(key.scope)
        self.scopes[key.scope].append((key, node))

    def joint(self, scope: Scope) -> Node:
        """One node for all effects of a scope."""
        found = self._joints.get(scope)
        if found is None:
            found = self._joints[scope] = Node()
            found.into.update(node for _, node in self.scopes[scope])
        return found

    def beside(self, scope: Scope, read: Key) -> list[Node]:
        """Those of a place that the caller names, or that is not known, which one script takes for the same as what it reads: that the
        agent hands it from one to the other is a step of its own."""
        if scope not in self._scripts:
            found = self._scripts[scope] = defaultdict(list)
            for key, node in self.scopes[scope]:
                found[key.where.file, key.origin].append(node)
        return self._scripts[scope][read.where.file, read.origin]

    def overlapping(self, scope: Scope) -> Iterator[Scope]:
        """The scopes that have something in common with another."""
        candidates = [self._others]
        for anchor, by_first in self._paths.items():
            known = _first(scope) if isinstance(scope, PathScope) and scope.anchor == anchor else "*"
            every = by_first.values() if known == "*" else (by_first.get(known, []), by_first.get("*", []))
            candidates.extend(every)
        return (other for group in candidates for other in group if overlaps(other, scope))


def _with_content(path: PathScope) -> PathScope:
    """A folder with all that lies in it."""
    return path if path.parts[-1:] == (DEEP,) else path._replace(parts=(*path.parts, DEEP))


def _first(path: PathScope) -> str:
    first = path.parts[0] if path.parts else "*"
    return "*" if any(sign in first for sign in "*?[\\") else first


class _Solution:
    """Which sources reach each node, as bits."""

    def __init__(self, flows: Flows) -> None:
        self._graph = flows
        secret = {key.where for key in flows.sources if key.capability == "secret.read"}
        sources = [(key, node) for key, node in flows.sources.items() if not _is_own(key, flows, secret)]
        self._sources = sorted(sources, key=lambda item: _key_order(item[0]))
        self._own = {node: 1 << bit for bit, (_, node) in enumerate(self._sources)}
        self._roots: list[Node] = []
        self._before: dict[Node, list[Node]] = {}  # in the order in which they were made
        sinks, changing = list(flows.sinks.values()), [call for call in flows.calls if call.mixes or call.answers]
        self._connect([*sinks, *changing])
        aliases = self._aliases([node for call in changing for node in call.mixes or ()])
        alike: dict[int, list[Call]] = {}  # many calls change the same
        for call in changing:
            found = 0
            for node in call.mixes or ():
                found |= aliases[node]
            alike.setdefault(found, []).append(call)
        for found, calls in alike.items():
            roots = [self._roots[bit] for bit in _bits(found)]
            for root in roots:
                root.into.update(calls)
            for call in calls:
                if call.answers and call.reply is not None:
                    known = all(root.brought for root in roots) if roots else call.reply.brought
                    call.reply.into.update(*(root.brought or () for root in roots), () if known else (call,))
        self._data, self._printed = self._reaching(sinks, flows.model)

    def _connect(self, starts: list[Node]) -> None:
        """Give the content of objects its nodes, wherever they lead to an effect."""
        todo, seen = starts, set(starts)
        while todo:
            node = todo.pop()
            self._graph.parts(node)
            for before in (*node.into, *(node.mixes or ())):
                if before not in seen:
                    seen.add(before)
                    todo.append(before)

    def _aliases(self, starts: list[Node]) -> dict[Node, int]:
        """By node the results of calls that it may be, or be a part of. What is itself made of another is no root."""
        out: dict[Node, int] = {}
        for group in _groups(starts, lambda node: node.into if node.aliases else ()):
            found = 0
            for node in group:
                for before in node.into if node.aliases else ():
                    found |= out.get(before, 0)
            carrier = None if found else min((node for node in group if node.carries), key=_AGE, default=None)
            if carrier is not None:
                found = 1 << len(self._roots)
                self._roots.append(carrier)
            out.update(dict.fromkeys(group, found))
        return out

    def _reaching(self, starts: list[Node], model: Node) -> tuple[dict[Node, int], int]:
        """By node the sources that reach it, with one bit more if it may hold what the agent has read, and what that is."""
        own = self._own | {model: 1 << len(self._sources)}
        printed, model.into = model.into, set()
        out: dict[Node, int] = {}
        for group in _groups([*starts, *printed], lambda node: node.into):
            found = 0
            for node in group:
                found |= own.get(node, 0)
                for before in node.into:
                    if before in out:
                        found |= out[before]
            for node in group:
                out[node] = found
        model.into = printed
        read = 0
        for node in printed:
            read |= out[node]
        return out, read & (own[model] - 1)

    def flows(self) -> tuple[Flow, ...]:
        """Every source with every effect that it reaches, the worst first in case that they are too many; of those that differ only
        in their lines the first."""
        private, outside = (
            self._mask(lambda key: key.capability in _PRIVATE),
            self._mask(lambda key: _leaves(key.capability)),
        )
        told = self._mask(_is_personal) & self._printed
        found: dict[tuple[object, ...], tuple[Key, Key]] = {}
        read: set[tuple[Key, Key]] = set()  # flows through the context of the agent
        for sink, node in sorted(self._graph.sinks.items(), key=lambda item: _key_order(item[0])):
            data = self._data.get(node, 0)
            through = told if data >> len(self._sources) and _leaves(sink.capability) else 0
            data &= _worth(sink, private, outside) & ~(1 << len(self._sources))
            for bit in islice(_bits(data | through), MAX_FLOWS):
                source = self._sources[bit][0]
                if not _is_same(source, sink):
                    kind = source.capability, source.scope, sink.capability, sink.scope, sink.where.file, sink.origin
                    found.setdefault(kind, (source, sink))
                    if not data >> bit & 1:
                        read.add((source, sink))
        kept = sorted(found.values(), key=_weight)[:MAX_FLOWS]
        by_sink: dict[Key, list[Key]] = {}
        for source, sink in kept:
            by_sink.setdefault(sink, []).append(source)
        steps = {
            (source, sink): way
            for sink, sources in by_sink.items()
            for source, way in self._steps(sink, [key for key in sources if _weight((key, sink)) < _ORDINARY])
        }
        flows = (Flow(_end(a), _end(b), steps.get((a, b), ()), b.origin, (a, b) in read) for a, b in kept)
        return tuple(sorted(flows, key=_order))

    def _mask(self, test: Callable[[Key], bool]) -> int:
        return sum(1 << bit for bit, (key, _) in enumerate(self._sources) if test(key))

    def _steps(self, sink: Key, sources: list[Key]) -> Iterator[tuple[Key, tuple[Location, ...]]]:
        """The lines on the shortest way from each source to an effect."""
        end = self._graph.sinks[sink]
        starts = {self._graph.sources[source]: source for source in sources}
        after: dict[Node, Node] = {end: end}
        todo, data = deque([end]), self._data
        left, read = sum(self._own[start] for start in starts if start is not end), 1 << len(self._sources)
        own, wanted = self._own, left | read
        while todo and left:
            node = todo.popleft()
            for before in self._sorted(node):
                if before not in after and data[before] & wanted:  # no way leads through what no source reaches
                    after[before] = node
                    todo.append(before)
                    if before in own and left & own[before]:
                        left &= ~own[before]
                        wanted = left | read
        for start, source in starts.items():
            lines: list[Location] = []
            node = start
            while node is not end:
                node = after[node]
                if node.where is not None and node.where not in (start.where, end.where, *lines[-1:]):
                    lines.append(node.where)
            yield source, tuple(lines)

    def _sorted(self, node: Node) -> list[Node]:
        found = self._before.get(node)
        if found is None:
            found = self._before[node] = sorted(filter(self._data.get, node.into), key=_AGE)
        return found


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        mask ^= lowest
        yield lowest.bit_length() - 1


_DONE = 1 << 62


def _groups(starts: list[Node], before: Callable[[Node], Collection[Node]]) -> Iterator[list[Node]]:
    """Nodes that reach each other, in an order in which what comes before a group is given first (Tarjan)."""
    low: dict[Node, int] = {}  # the lowest number that a node reaches, or that its group is known
    stack: list[Node] = []
    for start in starts:
        if start in low:
            continue
        low[start] = len(low)
        stack.append(start)
        path = [(start, low[start], len(stack) - 1, iter(before(start)))]
        while path:
            node, number, depth, rest = path[-1]
            least = low[node]
            for item in rest:
                known = low.get(item)
                if known is None:
                    if not before(item):
                        low[item] = _DONE
                        yield [item]
                        continue
                    low[node] = least
                    low[item] = known = len(low)
                    stack.append(item)
                    path.append((item, known, len(stack) - 1, iter(before(item))))
                    break
                if known >= least:
                    continue
                least = known
            else:
                low[node] = least
                path.pop()
                if least == number:
                    group = stack[depth:]
                    del stack[depth:]
                    low.update(dict.fromkeys(group, _DONE))
                    yield group[::-1]
                elif least < low[path[-1][0]]:
                    low[path[-1][0]] = least


def _is_fixed(scope: Scope) -> bool:
    return not isinstance(scope, (AnyScope, SymbolScope)) and not (
        isinstance(scope, PathScope) and scope.anchor.startswith("<")
    )


def _worth(sink: Key, private: int, outside: int) -> int:
    """The sources whose flow into an effect tells a reader something: data of the user leaves, secrets go anywhere, or what comes from
    outside is run. That a script writes files of what it reads is told too, but not of commands that the agent is given."""
    if _leaves(sink.capability):
        return -1
    if sink.origin is Origin.INSTRUCTED or sink.capability in _STARTS:
        return private if sink.capability in _KEEPS else private | outside
    return -1


def _is_personal(key: Key) -> bool:
    """Whether it matters that the agent sends it after it was printed: secrets, all variables, what is recorded, files of the home."""
    if key.capability == "env.read":
        return not isinstance(key.scope, NameScope)
    home = isinstance(key.scope, PathScope) and key.scope.anchor == "~"
    return key.capability in _PRIVATE or key.capability == "profile.read" or home


_ORDINARY = 4


def _weight(pair: tuple[Key, Key]) -> int:
    """How much a flow matters: 0 the most."""
    source, sink = pair
    leaves = _leaves(sink.capability)
    if source.capability in _PRIVATE:
        return 0 if leaves else 2
    if leaves:
        return 1
    return 3 if _leaves(source.capability) and sink.capability not in _KEEPS else _ORDINARY


def _leaves(capability: str) -> bool:
    return vocabulary()[capability].scope_kind is ScopeKind.HOST or capability in _SENDS


_PRIVATE = frozenset(
    "secret.read env.read memory.read clipboard.read screen.capture camera.capture microphone.record input.access".split()
)
_SENDS = frozenset("message.send publish pay commit.push".split())
_KEEPS = frozenset(
    "file.write source.write secret.write clipboard.write db.write commit.create env.write container.manage".split()
)


def _is_own(key: Key, flows: Flows, secret: set[Location]) -> bool:
    """No data of the user: a file that the skill brings along; or told already, as the secret that it is."""
    if (isinstance(key.scope, PathScope) and key.scope.anchor == "skill") or key.capability in _MOVES:
        return True
    if key.where not in secret or key.capability not in ("file.read", "source.read", "env.read"):
        return False
    scope = NameScope(f"env:{key.scope.render()}") if key.capability == "env.read" else key.scope
    return key._replace(capability="secret.read", scope=scope) in flows.sources


def _is_same(source: Key, sink: Key) -> bool:
    """A request and its own answer."""
    return source == sink or (source.where == sink.where and source.scope == sink.scope)


def _end(key: Key) -> Endpoint:
    return Endpoint(key.capability, key.scope, key.where)


def _key_order(key: Key) -> tuple[object, ...]:
    return key.where, key.capability, key.scope.render(), key.origin


def _order(flow: Flow) -> tuple[object, ...]:
    source, sink = flow.source, flow.sink
    return (
        sink.where, sink.capability, sink.scope.render(), source.where, source.capability, source.scope.render(), flow.origin
    )  # fmt: skip
