"""Expressions and conditions of summaries: what a call returns, what names the object of an effect, and whether a line counts."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    CWD,
    HOME,
    NEVER,
    SEGMENT,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
    TEMP,
    TREE,
    UNDEFINED,
    UNKNOWN,
    UNREACHED,
    Anything,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Data,
    Hole,
    Instance,
    Lib,
    Num,
    Object,
    Text,
    Value,
    concat,
    env_origin,
    hole,
    lit,
    of_caller,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args, Binding
from remit.analysis.engine.heap import widen_texts
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.strings import substituted
from remit.analysis.engine.tables import CAUGHT
from remit.analysis.engine.texts import (
    abspath,
    basename,
    concat_values,
    derived,
    dirname,
    expanduser,
    folder,
    join_paths,
    literals,
    mapped,
    parents,
    per_text,
    quoted,
    resolved_url,
    stem,
    texts_of,
    with_suffix,
)
from remit.analysis.summaries.library import KEPT
from remit.analysis.world import HERE

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.summaries.model import Condition, Expr


_HOLES: dict[str, Value] = {
    "seg": hole(UNKNOWN, SEGMENT),
    "tree": hole(UNKNOWN, TREE),
    "cwd": hole(CWD),
    "home": hole(HOME),
    "temp": hole(TEMP),
}


def _named(value: Value) -> Value:
    """What may name a file: None and the like do not, so a call with them fails."""
    return frozenset(atom for atom in value if not isinstance(atom, Const))


def _relative(value: Value, base: Value) -> Value:
    """What remains of a path below another; unknown unless every text begins with the one base and stays below it."""
    starts = texts_of(base)
    if len(starts) != 1:
        return SOME_TEXT
    head = concat_values([frozenset(starts), lit("/")])
    (start,) = texts_of(head)
    out: set[Text] = set()
    for text in texts_of(value):
        shared, last = start.parts[:-1], start.parts[-1]
        at = len(shared)
        here = text.parts[at] if at < len(text.parts) else None
        if (
            text.parts[:at] != shared
            or not isinstance(here, str)
            or not isinstance(last, str)
            or not here.startswith(last)
        ):
            return SOME_TEXT
        rest = here[len(last) :]
        left = Text(((rest,) if rest else ()) + text.parts[at + 1 :])
        if any(".." in part if isinstance(part, str) else part.alphabet not in {SEGMENT, TREE} for part in left.parts):
            return SOME_TEXT
        out.add(left)
    return frozenset(out)


def _with_ending(value: Value, ending: str, *, kept: list[str]) -> Value:
    """A name that gets an ending: unless it has that one already, or one of those that are kept (`.`: any)."""

    def one(text: Text) -> list[Text]:
        last = text.parts[-1] if text.parts else ""
        longer = concat(text, Text((ending,)))
        if not isinstance(last, str):  # a caller who names a picture names its ending, too
            return [text] if "." in kept and of_caller(last) and last.exact else [text, longer]
        name = last.rpartition("/")[2]
        has = last.endswith((ending, *(end for end in kept if end != "."))) or ("." in kept and "." in name.lstrip("."))
        if "." in kept and not has and len(text.parts) > 1 and "/" not in last:
            return [text, longer]
        return [text] if has else [longer]

    return per_text(value, one)


def paths_of_file_urls(value: Value) -> Value:
    """The path of a `file:` URL, if it may be one."""
    out: set[Text] = set()
    for text in texts_of(value):
        first = text.parts[0] if text.parts else ""
        if isinstance(first, str):
            if first.lower().startswith("file:"):
                rest = first[5:].removeprefix("//").removeprefix("localhost")
                out.add(Text((rest, *text.parts[1:])) if rest else Text(text.parts[1:]))
        elif first.alphabet == "any" and first.origin in {UNKNOWN, "net", "file"}:
            out.add(Text((Hole(UNKNOWN),)))
    return frozenset(out)


def _package_of(value: Value) -> Value:
    """The package of a module's name: none if it has no dot."""
    names = frozenset(text for text in texts_of(value) if text.literal is None or "." in text.literal)
    return mapped(names, lambda name: name.rpartition(".")[0])


