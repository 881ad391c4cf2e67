"""JavaScript's own intrinsics: modules and globals, the process, collections, promises, URLs."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    PERHAPS,
    SKILL,
    SOME_TEXT,
    TREE,
    UNDEFINED,
    UNKNOWN,
    Atom,
    Bound,
    Const,
    Data,
    Hole,
    Instance,
    Lib,
    Object,
    Text,
    Value,
    env_origin,
    hole,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.absence import or_missing
from remit.analysis.engine.expressions import paths_of_file_urls
from remit.analysis.engine.frames import Args
from remit.analysis.engine.heap import Cell
from remit.analysis.engine.javascript_objects import ENVIRONMENT, JavaScriptObjects
from remit.analysis.engine.javascript_options import JavaScriptOptions
from remit.analysis.engine.javascript_texts import JavaScriptTexts
from remit.analysis.engine.marks import BUILTIN_MEMBER, ONE, PROTOTYPE, ZERO
from remit.analysis.engine.texts import concat_values, dirname, literals, quoted, texts_of
from remit.analysis.engine.urls import paths_of_urls, resolved_url
from remit.analysis.summaries.model import Entry
from remit.analysis.world import Child
from remit.core.via import Cause, Via, function

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.engine.heap import Heap

REQUIRE = "globals.Require"
_OTHER_RUNTIME = re.compile(r"\b(?:bunx?|[Dd]eno|Bun)\b")
INTERPRETER: Value = frozenset({Text(("/", Hole(UNKNOWN, TREE)))})  # an absolute path


class JavaScriptIntrinsics(JavaScriptObjects, JavaScriptTexts, JavaScriptOptions):
    """What globals.sum and process.sum mark `! intrinsic`."""

    @cached_property
    def js_intrinsics(self) -> dict[str, Callable[[Atom | None, Args, int], Value]]:
        """Intrinsic name → code."""
        return {
            "require": self._require, "require.resolve": self._resolve_module, "eval": self._eval_js, "Function": self._make_function_from_text, "globalThis": self._global_this,
            "module": self._module_object, "exports": self._exports_object, "__dirname": self._dirname, "__filename": self._filename,
            "process.argv": self._process_argv, "process.env": self._process_env, "object": self._plain_object,
            "object.assign": self._object_assign, "object.keys": self._object_keys, "object.values": self._object_values,
            "object.entries": self._object_entries, "object.fromEntries": self._from_entries, "object.create": self._object_create,
            "object.defineProperty": self._define_property, "Map": self._new_map, "Set": self._new_set, "Promise": self._new_promise,
            "Array": self._new_array, "reflect.get": self._reflect_get, "reflect.set": self._reflect_set, "reflect.apply": self._reflect_apply,
            "reflect.construct": self._reflect_construct, "reflect.deleteProperty": self._reflect_delete, "util.promisify": self._promisify, "WeakRef": self._same, "URL": self._url,
            "shell.template": self._shell_template, "object.defineProperties": self._define_properties,
            "object.getOwnPropertyDescriptor": self._descriptor, "object.getOwnPropertyDescriptors": self._descriptors,
            "object.getPrototypeOf": self._get_prototype, "object.setPrototypeOf": self._set_prototype,
            "object.prototype": self._object_prototype, "Function.prototype": self._function_prototype,
            "Promise.withResolvers": self._with_resolvers, "Proxy": self._proxy, "URL.pathname": self._url_path,
            **self.text_intrinsics(), **self.option_intrinsics(), "fetch": self._fetch, "timer": self._timer, "vm.compileFunction": self._compile_function, "util.inherits": self._inherits,
        }  # fmt: skip

    # ── modules and globals ──

    def _require(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.import_computed(self.settle(self.first(args)), line)

    def _resolve_module(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`require.resolve`: the path of a file of the skill, or some text."""
        names = literals(self.first(args))
        folder = self.frame.loaded.file.rpartition("/")[0]
        out: set[Text] = set()
        for name in names or ():
            found = self.linker.own_paths(self, f"{folder}/{name}" if folder else name) if name.startswith(".") else []
            out.update(Text((Hole(SKILL), "/" + path)) for path in found)
        return frozenset(out) if names is not None and out else SOME_TEXT

    def _eval_js(self, receiver: Atom | None, args: Args, line: int) -> Value:
        code = self.settle(self.first(args))
        return ANY | self.run_text("js", frozenset(texts_of(code)), line) if code else ANY

    def _make_function_from_text(self, receiver: Atom | None, args: Args, line: int) -> Value:
        body = args.positional[-1] if args.positional and not args.star else ANY
        return (
            self._function_of(args.positional[:-1], body, line)
            if not args.star
            else self._function_of([ANY], body, line)
        )

    def _function_of(self, params: list[Value], body: Value, line: int) -> Value:
        """A function from the texts of its parameters and its body: a module that exports it."""
        pieces = [lit("module.exports = function (")]
        for i, param in enumerate(params):
            pieces.extend([lit(", "), param] if i else [param])
        code = concat_values([*pieces, lit("\n) {\n"), frozenset(texts_of(body)), lit("\n}")])
        if not code:
            return BOTTOM
        first = len(self.loaded)
        self.run_text("js", code, line)
        known = self.texts_run.setdefault((self.frame.loaded.index, line, code), range(first, len(self.loaded)))
        return ANY.union(*(self.exports_of(self.loaded[index]) for index in known))

    def _compile_function(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._function_of([self.elements(self.first(args, 1), line) or lit("")], self.first(args), line)

    def _timer(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A callback, or in a browser a text that is run as code."""
        callback = self.first(args)
        code = frozenset(atom for atom in callback if isinstance(atom, Text))
        if code:
            self.run_text("js", code, line)
        self.call(callback - code, Args(args.positional[2:], {}, args.star), line)
        self.add_to_universe("timers.Timeout")
        return frozenset({Instance("timers.Timeout")})

    def _fetch(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """Bun and Deno fetch files too; what the summary says of hosts is reported already."""
        urls = self.first(args)
        paths = paths_of_file_urls(urls)
        if paths and self._other_runtime:
            self.world.effect("file.read", paths, self.site(line), function("fetch"), cwd=self.read(self.cwd))
        elif paths:
            self.world.assume("node-runtime", self.site(line))
        for value in args.everything():
            self.hand_over(value)
        self.add_to_universe("webapi.Response")
        return frozenset({Instance("webapi.Response")})

    @cached_property
    def _other_runtime(self) -> bool:
        """Whether something in the skill names Bun or Deno."""
        return any(
            _OTHER_RUNTIME.search(text.literal or "")
            for name in self.linker.files
            for text in self.world.file_text(name)
            if isinstance(text, Text)
        )

    def _global_this(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Lib("globals")})

    def _module_object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate(self.slots.setdefault((self.frame.loaded.index, "module"), object()), "instance", line)
        heap = self.heap(made)
        self.write(self.field(heap, "exports"), self.exports_of(self.frame.loaded))
        self.write(self.frame.loaded.exports, self.read(self.field(heap, "exports")))
        return frozenset({made})

    def _exports_object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if isinstance(receiver, Instance):  # `require.main`, or a module of a list: it may be any
            self.read(self.universe_cell)
            modules = [loaded for loaded in self.loaded if loaded.program.language == "js"]
            return BOTTOM.union(*(self.exports_of(loaded) for loaded in modules))
        return self.exports_of(self.frame.loaded)

    def _filename(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Text((Hole(SKILL), "/" + self.frame.loaded.file))})

    def _dirname(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return dirname(self._filename(receiver, args, line))

    def js_global(self, name: str, line: int) -> Value:
        """A global of the host, or a name that nothing binds."""
        found = self.library().member("globals", name)
        if found is not None:
            return self.library_member(Lib("globals"), name, line)
        patched = self.slots.get((-7, name))
        if isinstance(patched, frozenset):
            return patched
        return self.unbound(name, line)

    def unbound(self, name: str, line: int) -> Value:
        """A name that nothing binds: an error at run time, or a global that the host provides."""
        return self.settle(BOTTOM)

    # ── the process ──

    def _process_argv(self, receiver: Atom | None, args: Args, line: int) -> Value:
        known = self.program_words()
        made = self.allocate_shared("process.argv" if known is None else f"process.argv of {known.name}", "list", line)
        heap = self.heap(made)
        heap.bag = self.argv
        if known is None:
            self.write(self.position(heap, 0), INTERPRETER)
            self.write(self.position(heap, 1), self._filename(receiver, args, line))
            self.write(heap.bag, hole(ARG))
        else:
            self.place_words(heap, (INTERPRETER, *known.words))
        return frozenset({made})

    def _process_env(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Instance(ENVIRONMENT)})

    def instance_member(self, atom: Instance, name: str, line: int) -> Value:
        """A variable of the environment is a member of `process.env`; other objects have what the skill gave them, too."""
        if atom.cls == ENVIRONMENT:
            self.world.effect("env.read", lit(name), self.site(line), function("process.env"))
            return self.variable(name) | {UNDEFINED}
        added = self.instance_fields.get((atom.cls, name))
        if added is None or self.language() != "js":
            return super().instance_member(atom, name, line)
        known = self.library().member(atom.cls, name)
        return self.read(added) | (super().instance_member(atom, name, line) if known is not None else BOTTOM)

    def computed_member(self, atom: Atom, key: Value, line: int) -> Value:
        """`process.env[name]`."""
        if isinstance(atom, Instance) and atom.cls == ENVIRONMENT and literals(key) is None:
            self.world.effect("env.read", frozenset(texts_of(key)), self.site(line), function("process.env"))
            return or_missing(self.variable("*"))
        return super().computed_member(atom, key, line)

    def spread_other(self, heap: Heap, atom: Atom) -> None:
        """`{...process.env}`."""
        if isinstance(atom, Instance) and atom.cls == ENVIRONMENT:
            self.world.effect("env.read", ANY, self.site(self.current_line), function("process.env"))
            self.write(heap.keys, hole(env_origin("*")))
            self.write(heap.bag, self.variable("*"))
        else:
            super().spread_other(heap, atom)

    def store_attr(self, atom: Atom, name: str, value: Value, line: int) -> None:
        """`process.env.X = …`, `globalThis.x = …`."""
        if isinstance(atom, Instance) and atom.cls == ENVIRONMENT:
            self.world.effect("env.write", lit(name), self.site(line), function("process.env"))
            self.set_variable(name, value)
            return
        if isinstance(atom, Lib) and atom.name == "globals" and self.library().member("globals", name) is None:
            known = self.slots.get((-7, name))
            grown = value | known if isinstance(known, frozenset) else value
            if grown != known:
                self.slots[(-7, name)] = grown
                self.hold(value)
                for frame in self.frames:
                    if frame.loaded.program.language == "js":
                        self.enqueue(frame)
            return
        if isinstance(atom, Instance) and self.language() == "js":
            self.write(self.instance_fields.setdefault((atom.cls, name), Cell(self.function_parts)), value)
        super().store_attr(atom, name, value, line)

    def _same(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "weakref")
        self.write(self.heap(made).bag, self.first(args))
        return frozenset({made})

    # ── collections ──

    def _new_map(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "map")
        heap = self.heap(made)
        for pair in each(self.elements(frozenset(a for a in self.first(args) if not isinstance(a, Const)), line)):
            one: Value = frozenset({pair})
            self.put(heap, self.item(one, ZERO, line), self.item(one, ONE, line))
        return frozenset({made})

    def _new_set(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.collection(self.call_term or line, "set", self.elements(self.first(args), line), line)

    def _new_array(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "list")
        for value in args.everything():
            self.write(self.heap(made).bag, value)
            if any(not isinstance(atom, Text) for atom in value):  # a number of places with nothing in them
                self.write(self.heap(made).bag, PERHAPS)
        return frozenset({made})

    # ── promises ──

    def _new_promise(self, receiver: Atom | None, args: Args, line: int) -> Value:
        holder = self.allocate_at(line, "promise")
        resolve = Bound(Lib(f"{BUILTIN_MEMBER}function.resolve"), holder)
        self.call(
            self.first(args),
            Args([frozenset({resolve}), frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.reject"), holder)})]),
            line,
        )
        kept = or_missing(self.read(self.heap(holder).bag))  # `resolve()`
        return kept or (frozenset({Data(UNKNOWN)}) if self.settle(BOTTOM) else BOTTOM)

    def _with_resolvers(self, receiver: Atom | None, args: Args, line: int) -> Value:
        holder = self.allocate(
            self.slots.setdefault((id(self.call_term), "holder"), (self.call_term, "holder")), "promise", line
        )
        made = self.allocate_at(line, "dict")
        heap = self.heap(made)
        self.write(
            self.field(heap, "promise"), self.read(self.heap(holder).bag) or (ANY if self.settle(BOTTOM) else BOTTOM)
        )
        for name in ("resolve", "reject"):
            self.write(self.field(heap, name), frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), holder)}))
        return frozenset({made})

    def _promisify(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.first(args)

    def _url(self, receiver: Atom | None, args: Args, line: int) -> Value:
        bases = texts_of(frozenset(atom for atom in self.first(args, 1) if not isinstance(atom, Const)))
        given = list(texts_of(self.first(args)))
        payload = [made for one in given for base in bases for made in resolved_url(base, one)] if bases else given
        self.add_to_universe("globals.URL")
        return frozenset(Instance("globals.URL", frozenset({made})) for made in payload)

    def _shell_template(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A tag that runs its text as a command line; each value becomes one word, or several if it is a list."""
        strings = [
            atom for atom in each(self.first(args)) if isinstance(atom, Object) and self.heap(atom).kind == "list"
        ]
        if not strings:
            self.leak_all(args)  # options: the tag is called again
            return frozenset({receiver}) if receiver is not None else ANY
        pieces = [self.read(cell) for cell in self.heap(strings[0]).prefix]
        code = pieces[0] if pieces else SOME_TEXT
        for i, value in enumerate(args.positional[1:], 1):
            words = self.elements(value, line) if any(isinstance(atom, Object) for atom in value) else value
            word = SOME_TEXT if words != value else quoted(frozenset(texts_of(words)))
            code = concat_values([code, word, pieces[i] if i < len(pieces) else SOME_TEXT])
        site = self.site(line)
        self.world.effect("shell.execute", lit("sh"), site, Via(Cause.CODE, words="a tagged template"))
        self.world.run_code(
            "shell",
            frozenset(texts_of(code)),
            site,
            child=Child((lit("sh"),), cwd=self.read(self.cwd), env=self.inherited() or None),
        )
        self.add_to_universe("zx.Output")
        return frozenset({Instance("zx.Output")})

    def _url_path(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return paths_of_urls(frozenset({receiver})) if receiver is not None else SOME_TEXT

    def leak_atom(self, atom: Atom) -> None:
        """Whoever gets `process.env` itself may read all of it; whoever gets `require` may load anything."""
        if isinstance(atom, Lib) and atom.name.startswith(PROTOTYPE):
            return  # it does nothing by itself, and storing to it is noticed where it happens
        if isinstance(atom, Instance) and atom not in self._leaked:
            if atom.cls == ENVIRONMENT:
                self.world.effect(
                    "env.read", ANY, self.site(self.current_line), function("process.env", "{} is handed on")
                )
            elif atom.cls == REQUIRE:
                self.opaque(
                    "`require` is handed to code that is not seen", self.current_line, "import modules by their names"
                )
        super().leak_atom(atom)

    # contracts
    def run_text(self, language: str, code: Value, line: int, spaces: Value = BOTTOM) -> Value:
        """See `modules`."""
        raise AssertionError


__all__ = ["Entry", "JavaScriptIntrinsics"]
