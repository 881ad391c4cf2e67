"""Reflection in Python: members and modules by name, namespaces as dictionaries, text that becomes code, types made at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    NOTHING,
    SOME_TEXT,
    UNKNOWN,
    Anything,
    Atom,
    Class,
    Data,
    Instance,
    Lib,
    Object,
    Text,
    Value,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.marks import VIEW
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import literals, texts_of

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Args, Handler


class PythonReflection(EnginePart):
    """What getattr, vars, eval, import_module and their kin do."""

    cells: engine.Cells
    elements: engine.Elements
    intrinsics: engine.Intrinsics
    js_process: engine.JavaScriptProcess
    leaks: engine.Leaks
    members: engine.Members
    modules: engine.Modules
    objects: engine.Objects
    python_objects: engine.PythonObjects
    stores: engine.Stores
    summaries: engine.Summaries
    work: engine.WorkList

    def handlers(self) -> dict[str, Handler]:
        """What summaries mark `! intrinsic`, by name."""
        return {
            "getattr": self._getattr, "setattr": self._setattr, "vars": self._vars, "dir": self._dir, "globals": self._globals,
            "locals": self._locals, "eval": self._eval, "exec": self._eval, "__import__": self._dunder_import,
            "import_module": self._import_name, "resolve_name": self._resolve_name, "super": self._bare_super,
            "type": self._type,
        }  # fmt: skip

    def _getattr(self, receiver: Atom | None, args: Args, line: int) -> Value:
        base, name = args.at(0), args.at(1)
        out: Value = args.positional[2] if len(args.positional) > 2 else BOTTOM
        names = literals(name)
        for atom in each(base):
            if names is not None:
                out = out.union(*(self.members.member(frozenset({atom}), word, line) for word in names))
            else:
                out = out | self.js_process.computed_member(atom, name, line)
        return out

    def _setattr(self, receiver: Atom | None, args: Args, line: int) -> Value:
        base, name, value = args.at(0), args.at(1), args.at(2)
        names = literals(name)
        for atom in each(base):
            if names is not None:
                for word in names:
                    self.intrinsics.store_attr(atom, word, value, line)
            elif isinstance(atom, Object):
                self.stores.put(self.objects.heap(atom), name, value)
                if self.objects.heap(atom).escaped:
                    self.leaks.leak(value)
            else:
                self.intrinsics.store_item(atom, name, value, line)
        return NOTHING

    def _vars(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if not args.positional:
            return self._locals(receiver, args, line)
        out: Value = BOTTOM
        for atom in each(args.at(0)):
            if self.objects.is_a(atom, "parser"):
                made = self.objects.allocate(self.objects.slot(atom.index, "vars"), "dict", line)
                self.objects.heap(made).fields, self.objects.heap(made).origin = self.objects.heap(atom).fields, VIEW
                self.cells.write(self.objects.heap(made).bag, frozenset({Data(ARG)}))
                out = out | {made}
            elif isinstance(atom, Object):
                out = out | {self.members.fields_as_dict(atom, self.objects.heap(atom))}
            elif isinstance(atom, Data):
                out = out | {atom}
            else:
                self.js_process.leak_atom(atom)
                out = out | self.run.opaque("`vars` of a module or class gives its members by computed names", line)
        return out

    def _dir(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.objects.collected("list", SOME_TEXT, line)

    def _globals(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({self.python_objects.module_namespace(self.run.frame.loaded)})

    def item_of_namespace(self, atom: Object, key: Value, line: int) -> Value:
        """`globals()[name]` is a name of the module."""
        heap = self.objects.heap(atom)
        if heap.kind == "namespace":
            return self.python_objects.namespace_item(heap, key, line)
        return self.elements.plain_object_item(atom, key, line)

    def _locals(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({self.python_objects.frame_namespace(self.run.frame)})

    def _eval(self, receiver: Atom | None, args: Args, line: int) -> Value:
        code = self.work.settle(args.at(0))
        spaces = BOTTOM.union(*args.positional[1:], *args.keywords.values())
        for atom in each(spaces):
            if not isinstance(atom, Object):
                self.js_process.leak_atom(atom)
        value = self.modules.run_text("python", frozenset(texts_of(code)), line, spaces) if code else BOTTOM
        return value | NOTHING if literals(code) is not None else value | ANY

    def _import_name(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.modules.import_computed(
            self.work.settle(args.at(0)), line, args.at(1) | args.keywords.get("package", BOTTOM)
        )

    def _dunder_import(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`__import__("a.b")` gives `a`, unless it is asked for members of `a.b`."""
        name = self.work.settle(args.at(0))
        found = self.modules.import_computed(name, line)
        dotted = [word for word in literals(name) or () if "." in word]
        if not dotted or len(args.positional) > 3 or "fromlist" in args.keywords or args.star:
            return found
        return self.modules.import_computed(frozenset(Text((word.partition(".")[0],)) for word in dotted), line)

    def _resolve_name(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`package.module:object.member`, or the same with dots alone."""
        names = literals(self.work.settle(args.at(0)))
        if names is None:
            return self.modules.import_computed(args.at(0), line)
        out: Value = BOTTOM
        for name in names:
            module, colon, members = name.partition(":")
            if not colon:
                module, _, members = name.partition(".")
            found = self.modules.import_computed(lit(module), line)
            for member in members.split(".") if members else ():
                found = self.members.member(found, member, line)
            out = out | found
        return out

    def _bare_super(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.run.opaque("`super` outside of a method", line)

    def _type(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if len(args.positional) > 1:
            self.summaries.leak_all(args)
            return self.run.opaque("a class is made at run time", line, "write a class statement")
        out: Value = BOTTOM
        for atom in each(args.at(0)):
            if self.objects.is_instance(atom):
                out = out | {Class(self.objects.heap(atom).cls)}
            elif isinstance(atom, Instance):
                out = out | {Lib(atom.cls)}
            elif isinstance(atom, (Anything, Class)):
                out = out | ANY
            else:
                out = out | {Data(UNKNOWN)}
        return out