def _own(value: Value) -> Value:
    """The texts that are not just what the caller gives."""
    return frozenset(
        text
        for text in texts_of(value)
        if not (len(text.parts) == 1 and isinstance(text.parts[0], Hole) and of_caller(text.parts[0]))
    )


def _socket_paths(value: Value) -> Value:
    """Where a server listens that is given these: a text is the path of a socket, unless it is a port, or the port that the caller names."""
    texts = frozenset(atom for atom in value if isinstance(atom, Text))
    return frozenset(text for text in _own(texts) if not (isinstance(text, Text) and (text.literal or "").isdigit()))


def _matches(value: Value) -> Value:
    """Paths that a glob pattern matches: each component with a wildcard is an unknown segment."""

    def one(text: Text) -> list[Text]:
        literal = text.literal
        if literal is None:
            if all(isinstance(part, str) or part.alphabet in {SEGMENT, TREE} for part in text.parts[1:]):
                return [_pattern(text)]
            return [Text((Hole(UNKNOWN, exact=False),))]
        return [_pattern(text)]

    return per_text(value, one)


def _pattern(text: Text) -> Text:
    parts: list[str | Hole] = []
    for part in text.parts:
        if isinstance(part, Hole):
            parts.append(part)
            continue
        for i, component in enumerate(part.split("/")):
            if i:
                parts.append("/")
            if component == "**":
                parts.append(Hole(UNKNOWN, TREE))
            elif fnmatch.translate(component) != fnmatch.translate(
                component.replace("*", "").replace("?", "").replace("[", "")
            ):
                parts.append(Hole(UNKNOWN, SEGMENT))
            elif component:
                parts.append(component)
    from remit.analysis.domain import text as normal  # noqa: PLC0415

    return normal(*parts)


def _glob_base(value: Value) -> Value:
    return mapped(value, lambda pattern: pattern.partition("*")[0].rpartition("/")[0] or ".")


def _resolved(base: Value, given: Value) -> Value:
    """The URLs that references mean on a page."""
    return frozenset(made for page in texts_of(base) for one in texts_of(given) for made in resolved_url(page, one))


_OF_PATHS = {"relative": _relative, "resolved": _resolved}
# What gives an exception that was caught elsewhere.
_GIVEN = frozenset({ARG, "stdin"})
_CAUGHT_BY = frozenset(
    "sys.exc_info sys.exception sys.last_exc sys.last_value sys._current_exceptions "
    "builtins.BaseException.__context__".split()
)
_VARIABLE = env_origin("")
_CONSTANTS = {"any": ANY, "sometext": SOME_TEXT, "somenum": SOME_NUM, "somebool": SOME_BOOL}
_TEXT_FUNCTIONS: dict[str, Callable[[Value], Value]] = {
    "dirname": lambda value: dirname(value, empty="."), "parents": parents, "own": _own, "socketpath": _socket_paths, "basename": basename, "stem": stem, "abspath": abspath, "normpath": lambda v: v,
    "expanduser": expanduser, "quoted": quoted, "strip": lambda v: mapped(v, str.strip), "lower": lambda v: mapped(v, str.lower),
    "upper": lambda v: mapped(v, str.upper), "fileurl": paths_of_file_urls, "packageof": _package_of, "matches": _matches, "globbase": _glob_base,
    "folder": folder,
}  # fmt: skip


def _number(text: str) -> Value:
    number = float(text)
    return frozenset({Num(number, number)})


def _library(text: str) -> Value:
    return frozenset({Lib(text)})


# What does not hang on the arguments, by the text of the expression.
_WRITTEN: dict[str, Callable[[str], Value]] = {
    "lit": lru_cache(lit), "num": lru_cache(_number), "const": lru_cache(lambda text: frozenset({Const(text)})),
    "class": (_of_library := lru_cache(_library)), "module": _of_library, "member": _of_library,
}  # fmt: skip


