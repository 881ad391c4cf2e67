"""Python expressions to terms."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, FALSE, NONE, SOME_BOOL, SOME_NUM, TRUE, Const, Num, Text, Value, concat, lit
from remit.analysis.ir import (
    Attr,
    Await,
    Bag,
    Binary,
    Bind,
    Call,
    Choice,
    Concat,
    Evaluate,
    Fact,
    Function,
    Global,
    Item,
    Iterate,
    Known,
    MakeFunction,
    Narrow,
    Param,
    Program,
    Return,
    Sequence,
    Slice,
    Star,
    Super,
    Term,
    Unknown,
    Var,
)
from remit.analysis.ir import Mapping as MappingTerm
from remit.analysis.python.list_building import STEPS, building_of
from remit.analysis.python.names import Bindings, Flow, Scope, bindings_of, parameter_names, resolve, unmangled
from remit.analysis.python.narrowing import Condition, conditions, tested_names
from remit.analysis.python.trees import walk

if TYPE_CHECKING:
    from remit.analysis.python.constants import Constants

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_CONSTANTS: dict[object, Value] = {
    None: frozenset({NONE}),
    True: frozenset({TRUE}),
    False: frozenset({FALSE}),
    ...: frozenset({Const("ellipsis")}),
}
NOTHING_KNOWN = Known(frozenset({NONE}))


class ExpressionLowerer(ABC):
    """Holds the scope that is being lowered and the facts that expressions add on the way."""

    def __init__(self, program: Program, known: dict[str, Term], holes: Mapping[str, Value]) -> None:
        self.program = program
        self.known = known
        self.holes = holes
        self.scope: Scope
        self.facts: list[Fact] = program.functions[0].facts
        self._fresh = 0
        self.walrus = True  # whether the file has `:=` at all
        self.has_globals = True  # likewise `global`
        self.has_tests = False  # likewise what says something of a variable
        self.constants: Constants | None = None  # of the file, if it has such
        self.nonlocals: frozenset[str] = frozenset()  # names that some function of the file declares `nonlocal`
        self._table: dict[type[ast.expr], Callable[..., Term]] = {
            ast.Constant: self._constant, ast.Name: self._name, ast.Attribute: self._attribute,
            ast.Subscript: self._subscript, ast.Call: self._call, ast.BinOp: self._binary, ast.BoolOp: self._boolean,
            ast.UnaryOp: self._unary, ast.Compare: self._compare, ast.IfExp: self._if, ast.JoinedStr: self._joined,
            ast.FormattedValue: self._formatted, ast.List: self._list, ast.Tuple: self._tuple, ast.Set: self._set,
            ast.Dict: self._dict, ast.Lambda: self._lambda, ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension, ast.GeneratorExp: self._comprehension, ast.DictComp: self._comprehension,
            ast.Await: self._await, ast.Yield: self._yield, ast.YieldFrom: self._yield_from,
            ast.NamedExpr: self._walrus, ast.Starred: self._starred, ast.Slice: self._slice_value,
        }  # fmt: skip

    def fresh(self) -> str:
        """A variable that no source can name."""
        self._fresh += 1
        return f"%{self._fresh}"

    def expr(self, node: ast.expr) -> Term:
        """The term of an expression."""
        if self.constants is not None and (made := self.constants.text(node)) is not None:
            self.program.decoded.add(made)
            return Known(self.text_value(made))
        lower = self._table.get(type(node))
        if lower is None:
            return Unknown(f"`{type(node).__name__}` is not understood", node.lineno)
        return lower(node)

    def _constant(self, node: ast.Constant) -> Term:
        value = node.value
        if isinstance(value, str):
            return Known(self.text_value(value))
        if isinstance(value, bytes):
            self.program.makes_bytes = True
            return Known(lit(value.decode("latin-1")))
        if isinstance(value, bool) or value is None or value is ...:
            return Known(_CONSTANTS[value])
        if isinstance(value, (int, float)):
            return Known(frozenset({Num(value, value)}))
        return Known(SOME_NUM)

    def text_value(self, value: str) -> Value:
        """A literal, with the placeholders of a document as holes."""
        if not self.holes or not any(mark in value for mark in self.holes):
            return lit(value)
        out = Text(())
        for char in value:
            piece = next(iter(self.holes.get(char) or lit(char)))
            assert isinstance(piece, Text)
            out = concat(out, piece)
        return frozenset({out})

    def _name(self, node: ast.Name) -> Term:
        return resolve(self.scope, node.id, node.lineno, self.known)

    def _attribute(self, node: ast.Attribute) -> Term:
        return Attr(self.expr(node.value), unmangled(node.attr), node.lineno)

    def _subscript(self, node: ast.Subscript) -> Term:
        base = self.expr(node.value)
        if isinstance(node.slice, ast.Slice):
            cut = node.slice
            for part in (cut.lower, cut.upper, cut.step):
                if part is not None and not isinstance(part, ast.Constant):
                    self.facts.append(Evaluate(self.expr(part)))
            start = 0 if cut.lower is None else cut.lower.value if isinstance(cut.lower, ast.Constant) else None
            plain = cut.upper is None and cut.step is None and isinstance(start, int) and start >= 0
            return Slice(base, start if plain and isinstance(start, int) else None, node.lineno)
        return Item(base, self.expr(node.slice), node.lineno)

    def _slice_value(self, node: ast.Slice) -> Term:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.facts.append(Evaluate(self.expr(part)))
        return Known(frozenset({Const("slice")}))

    def _call(self, node: ast.Call) -> Term:
        """A call; one with `shell=isinstance(words, str)` is two, because both arguments change together."""
        for i, word in enumerate(node.keywords) if self.has_tests else ():
            if any(found.kind == "type" for found in conditions(word.value, holds=True)):
                both = [(holds, self._with_keyword(node, i, holds=holds)) for holds in (True, False)]
                return Choice(tuple(self.where(word.value, call, holds=holds) for holds, call in both))
        return self._plain_call(node)

    @staticmethod
    def _with_keyword(node: ast.Call, index: int, *, holds: bool) -> ast.Call:
        words = list(node.keywords)
        value = ast.copy_location(ast.Constant(holds), words[index].value)
        words[index] = ast.keyword(words[index].arg, value)
        return ast.copy_location(ast.Call(node.func, node.args, words), node)

    def _plain_call(self, node: ast.Call) -> Term:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.keywords:
            found = self._super(node)
            if found is not None:
                return found
        if isinstance(node.func, ast.Attribute) and node.func.attr in STEPS and isinstance(node.func.value, ast.Name):
            self.scope.built.add(node.func.value.id)
        callee = self.expr(node.func)
        args = tuple(self.expr(arg) for arg in node.args)
        keywords = tuple(
            (unmangled(word.arg), self.expr(word.value)) if word.arg else (None, Star(self.expr(word.value)))
            for word in node.keywords
        )
        return Call(callee, args, keywords, node.lineno)

    def _super(self, node: ast.Call) -> Term | None:
        scope: Scope | None = self.scope
        while scope is not None:
            if scope.class_index is not None and scope.function.is_class_body:
                return Super(scope.class_index, node.lineno)
            scope = scope.parent
        return None

    def _binary(self, node: ast.BinOp) -> Term:
        return Binary(_OPERATORS[type(node.op)], self.expr(node.left), self.expr(node.right), node.lineno)

    def _boolean(self, node: ast.BoolOp) -> Term:
        return Choice(tuple(self.expr(value) for value in node.values))

    def _unary(self, node: ast.UnaryOp) -> Term:
        if isinstance(node.operand, ast.Constant) and isinstance(node.op, ast.USub):
            value = node.operand.value
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                return Known(frozenset({Num(-value, -value)}))
        if isinstance(node.op, ast.Not):
            self.facts.append(Evaluate(self.expr(node.operand)))
            return Known(SOME_BOOL)
        return Binary("unary", self.expr(node.operand), Known(SOME_NUM), node.lineno)

    def _compare(self, node: ast.Compare) -> Term:
        left = self.expr(node.left)
        for comparator in node.comparators:
            left = Binary("cmp", left, self.expr(comparator), node.lineno)
        return left

    def _if(self, node: ast.IfExp) -> Term:
        self.facts.append(Evaluate(self.expr(node.test)))
        return Choice(
            tuple(self.where(node.test, part, holds=holds) for part, holds in ((node.body, True), (node.orelse, False)))
        )

    def where(self, test: ast.expr, node: ast.expr, *, holds: bool) -> Term:
        """An expression that is evaluated only where a test holds, or only where it does not."""
        flow = self.scope.flow
        before, narrowed = dict(flow.current) if flow is not None else {}, dict(self.scope.narrowed)
        names = self.narrow(test, holds=holds)
        made = self.expr(node)
        self.scope.narrowed = narrowed
        if flow is not None and not self.scope.renames:
            flow.current.update({name: before.get(name, name) for name in names})
        return made

    def narrow(self, test: ast.expr, *, holds: bool) -> list[str]:
        """From here on a test holds, or does not: what that says about a variable makes a version of it."""
        flow, renames = self.scope.flow, self.scope.renames
        if not renames and (flow is None or flow.lazy):
            return []
        narrowed = []
        for found in conditions(test, holds=holds):
            name = unmangled(found.name)
            if renames and name in renames[-1]:
                owner, old = self.scope.function.index, self.scope.narrowed.get(name, renames[-1][name])
                if term := _narrowed(self, found, Var(owner, old)):
                    self.scope.narrowed[name] = f"{name}{self.fresh()}"
                    self.facts.append(Bind(owner, self.scope.narrowed[name], term))
            elif renames or flow is None or name not in flow.names:
                continue
            elif term := _narrowed(self, found, Var(flow.owner, flow.read(name))):
                flow.bind(name, term)
                narrowed.append(name)
        return narrowed

    def _joined(self, node: ast.JoinedStr) -> Term:
        return Concat(tuple(self.expr(value) for value in node.values), node.lineno)

    def _formatted(self, node: ast.FormattedValue) -> Term:
        value = self.expr(node.value)
        if node.format_spec is None and node.conversion in {-1, 115}:
            return value
        spec = self.expr(node.format_spec) if node.format_spec is not None else Known(lit(""))
        return Binary("format", value, spec, node.lineno)

    def _list(self, node: ast.List) -> Term:
        return Sequence("list", tuple(self.expr(item) for item in node.elts), node.lineno)

    def _tuple(self, node: ast.Tuple) -> Term:
        return Sequence("tuple", tuple(self.expr(item) for item in node.elts), node.lineno)

    def _set(self, node: ast.Set) -> Term:
        return Sequence("set", tuple(self.expr(item) for item in node.elts), node.lineno)

    def _dict(self, node: ast.Dict) -> Term:
        pairs = tuple(
            (self.expr(key) if key is not None else None, self.expr(value))
            for key, value in zip(node.keys, node.values, strict=True)
        )
        return MappingTerm(pairs, node.lineno)

    def _starred(self, node: ast.Starred) -> Term:
        return Star(self.expr(node.value))

    def _await(self, node: ast.Await) -> Term:
        return Await(self.expr(node.value), node.lineno)

    def _yield(self, node: ast.Yield) -> Term:
        self.scope.function.generator = True
        self.facts.append(Return(self.expr(node.value) if node.value else NOTHING_KNOWN, yields=True))
        return Known(ANY)

    def _yield_from(self, node: ast.YieldFrom) -> Term:
        self.scope.function.generator = True
        value = self.expr(node.value)
        held = self.hold(value)
        self.facts.append(Return(Iterate(held, node.lineno), yields=True))
        return Choice((Await(held, node.lineno), Known(ANY)))

    def _walrus(self, node: ast.NamedExpr) -> Term:
        value = self.expr(node.value)
        self.bind_name(node.target.id, value, surely=False)
        return value

    def bind_name(self, name: str, value: Term, *, surely: bool = True) -> None:
        """An assignment to a name; `surely` False if it may be skipped."""
        owner, variable = self.scope.owner_of(name)
        flow = self.scope.flow
        if flow is not None and variable in flow.names and owner == flow.owner:
            flow.bind(variable, value, surely=surely)
        else:
            self.facts.append(Bind(owner, variable, value))

    def _lambda(self, node: ast.Lambda) -> Term:
        function = self.new_function("<lambda>", node.lineno)
        function.params = self.parameters(node.args)
        statements: list[ast.stmt] = [ast.Expr(node.body)]
        self.body(function, node.args, statements, lambda: self.facts.append(Return(self.expr(node.body))))
        return MakeFunction(function.index)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Term:
        renamed: dict[str, str] = {}
        pushed = False
        flow = self.scope.flow if isinstance(node, ast.GeneratorExp) else None
        if flow is not None:
            flow.lazy += 1
        outer = self.scope.narrowed  # a generator runs later, when they may have other values
        targets = {name for generator in node.generators for name in _target_names(generator.target)}
        kept = () if isinstance(node, ast.GeneratorExp) else outer.items()
        self.scope.narrowed = {name: version for name, version in kept if name not in targets}
        for generator in node.generators:
            source = Iterate(self.expr(generator.iter), node.lineno)
            for name in _target_names(generator.target):
                renamed.setdefault(name, f"{name}{self.fresh()}")
            if not pushed:
                self.scope.renames.append(renamed)
                pushed = True
            self.assign(generator.target, source)
            for test in generator.ifs:
                self.facts.append(Evaluate(self.expr(test)))
                self.narrow(test, holds=True)
        if isinstance(node, ast.DictComp):
            made: Term = Bag("dict", self.expr(node.value), node.lineno, self.expr(node.key))
        else:
            kind = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "iter"}[type(node)]
            made = Bag(kind, self.expr(node.elt), node.lineno)
        self.scope.renames.pop()
        self.scope.narrowed = outer
        if flow is not None:
            flow.lazy -= 1
        return made

    @abstractmethod
    def hold(self, value: Term) -> Term:
        """A variable for a value that is used several times."""

    @abstractmethod
    def assign(self, target: ast.expr, value: Term) -> None:
        """Bind a target; the statement lowerer knows how."""

    def new_function(self, name: str, line: int) -> Function:
        """An empty function nested in the current scope."""
        function = Function(len(self.program.functions), name, line, self.scope.function.index)
        self.program.functions.append(function)
        return function

    def parameters(self, args: ast.arguments) -> list[Param]:
        """Formal parameters; defaults are evaluated in the enclosing scope."""
        plain = [*args.posonlyargs, *args.args]
        defaults: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
        out = [
            Param(unmangled(arg.arg), "positional", self.expr(default) if default else None)
            for arg, default in zip(plain, defaults, strict=True)
        ]
        if args.vararg:
            out.append(Param(unmangled(args.vararg.arg), "rest"))
        for arg, keyword_default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            out.append(Param(unmangled(arg.arg), "keyword", self.expr(keyword_default) if keyword_default else None))
        if args.kwarg:
            out.append(Param(unmangled(args.kwarg.arg), "keywords"))
        return out

    def body(
        self, function: Function, args: ast.arguments | None, statements: list[ast.stmt], lower: Callable[[], None]
    ) -> None:
        """Lower a nested body in its own scope."""
        names = parameter_names(args) if args else []
        bindings: Bindings = bindings_of(statements, names, walrus=self.walrus)
        outer_scope, outer_facts = self.scope, self.facts
        self.scope = Scope(function, bindings, outer_scope)
        self.facts = function.facts
        tested = tested_names(statements) & bindings.bound if self.has_tests else set()
        versioned = (bindings.repeated | tested) - self.nonlocals
        if versioned:
            self.scope.flow = Flow(function.index, frozenset(versioned), self.facts)
        lower()
        if self.scope.flow is not None:
            self.scope.flow.finish()
        if self.scope.built:
            function.building = building_of(statements, self.scope.built)
        self.scope, self.facts = outer_scope, outer_facts


def _narrowed(lowerer: ExpressionLowerer, found: Condition, old: Var) -> Term | None:
    """A variable where something holds of it; None if that is not sure."""
    line = found.said.lineno
    if found.kind == "either":
        options = [_narrowed(lowerer, option, old) for option in found.options]
        return Choice(tuple(option for option in options if option)) if all(options) else None
    if found.kind == "type" and not isinstance(resolve(lowerer.scope, "isinstance", line, lowerer.known), Global):
        return None
    if found.kind == "below":  # a path that is only compared as it is written may lead out again
        made = next(
            (fact.term for fact in reversed(lowerer.facts) if isinstance(fact, Bind) and fact.name == old.name), None
        )
        if not (isinstance(made, Call) and isinstance(made.callee, Attr) and made.callee.name == "resolve"):
            return None
        return Narrow(old, lowerer.expr(found.said), found.keep, line, found.kind, made.callee.base)
    return Narrow(old, lowerer.expr(found.said), found.keep, line, found.kind)


def _target_names(target: ast.expr) -> list[str]:
    if isinstance(target, ast.Name):
        return [target.id]
    return [
        unmangled(node.id) for node in walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
