"""Who can make what is sealed: a Permit the projector, an Accepted the acceptance predicate, and nobody else.

One that was not issued holds nothing (`remit.core.seal`), so the claim is about issuing. It is shown in two ways.
(1) By names: the class is only ever asked about (`isinstance`) or written as a type, and the right to issue is named by its
maker alone, which claims it when the room is first imported. (2) By our analysis: issuing is made an effect that can be seen, the
maker is left without its body, and then no door of a module around it reaches that effect. With the
body in its place the effect must be reached: a search that finds nothing either way would show nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.session import analyse
from self_analysis.driver import DRIVER, drive
from self_analysis.permits import Function, with_bodies
from self_analysis.reach import as_reached
from self_analysis.source import Source, as_skill, in_room, module_name, nodes, parsed

if TYPE_CHECKING:
    from self_analysis.loose import Nodes, Place

_SEAL = "remit/core/seal.py"
_CLAIM = "claim"  # hands out the right to issue
_SEALED = frozenset({"claim_issuing", "registry", "_held"})
_BY_DOTS = re.compile(r"\bfrom[\s\\]*\.")
_MARK = "/something-sealed-is-issued"
_SEEN = f"\n\ndef _issue_that_is_seen(held):\n    open({_MARK!r}, 'w')\n"


class Maker(NamedTuple):
    """A kind of sealed values, and who makes them."""

    name: str  # of the class
    home: str
    maker: str
    function: str  # of the maker: what issues
    first: str  # the package that imports the maker when anything of the room is imported

    @property
    def homes(self) -> tuple[str, ...]:
        """Where the class is imported from."""
        return tuple(dict.fromkeys((module_name(self.first), module_name(self.home))))

    @property
    def around(self) -> tuple[str, ...]:
        """The modules through which the right to issue can be reached."""
        return module_name(self.home), module_name(self.maker)

    @property
    def claimed(self) -> str:
        """Whoever comes after the maker finds the right claimed."""
        return f"import {module_name(self.home)} as sealed_home\n_kept = sealed_home.claim_issuing()\n"


PERMITS = Maker("Permit", "remit/policy/permit.py", "remit/policy/projector.py", "project", "remit/policy/__init__.py")
ACCEPTED = Maker(
    "Accepted", "remit/executor/accepted_request.py", "remit/executor/accept.py", "accept", "remit/executor/__init__.py"
)
MAKERS = (PERMITS, ACCEPTED)


def check_makers(source: Source, of: Maker = PERMITS) -> Iterator[Place]:
    """Everything that speaks against the claim; nothing if it holds."""
    yield from names(source, of)
    if not _claims_first(parsed(source, of.first), of):
        message = "the maker is not imported with the room, so that others may claim the right to issue"
        yield of.first, 1, message
    if not list(issued(source, [of.maker], of, sealed=False)):
        yield of.maker, 1, f"nobody is seen to issue one of `{of.name}`, so that nothing is shown"
    # models spoil functions of ours while a mutant is explored, in a process that serves nobody
    near = (path for path in source if path != of.home and not in_room(path, "models"))
    users = [path for path in near if _may_be_near(source[path], of) and _near(parsed(source, path), of)]
    for path, line in issued(source, users, of):
        yield path, line, f"one of `{of.name}` is issued here without its maker"


def names(source: Source, of: Maker = PERMITS) -> Iterator[Place]:
    """Where a file names what leads to sealed values that are not issued by their maker."""
    for path, text in source.items():
        if path not in (of.home, _SEAL) and any(word in text for word in (of.name, *of.homes)):
            yield from ((path, *place) for place in _names(nodes(source, path), path, of))


def issued(source: Source, users: list[str], of: Maker = PERMITS, *, sealed: bool = True) -> Iterator[tuple[str, int]]:
    """Where someone who uses these modules gets one issued, by the outermost call that is known; `sealed`: not by the maker."""
    # what they take from elsewhere is anything
    marked = {path: source[path] for path in (*users, of.maker, of.home)}
    marked[_SEAL] = _replaced(source[_SEAL], _CLAIM, "return _issue_that_is_seen") + _SEEN
    if sealed:
        marked[of.maker] = _replaced(source[of.maker], of.function, "raise AssertionError")
    driver = drive({path: marked[path] for path in users}).text
    if of.maker not in users:
        driver += of.claimed
    effects = analyse(as_skill({**marked, DRIVER: driver}), entries=frozenset({DRIVER}))
    for found in as_reached(effects):
        if found.capability == "file.write" and found.scope == _MARK:
            at = next((place for place in found.path if place.file != DRIVER), found.where)
            yield at.file, at.line


def _claims_first(tree: ast.Module, of: Maker) -> bool:
    """Whether importing anything of the room runs the maker: its package imports it in its first statements."""
    return any(isinstance(node, ast.ImportFrom) and node.module == module_name(of.maker) for node in tree.body)


def _may_be_near(text: str, of: Maker) -> bool:
    """Whether a text can be that of a file which is near: it names the room, or imports by dots, or spells names in other letters."""
    room = module_name(of.first).rpartition(".")[2]
    return room in text or not text.isascii() or _BY_DOTS.search(text) is not None


def _near(tree: ast.Module, of: Maker) -> bool:
    """Whether a file takes something from the modules around, or a module through which they can be reached.

    What others take from such a file is one of its doors, so that these files are all that has to be used.
    """
    room = module_name(of.first)
    package, _, short = room.rpartition(".")
    last = {name.rpartition(".")[2] for name in of.around}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            if any(alias.name.startswith(room) for alias in node.names):
                return True
        elif isinstance(node, ast.ImportFrom):
            named = {alias.name for alias in node.names}
            if node.level or node.module in of.around or (node.module == package and short in named):
                return True
            if node.module == room and named & {"*", of.name, "Projector", *last}:
                return True
    return False


def _replaced(text: str, name: str, body: str) -> str:
    functions: list[Function] = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
    ]
    return with_bodies(text, functions, body)


def _names(tree: Nodes, path: str, of: Maker) -> Iterator[tuple[int, str]]:
    allowed = _asked(tree) | _types(tree)
    for node in tree:
        if isinstance(node, ast.ImportFrom) and node.module in of.homes and path != of.maker:
            for alias in node.names:
                if alias.name in _SEALED or alias.name == "*":
                    yield node.lineno, f"`{alias.name}` leads to the right to issue"
                if alias.name == of.name and alias.asname not in (None, of.name):
                    yield node.lineno, f"`{of.name}` gets another name"
        elif isinstance(node, ast.Attribute) and node.attr == "claim_issuing" and path != of.maker:
            yield node.lineno, f"`{node.attr}` leads to the right to issue"
        elif _means(node, of) and id(node) not in allowed:
            yield getattr(node, "lineno", 1), f"the class `{of.name}` is used as a value"


def _means(node: ast.AST, of: Maker) -> bool:
    return (isinstance(node, ast.Name) and node.id == of.name) or (
        isinstance(node, ast.Attribute) and node.attr == of.name
    )


def _asked(tree: Nodes) -> set[int]:
    """`isinstance(x, Permit)`, `type(x) is Permit` and `case Permit():` only ask; so do those of other kinds."""
    found: set[int] = set()
    for node in tree:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            found.update(id(inner) for argument in node.args[1:] for inner in ast.walk(argument))
        elif isinstance(node, ast.Compare) and all(isinstance(sign, ast.Is | ast.IsNot) for sign in node.ops):
            found.update(map(id, node.comparators))
        elif isinstance(node, ast.MatchClass):
            found.add(id(node.cls))
    return found


def _types(tree: Nodes) -> set[int]:
    """Annotations, which nobody calls."""
    found: set[int] = set()
    for node in tree:
        wanted: list[ast.expr | None] = []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            wanted.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            wanted.append(node.annotation)
        found.update(id(inner) for item in wanted if item is not None for inner in ast.walk(item))
    return found
