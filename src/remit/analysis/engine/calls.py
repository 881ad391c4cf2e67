"""Calls: whatever is called, with whatever arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NOTHING,
    PERHAPS,
    UNREACHED,
    Anything,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Data,
    Instance,
    Lib,
    Module,
    Num,
    Object,
    Text,
    Value,
    unsited,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args, Frame
from remit.analysis.engine.heap import may_be_undefined, or_missing
from remit.analysis.engine.members import BUILTIN_TYPES
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.summaries.model import Section

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.ir import Function, Param

MAX_DEPTH = 30
MAX_RECURSION = 3  # a function inside itself, before its deeper calls are joined: a path that grows by a step each time ends in `any`
MAX_CONTEXTS = 16  # activations of one closure before its calls are joined
MAX_ACTIVATIONS = 48  # likewise of all closures of one function
MANY_FRAMES = 1500  # from here on calls are joined early, so that the cost stays linear in the size of the program


class Calls(EnginePart):
    """Dispatch on what is called."""

    data_flow: engine.DataFlow
    decorators: engine.Decorators
    evaluator: engine.Evaluator
    js_collections: engine.JavaScriptCollections
    model_fields: engine.ModelFields
    modules: engine.Modules
    python_library: engine.PythonLibrary
    python_objects: engine.PythonObjects

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.entered: dict[tuple[int, int], dict[tuple[object, ...], Frame]] = {}
        self._joined: dict[tuple[int, int], Frame] = {}
        self.activations_of: dict[int, int] = {}
        self.called: set[Atom] = set()
        self.calls_unknown = False  # whether something is called of which nobody knows what it is
        self.running: dict[int, int] = {}  # how often each function is being evaluated just now
        self.depth = 0

    def is_activated(self, closure: Closure) -> bool:
        """Whether somebody calls this function."""
        return bool(self.entered.get((closure.function, closure.frame)))

    def call(self, callee: Value, args: Args, line: int, *, new: bool = False) -> Value:
        """The value of a call; its effects are reported on the way."""
        self.run.current_line = line
        self.work.steps += len(callee)
        if callee == UNREACHED or UNREACHED in args.positional:
            return UNREACHED
        out: Value = BOTTOM
        for atom in each(callee):
            out = out | self.call_atom(atom, args, line, new=new)
        return out

    def call_atom(self, atom: Atom, args: Args, line: int, *, new: bool = False) -> Value:
        """Call one atom."""
        if isinstance(atom, Closure):
            return self.call_closure(atom, args, line, new=new)
        if isinstance(atom, Bound) and isinstance(atom.function, Closure):
            self.called.add(atom)
            return self.call_closure(atom.function, args.with_receiver(frozenset({atom.receiver})), line, bound=True)
        if isinstance(atom, Class):
            return self.construct(atom, args, line)
        begun = self.data_flow.begin(atom, args, line)
        value = self._call_outside(atom, args, line, new=new)
        self.data_flow.end(begun, value, atom, args)
        return value

    def _call_outside(self, atom: Atom, args: Args, line: int, *, new: bool) -> Value:
        """Call something that is no function of the skill."""
        if isinstance(atom, Bound) and isinstance(atom.function, Lib):
            self.called.add(atom)
            return self.summaries.call_method(atom.function.name, atom.receiver, args, line)
        if isinstance(atom, Lib):
            self.called.add(atom)
            return self.summaries.call_library(atom.name, args, line)
        if isinstance(atom, Object):
            return self.intrinsics.call_object(atom, args, line)
        if isinstance(atom, Instance):
            return self.summaries.call_method(f"{atom.cls}.__call__", atom, args, line)
        if isinstance(atom, (Anything, Data)):
            self.calls_unknown = self.calls_unknown or isinstance(atom, Anything)
            for value in args.everything():
                self.leaks.give_away(value)
            return frozenset({atom}) if isinstance(atom, Data) else ANY
        if isinstance(atom, Module):
            return self.call(self.modules.exports_of(self.programs.loaded[atom.index]), args, line, new=new)
        return BOTTOM

    # ── functions of the skill ──

    def call_closure(self, closure: Closure, args: Args, line: int, *, new: bool = False, bound: bool = False) -> Value:
        """Activate a function and return what it returns."""
        _, function = self.programs.functions[closure.function]
        if closure.site:
            self.called.add(closure)
            closure = unsited(closure)
        made: Value = BOTTOM
        if function.takes_this and not bound:
            made = self._constructed(closure, line) if new else ANY
            args = args.with_receiver(made)
        if not all(args.positional):
            if (
                not self.work.final
            ):  # an argument has no value yet: this call is not reached, or will be looked at again
                self.run.reader.hollow = True
                return BOTTOM
            positional = [value or ANY for value in args.positional]
            args = Args(positional, args.keywords, args.star, args.keyword_star, args.perhaps)
        flows = self.run.flows
        outer = flows.context
        frame = self.activation(closure, args)
        flows.context = set()
        if not frame.path and self.run.frame is not frame:
            site = self.run.site(line)
            frame.path = (*site.path[-12:], site.where)
        if not frame.evaluated:
            if self.depth < MAX_DEPTH:
                self.depth += 1
                self.running[closure.function] = self.running.get(closure.function, 0) + 1
                self.evaluator.evaluate_frame(frame)
                self.running[closure.function] -= 1
                self.depth -= 1
                self.run.current_line = line
            else:
                self.work.enqueue(frame)
        if not function.generator:
            result = self.cells.read(frame.result)
        if args.flow is None:  # whoever calls it does not say what it read, and may look into what it gets
            flows.context |= outer | self.data_flow.content(frame.result.value)
        if function.generator:
            return frozenset({self.generator(frame)})
        return made | result if new else result

    def _constructed(self, closure: Closure, line: int) -> Value:
        """The object that `new f()` makes; one a line."""
        site = self.objects.slot(closure.function, f"new {closure.frame} {line}")
        made = self.objects.allocate(site, "dict", line)
        self.members.inherit(made, self.members.prototype_of(closure), line)
        return frozenset({made})

    def generator(self, frame: Frame) -> Object:
        """The iterator that a generator function returns: its elements are what the frame yields."""
        made = self.objects.kept_as((frame.index, -1), "iter", frame.function.line)
        self.objects.heap(made).bag = frame.yields
        self.objects.heap(made).fields[" result"] = frame.result
        return made

    def activation(self, closure: Closure, args: Args) -> Frame:
        """The frame for these arguments: one of up to sixteen, then one for all that follow."""
        key = (closure.function, closure.frame)
        table = self.entered.setdefault(key, {})
        frame = table.get(args.key())
        if frame is not None:
            self.data_flow.bound(frame, args)
            return frame
        loaded, function = self.programs.functions[closure.function]
        if len(table) < self._contexts(closure.function):
            frame = table[args.key()] = self.work.new_frame(function, loaded, self.work.frames[closure.frame])
            if not any(fact.__class__.__name__ == "Return" for fact in function.facts):
                frame.result.value = NOTHING
        else:
            frame = self._joined.get(key)
            if frame is None:
                frame = self._joined[key] = self.work.new_frame(function, loaded, self.work.frames[closure.frame])
                frame.result.value = NOTHING
        self.bind_parameters(frame, function, args, self.work.frames[closure.frame])
        return frame

    def _contexts(self, function: int) -> int:
        """How many activations a closure gets before its calls are joined: functions in functions multiply."""
        made = self.activations_of[function] = self.activations_of.get(function, 0) + 1
        if self.running.get(function, 0) >= MAX_RECURSION:
            return 0
        if made > MAX_ACTIVATIONS:
            return 1
        if len(self.work.frames) >= MANY_FRAMES:
            return 2
        return MAX_CONTEXTS if self.programs.functions[function][0].program.language == "python" else MAX_CONTEXTS // 2

    def bind_parameters(self, frame: Frame, function: Function, args: Args, definer: Frame) -> None:
        """Formal parameters get their actual values; what is not given gets its default."""
        positional = list(args.positional)
        flows, flow = self.run.flows, args.flow
        outer = flows.context
        contexts = list(flow.positional) if flow else []
        taken: set[str] = set()
        for param in function.params:
            if flow is not None:
                flows.context = flow.keywords.get(param.name, set()) | flow.rest
            if param.kind == "positional":
                if positional:  # a place that is taken: neither `*` nor `**` can fill it again
                    value = positional.pop(0)
                    if contexts:
                        flows.context = contexts.pop(0)
                    self._bind_one(frame, function, param, value, Args(), definer, given=bool(value))
                else:
                    self._bind_one(frame, function, param, args.star, args, definer, given=False)
                taken.add(param.name)
            elif param.kind == "keyword":
                self._bind_one(frame, function, param, BOTTOM, args, definer, given=False)
                taken.add(param.name)
            else:
                flows.context = flow.rest.union(*contexts, *flow.keywords.values()) if flow else outer
                if param.kind == "rest":
                    self._bind_rest(frame, param, positional, args)
                    positional = []
                else:
                    self._bind_keywords(frame, param, args, taken)
        flows.context = outer
        if (
            frame.loaded.program.language != "js"
        ):  # JavaScript drops what no parameter names; `arguments` makes a rest parameter
            for value in positional:
                self.leaks.leak(value)

    def _bind_one(
        self, frame: Frame, function: Function, param: Param, value: Value, args: Args, definer: Frame, *, given: bool
    ) -> None:
        named = args.keywords.get(param.name)
        if named is not None:
            value, given = named, param.name not in args.perhaps
        elif args.keyword_star:
            value = value | args.keyword_star
        if frame.loaded.program.language == "js":
            if param.default is None:
                value = value if given else or_missing(value)
            else:
                given = given and not may_be_undefined(value)
                value = value - PERHAPS
        if param.default is not None and not given:
            default = definer.cell(f"default {function.index} {param.name}")
            default.readers[frame.whole] = None
            frame.cell(param.name).into.add(default)
            pair = (frame.cell(param.name), default)
            frame.defaults += () if pair in frame.defaults else (pair,)
            value = value | default.value
        self.cells.write(frame.cell(param.name), value)

    def _bind_rest(self, frame: Frame, param: Param, positional: list[Value], args: Args) -> None:
        kind = "list" if frame.loaded.program.language == "js" else "tuple"
        made = self.objects.kept_as((frame.index, -2), kind, frame.function.line)
        self.stores.fill(self.objects.heap(made), positional, args.star)
        self.cells.write(frame.cell(param.name), frozenset({made}))

    def _bind_keywords(self, frame: Frame, param: Param, args: Args, taken: set[str]) -> None:
        made = self.objects.kept_as((frame.index, -3), "dict", frame.function.line)
        heap = self.objects.heap(made)
        self.collections.keep_sure(heap, args.keywords.keys() - args.perhaps)
        for name, value in args.keywords.items():
            if name not in taken:
                self.objects.write(heap, name, value)
        if args.keyword_star:
            self.cells.write(heap.bag, args.keyword_star)
        self.cells.write(frame.cell(param.name), frozenset({made}))

    # ── classes of the skill ──

    def construct(self, cls: Class, args: Args, line: int) -> Value:
        """Calling a class makes an instance, unless its metaclass says what that does."""
        self.called.add(cls)
        cls = Class(cls.index)
        given = self.run.flows.context
        out = self.make_instance(cls, args, line)
        if self.library_bases(cls.index):  # a constructor that is not seen
            self.run.flows.context |= given
            self.run.flows.context.add(self.data_flow.instances(cls.index))
        for meta in self.class_members.makers_of(cls.index):
            for method in each(self.class_members.class_member(meta, "__call__")):
                if isinstance(method, Closure):
                    made = self.call_closure(method, args.with_receiver(frozenset({cls})), line, bound=True)
                    out = out | frozenset(atom for atom in made if not isinstance(atom, Const))
        return out

    def make_instance(self, cls: Class, args: Args, line: int) -> Value:
        """An instance; its constructor runs, or its annotated fields are filled."""
        state = self.programs.classes[cls.index]
        instance: Value = frozenset({state.instance})
        other: Value = BOTTOM
        for name in ("__new__", "__init__", "constructor"):
            receiver = frozenset({cls}) if name == "__new__" else instance
            for atom in each(self.class_members.class_member(cls.index, name)):
                if isinstance(atom, Closure):
                    made = self.call_closure(atom, args.with_receiver(receiver), line, bound=True)
                    if name != "__init__":  # a constructor of JavaScript may return another object
                        other = other | frozenset(item for item in made if not isinstance(item, (Const, Text, Num)))
        self._initialise_fields(cls.index, instance, line, set())
        own_constructor = self.class_members.class_member(cls.index, "__init__") or self.class_members.class_member(
            cls.index, "constructor"
        )
        if not any(isinstance(atom, Closure) for atom in own_constructor):
            if self._takes_fields(cls.index, set()):
                self._fill_fields(cls.index, args)
            for base in self.library_bases(cls.index):  # which then has the constructor
                self.js_collections.fill_inner(instance, self.summaries.call_library(base, args, line))
        if self.python_objects.is_enum(cls.index):
            return self.python_objects.enum_members(cls.index, self.python_objects.enum_values(cls.index))
        return instance | other

    def _initialise_fields(self, cls: int, instance: Value, line: int, seen: set[int]) -> None:
        """JavaScript: the field initialisers of the class and of its bases run on the instance."""
        seen.add(cls)
        cell = self.programs.classes[cls].body.variables.get("<fields>")
        for atom in each(self.cells.read(cell)) if cell is not None else ():
            if isinstance(atom, Closure):
                self.call_closure(atom, Args([instance]), line, bound=True)
        for base in each(self.cells.read(self.programs.classes[cls].bases)):
            if isinstance(base, Class) and base.index not in seen:
                self._initialise_fields(base.index, instance, line, seen)

    def library_bases(self, cls: int) -> list[str]:
        """The summarised classes that a class of the skill derives from."""
        out: list[str] = []
        for atom in each(self.cells.read(self.programs.classes[cls].bases)):
            if isinstance(atom, Lib):
                section = self.run.library().section(atom.name)
                if isinstance(section, Section) and section.is_class:
                    out.append(atom.name)
            elif isinstance(atom, Class) and atom.index != cls:
                out.extend(self.library_bases(atom.index))
        return out

    def has_unknown_base(self, cls: int, seen: set[int]) -> bool:
        """Whether a class derives from what is no class of the skill and has no section of its own in a summary."""
        seen.add(cls)
        for atom in each(self.cells.read(self.programs.classes[cls].bases)):
            if isinstance(atom, Class):
                if atom.index not in seen and self.has_unknown_base(atom.index, seen):
                    return True
            elif isinstance(atom, Lib):
                if atom.name not in BUILTIN_TYPES and self.run.library().section(atom.name) is None:
                    return True
            elif isinstance(atom, (Data, Anything, Bound)):
                return True
        return False

    def _takes_fields(self, cls: int, seen: set[int]) -> bool:
        """Whether the constructor may have been written from the annotations: by a decorator, or by a base that says nothing of
        its own (`NamedTuple`, models)."""
        seen.add(cls)
        if self.programs.classes[cls].info.decorated:
            return True
        for atom in each(self.cells.read(self.programs.classes[cls].bases)):
            if isinstance(atom, Class):
                if atom.index not in seen and self._takes_fields(atom.index, seen):
                    return True
            elif isinstance(atom, Lib):
                if atom.name in _FIELDED or self.run.library().listed(atom.name, "__init__") is None:
                    return True
            else:
                return True
        return self.programs.classes[cls].loaded.program.language == "js"

    def _fill_fields(self, cls: int, args: Args) -> None:
        names = self.annotated_fields(cls, set())
        heap = self.objects.heap(self.programs.classes[cls].instance)
        for name, value in [*zip(names, args.positional, strict=False), *args.keywords.items()]:
            self.objects.write(heap, name, self.model_fields.field_value(cls, name, value))
        for value in args.positional[len(names) :]:
            self.leaks.leak(value)
        rest = args.star | args.keyword_star
        if rest:
            for name in names:
                self.objects.write(heap, name, self.model_fields.field_value(cls, name, rest))
            self.cells.write(heap.bag, rest)

    def annotated_fields(self, cls: int, seen: set[int]) -> list[str]:
        """What a generated constructor takes, bases first."""
        seen.add(cls)
        names: list[str] = []
        for atom in self.programs.classes[cls].bases.value:
            if isinstance(atom, Class) and atom.index not in seen:
                names.extend(self.annotated_fields(atom.index, seen))
        names.extend(name for name in self.programs.classes[cls].info.fields if name not in names)
        return names

    def call_plain_object(self, atom: Object, args: Args, line: int) -> Value:
        """Instances with `__call__`, bound partial applications; other objects are not callable."""
        heap = self.objects.heap(atom)
        if heap.kind == "partial":
            return self.decorators.call_partial(heap, args, line)
        if heap.kind == "record type":
            return self.python_objects.make_record(heap, args, line)
        if heap.kind == "getter":
            return self.python_library.call_getter(heap, args, line)
        method = self.members.member(frozenset({atom}), "__call__", line) if heap.kind == "instance" else BOTTOM
        if heap.escaped:
            for value in args.everything():
                self.leaks.give_away(value)
            return ANY
        return self.call(method, args, line) if method else BOTTOM


_FIELDED = frozenset(
    {"pydantic.BaseModel", "pydantic_settings.BaseSettings", "sqlmodel.SQLModel", "msgspec.Struct", "typing.NamedTuple"}
)