_COLLECTIONS = frozenset({"list", "dict"})
_SEQUENCES = frozenset({"list", "tuple", "set", "iter"})

_FALSE = frozenset({"none", "false", "undefined", "missing"})


def _is_true(atom: Atom, _: str) -> bool:
    if isinstance(atom, Const):
        return atom.name not in _FALSE
    if isinstance(atom, Text):
        return bool(atom.parts)
    return not (isinstance(atom, Num) and atom.low == 0 and atom.high == 0)


def _is_false(atom: Atom, _: str) -> bool:
    if isinstance(atom, Const):
        return atom.name in _FALSE
    if isinstance(atom, Text):
        return atom.literal == "" or atom.literal is None
    if isinstance(atom, Num):
        return (atom.low is None or atom.low <= 0) and (atom.high is None or atom.high >= 0)
    return not isinstance(atom, (Closure, Lib, Class, Bound, Instance))


def _has_chars(atom: Atom, chars: str) -> bool:
    if isinstance(atom, Text):
        return any(not isinstance(part, str) or any(char in part for char in chars) for part in atom.parts)
    return not isinstance(atom, (Const, Num))


def _may_be_url(atom: Atom, _: str) -> bool:
    if isinstance(atom, Text):
        first = atom.parts[0] if atom.parts else ""
        if not isinstance(first, str):
            return first.origin in {"any", "net"} and first.alphabet == "any"
        scheme, colon, _rest = first.partition(":")
        return bool(colon) and scheme.isalnum() and len(scheme) > 1
    return not isinstance(atom, (Const, Num, Instance, Object))


def _equals(atom: Atom, wanted: str) -> bool:
    if isinstance(atom, Text):
        literal = atom.literal
        return literal is None or literal == wanted
    if isinstance(atom, Const):
        return atom.name == wanted.lower()
    return not isinstance(atom, Num) or not wanted.lstrip("-").isdigit() or _in_range(atom, int(wanted))


def _in_range(atom: Num, number: int) -> bool:
    return (atom.low is None or atom.low <= number) and (atom.high is None or number <= atom.high)


def _differs(atom: Atom, wanted: str) -> bool:
    if isinstance(atom, Text):
        return atom.literal != wanted
    if isinstance(atom, Const):
        return atom.name != wanted.lower()
    return not (isinstance(atom, Num) and str(atom.low) == str(atom.high) == wanted)


def _has_kind(atom: Atom, kind: str) -> bool:
    if isinstance(atom, (Anything, Data)):
        return kind != "function" or isinstance(atom, Anything)
    if kind == "text":
        return isinstance(atom, Text) or (isinstance(atom, Instance) and atom.payload is not None)
    if kind == "num":
        return isinstance(atom, Num)
    if kind == "function":
        return isinstance(atom, (Closure, Lib, Bound, Class, Object))
    return isinstance(atom, (Object, Instance))


TEXT_TESTS = frozenset({"chars", "eq", "ne"})  # of an object that carries a text, they look at the text
TESTS = {
    "true": _is_true, "false": _is_false, "chars": _has_chars, "url": _may_be_url, "eq": _equals, "ne": _differs, "kind": _has_kind,
}  # fmt: skip


