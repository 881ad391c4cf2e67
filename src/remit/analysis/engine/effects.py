"""Effects of summaries: reported, or carried out (children, code, imports, environment)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NEVER,
    NONE,
    NOTHING,
    UNREACHED,
    Anything,
    Atom,
    Const,
    Data,
    Instance,
    Lib,
    Num,
    Object,
    Text,
    Value,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.templates import Templates
from remit.analysis.engine.texts import join_paths, literals, texts_of
from remit.analysis.engine.urls import local, paths_of_urls
from remit.analysis.scoping import written_scope
from remit.analysis.world import Child
from remit.core.capability import vocabulary
from remit.core.scope import ScopeKind
from remit.core.via import function

if TYPE_CHECKING:
    from remit.analysis.engine.environments import Variables
    from remit.analysis.engine.frames import Args
    from remit.analysis.summaries.model import EffectLine, Entry, Expr

_NODE_FILES = ("fs.", "fs/promises.")  # functions that refuse a list or an object where a path belongs


def _is_no_path(atom: Atom) -> bool:
    return isinstance(atom, Object) or (isinstance(atom, Instance) and atom.payload is None)


_ROUTES = frozenset({"lookup", "createConnection", "dnsLookup"})
_MAY_LACK = frozenset({"key", "fileurl", "packageof", "when"})
_LANGUAGES = {"python": "python", "js": "js", "ts": "ts", "shell": "shell", "sql": "sql", "any": "any"}


class Effects(Templates):
    """Performs what an effect line says."""

    def perform(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        """Report or carry out one effect."""
        handler = _EFFECTS[effect.kind]
        handler(self, name, effect, env, line)

    def operand(self, expr: Expr, env: dict[str, Value], line: int) -> Value:
        """What an operand of an effect stands for."""
        value = self.expression(expr, env, set(env), "", line)
        return value if value or self._lacks(expr, env, line) else self.settle(value)

    def _lacks(self, expr: Expr, env: dict[str, Value], line: int) -> bool:
        """Whether nothing is the answer: an option that was not given, a URL that names no file, a condition that fails."""
        if expr.op not in _MAY_LACK or self.expression(expr, env, set(env), "", line):
            return False
        return (
            expr.op == "when"
            or bool(self.expression(expr.args[0], env, set(env), "", line))
            or self._lacks(expr.args[0], env, line)
        )

    def _effect_cap(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        port: Value | None = None
        if not effect.args:
            scope = ANY
        else:
            first = effect.args[0]
            if first.op == "lit":
                scope = written_scope(effect.text, first.text)
            else:
                value = self.operand(first, env, line)
                if name.startswith(_NODE_FILES):
                    value = frozenset(atom for atom in value if not _is_no_path(atom))
                scope = self._scope_texts(value, line)
                if vocabulary()[effect.text].scope_kind is ScopeKind.PATH:
                    urls = frozenset(atom for atom in scope if isinstance(atom, Instance) and atom.cls == "globals.URL")
                    scope = (scope - urls) | paths_of_urls(urls)
                    scope = self.relocated(scope)
                elif not scope:
                    scope = frozenset(
                        atom for atom in value if isinstance(atom, Num)
                    )  # a port, a process, a signal: no descriptor
            if not scope:
                return
            if len(effect.args) > 1:
                given = self.operand(effect.args[1], env, line)
                port = given if given and given != frozenset({NONE}) else None
        self.world.effect(effect.text, scope, self.site(line), function(name), cwd=self.read(self.cwd), port=port)
        if self.language() == "js" and vocabulary()[effect.text].scope_kind is ScopeKind.HOST:
            self._routed_otherwise(name, env, line)

    def _routed_otherwise(self, name: str, env: dict[str, Value], line: int) -> None:
        """Options of a request that say where it goes in truth: functions that resolve or connect, and a proxy."""
        for heap in [
            self.heap(atom) for value in list(env.values()) for atom in each(value) if isinstance(atom, Object)
        ]:
            for option in _ROUTES & heap.fields.keys():
                if any(not isinstance(atom, Const) for atom in self.read(heap.fields[option])):
                    self.opaque(
                        f"`{name}`: `{option}` decides where the connection goes", line, f"leave `{option}` out"
                    )
            if "proxy" in heap.fields:
                hosts = self.read(heap.fields["proxy"])
                for key in ("host", "hostname", "server", "url", "uri"):
                    hosts = hosts | self.item(
                        frozenset(atom for atom in hosts if isinstance(atom, Object)), lit(key), line
                    )
                texts = frozenset(atom for atom in hosts if not isinstance(atom, Const | Object | Num))
                if texts:
                    self.world.effect("net.connect", texts, self.site(line), function(name))

    def _scope_texts(self, value: Value, line: int) -> Value:
        """What names the object of an effect: lists give their elements; a number is a descriptor, None is nothing."""
        out: set[Atom] = set()
        nothing = False
        for atom in each(value):
            if isinstance(atom, Object):
                out.update(
                    item for item in self.elements(frozenset({atom}), line) if not isinstance(item, Object | Num)
                )
                if not out:
                    out.add(Anything())
            elif isinstance(atom, Const):
                nothing = nothing or atom == NONE
            elif isinstance(atom, Lib):
                constant = self.constant(atom, line)
                out.update(constant if constant is not None else ANY)
            elif not isinstance(atom, Num):
                out.add(atom)
        if not out and nothing and NEVER not in value:  # that None is an argument which nobody gave
            out.add(Anything())
        return frozenset(out)

    def _effect_calls(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        callee = self.operand(effect.args[0], env, line)
        callee = frozenset(atom for atom in callee if not isinstance(atom, Const | Text | Num))
        if effect.args[0].op == "any":  # what the library was given to call
            callee = BOTTOM.union(*(self.called_in(atom) for atom in callee if isinstance(atom, Instance)))
        if callee:
            self.keep(self.call(callee, self.expression_args(effect.args[1:], env, line), line), line)

    def _effect_argv(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        site = self.site(line)
        keywords = dict(effect.keywords)
        cwd = self.child_cwd(keywords, env, line)
        values = [self.operand(arg, env, line) for arg in effect.args]
        if not all(values[:1]):
            return
        child_env = self._child_env(keywords, env, line)
        for words, rest in self.argv_words(effect.args, values, env, line):
            if UNREACHED in words:
                continue
            self.world.spawn(Child(tuple(words), rest, cwd, child_env, self._fed(keywords, env, line)), site)

    def _fed(self, keywords: dict[str, Expr], env: dict[str, Value], line: int) -> Value:
        """What a child reads from its standard input."""
        value = self.operand(keywords["stdin"], env, line) if "stdin" in keywords else BOTTOM
        return frozenset(texts_of(frozenset(atom for atom in value if not isinstance(atom, Const))))

    def _child_env(self, keywords: dict[str, Expr], env: dict[str, Value], line: int) -> Variables | None:
        """What the skill sets of a child's environment."""
        value = self.operand(keywords["env"], env, line) if "env" in keywords else NOTHING
        return self.child_environment(value, line) or None

    def child_cwd(self, keywords: dict[str, Expr], env: dict[str, Value], line: int) -> Value:
        """The folder that a child starts in."""
        here = self.read(self.cwd)
        if "cwd" not in keywords:
            return here
        value = self.operand(keywords["cwd"], env, line)
        texts = frozenset(atom for atom in value if not isinstance(atom, Const))
        default = here if len(texts) < len(value) or not texts else BOTTOM
        return default | frozenset(texts_of(texts))

    def argv_words(
        self, exprs: tuple[Expr, ...], values: list[Value], env: dict[str, Value], line: int
    ) -> list[tuple[list[Value], Value]]:
        """Program and arguments as words: known ones in order, and what the others may be."""
        out: list[tuple[list[Value], Value]] = []
        if len(values) > 1 or exprs[0].op == "star":
            words, rest = [_word(values[0])], BOTTOM
            for expr, value in zip(exprs[1:], values[1:], strict=True):
                known, more = self._word_list(value, expr, env, line)
                if rest:
                    rest = rest.union(more, *known)
                else:
                    words.extend(map(_word, known))
                    rest = _word(more)
            return [(words, rest)]
        for atom in each(values[0]):
            if isinstance(atom, Object):
                ways = self.ways(self.heap(atom), line)
                if ways is not None:
                    out.extend(([_word(word) for word in way], BOTTOM) for way in ways if way)
                    continue
                known, rest = self._word_list(frozenset({atom}), exprs[0], env, line)
                if known or rest:
                    out.append(([_word(word) for word in known] or [rest], rest))
            elif isinstance(atom, Text | Data):
                out.append(([frozenset({atom})], BOTTOM))
            elif not isinstance(atom, Const):
                out.append(([ANY], ANY))
        return out

    def _word_list(self, value: Value, expr: Expr, env: dict[str, Value], line: int) -> tuple[list[Value], Value]:
        taken = self.words_taken(expr, env)
        if taken is not None:
            return taken
        lists = frozenset(atom for atom in value if not isinstance(atom, Const))
        if len(lists) == 1:
            atom = next(iter(lists))
            if isinstance(atom, Object):
                heap = self.heap(atom)
                rest = self.read(heap.bag) | (ANY if heap.escaped else BOTTOM)
                return [self.read(cell) for cell in heap.prefix], rest
            if isinstance(atom, Text):
                return [lists], BOTTOM
        return [], self.elements(lists, line)

    def _effect_sh(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        site = self.site(line)
        keywords = dict(effect.keywords)
        code: Value = frozenset(atom for atom in self.operand(effect.args[0], env, line) if not isinstance(atom, Const))
        if not code:
            return
        lists = frozenset(atom for atom in code if isinstance(atom, Object))
        for atom in each(lists):  # the first word is the text, the others are its arguments
            known, rest = self._word_list(frozenset({atom}), effect.args[0], env, line)
            code = (code - {atom}) | (known[0] if known else rest)
        self.world.effect("shell.execute", lit("sh"), site, function(name))
        child = Child(
            (lit("sh"),),
            cwd=self.child_cwd(keywords, env, line),
            env=self._child_env(keywords, env, line),
            stdin=self._fed(keywords, env, line),
        )
        self.world.run_code("shell", frozenset(texts_of(code)), site, child=child)

    def _effect_code(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        code = self.operand(effect.args[0], env, line)
        if code and effect.text == self.language():
            self.leak(self.run_text(effect.text, frozenset(texts_of(code)), line))
        elif code:
            self.world.run_code(_LANGUAGES[effect.text], frozenset(texts_of(code)), self.site(line))

    def _effect_loads(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        given = texts_of(self._scope_texts(self.operand(effect.args[0], env, line), line))
        path = frozenset(local(text) or text for text in given)
        if not path:
            return
        child = None
        if len(effect.args) > 1:  # a process of its own, with arguments
            words = self.elements(self.operand(effect.args[1], env, line), line)
            keywords = dict(effect.keywords)
            cwd, variables = self.child_cwd(keywords, env, line), self._child_env(keywords, env, line)
            child = Child((path,), frozenset(texts_of(words)), cwd, variables)
        self.world.run_file(effect.text, frozenset(texts_of(path)), self.site(line), child=child)

    def _effect_imports(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        given = self.operand(effect.args[0], env, line)
        for word in literals(given) or ():  # `module:attribute` is how servers and resolvers are told an object
            module, colon, attribute = word.partition(":")
            if colon:
                given = given - lit(word)
                found = self.import_computed(lit(module), line)
                for part in attribute.split("."):
                    found = frozenset().union(*(self.member_of(atom, part, line) for atom in each(found)))
                self.leak(found)
        self.leak(self.import_computed(given, line))

    def _effect_chdir(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        path = self.operand(effect.args[0], env, line)
        if path:
            base = self.read(self.cwd)
            self.write(self.cwd, join_paths(base, frozenset(texts_of(path))) if len(base) < 6 else ANY)

    def _effect_link(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        path, target = (frozenset(texts_of(self.operand(arg, env, line))) for arg in effect.args)
        self.world.link(path, target, self.site(line), cwd=self.read(self.cwd))

    def _effect_opaque(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        self.opaque(f"`{name}`: {effect.text}", line)

    def _effect_none(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        pass

    # contracts
    def decorator_value(
        self, name: str, entry: Entry, env: dict[str, Value], given: set[str], args: Args, line: int
    ) -> Value:
        """See `intrinsics`."""
        raise AssertionError

    def run_text(self, language: str, code: Value, line: int, spaces: Value = BOTTOM) -> Value:
        """See `modules`."""
        raise AssertionError

    def run_intrinsic(self, intrinsic: str, name: str, receiver: Atom | None, args: Args, line: int) -> Value:
        """See `intrinsics`."""
        raise AssertionError

    def import_computed(self, name: Value, line: int, package: Value = BOTTOM) -> Value:
        """See `modules`."""
        raise AssertionError


_EFFECTS = {
    "cap": Effects._effect_cap, "calls": Effects._effect_calls, "argv": Effects._effect_argv, "sh": Effects._effect_sh,
    "code": Effects._effect_code, "loads": Effects._effect_loads, "imports": Effects._effect_imports,
    "setenv": Effects._effect_setenv, "chdir": Effects._effect_chdir, "opaque": Effects._effect_opaque, "none": Effects._effect_none,
    "template": Effects._effect_template, "link": Effects._effect_link,
}  # fmt: skip


def _word(value: Value) -> Value:
    """A word of a command line: None cannot be one."""
    return frozenset(atom for atom in value if not isinstance(atom, Const)) or value
