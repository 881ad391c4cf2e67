"""Python statements to facts. There is no control flow: conditions are evaluated, every branch holds."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, lit
from remit.analysis.ir import (
    Attr,
    Binary,
    Bind,
    Catch,
    ClassInfo,
    Decorate,
    Delete,
    Element,
    Enter,
    Evaluate,
    FieldType,
    Function,
    Global,
    Import,
    Item,
    Iterate,
    Known,
    MakeClass,
    MakeFunction,
    Part,
    Rest,
    Return,
    SetAttr,
    SetItem,
    StarImport,
    Term,
    Throw,
    Var,
)
from remit.analysis.python.expressions import _OPERATORS, ExpressionLowerer
from remit.analysis.python.list_building import building_of
from remit.analysis.python.names import Scope, bindings_of, global_names, unmangled
from remit.analysis.python.narrowing import is_exit
from remit.analysis.python.trees import children, walk

if TYPE_CHECKING:
    from remit.analysis.python.names import Flow, State


_RUNS = (
    ast.Call,
    ast.NamedExpr,
    ast.Await,
    ast.Yield,
    ast.YieldFrom,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
# Annotations that say no more about an object than what it is anyway.
_PLAIN_TYPES = frozenset(
    "str int float bool bytes None list dict set tuple frozenset object Any Optional Union List Dict Set Tuple Annotated Literal "
    "ClassVar Final Sequence Iterable Mapping Callable Type type complex Decimal datetime date time timedelta UUID".split()
)
_NO_COLLECTIONS = frozenset({"Optional", "Union", "Annotated", "ClassVar", "Final", "Literal"})


def _parts_of_annotation(node: ast.expr | None) -> list[ast.expr]:
    """The expressions of an annotation, those in its texts included; what runs is one part, and `Literal` holds no code."""
    out: list[ast.expr] = []
    todo: list[ast.AST] = [node] if node is not None else []
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            parsed = _parsed_text(part.value, part.lineno)
            todo.extend([parsed] if parsed is not None else [])
            continue
        if isinstance(part, ast.expr):
            out.append(part)
        if isinstance(part, _RUNS):
            continue
        if isinstance(part, ast.Subscript) and _last_name(part.value) == "Literal":
            continue
        if (
            isinstance(part, ast.Subscript)
            and _last_name(part.value) == "Annotated"
            and isinstance(part.slice, ast.Tuple)
        ):
            todo.append(part.slice.elts[0])
            todo.extend(item for item in part.slice.elts[1:] if not isinstance(item, ast.Constant))
            continue
        todo.extend(children(part))
    return out


def _parsed_text(text: str, line: int) -> ast.expr | None:
    try:
        parsed = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # whoever evaluates it fails
    for part in walk(parsed):
        if isinstance(part, ast.expr):
            part.lineno = part.end_lineno = line
    return parsed


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


class AssignmentLowerer(ExpressionLowerer):
    """Lowers what gives a value to a target."""

    def assign(self, target: ast.expr, value: Term) -> None:
        """Bind a target of any shape."""
        if isinstance(target, ast.Name):
            for renamed in reversed(self.scope.renames):
                if unmangled(target.id) in renamed:
                    self.facts.append(Bind(self.scope.function.index, renamed[unmangled(target.id)], value))
                    return
            self.bind_name(target.id, value)
        elif isinstance(target, ast.Attribute):
            self.facts.append(SetAttr(self.expr(target.value), unmangled(target.attr), value, target.lineno))
        elif isinstance(target, ast.Subscript):
            self.facts.append(SetItem(self.expr(target.value), self.expr(target.slice), value, target.lineno))
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value)

    def _unpack(self, target: ast.Tuple | ast.List, value: Term) -> None:
        held = self.hold(value)
        count = len(target.elts)
        star = next((i for i, item in enumerate(target.elts) if isinstance(item, ast.Starred)), None)
        for i, item in enumerate(target.elts):
            if star is not None and i == star:
                self.assign(item, Rest(held, i, target.lineno, count - i - 1))
            elif star is not None and i > star:
                self.assign(item, Element(held, i - count, target.lineno))
            else:
                self.assign(item, Element(held, i, target.lineno))

    def hold(self, value: Term) -> Term:
        """A variable for a value that is used several times."""
        if isinstance(value, Var):
            return value
        name = self.fresh()
        self.facts.append(Bind(self.scope.function.index, name, value))
        return Var(self.scope.function.index, name)

    def _assign(self, node: ast.Assign) -> None:
        value_node = node.value
        if (
            len(node.targets) == 1
            and isinstance(node.targets[0], ast.Tuple)
            and isinstance(value_node, ast.Tuple)
            and len(node.targets[0].elts) == len(value_node.elts)
            and not any(isinstance(e, ast.Starred) for e in (*node.targets[0].elts, *value_node.elts))
        ):
            values = [self.expr(item) for item in value_node.elts]
            for target, value in zip(node.targets[0].elts, values, strict=True):
                self.assign(target, value)
            return
        value = self.expr(value_node)
        if len(node.targets) > 1:
            value = self.hold(value)
        for target in node.targets:
            self.assign(target, value)

    def _annotated(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.expr(node.value))
        elif not isinstance(node.target, ast.Name):
            self.evaluate(node.target)
        self.annotation(node.annotation)

    def annotation(self, node: ast.expr | None) -> None:
        """What runs in an annotation: a mere reference does not count there, a call does. A text is code: many libraries evaluate it."""
        for part in _parts_of_annotation(node):
            if isinstance(part, _RUNS):
                self.evaluate(part)

    def field_type(self, node: ast.expr) -> FieldType:
        """The classes that the annotation of a field names."""
        parts = _parts_of_annotation(node)
        inside = {id(part.value) for part in parts if isinstance(part, ast.Attribute)}
        names = [
            part
            for part in parts
            if isinstance(part, (ast.Name, ast.Attribute)) and id(part) not in inside and _is_dotted(part)
        ]
        collections = [
            part for part in parts if isinstance(part, ast.Subscript) and _last_name(part.value) not in _NO_COLLECTIONS
        ]
        classes = [self.expr(name) for name in names if _last_name(name) not in _PLAIN_TYPES]
        return FieldType(tuple(classes), bool(collections))

    def _augmented(self, node: ast.AugAssign) -> None:
        op = _OPERATORS[type(node.op)] + "="
        right = self.expr(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            if op == "+=" and not isinstance(node.value, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                self.scope.built.add(target.id)
            left: Term = self.expr(ast.Name(target.id, ast.Load(), lineno=node.lineno))
        elif isinstance(target, ast.Attribute):
            left = Attr(self.expr(target.value), unmangled(target.attr), node.lineno)
        else:
            left = Item(self.expr(target.value), self.expr(target.slice), node.lineno)
        self.assign(target, Binary(op, left, right, node.lineno))

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Attribute):
                self.facts.append(Delete(self.expr(target.value), Known(lit(target.attr)), node.lineno))
            elif isinstance(target, ast.Subscript):
                self.facts.append(Delete(self.expr(target.value), self.expr(target.slice), node.lineno))

    def evaluate(self, node: ast.expr | None) -> None:
        """An expression for its effects."""
        if node is not None and not isinstance(node, ast.Constant):
            self.facts.append(Evaluate(self.expr(node)))


_BINDINGS = {
    "staticmethod": "static", "classmethod": "class", "property": "property", "cached_property": "property",
    "abstractproperty": "property", "DynamicClassAttribute": "property", "hybrid_property": "property",
}  # fmt: skip
_IGNORED = (ast.Pass, ast.Global, ast.Nonlocal)


class StatementLowerer(AssignmentLowerer):
    """Lowers a whole module."""

    def module(self, tree: ast.Module) -> None:
        """The module body is function 0."""
        bindings = bindings_of(tree.body, [], walrus=self.walrus)
        if self.has_globals:
            bindings.bound |= global_names(tree)
        self.scope = Scope(self.program.functions[0], bindings, None)
        self.block(tree.body)
        if self.scope.built:
            self.program.functions[0].building = building_of(tree.body, self.scope.built)

    def block(self, statements: list[ast.stmt]) -> None:
        """Each statement in order."""
        for statement in statements:
            lower = _TABLE.get(type(statement))
            if lower is not None:
                lower(self, statement)
            elif not isinstance(statement, _IGNORED):
                self.program.opaque.append((f"`{type(statement).__name__}` is not understood", statement.lineno))

    # ── control ──

    def _expression(self, node: ast.Expr) -> None:
        if self.scope.parent is None and not self.program.file:
            self.facts.append(Return(self.expr(node.value)))  # text that became code: its value is what `eval` gives
        else:
            self.evaluate(node.value)
        if self.scope.flow is not None and self.program.keeps_sys and is_exit(node.value):
            self.scope.flow.end()

    def _return(self, node: ast.Return) -> None:
        if node.value is not None:
            self.facts.append(Return(self.expr(node.value)))
        if self.scope.flow is not None:
            self.scope.flow.end()

    def _raise(self, node: ast.Raise) -> None:
        for thrown in (node.exc, node.cause):
            if thrown is not None:
                self.facts.append(Evaluate(Throw(self.expr(thrown), node.lineno)))
        if self.scope.flow is not None:
            self.scope.flow.end()

    def _leave(self, node: ast.Break | ast.Continue) -> None:
        if self.scope.flow is not None:
            self.scope.flow.leave(again=isinstance(node, ast.Continue))

    def _assert(self, node: ast.Assert) -> None:
        self.evaluate(node.test)
        if node.msg is not None:
            self.facts.append(Evaluate(Throw(self.expr(node.msg), node.lineno)))

    def _if_statement(self, node: ast.If) -> None:
        self.evaluate(node.test)
        flow = self.scope.flow
        start = flow.state() if flow is not None else None
        self.narrow(node.test, holds=True)
        self.block(node.body)
        if flow is None or start is None:
            self.block(node.orelse)
            return
        then = flow.state()
        flow.resume(start)
        self.narrow(node.test, holds=False)
        self.block(node.orelse)
        flow.join([then, flow.state()])

    def _while(self, node: ast.While) -> None:
        def round_() -> None:
            self.evaluate(node.test)
            self.block(node.body)

        self._loop(round_, node.orelse)

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        items = Iterate(self.expr(node.iter), node.lineno)

        def round_() -> None:
            self.assign(node.target, items)
            self.block(node.body)

        self._loop(round_, node.orelse)

    def _loop(self, round_: Callable[[], None], orelse: list[ast.stmt]) -> None:
        flow = self.scope.flow
        if flow is None:
            round_()
            self.block(orelse)
            return
        head = flow.enter_loop()
        round_()
        loop = flow.close_loop(head)
        self.block(orelse)
        flow.join([flow.state(), *loop.breaks])

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            entered = Enter(self.expr(item.context_expr), item.context_expr.lineno)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, entered)
            else:
                self.facts.append(Evaluate(entered))
        flow = self.scope.flow
        start, mark = (flow.state(), len(flow.made)) if flow is not None else (None, 0)
        self.block(node.body)
        if flow is not None and start is not None:  # a context manager may swallow an exception
            flow.join([flow.state(), flow.anywhere(start, mark)])

    def _try(self, node: ast.Try | ast.TryStar) -> None:
        flow = self.scope.flow
        if flow is None:
            self.block(node.body)
            for handler in node.handlers:
                self._handler(handler)
            self.block(node.orelse)
            self.block(node.finalbody)
            return
        start, mark = flow.state(), len(flow.made)
        jumps = [(len(loop.breaks), len(loop.continues)) for loop in flow.loops]
        self.block(node.body)
        broken = flow.anywhere(start, mark)
        self.block(node.orelse)
        ends = [flow.state()]
        for handler in node.handlers:
            flow.resume(broken)
            self._handler(handler)
            ends.append(flow.state())
        flow.join(ends)
        if node.finalbody:
            self._finally(node.finalbody, flow, start, mark, jumps)

    def _finally(self, body: list[ast.stmt], flow: Flow, start: State, mark: int, jumps: list[tuple[int, int]]) -> None:
        """It runs on every way out, also before a `break` or `continue` takes effect."""
        dead = flow.dead
        flow.resume(flow.anywhere(start, mark))
        self.block(body)
        after = flow.state()
        for loop, (breaks, continues) in zip(flow.loops, jumps, strict=True):
            if len(loop.breaks) > breaks:
                loop.breaks.append((after[0], False))
            if len(loop.continues) > continues:
                loop.continues.append((after[0], False))
        flow.dead = flow.dead or dead

    def _handler(self, handler: ast.ExceptHandler) -> None:
        caught = Catch(self.expr(handler.type), handler.lineno) if handler.type is not None else Known(ANY)
        if handler.name:
            self.assign(ast.Name(handler.name, ast.Store(), lineno=handler.lineno), caught)
        else:
            self.facts.append(Evaluate(caught))
        self.block(handler.body)

    def _match(self, node: ast.Match) -> None:
        subject = self.hold(self.expr(node.subject))
        flow = self.scope.flow
        ends: list[State] = []
        for case in node.cases:
            start, mark = (flow.state(), len(flow.made)) if flow is not None else (None, 0)
            self._pattern(case.pattern, subject, top=True)
            self.evaluate(case.guard)
            failed = flow.anywhere(start, mark) if flow is not None and start is not None else None
            self.block(case.body)
            if flow is not None and failed is not None:
                ends.append(flow.state())
                flow.resume(failed)
        if flow is not None:
            flow.join([flow.state(), *ends])

    def _pattern(self, pattern: ast.pattern, subject: Term, *, top: bool) -> None:
        captured = subject if top else Part(subject, pattern.lineno)
        for node in walk(pattern):
            name = getattr(node, "rest" if isinstance(node, ast.MatchMapping) else "name", None)
            if isinstance(node, (ast.MatchAs, ast.MatchStar, ast.MatchMapping)) and name:
                whole = node is pattern
                value = captured if whole else Part(subject, pattern.lineno)
                self.assign(ast.Name(name, ast.Store(), lineno=pattern.lineno), value)

    # ── imports ──

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            whole = Import(alias.name, 0, node.lineno)
            if alias.asname or "." not in alias.name:
                self.bind_name(alias.asname or alias.name, whole)
            else:
                self.facts.append(Evaluate(whole))
                top = alias.name.partition(".")[0]
                self.bind_name(top, Import(top, 0, node.lineno))

    def _import_from(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self.program.has_star_import = True
                self.facts.append(StarImport(node.module or "", node.level, node.lineno))
            else:
                self.bind_name(
                    alias.asname or alias.name, Import(node.module or "", node.level, node.lineno, alias.name)
                )

    # ── definitions ──

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        function = self.new_function(node.name, node.lineno)
        function.params = self.parameters(node.args)
        args = node.args
        for arg in (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg):
            if arg is not None:
                self.annotation(arg.annotation)
        self.annotation(node.returns)
        function.is_async = isinstance(node, ast.AsyncFunctionDef)
        if self.scope.function.is_class_body:
            function.class_index = self.scope.class_index
        made: Term = MakeFunction(function.index)
        for decorator in reversed(node.decorator_list):
            made = self._decorate(decorator, made, function)
        self.bind_name(node.name, made)
        self.body(function, node.args, node.body, lambda: self.block(node.body))

    def _decorate(self, decorator: ast.expr, made: Term, function: Function) -> Term:
        name = (
            decorator.id
            if isinstance(decorator, ast.Name)
            else decorator.attr
            if isinstance(decorator, ast.Attribute)
            else ""
        )
        # the name alone does not say whose decorator it is: one of the skill is called like any other
        if name in _BINDINGS:
            function.binding = _BINDINGS[name]
            if isinstance(self.expr(decorator), Global):
                return made
        elif name in {"setter", "deleter", "getter"} and isinstance(decorator, ast.Attribute):
            function.decorated = True
            return Part(made, decorator.lineno) if name == "deleter" else made
        return Decorate(self.expr(decorator), made, decorator.lineno)

    def _class(self, node: ast.ClassDef) -> None:
        body = self.new_function(node.name, node.lineno)
        body.is_class_body = True
        info = ClassInfo(
            len(self.program.classes),
            node.name,
            node.lineno,
            body.index,
            tuple(self.expr(base) for base in node.bases),
            tuple(
                unmangled(item.target.id)
                for item in node.body
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
            ),
            tuple((word.arg, self.expr(word.value)) for word in node.keywords),
            bool(node.decorator_list),
        )
        self.program.classes.append(info)
        made: Term = MakeClass(info.index)
        for decorator in reversed(node.decorator_list):
            made = Decorate(self.expr(decorator), made, decorator.lineno)
        self.bind_name(node.name, made)
        outer_scope, outer_facts = self.scope, self.facts
        self.scope = Scope(body, bindings_of(node.body, [], walrus=self.walrus), outer_scope, node.name, info.index)
        self.facts = body.facts
        self.block(node.body)
        for item in node.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                info.types[unmangled(item.target.id)] = self.field_type(item.annotation)
        self.scope, self.facts = outer_scope, outer_facts

    def _type_alias(self, node: ast.stmt) -> None:
        name = node.name  # type: ignore[attr-defined]
        self.assign(name, Known(ANY))


_TABLE: dict[type[ast.stmt], Callable[..., None]] = {
    ast.Assign: StatementLowerer._assign, ast.AnnAssign: StatementLowerer._annotated,
    ast.AugAssign: StatementLowerer._augmented, ast.Delete: StatementLowerer._delete,
    ast.Expr: StatementLowerer._expression, ast.Return: StatementLowerer._return, ast.Raise: StatementLowerer._raise,
    ast.Assert: StatementLowerer._assert, ast.If: StatementLowerer._if_statement, ast.While: StatementLowerer._while,
    ast.For: StatementLowerer._for, ast.AsyncFor: StatementLowerer._for, ast.With: StatementLowerer._with,
    ast.AsyncWith: StatementLowerer._with, ast.Try: StatementLowerer._try, ast.TryStar: StatementLowerer._try,
    ast.Match: StatementLowerer._match, ast.Import: StatementLowerer._import,
    ast.ImportFrom: StatementLowerer._import_from, ast.FunctionDef: StatementLowerer._function,
    ast.Break: StatementLowerer._leave, ast.Continue: StatementLowerer._leave, ast.AsyncFunctionDef: StatementLowerer._function, ast.ClassDef: StatementLowerer._class,
}  # fmt: skip
if hasattr(ast, "TypeAlias"):  # Python 3.12
    _TABLE[ast.TypeAlias] = StatementLowerer._type_alias