class Expressions(EnginePart):
    """Evaluates summary expressions over bound parameters."""

    environments: engine.Environments
    js_process: engine.JavaScriptProcess
    kept: engine.KeptObjects
    methods: engine.Methods
    receivers: engine.Receivers

    def expression(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        """The value of an expression; `name` is the call it belongs to."""
        op = expr.op
        if op == "param":
            return env.get(expr.text, BOTTOM)
        constant = _WRITTEN.get(op)
        if constant is not None:
            return constant(expr.text)
        if op in _CONSTANTS:
            if name in _CAUGHT_BY and self.run.language() == "python":
                return ANY | self.kept.called_by(CAUGHT)
            return _CONSTANTS[op] | self.kept.kept_or_called() if op == "any" else _CONSTANTS[op]
        return _EXPRESSIONS.get(op, Expressions._function)(self, expr, env, given, name, line)

    def _hole(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        self._note_input(expr.text)
        if expr.text == ARG:
            return self.environments.command_line()
        if expr.text.startswith(_VARIABLE) and expr.text != env_origin("*"):
            return self.environments.variable(expr.text.removeprefix(_VARIABLE))
        found = _HOLES.get(expr.text) or hole(expr.text)
        return self.from_here(found) if expr.text == CWD else found

    def _note_input(self, origin: str) -> None:
        if origin in _GIVEN:
            self.run.flows.context.add(self.run.flows.node(("in", self.run.frame.loaded.started)))

    def _data(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        self._note_input(expr.text)
        inside = f"{KEPT}." in name  # an element or attribute of what is kept
        kept = self.kept.kept_or_called() if inside else self.kept.kept() if expr.text == UNKNOWN else BOTTOM
        return frozenset({Data(expr.text)}) | kept

    def _union(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        return BOTTOM.union(*[self.expression(arg, env, given, name, line) for arg in expr.args])

    def _when(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        holds = self.may_all_hold(expr.conditions, env, given)
        return self.expression(expr.args[0], env, given, name, line) if holds else BOTTOM

    def _collection(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        inner = self.expression(expr.args[0], env, given, name, line)
        made = self.objects.allocate(self.result_key(expr), expr.op, line)
        self.objects.heap(made).alike = True
        self.cells.write(self.objects.heap(made).bag, inner)
        return frozenset({made})

    def _star(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        return self.expression(expr.args[0], env, given, name, line)

    def _result(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        callee = self.expression(expr.args[0], env, given, name, line)
        return self.calls.call(callee, self.expression_args(expr.args[1:], env, line), line)

    def result_key(self, expr: Expr) -> object:
        """Results of the same expression at the same call are the same object."""
        return self.objects.slots.setdefault((id(self.run.call_term), f"{id(expr)}"), (self.run.call_term, expr))

    def expression_args(self, exprs: tuple[Expr, ...], env: dict[str, Value], line: int) -> Args:
        """Arguments that a summary passes to a callback."""
        args = Args()
        for expr in exprs:
            value = self.expression(expr, env, set(env), "", line)
            if expr.op == "star":
                words = self.words_taken(expr, env)
                if expr.args[0].op == "star":
                    self._pass_keywords(expr.args[0].args[0], value, env, args)
                elif words is not None:
                    args.positional.extend(words[0])
                    args.star = args.star | words[1]
                else:
                    self.collections.unfold(frozenset(atom for atom in value if not isinstance(atom, Const)), args)
            else:
                args.positional.append(value or ANY)
        return args

    @staticmethod
    def words_taken(expr: Expr, env: dict[str, Value]) -> tuple[list[Value], Value] | None:
        """What the parameter `*rest` took, for `*rest` in an expression."""
        if expr.op != "star" or expr.args[0].op != "param" or not isinstance(env, Binding):
            return None
        return env.words.get(expr.args[0].text)

    def _pass_keywords(self, inner: Expr, value: Value, env: dict[str, Value], args: Args) -> None:
        """`**kw`: the keywords that the caller gave, or those of a dictionary that it passed."""
        taken = env.named.get(inner.text) if isinstance(env, Binding) and inner.op == "param" else None
        if taken is None:
            self.collections.unfold_keywords(frozenset(atom for atom in value if not isinstance(atom, Const)), args)
            return
        for word, given in taken[0].items():
            args.keywords[word] = args.keywords.get(word, BOTTOM) | given
        args.perhaps |= taken[2]
        args.keyword_star = args.keyword_star | taken[1]

    def _instance(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        if not self.run.quiet:
            self.receivers.add(expr.text)
        if not expr.args:
            return frozenset({Instance(expr.text)})
        value = self.expression(expr.args[0], env, given, name, line)
        payload = _named(value)
        if not payload:
            return value & UNREACHED
        return frozenset(Instance(expr.text, frozenset({text})) for text in texts_of(payload))

    def _tuple(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        made = self.objects.allocate(self.result_key(expr), "tuple", line)
        heap = self.objects.heap(made)
        for i, arg in enumerate(expr.args):
            self.objects.write_at(heap, i, self.expression(arg, env, given, name, line))
        return frozenset({made})

    def _function(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:  # noqa: PLR0911  one case for each kind of value
        if expr.op == "key":
            return self._key(expr, env, given, name, line)
        if expr.op in {"join", "nest", "cat"}:
            return self._join_operands(expr, env, given, name, line)
        if expr.op == "words":
            return self.summaries.words_of(expr, env, given, name, line)
        if expr.op == "rest":
            return self.elements.slice(self.expression(expr.args[0], env, given, name, line), 1, self.result_key(expr))
        values = [self.expression(arg, env, given, name, line) for arg in expr.args]
        if expr.op == "item":
            return self.elements.iterate(values[0], line)
        if expr.op == "values":
            return self._values_in(values[0], line)
        if expr.op == "withending":
            return _with_ending(values[0], expr.args[1].text, kept=[arg.text for arg in expr.args[2:]])
        if expr.op == "replaced":
            return substituted(values[0], values[1], values[2])
        if expr.op in _OF_PATHS:
            return _OF_PATHS[expr.op](values[0], values[1])
        if expr.op == "withsuffix":
            return with_suffix(values[0], values[1] if len(values) > 1 else SOME_TEXT)
        if expr.op == "env":
            names = literals(values[0])
            return BOTTOM.union(*map(self.environments.variable, ["*"] if names is None else names))
        made = _TEXT_FUNCTIONS[expr.op](values[0])
        return self.from_here(made) if expr.op == "abspath" else made

    def _values_in(self, value: Value, line: int) -> Value:
        """The values of mappings, the elements of other collections, and what is neither."""
        out: Value = BOTTOM
        for atom in each(value):
            if isinstance(atom, Object):
                mapping = self.objects.heap(atom).kind in {"dict", "map"}
                out = out | (
                    self.collections.values_of(self.objects.heap(atom))
                    if mapping
                    else self.elements.iterate(frozenset({atom}), line)
                )
            elif not isinstance(atom, Const):
                out = out | {atom}
        return out

    def from_here(self, value: Value) -> Value:
        """Paths below the current folder, wherever the script has gone before."""
        folders = self.environments.here()
        if folders == HERE:
            return value
        out: set[Text] = set()
        for given in texts_of(value):
            first = given.parts[0] if given.parts else ""
            if isinstance(first, Hole) and first.origin == CWD:
                out.update(concat(folder, Text(given.parts[1:])) for folder in texts_of(folders))
            else:
                out.add(given)
        return widen_texts(frozenset(out))

    def _key(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        """The value at a key of an options object; nothing if the object surely lacks it."""
        base = self.expression(expr.args[0], env, given, name, line)
        key = expr.args[1].text
        out: Value = BOTTOM
        missing = False
        for atom in each(base):
            if isinstance(atom, Object):
                heap = self.objects.heap(atom)
                index = int(key) if expr.args[1].op == "num" else -1
                cell = heap.prefix[index] if 0 <= index < len(heap.prefix) else self.objects.field(heap, key)
                found = self.cells.read(cell) | self.cells.read(heap.bag)
                missing = missing or not found or heap.sure is None or not (index >= 0 or key in heap.sure)
                out = out | found | (ANY if heap.escaped else BOTTOM)
            elif isinstance(atom, Const):
                missing = True
            elif isinstance(atom, Anything):
                out = out | ANY
            elif isinstance(atom, Data):
                out = out | {atom}
            elif isinstance(atom, Instance):
                out = out | self.js_process.instance_member(atom, key, line)
        return out | {UNDEFINED} if out and missing and self.run.language() == "js" else out

    def _join_operands(self, expr: Expr, env: dict[str, Value], given: set[str], name: str, line: int) -> Value:
        pieces: list[Value] = []
        unknown: Value = BOTTOM
        for arg in expr.args:
            words = self.words_taken(arg, env)
            if words is not None:
                pieces.extend(words[0])
                unknown = unknown | words[1]
            else:
                value = self.expression(arg, env, given, name, line)
                if arg.op == "star":
                    unknown = unknown | self.elements.iterate(value, line)
                else:
                    pieces.append(value)
        if expr.op == "cat":
            return concat_values(
                [self.methods.words(piece) for piece in pieces] if self.run.language() == "js" else pieces
            )
        if not pieces and not unknown:
            return lit(".")
        if any(NEVER in piece and not _named(piece) for piece in pieces):  # an argument that nobody gave names no file
            return UNREACHED
        pieces = [_named(piece) for piece in pieces]
        out = pieces[0] if pieces else SOME_TEXT
        for piece in pieces[1:]:
            out = join_paths(out, piece, resets=expr.op == "join")
        if unknown:
            out = out | join_paths(out, derived(unknown), resets=expr.op == "join")
        return out

    def may_all_hold(self, conditions: tuple[Condition, ...], env: dict[str, Value], given: set[str]) -> bool:
        """Whether conditions can be true at once. Those on the same subject are true of the same value: `x and x!='a'` does not
        hold of what is `'a'` or missing."""
        if not all(self._may_hold(condition, env, given) for condition in conditions):
            return False
        asked: list[Expr] = []
        for condition in conditions if len(conditions) > 1 else ():
            subject = condition.subject
            together = [other for other in conditions if other.subject == subject and other.test != "given"]
            if len(together) < 2 or subject in asked:
                continue
            asked.append(subject)
            value = self.expression(subject, env, given, "", 0)
            if len(value) > 1 and not any(
                all(self._passes(other, frozenset({atom})) for other in together) for atom in value
            ):
                return False
        return True

    def _may_hold(self, condition: Condition, env: dict[str, Value], given: set[str]) -> bool:
        subject = condition.subject
        if condition.test == "given":
            return subject.text in given if subject.op == "param" else bool(self.expression(subject, env, given, "", 0))
        value = self.expression(subject, env, given, "", 0)
        if not value:
            return condition.test in {"false", "ne"} and subject.op == "key"
        return self._passes(condition, value)

    def _passes(self, condition: Condition, value: Value) -> bool:
        if condition.test == "false" and self.run.language() == "js":
            value = frozenset(atom for atom in value if not isinstance(atom, Object))  # `[]` and `{}` are true
        if condition.test == "kind" and condition.value in _COLLECTIONS:
            return any(self._is_collection(atom, condition.value) for atom in value)
        if condition.test in TEXT_TESTS:
            value = frozenset(
                text for atom in value for text in (atom.payload or {atom} if isinstance(atom, Instance) else {atom})
            )
        return any(TESTS[condition.test](atom, condition.value) for atom in value)

    def _is_collection(self, atom: Atom, kind: str) -> bool:
        if isinstance(atom, Object):
            heap = self.objects.heap(atom)
            return heap.escaped or (heap.kind in _SEQUENCES) == (kind == "list")
        return isinstance(atom, (Anything, Data)) or (
            kind == "dict" and isinstance(atom, Instance) and atom.payload is None
        )


_EXPRESSIONS = {
    "hole": Expressions._hole, "data": Expressions._data, "union": Expressions._union, "when": Expressions._when,
    "instance": Expressions._instance, "iter": Expressions._collection, "list": Expressions._collection,
    "dict": Expressions._collection, "tuple": Expressions._tuple, "star": Expressions._star, "result": Expressions._result,
}  # fmt: skip
