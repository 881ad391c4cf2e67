"""The dispatch that runs: the source of seal, permit and projector, byte for byte, and its surroundings.

The modules of `SOURCES` are the ones that this process has loaded. What they import is given to the checkers as stubs
(`data/around`), each compared with the source that it stands for, and as the module of requests, which is written from
the manifest. Of the functions that act on the host (doors), the checkers see the first parameter as in the source.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

from remit.core.digest import bytes_digest
from remit.core.table import read_table
from remit.core.table_store import stored
from remit.proof.types.discipline import breaches, second_makers

SOURCES = ("core/seal.py", "policy/permit.py", "policy/projector.py")
_AROUND = ("gate", "judge", "limits", "refusal", "judgement_cache", "skill_policy")  # of the package `policy`
_DATA = Path(__file__).with_name("data")
_ROOT = Path(__file__).parents[2]  # of our source


class Dispatch(NamedTuple):
    """What the checkers read beside the module of a manifest, and problems found before they start."""

    sources: Mapping[str, str]  # of `SOURCES`
    files: Mapping[str, str]  # by their paths in the folder of a run
    objections: tuple[str, ...]

    @property
    def digests(self) -> tuple[tuple[str, str], ...]:
        """Return each source that runs, with its digest."""
        return tuple((name, bytes_digest(text.encode())) for name, text in self.sources.items())


@cache
def running() -> Dispatch:
    """Return the dispatch of this process."""
    found = stored("dispatch", lambda: dispatch({}), Dispatch._make, whole=True)
    strange = tuple(f"{name}: what runs is not what the file holds" for name in SOURCES if not _runs(name))
    return found._replace(objections=(*found.objections, *strange))


def dispatch(changed: Mapping[str, str]) -> Dispatch:
    """Return the dispatch, with some files of our source replaced by seeded bugs."""

    def source(name: str) -> str:
        return changed[name] if name in changed else _read(name)

    sources = {name: source(name) for name in SOURCES}
    stubs = {name: (_DATA / "around" / f"{name}.stub").read_text("ascii") for name in _AROUND}
    files = {f"remit/{name}": text for name, text in sources.items()}
    files |= {f"remit/{room}__init__.pyi": "" for room in ("", "core/", "policy/")}
    files |= {f"remit/policy/{name}.pyi": text for name, text in stubs.items()}
    objections = [f"{name}: {what}" for name, text in sources.items() for what in breaches(name, text)]
    objections += [
        f"policy/{name}.py: {what}"
        for name, text in stubs.items()
        for what in differences(text, source(f"policy/{name}.py"))
    ]
    others = {path: changed.get(path, text) for path, text in _everywhere().items()}
    objections += second_makers({**others, **{path: text for path, text in changed.items() if path not in SOURCES}})
    files["remit/doors.pyi"] = "\n".join(("from remit.policy.permit import Permit", *_doors(changed))) + "\n"
    return Dispatch(sources, files, tuple(objections))


@cache
def doors() -> tuple[tuple[str, str], ...]:
    """Return the rows of `data/doors.table`: files and functions."""
    return tuple((row.cells[0], row.cells[1]) for row in read_table(_DATA / "doors.table", 2))


@cache
def _read(name: str) -> str:
    return (_ROOT / name).read_text("utf-8")


@cache
def _everywhere() -> Mapping[str, str]:
    """Return every file of ours that mentions the right to issue."""
    found = {}
    for path in sorted(_ROOT.rglob("*.py")):
        data = path.read_bytes()
        if b"claim_issuing" in data or b"policy.permit import" in data:
            found[path.relative_to(_ROOT).as_posix()] = data.decode("utf-8")
    return found


def _doors(changed: Mapping[str, str]) -> Iterator[str]:
    """Yield each door with its first parameter. Probes detect a missing door, or one without a permit."""
    for file, name in doors():
        first = _first_parameters(changed[file]).get(name) if file in changed else _known_doors()[file].get(name)
        if first is not None:
            yield f"def {name}({first}, *more: object, **named: object) -> object: ..."


@cache
def _known_doors() -> Mapping[str, Mapping[str, str]]:
    return {file: _first_parameters(_read(file)) for file, _ in doors()}


_FIRST = re.compile(r"^def ([a-z]\w*)\(\s*(\w+(?::[^,)=]+)?(?:\s*=[^,)]*)?)", re.MULTILINE)


# another class under the name of the permit
_OTHER_PERMIT = re.compile(
    r"\bas Permit\b|^\s*class Permit\b|^\s*Permit\s*[:=]|^(?!from remit\.policy).*import .*\bPermit\b", re.MULTILINE
)


def _first_parameters(text: str) -> Mapping[str, str]:
    """Return the first parameter of each function of a module, as it is written; `anything: object` if the module could
    rebind it.
    """
    found = {one[1]: one[2].strip() for one in _FIRST.finditer(text)}
    other = _OTHER_PERMIT.search(text.replace("    from remit.policy", "from remit.policy")) is not None
    for name in found:
        bound = re.findall(rf"(^@.*\n)?^(?:async )?(?:def |class )?{name}\b\s*([(=:])", text, re.MULTILINE)
        if other or bound != [("", "(")]:
            found[name] = "anything: object"
    return found


def differences(stub: str, source: str) -> Iterator[str]:
    """Yield where a stub differs from its source. It may declare less, except for classes made of fields."""
    real = {_name(node): node for node in ast.parse(source).body if _name(node)}
    for node in ast.parse(stub).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        name, other = _name(node), real.get(_name(node))
        if other is None:
            yield f"`{name}` is not in the source"
        elif isinstance(node, ast.ClassDef) and isinstance(other, ast.ClassDef):
            yield from (f"`{name}.{member}` is declared otherwise" for member in _members(node, other))
        elif not isinstance(node, ast.AnnAssign) or node.value is not None:
            if _shape(node) != _shape(other):
                yield f"`{name}` is declared otherwise"
        elif not _makes(other, ast.unparse(node.annotation)):
            yield f"`{name}` is declared otherwise"


def _makes(node: ast.stmt, kind: str) -> bool:
    """Return whether a name is bound to a new object of a class."""
    value = node.value if isinstance(node, ast.Assign) else None
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == kind


def _members(stub: ast.ClassDef, real: ast.ClassDef) -> Iterator[str]:
    if [ast.unparse(base) for base in stub.bases] != [ast.unparse(base) for base in real.bases]:
        yield "its bases"
    mine, theirs = ({_name(node): _shape(node) for node in one.body if _name(node)} for one in (stub, real))
    yield from (name for name, shape in mine.items() if theirs.get(name) != shape)
    if any(ast.unparse(base) == "NamedTuple" for base in stub.bases):
        fields = [[_name(node) for node in one.body if isinstance(node, ast.AnnAssign)] for one in (stub, real)]
        if fields[0] != fields[1]:
            yield "its fields"


def _name(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    target = (
        node.target if isinstance(node, ast.AnnAssign) else node.targets[0] if isinstance(node, ast.Assign) else None
    )
    return target.id if isinstance(target, ast.Name) else ""


def _shape(node: ast.stmt) -> str:
    """Return the type information of a declaration. Values are ignored unless they are the text of a type."""
    if isinstance(node, ast.FunctionDef):
        return f"{[ast.unparse(one) for one in node.decorator_list]} {ast.unparse(node.args)} {node.returns and ast.unparse(node.returns)}"
    if isinstance(node, ast.AnnAssign):
        kind = ast.unparse(node.annotation)
        return (
            f"{kind} {ast.unparse(node.value)}"
            if kind == "TypeAlias" and node.value
            else f"{kind} {node.value is None}"
        )
    return ast.unparse(node)


def _runs(name: str) -> bool:
    """Return whether every function of a loaded module has the code of its file."""
    module = sys.modules.get(f"remit.{name.removesuffix('.py').replace('/', '.')}")
    if module is None:
        return False
    compiled = set(_codes(compile(_read(name), "", "exec", dont_inherit=True)))
    return all(code in compiled for code in _loaded(vars(module), module.__name__))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def _loaded(names: Mapping[str, object], module: str) -> Iterator[CodeType]:
    for one in names.values():
        plain = one.fget if isinstance(one, property) else getattr(one, "__func__", one)
        if isinstance(plain, FunctionType) and plain.__module__ == module:
            if plain.__code__.co_filename.endswith(".py"):  # not what a library wrote into a class
                yield plain.__code__
        elif isinstance(plain, type) and plain.__module__ == module:
            yield from _loaded(vars(plain), module)
