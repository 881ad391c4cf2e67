"""The engine: evaluates Python and JavaScript to a fixpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.engine.apply import Summaries
from remit.analysis.engine.arrays import ArrayMethods
from remit.analysis.engine.calls import Calls
from remit.analysis.engine.cells import Cells
from remit.analysis.engine.child_environments import ChildEnvironments
from remit.analysis.engine.class_members import ClassMembers
from remit.analysis.engine.collections import Collections
from remit.analysis.engine.conditions import Conditions
from remit.analysis.engine.containers import ContainerMethods
from remit.analysis.engine.data_flow import DataFlow
from remit.analysis.engine.decorators import Decorators
from remit.analysis.engine.definitions import Definitions
from remit.analysis.engine.effects import Effects
from remit.analysis.engine.elements import Elements
from remit.analysis.engine.environments import Environments
from remit.analysis.engine.evaluate import Evaluator
from remit.analysis.engine.expressions import Expressions
from remit.analysis.engine.host import Host
from remit.analysis.engine.intrinsics import Intrinsics
from remit.analysis.engine.intrinsics_js import JavaScriptIntrinsics
from remit.analysis.engine.intrinsics_python import PythonIntrinsics
from remit.analysis.engine.javascript_collections import JavaScriptCollections
from remit.analysis.engine.javascript_constructors import JavaScriptConstructors
from remit.analysis.engine.javascript_descriptors import JavaScriptDescriptors
from remit.analysis.engine.javascript_objects import JavaScriptObjects
from remit.analysis.engine.javascript_option_calls import JavaScriptOptionCalls
from remit.analysis.engine.javascript_options import JavaScriptOptions
from remit.analysis.engine.javascript_process import JavaScriptProcess
from remit.analysis.engine.javascript_texts import JavaScriptTexts
from remit.analysis.engine.kept_objects import KeptObjects
from remit.analysis.engine.leaks import Leaks
from remit.analysis.engine.library_members import LibraryMembers
from remit.analysis.engine.literals import Literals
from remit.analysis.engine.lost import Lost
from remit.analysis.engine.mappings import MappingMethods
from remit.analysis.engine.members import Members
from remit.analysis.engine.methods import Methods
from remit.analysis.engine.model_fields import ModelFields
from remit.analysis.engine.modules import Modules
from remit.analysis.engine.objects import Objects
from remit.analysis.engine.operands import Operands
from remit.analysis.engine.operators import Operators
from remit.analysis.engine.order import Order
from remit.analysis.engine.programs import Programs
from remit.analysis.engine.python_library import PythonLibrary
from remit.analysis.engine.python_names import PythonNames
from remit.analysis.engine.python_objects import PythonObjects
from remit.analysis.engine.python_options import PythonOptions
from remit.analysis.engine.python_reflection import PythonReflection
from remit.analysis.engine.python_search import PythonSearch
from remit.analysis.engine.python_texts import PythonTexts
from remit.analysis.engine.receivers import Receivers
from remit.analysis.engine.references import References
from remit.analysis.engine.run import Linker, Run
from remit.analysis.engine.stores import Stores
from remit.analysis.engine.templates import Templates
from remit.analysis.engine.terms import Terms
from remit.analysis.engine.worklist import WorkList
from remit.analysis.parts import connect

if TYPE_CHECKING:
    from remit.analysis.summaries.library import Library
    from remit.analysis.world import World

_PARTS = (
    ArrayMethods, Calls, Cells, ChildEnvironments, ClassMembers, Collections, Conditions, ContainerMethods, DataFlow, Decorators, Definitions, Effects,
    Elements, Environments, Evaluator, Expressions, Intrinsics, JavaScriptCollections, JavaScriptConstructors,
    JavaScriptDescriptors, JavaScriptIntrinsics, JavaScriptObjects, JavaScriptOptionCalls, JavaScriptOptions,
    JavaScriptProcess, JavaScriptTexts, KeptObjects, Leaks, LibraryMembers, Literals, Lost, MappingMethods, Members,
    Methods, ModelFields, Modules, Objects, Operands, Operators, Order, Programs, PythonIntrinsics, PythonLibrary,
    PythonNames, PythonObjects, PythonOptions, PythonReflection, PythonSearch, PythonTexts, Receivers, References, Stores, Summaries,
    Templates, Terms, WorkList,
)  # fmt: skip
__all__ = [
    "ArrayMethods", "Calls", "Cells", "ChildEnvironments", "ClassMembers", "Collections", "Conditions", "ContainerMethods", "DataFlow", "Decorators",
    "Definitions", "Effects", "Elements", "Engine", "Environments", "Evaluator", "Expressions", "Host", "Intrinsics",
    "JavaScriptCollections", "JavaScriptConstructors", "JavaScriptDescriptors", "JavaScriptIntrinsics",
    "JavaScriptObjects", "JavaScriptOptionCalls", "JavaScriptOptions", "JavaScriptProcess", "JavaScriptTexts",
    "KeptObjects", "Leaks", "LibraryMembers", "Literals", "Lost", "MappingMethods", "Members", "Methods", "ModelFields",
    "Modules", "Objects", "Operands", "Operators", "Order", "Programs", "PythonIntrinsics", "PythonLibrary", "PythonNames",
    "PythonObjects", "PythonOptions", "PythonReflection", "PythonSearch", "PythonTexts", "Receivers", "References", "Stores", "Summaries",
    "Templates", "Terms", "WorkList",
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
