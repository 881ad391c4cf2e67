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
        elif isinstance(target, ast.Tuple | ast.List):
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
        """What runs in an annotation: a mere reference does not count there, a call does."""
        todo: list[ast.AST] = [node] if node is not None else []
        while todo:
            part = todo.pop()
            if isinstance(part, _RUNS):
                self.evaluate(part)
            else:
                todo.extend(ast.iter_child_nodes(part))

    def _augmented(self, node: ast.AugAssign) -> None:
        op = _OPERATORS[type(node.op)] + "="
        right = self.expr(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            if op == "+=" and not isinstance(node.value, ast.Constant | ast.JoinedStr | ast.BinOp):
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
