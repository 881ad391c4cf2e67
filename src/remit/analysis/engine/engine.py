"""The engine: evaluates Python and JavaScript to a fixpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.engine.apply import Summaries
from remit.analysis.engine.calls import Calls
from remit.analysis.engine.classes import ClassMembers, ModelFields
from remit.analysis.engine.collection_methods import ArrayMethods, ContainerMethods, MappingMethods
from remit.analysis.engine.collections import Collections, Order
from remit.analysis.engine.data_flow import DataFlow
from remit.analysis.engine.decorators import Decorators
from remit.analysis.engine.effects import Effects
from remit.analysis.engine.elements import Elements
from remit.analysis.engine.encodings import JavaScriptTexts, PythonTexts
from remit.analysis.engine.environments import ChildEnvironments, Environments
from remit.analysis.engine.evaluate import Evaluator, Terms
from remit.analysis.engine.expressions import Expressions
from remit.analysis.engine.intrinsics import Intrinsics
from remit.analysis.engine.javascript_intrinsics import JavaScriptConstructors, JavaScriptIntrinsics, JavaScriptProcess
from remit.analysis.engine.javascript_objects import JavaScriptCollections, JavaScriptDescriptors, JavaScriptObjects
from remit.analysis.engine.javascript_options import JavaScriptOptionCalls, JavaScriptOptions
from remit.analysis.engine.kept_objects import KeptObjects
from remit.analysis.engine.leaks import Leaks, Lost
from remit.analysis.engine.members import LibraryMembers, Members
from remit.analysis.engine.methods import Methods
from remit.analysis.engine.modules import Modules
from remit.analysis.engine.operators import Operators
from remit.analysis.engine.python_intrinsics import PythonIntrinsics, PythonLibrary, PythonNames, PythonReflection
from remit.analysis.engine.python_objects import PythonObjects
from remit.analysis.engine.python_options import PythonOptions
from remit.analysis.engine.run import Host, Linker, Run
from remit.analysis.engine.state import Cells, Objects, Programs, Receivers, WorkList
from remit.analysis.engine.stores import Stores
from remit.analysis.parts import connect

if TYPE_CHECKING:
    from remit.analysis.summaries.library import Library
    from remit.analysis.world import World

_PARTS = (
    ArrayMethods, Calls, Cells, ChildEnvironments, ClassMembers, Collections, ContainerMethods, DataFlow, Decorators, Effects,
    Elements, Environments, Evaluator, Expressions, Intrinsics, JavaScriptCollections, JavaScriptConstructors,
    JavaScriptDescriptors, JavaScriptIntrinsics, JavaScriptObjects, JavaScriptOptionCalls, JavaScriptOptions,
    JavaScriptProcess, JavaScriptTexts, KeptObjects, Leaks, LibraryMembers, Lost, MappingMethods, Members,
    Methods, ModelFields, Modules, Objects, Operators, Order, Programs, PythonIntrinsics, PythonLibrary,
    PythonNames, PythonObjects, PythonOptions, PythonReflection, PythonTexts, Receivers, Stores, Summaries,
    Terms, WorkList,
)  # fmt: skip
__all__ = [
    "ArrayMethods", "Calls", "Cells", "ChildEnvironments", "ClassMembers", "Collections", "ContainerMethods", "DataFlow", "Decorators",
    "Effects", "Elements", "Engine", "Environments", "Evaluator", "Expressions", "Host", "Intrinsics",
    "JavaScriptCollections", "JavaScriptConstructors", "JavaScriptDescriptors", "JavaScriptIntrinsics",
    "JavaScriptObjects", "JavaScriptOptionCalls", "JavaScriptOptions", "JavaScriptProcess", "JavaScriptTexts",
    "KeptObjects", "Leaks", "LibraryMembers", "Lost", "MappingMethods", "Members", "Methods", "ModelFields",
    "Modules", "Objects", "Operators", "Order", "Programs", "PythonIntrinsics", "PythonLibrary", "PythonNames",
    "PythonObjects", "PythonOptions", "PythonReflection", "PythonTexts", "Receivers", "Stores", "Summaries",
    "Terms", "WorkList",
]  # fmt: skip


class Engine:
    """Parts that share a run; `host` answers what depends on who runs it."""

    cells: Cells
    environments: Environments
    evaluator: Evaluator
    programs: Programs
    work: WorkList

    def __init__(self, world: World, libraries: dict[str, Library], linker: Linker, host: type[Host] = Host) -> None:
        self.run = Run(world, libraries, linker)
        self.host = host(self.run)
        connect((self, self.host, *(kind(self.run) for kind in _PARTS)))
