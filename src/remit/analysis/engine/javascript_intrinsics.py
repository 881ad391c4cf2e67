"""JavaScript's own intrinsics: modules and globals, `process`, collections, promises, URLs."""

from __future__ import annotations

from functools import cached_property, partial
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
from remit.analysis.engine.expressions import paths_of_file_urls
from remit.analysis.engine.frames import Args, always
from remit.analysis.engine.heap import Cell, Heap, or_missing
from remit.analysis.engine.javascript_objects import ENVIRONMENT
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.tables import BUILTIN_MEMBER, ONE, PROTOTYPE, ZERO
from remit.analysis.engine.texts import (
    concat_values,
    dirname,
    literals,
    origins_of_urls,
    paths_of_urls,
    quoted,
    resolved_url,
    texts_of,
)
from remit.analysis.linker import BUILTINS
from remit.analysis.world import Child
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via, function

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Handler


_OTHER_RUNTIME = lazy_pattern(r"\b(?:bunx?|[Dd]eno|Bun)\b")


class JavaScriptIntrinsics(EnginePart):
    """What globals.sum and process.sum mark `! intrinsic`."""

    js_constructors: engine.JavaScriptConstructors
    js_process: engine.JavaScriptProcess
    environments: engine.Environments
    js_objects: engine.JavaScriptObjects
    js_options: engine.JavaScriptOptions
    js_texts: engine.JavaScriptTexts
    receivers: engine.Receivers
    library_members: engine.LibraryMembers
    modules: engine.Modules

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.texts_run: dict[
            tuple[int, int, Value], range
        ] = {}  # text made into a function → the programs loaded for it

    @cached_property
    def table(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        return {
            "require": self._require, "require.resolve": self._resolve_module, "eval": self._eval_js,
            "Function": self._make_function_from_text, "globalThis": always(frozenset({Lib("globals")})), "module": self._module_object,
            "exports": self._exports_object, "__dirname": self._dirname, "__filename": self.filename, "URL": self._url,
            "shell.template": self._shell_template, "URL.pathname": self._url_path, "URL.host": partial(self._url_part, "host"),
            "URL.hostname": partial(self._url_part, "hostname"), "URL.origin": partial(self._url_part, "origin"), "fetch": self._fetch, "timer": self._timer,
            "vm.compileFunction": self._compile_function, **self.js_objects.handlers(), **self.js_texts.handlers(),
            **self.js_options.handlers(), **self.js_process.handlers(), **self.js_constructors.handlers(),
        }  # fmt: skip

    # ── modules and globals ──

    def _require(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.modules.import_computed(self.work.settle(args.at(0)), line)

    def _resolve_module(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`require.resolve`: the path of a file of the skill, or some text."""
        names = literals(args.at(0))
        folder = self.run.frame.loaded.file.rpartition("/")[0]
        out: set[Text] = set()
        for name in names or ():
            found = (
                self.run.linker.own_paths(self.run, f"{folder}/{name}" if folder else name)
                if name.startswith(".")
                else []
            )
            out.update(Text((Hole(SKILL), "/" + path)) for path in found)
        return frozenset(out) if names is not None and out else SOME_TEXT

    def _eval_js(self, receiver: Atom | None, args: Args, line: int) -> Value:
        code = self.work.settle(args.at(0))
        return ANY | self.modules.run_text("js", frozenset(texts_of(code)), line) if code else ANY

    def _make_function_from_text(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if args.star:
            return self._function_of([ANY], ANY, line)
        return self._function_of(args.positional[:-1], args.positional[-1] if args.positional else ANY, line)

    def _function_of(self, params: list[Value], body: Value, line: int) -> Value:
        """A function from the texts of its parameters and its body: a module that exports it."""
        pieces = [lit("module.exports = function (")]
        for i, param in enumerate(params):
            pieces.extend([lit(", "), param] if i else [param])
        code = concat_values([*pieces, lit("\n) {\n"), frozenset(texts_of(body)), lit("\n}")])
        if not code:
            return BOTTOM
        first = len(self.programs.loaded)
        self.modules.run_text("js", code, line)
        known = self.texts_run.setdefault(
            (self.run.frame.loaded.index, line, code), range(first, len(self.programs.loaded))
        )
        return ANY.union(*(self.modules.exports_of(self.programs.loaded[index]) for index in known))

    def _compile_function(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._function_of([self.elements.iterate(args.at(1), line) or lit("")], args.at(0), line)

    def _timer(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A callback, or in a browser a text that is run as code."""
        callback = args.at(0)
        code = frozenset(atom for atom in callback if isinstance(atom, Text))
        if code:
            self.modules.run_text("js", code, line)
        self.calls.call(callback - code, Args(args.positional[2:], {}, args.star), line)
        self.receivers.add("timers.Timeout")
        return frozenset({Instance("timers.Timeout")})

    def _fetch(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """Bun and Deno fetch files too; what the summary says of hosts is reported already."""
        urls = args.at(0)
        paths = paths_of_file_urls(urls)
        if paths and self._other_runtime:
            self.run.world.effect(
                "file.read", paths, self.run.site(line), function("fetch"), cwd=self.environments.here()
            )
        elif paths:
            self.run.world.assume("node-runtime", self.run.site(line))
        for value in args.everything():
            self.leaks.hand_over(value)
        self.receivers.add("webapi.Response")
        return frozenset({Instance("webapi.Response")})

    @cached_property
    def _other_runtime(self) -> bool:
        """Whether something in the skill names Bun or Deno."""
        return any(
            _OTHER_RUNTIME.search(text.literal or "")
            for name in self.run.linker.files
            for text in self.run.world.file_text(name)
            if isinstance(text, Text)
        )

    def _module_object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.allocate(self.objects.slot(self.run.frame.loaded.index, "module"), "instance", line)
        heap = self.objects.heap(made)
        self.objects.write(heap, "exports", self.modules.exports_of(self.run.frame.loaded))
        self.cells.write(self.run.frame.loaded.exports, self.cells.read(self.objects.field(heap, "exports")))
        return frozenset({made})

    def _exports_object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if isinstance(receiver, Instance):  # `require.main`, or a module of a list: it may be any
            self.cells.read(self.receivers.cell)
            modules = [loaded for loaded in self.programs.loaded if loaded.program.language == "js"]
            return BOTTOM.union(*(self.modules.exports_of(loaded) for loaded in modules))
        return self.modules.exports_of(self.run.frame.loaded)

    def filename(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`__filename`."""
        return frozenset({Text((Hole(SKILL), "/" + self.run.frame.loaded.file))})

    def _dirname(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return dirname(self.filename(receiver, args, line))

    def js_global(self, name: str, line: int) -> Value:
        """A global of the host, or a name that nothing binds."""
        found = self.run.library().member("globals", name)
        if found is not None:
            return self.library_members.library_member(Lib("globals"), name, line)
        if name in BUILTINS and not isinstance(self.run.frame.loaded.started, str):
            return self.modules.import_computed(lit(name), line)  # `node -e` has the modules of Node as globals
        patched = self.js_process.globals.get(name)
        if patched is not None:
            self.run.flows.context.add(self.run.flows.node(("global", name)))
            return patched
        return self.work.settle(BOTTOM)

    # ── promises ──

    def _url(self, receiver: Atom | None, args: Args, line: int) -> Value:
        bases = texts_of(frozenset(atom for atom in args.at(1) if not isinstance(atom, Const)))
        given = list(texts_of(args.at(0)))
        payload = [made for one in given for base in bases for made in resolved_url(base, one)] if bases else given
        self.receivers.add("globals.URL")
        return frozenset(Instance("globals.URL", frozenset({made})) for made in payload)

    def _shell_template(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A tag that runs its text as a command line; each value becomes one word, or several if it is a list."""
        strings = [atom for atom in each(args.at(0)) if self.objects.is_a(atom, "list")]
        if not strings:
            self.summaries.leak_all(args)  # options: the tag is called again
            return frozenset({receiver}) if receiver is not None else ANY
        pieces = [self.cells.read(cell) for cell in self.objects.heap(strings[0]).prefix]
        code = pieces[0] if pieces else SOME_TEXT
        for i, value in enumerate(args.positional[1:], 1):
            words = self.elements.iterate(value, line) if any(isinstance(atom, Object) for atom in value) else value
            word = SOME_TEXT if words != value else quoted(frozenset(texts_of(words)))
            code = concat_values([code, word, pieces[i] if i < len(pieces) else SOME_TEXT])
        site = self.run.site(line)
        self.run.world.effect("shell.execute", lit("sh"), site, Via(Cause.CODE, words="a tagged template"))
        self.run.world.run_code(
            "shell",
            frozenset(texts_of(code)),
            site,
            child=Child((lit("sh"),), cwd=self.environments.here(), env=self.environments.inherited() or None),
        )
        self.receivers.add("zx.Output")
        return frozenset({Instance("zx.Output")})

    def _url_part(self, part: str, receiver: Atom | None, args: Args, line: int) -> Value:
        return origins_of_urls(frozenset({receiver}), part) if receiver is not None else SOME_TEXT

    def _url_path(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return paths_of_urls(frozenset({receiver})) if receiver is not None else SOME_TEXT


REQUIRE = "globals.Require"
INTERPRETER: Value = frozenset({Text(("/", Hole(UNKNOWN, TREE)))})  # an absolute path


WHOLE_ENVIRONMENT = "process.env"  # the node of all variables, where a program hands them on


class JavaScriptProcess(EnginePart):
    """Variables, words and globals of a Node program."""

    data_flow: engine.DataFlow
    environments: engine.Environments
    host: engine.Host
    js_intrinsics: engine.JavaScriptIntrinsics
    js_options: engine.JavaScriptOptions

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.globals: dict[str, Value] = {}  # what the skill sets on the global object

    def handlers(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        return {
            "process.argv": self._process_argv, "process.env": self._process_env,
        }  # fmt: skip

    def _process_argv(self, receiver: Atom | None, args: Args, line: int) -> Value:
        known = self.host.program_words()
        made = self.objects.allocate_shared(
            "process.argv" if known is None else f"process.argv of {known.name}", "list", line
        )
        heap = self.objects.heap(made)
        heap.bag = self.environments.argv
        self.run.flows.context.add(self.run.flows.node(("in", self.run.frame.loaded.started)))
        if known is None:
            self.objects.write_at(heap, 0, INTERPRETER)
            self.objects.write_at(heap, 1, self.js_intrinsics.filename(receiver, args, line))
            self.cells.write(heap.bag, hole(ARG))
        else:
            self.elements.place_words(heap, (INTERPRETER, *known.words))
        return frozenset({made})

    def _process_env(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self.run.flows.context.add(self.run.flows.node(WHOLE_ENVIRONMENT))
        return frozenset({Instance(ENVIRONMENT)})

    def instance_member(self, atom: Instance, name: str, line: int) -> Value:
        """A variable of the environment is a member of `process.env`; other objects have what the skill gave them, too."""
        if atom.cls == ENVIRONMENT:
            self.run.flows.context.discard(self.run.flows.node(WHOLE_ENVIRONMENT))
            self.run.world.effect("env.read", lit(name), self.run.site(line), function("process.env"))
            return self.environments.variable(name) | {UNDEFINED}
        added = self.members.instance_fields.get((atom.cls, name))
        if added is None or self.run.language() != "js":
            return self.js_options.option_member(atom, name, line)
        known = self.run.library().member(atom.cls, name)
        return self.cells.read(added) | (
            self.js_options.option_member(atom, name, line) if known is not None else BOTTOM
        )

    def computed_member(self, atom: Atom, key: Value, line: int) -> Value:
        """`process.env[name]`."""
        if isinstance(atom, Instance) and atom.cls == ENVIRONMENT and literals(key) is None:
            self.run.world.effect("env.read", frozenset(texts_of(key)), self.run.site(line), function("process.env"))
            return or_missing(self.environments.variable("*"))
        return self.elements.plain_computed_member(atom, key, line)

    def spread_other(self, heap: Heap, atom: Atom) -> None:
        """`{...process.env}`."""
        if isinstance(atom, Instance) and atom.cls == ENVIRONMENT:
            self.run.world.effect("env.read", ANY, self.run.site(self.run.current_line), function("process.env"))
            self.cells.write(heap.keys, hole(env_origin("*")))
            self.cells.write(heap.bag, self.environments.variable("*"))
        else:
            self.collections.plain_spread_other(heap, atom)

    def store_global(self, atom: Atom, name: str, value: Value, line: int) -> None:
        """`process.env.X = …`, `globalThis.x = …`."""
        if isinstance(atom, Instance) and atom.cls == ENVIRONMENT:
            self.run.world.effect("env.write", lit(name), self.run.site(line), function("process.env"))
            self.environments.put_into_environment(name, value, line)
            return
        if isinstance(atom, Lib) and atom.name == "globals" and self.run.library().member("globals", name) is None:
            self.run.flows.node(("global", name)).into |= self.run.flows.context | self.data_flow.content(value)
            known = self.globals.get(name)
            grown = value | (known or BOTTOM)
            if grown != known:
                self.globals[name] = grown
                self.cells.hold(value)
                for frame in self.work.frames:
                    if frame.loaded.program.language == "js":
                        self.work.enqueue(frame)
            return
        if isinstance(atom, Instance) and self.run.language() == "js":
            self.cells.write(
                self.members.instance_fields.setdefault((atom.cls, name), Cell(self.members.function_parts)), value
            )
        self.stores.plain_store_attr(atom, name, value, line)

    def leak_atom(self, atom: Atom) -> None:
        """Whoever gets `process.env` itself may read all of it; whoever gets `require` may load anything."""
        if isinstance(atom, Lib) and atom.name.startswith(PROTOTYPE):
            return  # it does nothing by itself, and storing to it is noticed where it happens
        if isinstance(atom, Instance) and atom not in self.leaks.leaked_atoms:
            if atom.cls == ENVIRONMENT:
                flows = self.run.flows
                outer, flows.context = flows.context, set()
                self.run.world.effect(
                    "env.read", ANY, self.run.site(self.run.current_line), function("process.env", "{} is handed on")
                )
                flows.node(WHOLE_ENVIRONMENT).into |= flows.context
                flows.context = outer
            elif atom.cls == REQUIRE:
                self.run.opaque(
                    "`require` is handed to code that is not seen",
                    self.run.current_line,
                    "import modules by their names",
                )
        self.leaks.leak_plain_atom(atom)


class JavaScriptConstructors(EnginePart):
    """Collections and promises of JavaScript."""

    def handlers(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        return {
            "Map": self._new_map, "Set": self._new_set, "Promise": self._new_promise, "Array": self._new_array,
            "util.promisify": self._promisify, "WeakRef": self._same, "Promise.withResolvers": self._with_resolvers,
        }  # fmt: skip

    def _same(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("weakref", line)
        self.cells.write(self.objects.heap(made).bag, args.at(0))
        return frozenset({made})

    def _new_map(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("map", line)
        heap = self.objects.heap(made)
        for pair in each(self.elements.iterate(frozenset(a for a in args.at(0) if not isinstance(a, Const)), line)):
            one: Value = frozenset({pair})
            self.stores.put(heap, self.elements.item(one, ZERO, line), self.elements.item(one, ONE, line))
        return frozenset({made})

    def _new_set(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.objects.collected("set", self.elements.iterate(args.at(0), line), line)

    def _new_array(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("list", line)
        for value in args.everything():
            self.cells.write(self.objects.heap(made).bag, value)
            if any(not isinstance(atom, Text) for atom in value):  # a number of places with nothing in them
                self.cells.write(self.objects.heap(made).bag, PERHAPS)
        return frozenset({made})

    def _new_promise(self, receiver: Atom | None, args: Args, line: int) -> Value:
        holder = self.objects.made_here("promise", line)
        resolve = Bound(Lib(f"{BUILTIN_MEMBER}function.resolve"), holder)
        self.calls.call(
            args.at(0),
            Args([frozenset({resolve}), frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.reject"), holder)})]),
            line,
        )
        kept = or_missing(self.cells.read(self.objects.heap(holder).bag))  # `resolve()`
        return kept or (frozenset({Data(UNKNOWN)}) if self.work.settle(BOTTOM) else BOTTOM)

    def _with_resolvers(self, receiver: Atom | None, args: Args, line: int) -> Value:
        holder = self.objects.allocate(self.objects.call_slot("holder"), "promise", line)
        made = self.objects.made_here("dict", line)
        heap = self.objects.heap(made)
        self.objects.write(
            heap,
            "promise",
            self.cells.read(self.objects.heap(holder).bag) or (ANY if self.work.settle(BOTTOM) else BOTTOM),
        )
        for name in ("resolve", "reject"):
            self.objects.write(heap, name, frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), holder)}))
        return frozenset({made})

    def _promisify(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return args.at(0)
