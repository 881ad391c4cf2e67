"""Statements that bind, change and delete names."""

from __future__ import annotations

import ast

from remit.analysis.domain import lit
from remit.analysis.ir import (
    Attr,
    Binary,
    Bind,
    Delete,
    Element,
    Evaluate,
    FieldType,
    Item,
    Known,
    Rest,
    SetAttr,
    SetItem,
    Term,
    Var,
)
from remit.analysis.python.expressions import _OPERATORS, ExpressionLowerer
from remit.analysis.python.names import unmangled
from remit.analysis.python.trees import children, walk

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
