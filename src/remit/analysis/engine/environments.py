"""Variables of the environment: which ones a mapping or a computed name sets, for the program itself and for its children.

A variable whose name is not known goes by a pattern (`*`, `APP_*`): what it may do to a program is judged where that starts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANCHORS,
    ANY,
    BOTTOM,
    FILE,
    RANDOM,
    STDIN,
    Const,
    Data,
    Hole,
    Instance,
    Num,
    Object,
    Text,
    Value,
    env_origin,
    of_caller,
)
from remit.analysis.each import each
from remit.analysis.engine.expressions import Expressions
from remit.analysis.engine.frames import Binding
from remit.analysis.engine.marks import ENVIRONMENTS, ONE, ZERO
from remit.analysis.engine.texts import texts_of
from remit.analysis.steering import may_steer
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.domain import Atom
    from remit.analysis.engine.heap import Heap
    from remit.analysis.summaries.model import EffectLine, Expr

Variables = dict[str, Value]
_THEIR_NAME = Hole(env_origin("*"))  # the names of all variables that the caller's environment has
_THEIRS = frozenset({Text((_THEIR_NAME,))})
_SEQUENCES = frozenset({"list", "tuple", "set", "iter"})  # of pairs
_SWITCH = re.compile(r"\d*|true|false|yes|no|on|off", re.IGNORECASE)  # what a loader of settings writes by itself
_PROXY = re.compile(r"(?:https?|all|ftp|wss?)_proxy", re.IGNORECASE)


def _is_proxy_of_caller(text: Text) -> bool:
    """Nothing, or what a variable of this kind holds anyway."""
    origins = [part.origin for part in text.parts if isinstance(part, Hole)]
    return not text.parts or (
        len(text.parts) == len(origins) == 1
        and origins[0].startswith("env:")
        and bool(_PROXY.fullmatch(origins[0].removeprefix("env:")) or origins[0] == env_origin("*"))
    )


class Environments(Expressions):
    """What the skill sets in its own environment and in those of its children."""

    def _effect_setenv(self, name: str, effect: EffectLine, env: Variables, line: int) -> None:
        """`setenv(name, value)`, or `setenv(mapping)`."""
        first = effect.args[0]
        if len(effect.args) > 1:
            names = self.operand(first, env, line)
            found = self._assigned(names, self.operand(effect.args[1], env, line), line)
        elif first.op == "param" and isinstance(env, Binding) and first.text in env.named:
            known, others, _ = env.named[first.text]
            found = known | ({"*": others} if others else {})
        else:
            found = self.variables_of(self.operand(first, env, line), line)
        self._connect_to_proxies(found, line)
        for variable, value in found.items():
            self.set_variable(variable, value)

    def _connect_to_proxies(self, variables: Variables, line: int) -> None:
        """Requests go through a proxy that the skill itself sets."""
        for variable, value in variables.items():
            if _PROXY.fullmatch(variable):
                hosts = frozenset(text for text in texts_of(value) if not _is_proxy_of_caller(text))
                if hosts:
                    self.world.effect(
                        "net.connect", hosts, self.site(line), Via(Cause.VARIABLE, variable, words="the skill sets {}")
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
        if isinstance(atom, Const | Text | Num):
            return {}
        if isinstance(atom, Data):
            return self._assigned(frozenset({atom}), frozenset({atom}), line)
        if isinstance(atom, Instance):
            key = self.slots.setdefault((id(self.call_term), f"variables of {atom.cls}"), (self.call_term, object()))
            copy = self.allocate(key, "dict", line)
            self.spread_mapping(self.heap(copy), frozenset({atom}))
            atom = copy
        if not isinstance(atom, Object):
            return {"*": ANY}
        heap = self.heap(atom)
        if heap.kind in _SEQUENCES:
            pairs = self.elements(frozenset({atom}), line)
            return self._assigned(self.item(pairs, ZERO, line), self.item(pairs, ONE, line), line)
        out = self._variables_of_heap(heap, line)
        for above in (
            each(self.read(heap.proto)) if heap.proto is not None else ()
        ):  # a child gets what is inherited, too
            out = _joined(self._variables_of_one(above, line), out, surely=True)
        return out

    def _variables_of_heap(self, heap: Heap, line: int) -> Variables:
        fields = {key: self.read(cell) for key, cell in list(heap.fields.items())}
        keys, values = self.read(heap.keys), self.read(heap.bag)
        computed = frozenset(key for key in keys if not isinstance(key, Text) or key.literal not in fields)
        if not keys:  # a library made it: its keys come from where its values come from
            computed = _THEIRS if values.issuperset(_THEIRS) else values
        out = _joined(self._assigned(computed, values, line) if values else {}, fields, surely=False)
        own_class = heap.cls >= 0 and self.language() == "python"  # which may hold what it likes
        return out | {"*": ANY} if heap.escaped or own_class else out

    def _assigned(self, names: Value, values: Value, line: int) -> Variables:
        """What an assignment to one of these names sets; whoever names the variable outside the skill answers for it."""
        out: Variables = {}
        new = (
            values - self.variable("*") if values >= _THEIRS else values
        )  # of a copy of the environment nothing is new
        if not new:
            names -= _THEIRS
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
        if _THEIR_NAME not in holes and all(_of_nobody_else(part) for part in holes):
            return True
        of_file = lines and all(of_caller(part) or part.origin in (FILE, STDIN) for part in holes)
        if of_file and all(map(_of_settings, texts_of(values))):
            self.world.named_by_file(self.site(line))
            return True
        return False

    # contracts
    def operand(self, expr: Expr, env: Variables, line: int) -> Value:
        """See `effects`."""
        raise AssertionError


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
