"""Effects of summaries: reported, or carried out (children, code, imports, environment, templates)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from remit.analysis.commands.values import below
from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NEVER,
    NONE,
    NOTHING,
    NUMERIC,
    TREE,
    UNREACHED,
    Anything,
    Atom,
    Const,
    Data,
    Hole,
    Instance,
    Lib,
    Num,
    Object,
    Text,
    Value,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import join_paths, literals, local, paths_of_urls, texts_of
from remit.analysis.scopes import written_scope
from remit.analysis.summaries.library import KEPT
from remit.analysis.world import Child
from remit.core.capability import vocabulary
from remit.core.patterns import lazy_pattern
from remit.core.scope import ScopeKind
from remit.core.via import function

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.environments import Variables
    from remit.analysis.summaries.model import EffectLine, Expr


_NODE_FILES = ("fs.", "fs/promises.")  # functions that refuse a list or an object where a path belongs


def _is_no_path(atom: Atom) -> bool:
    return isinstance(atom, Object) or (isinstance(atom, Instance) and atom.payload is None)


_ROUTES = frozenset({"lookup", "createConnection", "dnsLookup"})
_MAY_LACK = frozenset({"key", "fileurl", "packageof", "when"})
_MOST_FOLDERS = 6  # in which a program may be
_LANGUAGES = {"python": "python", "js": "js", "ts": "ts", "shell": "shell", "sql": "sql", "any": "any"}


def _lies_below(path: Text, folder: Text) -> bool:
    """Whether a path lies in a folder of which everything below is meant (`a/<tree>`)."""
    *start, last = folder.parts or ("",)
    if not isinstance(last, Hole) or last.alphabet != TREE or not start:
        return False
    written = tuple(f"{part}" for part in path.parts)
    return f"{''.join(written)}/".startswith("".join(f"{part}" for part in start))


def _leads_down(path: Text) -> bool:
    """Whether a path is surely relative, and leads into a folder."""
    first = path.parts[0] if path.parts else ""
    known = [part for part in path.parts if isinstance(part, str)]
    return isinstance(first, str) and not first.startswith("/") and not any("../" in f"{part}/" for part in known)


def _word(value: Value) -> Value:
    """A word of a command line: None cannot be one."""
    return frozenset(atom for atom in value if not isinstance(atom, Const)) or value


# A template of the skill is read for the names that it uses. Plain data has nothing to call; an object with effects that the template
# library was given is used with anything as arguments, under every name that the template mentions. A template that is not part of the
# skill, and one that reaches around the language, is opaque.


_CODE = lazy_pattern(r"\{\{(.*?)\}\}|\{%(.*?)%\}", re.DOTALL)
_NAME = lazy_pattern(r"[A-Za-z_]\w*")
_OTHERS = lazy_pattern(r"\s*[-+]?\s*(?:extends|include|import|from)\b")
_MOST_NAMES = 200
_FOREIGN = "a template that is not part of the skill is run as a program"
_REMEDY = "keep the template in the skill, or fill it without a template language"


class Effects(EnginePart):
    """Performs what an effect line says."""

    child_environments: engine.ChildEnvironments
    environments: engine.Environments
    expressions: engine.Expressions
    kept: engine.KeptObjects
    library_members: engine.LibraryMembers
    modules: engine.Modules
    order: engine.Order

    def perform(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        """Report or carry out one effect."""
        handler = self._handlers[effect.kind]
        handler(name, effect, env, line)

    def operand(self, expr: Expr, env: dict[str, Value], line: int) -> Value:
        """What an operand of an effect stands for."""
        value = self.expressions.expression(expr, env, set(env), "", line)
        return value if value or self._lacks(expr, env, line) else self.work.settle(value)

    def _lacks(self, expr: Expr, env: dict[str, Value], line: int) -> bool:
        """Whether nothing is the answer: an option that was not given, a URL that names no file, a condition that fails."""
        if expr.op not in _MAY_LACK or self.expressions.expression(expr, env, set(env), "", line):
            return False
        return (
            expr.op == "when"
            or bool(self.expressions.expression(expr.args[0], env, set(env), "", line))
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
                    scope = self.environments.relocated(scope)
                elif not scope:
                    scope = frozenset(
                        atom for atom in value if isinstance(atom, Num)
                    )  # a port, a process, a signal: no descriptor
            if not scope:
                return
            if len(effect.args) > 1:
                given = self.operand(effect.args[1], env, line)
                port = given if given and given != frozenset({NONE}) else None
        self.run.world.effect(
            effect.text, scope, self.run.site(line), function(name), cwd=self.environments.here(), port=port
        )
        if self.run.language() == "js" and vocabulary()[effect.text].scope_kind is ScopeKind.HOST:
            self._routed_otherwise(name, env, line)

    def _routed_otherwise(self, name: str, env: dict[str, Value], line: int) -> None:
        """Options of a request that say where it goes in truth: functions that resolve or connect, and a proxy."""
        for heap in [
            self.objects.heap(atom) for value in list(env.values()) for atom in each(value) if isinstance(atom, Object)
        ]:
            for option in _ROUTES & heap.fields.keys():
                if any(not isinstance(atom, Const) for atom in self.cells.read(heap.fields[option])):
                    self.run.opaque(
                        f"`{name}`: `{option}` decides where the connection goes", line, f"leave `{option}` out"
                    )
            if "proxy" in heap.fields:
                hosts = self.cells.read(heap.fields["proxy"])
                for key in ("host", "hostname", "server", "url", "uri"):
                    hosts = hosts | self.elements.item(
                        frozenset(atom for atom in hosts if isinstance(atom, Object)), lit(key), line
                    )
                texts = frozenset(atom for atom in hosts if not isinstance(atom, (Const, Object, Num)))
                if texts:
                    self.run.world.effect("net.connect", texts, self.run.site(line), function(name))

    def _scope_texts(self, value: Value, line: int) -> Value:
        """What names the object of an effect: lists give their elements; a number is a descriptor, None is nothing."""
        out: set[Atom] = set()
        nothing = False
        for atom in each(value):
            if isinstance(atom, Object):
                out.update(
                    item
                    for item in self.elements.iterate(frozenset({atom}), line)
                    if not isinstance(item, (Object, Num))
                )
                if not out:
                    out.add(Anything())
            elif isinstance(atom, Const):
                nothing = nothing or atom == NONE
            elif isinstance(atom, Lib):
                constant = self.library_members.constant(atom, line)
                out.update(constant if constant is not None else ANY)
            elif not isinstance(atom, Num):
                out.add(atom)
        if not out and nothing and NEVER not in value:  # that None is an argument which nobody gave
            out.add(Anything())
        return frozenset(out)

    def _effect_calls(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        callee = self.operand(effect.args[0], env, line)
        callee = frozenset(atom for atom in callee if not isinstance(atom, (Const, Text, Num)))
        if effect.args[0].op == "any":  # what the library was given to call
            callee = BOTTOM.union(*(self.kept.called_in(atom) for atom in callee if isinstance(atom, Instance)))
        if callee:
            self.kept.keep(
                self.calls.call(callee, self.expressions.expression_args(effect.args[1:], env, line), line), line
            )

    def _effect_argv(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        site = self.run.site(line)
        keywords = dict(effect.keywords)
        cwd = self.child_cwd(keywords, env, line)
        values = [self.operand(arg, env, line) for arg in effect.args]
        if not all(values[:1]):
            return
        child_env = self._child_env(keywords, env, line)
        for words, rest in self.argv_words(effect.args, values, env, line):
            if UNREACHED in words:
                continue
            self.run.world.spawn(Child(tuple(words), rest, cwd, child_env, self._fed(keywords, env, line)), site)

    def _fed(self, keywords: dict[str, Expr], env: dict[str, Value], line: int) -> Value:
        """What a child reads from its standard input."""
        value = self.operand(keywords["stdin"], env, line) if "stdin" in keywords else BOTTOM
        return frozenset(texts_of(frozenset(atom for atom in value if not isinstance(atom, Const))))

    def _child_env(self, keywords: dict[str, Expr], env: dict[str, Value], line: int) -> Variables | None:
        """What the skill sets of a child's environment."""
        flows = self.run.flows
        outer = set(flows.context)
        value = self.operand(keywords["env"], env, line) if "env" in keywords else NOTHING
        found = self.environments.child_environment(value, line) or None
        if self.child_environments.environment_given(value) is not None:  # then that is what the call was given
            flows.context = outer
        return found

    def child_cwd(self, keywords: dict[str, Expr], env: dict[str, Value], line: int) -> Value:
        """The folder that a child starts in."""
        here = self.environments.here()
        if "cwd" not in keywords:
            return here
        value = self.operand(keywords["cwd"], env, line)
        texts = frozenset(atom for atom in value if not isinstance(atom, Const))
        default = here if len(texts) < len(value) or not texts else BOTTOM
        return default | frozenset(local(text) or text for text in texts_of(texts))  # Node takes a URL as well

    def argv_words(
        self, exprs: tuple[Expr, ...], values: list[Value], env: dict[str, Value], line: int
    ) -> list[tuple[list[Value], Value]]:
        """Program and arguments as words: known ones in order, and what the others may be."""
        out: list[tuple[list[Value], Value]] = []
        if len(values) > 1 or exprs[0].op == "star":
            words, rest = [_word(values[0])], BOTTOM
            for expr, value in zip(exprs[1:], values[1:], strict=True):
                known, more = self.word_list(value, expr, env, line)
                if rest:
                    rest = rest.union(more, *known)
                else:
                    words.extend(map(_word, known))
                    rest = _word(more)
            return [(words, rest)]
        for atom in each(values[0]):
            if isinstance(atom, Object):
                ways = self.order.ways(self.objects.heap(atom), line)
                if ways is not None:
                    out.extend(([_word(word) for word in way], BOTTOM) for way in ways if way)
                    continue
                known, rest = self.word_list(frozenset({atom}), exprs[0], env, line)
                if known or rest:
                    out.append(([_word(word) for word in known] or [rest], rest))
            elif isinstance(atom, (Text, Data)):
                out.append(([frozenset({atom})], BOTTOM))
            elif not isinstance(atom, Const):
                out.append(([ANY], ANY))
        return out

    def word_list(self, value: Value, expr: Expr, env: dict[str, Value], line: int) -> tuple[list[Value], Value]:
        """The words of a command line."""
        taken = self.expressions.words_taken(expr, env)
        if taken is not None:
            return taken
        lists = frozenset(atom for atom in value if not isinstance(atom, Const))
        if len(lists) == 1:
            atom = next(iter(lists))
            if isinstance(atom, Object):
                heap = self.objects.heap(atom)
                rest = self.cells.read(heap.bag) | (ANY if heap.escaped else BOTTOM)
                return [self.cells.read(cell) for cell in heap.prefix], rest
            if isinstance(atom, Text):
                return [lists], BOTTOM
        return [], self.elements.iterate(lists, line)

    def _effect_sh(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        site = self.run.site(line)
        keywords = dict(effect.keywords)
        code: Value = frozenset(atom for atom in self.operand(effect.args[0], env, line) if not isinstance(atom, Const))
        if not code:
            return
        lists = frozenset(atom for atom in code if isinstance(atom, Object))
        for atom in each(lists):  # the first word is the text, the others are its arguments
            known, rest = self.word_list(frozenset({atom}), effect.args[0], env, line)
            code = (code - {atom}) | (known[0] if known else rest)
        self.run.world.effect("shell.execute", lit("sh"), site, function(name))
        child = Child(
            (lit("sh"),),
            cwd=self.child_cwd(keywords, env, line),
            env=self._child_env(keywords, env, line),
            stdin=self._fed(keywords, env, line),
        )
        self.run.world.run_code("shell", frozenset(texts_of(code)), site, child=child)

    def _effect_code(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        code = self.operand(effect.args[0], env, line)
        if code and effect.text == self.run.language():
            self.leaks.leak(self.modules.run_text(effect.text, frozenset(texts_of(code)), line))
        elif code:
            self.run.world.run_code(_LANGUAGES[effect.text], frozenset(texts_of(code)), self.run.site(line))

    def _effect_loads(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        given = texts_of(self._scope_texts(self.operand(effect.args[0], env, line), line))
        path = frozenset(local(text) or text for text in given)
        if not path:
            return
        child = None
        if len(effect.args) > 1:  # a process of its own, with arguments
            words = self.elements.iterate(self.operand(effect.args[1], env, line), line)
            keywords = dict(effect.keywords)
            cwd, variables = self.child_cwd(keywords, env, line), self._child_env(keywords, env, line)
            child = Child((path,), frozenset(texts_of(words)), cwd, variables)
        self.run.world.run_file(effect.text, frozenset(texts_of(path)), self.run.site(line), child=child)

    def _effect_imports(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        given = self.operand(effect.args[0], env, line)
        for word in literals(given) or ():  # `module:attribute` is how servers and resolvers are told an object
            module, colon, attribute = word.partition(":")
            if colon:
                given = given - lit(word)
                found = self.modules.import_computed(lit(module), line)
                for part in attribute.split("."):
                    found = frozenset().union(*(self.members.member_of(atom, part, line) for atom in each(found)))
                self.leaks.leak(found)
        self.leaks.leak(self.modules.import_computed(given, line))

    def _effect_chdir(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        """Another folder, from each that the program may be in. What leads down may be carried out again, which leads further down."""
        path = frozenset(texts_of(self.operand(effect.args[0], env, line)))
        here = frozenset(texts_of(self.environments.here()))
        deeper = frozenset(text for text in path if _leads_down(text))
        found = join_paths(here, path - deeper) if len(here) < _MOST_FOLDERS else ANY if path else BOTTOM
        for base in here:
            if not any(_lies_below(base, folder) for folder in here):  # where anything below is known
                down = join_paths(frozenset({base}), deeper)
                found |= down | frozenset(map(below, texts_of(down)))
        self.cells.write(self.environments.cwd, found)

    def _effect_link(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        path, target = (frozenset(texts_of(self.operand(arg, env, line))) for arg in effect.args)
        self.run.world.link(path, target, self.run.site(line), cwd=self.environments.here())

    def _effect_opaque(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        self.run.opaque(f"`{name}`: {effect.text}", line)

    def _effect_none(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        pass

    @cached_property
    def _handlers(self) -> dict[str, Callable[[str, EffectLine, Variables, int], None]]:
        """How each kind of line is carried out."""
        return {
            "cap": self._effect_cap, "calls": self._effect_calls, "argv": self._effect_argv, "sh": self._effect_sh,
            "code": self._effect_code, "loads": self._effect_loads, "imports": self._effect_imports,
            "setenv": self.environments.effect_setenv, "chdir": self._effect_chdir, "opaque": self._effect_opaque, "none": self._effect_none,
            "template": self.effect_template, "link": self._effect_link,
        }  # fmt: skip

    def effect_template(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        """A text, or the files of the skill that a path names, are run as templates with all that their library was given."""
        given = self.operand(effect.args[0], env, line)
        if not given:
            return
        texts: Value = frozenset(texts_of(given))
        if effect.text == "file":
            files = self.run.world.skill_files(texts, self.environments.here())
            texts = ANY if files is None else BOTTOM.union(*map(self.run.world.file_text, files))
        words: set[str] = set()
        for text in texts_of(texts):
            found = _names(text, alone=effect.text != "file")
            if found is None and effect.text == "sandboxed" and not self.kept.kept():
                found = set()  # plain data, and a language that reaches nothing else
            if found is None:
                self.run.opaque(f"`{name}`: {_FOREIGN}", line, _REMEDY)
                return
            words |= found
        if any("__" in word for word in words) or "attr" in words:
            self.run.opaque(
                f"`{name}`: a template reaches around the language", line, "name members in the template plainly"
            )
        self._use_kept(sorted(words), line)

    def _use_kept(self, words: list[str], line: int) -> None:
        """A template may call the functions that it is given, and the members that it names, with anything."""
        view = Instance(self.run.serving + KEPT)
        done: Value = BOTTOM
        anything = Args(star=ANY, keyword_star=ANY)
        while objects := self.kept.kept_in(view) - done:
            done = done | objects
            called = self.kept.call_kept(view, anything, line)
            for atom in each(objects):
                for word in words[:_MOST_NAMES]:
                    if self.kept.lists(atom, word):
                        member = self.members.member_of(atom, word, line)
                        called = called | member | self.calls.call(member, anything, line)
            self.kept.keep(called, line)


def _names(text: Text, *, alone: bool) -> set[str] | None:
    """The names in the code of a template; None if its text is not known, or if it is `alone` and needs other templates."""
    if any(isinstance(part, Hole) and part.alphabet != NUMERIC for part in text.parts):
        return None
    source = "".join(part if isinstance(part, str) else "0" for part in text.parts)
    blocks = ["".join(code) for code in _CODE.findall(source)]
    if alone and any(map(_OTHERS.match, blocks)):
        return None
    return {word for block in blocks for word in _NAME.findall(block)}
