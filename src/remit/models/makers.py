"""Who can make a Permit: the projector, and nobody else.

A Permit that was not issued holds nothing (`remit.policy.permit`), so the claim is about issuing. It is shown in two ways.
(1) By names: the class `Permit` is only ever asked about (`isinstance`) or written as a type, and the right to issue is named by the
projector alone, which claims it when the room is first imported. (2) By our analysis: issuing is made an effect that can be seen, the
projector is left without its body, and then no door of a module around permits reaches that effect. With the
body in its place the effect must be reached: a search that finds nothing either way would show nothing.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from remit.analysis.session import analyse
from remit.models.driver import DRIVER, drive
from remit.models.permits import HOMES, PERMIT, Function, with_bodies
from remit.models.reach import as_reached
from remit.models.source import as_skill, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.models.loose import Place
    from remit.models.source import Source

_HOME = "remit/policy/permit.py"
_PROJECTOR = "remit/policy/projector.py"
_FIRST = "remit/policy/__init__.py"
_CLAIM, _PROJECT = "claim", "project"  # who hands out the right to issue, and who uses it
_AROUND = ("remit.policy.permit", "remit.policy.projector")
_SEALED = frozenset({"claim_issuing", "_registry", "_held"})
_MARK = "/a-permit-is-issued"
_SEEN = f"\n\ndef _issue_that_is_seen(grant):\n    open({_MARK!r}, 'w')\n"
# Whoever comes after the projector finds the right claimed.
_CLAIMED = "import remit.policy.permit as policy_permit\n_kept = policy_permit.claim_issuing()\n"


def check_makers(source: Source) -> Iterator[Place]:
    """Everything that speaks against the claim; nothing if it holds."""
    yield from names(source)
    if not _claims_first(parsed(source, _FIRST)):
        yield (
            _FIRST,
            1,
            "the projector is not imported with the room, so that others may claim the right to issue permits",
        )
    if not list(issued(source, [_PROJECTOR], sealed=False)):
        yield _PROJECTOR, 1, "nobody is seen to issue a Permit, so that nothing is shown"
    users = [path for path in source if path != _HOME and _near_permits(parsed(source, path))]
    for path, line in issued(source, users):
        yield path, line, "a Permit is issued here without the projector"


def names(source: Source) -> Iterator[Place]:
    """Where a file names what leads to permits that are not issued by the projector."""
    for path, text in source.items():
        if path != _HOME and any(word in text for word in (PERMIT, HOMES[0])):
            yield from ((path, *place) for place in _names(parsed(source, path), path))


def issued(source: Source, users: list[str], *, sealed: bool = True) -> Iterator[tuple[str, int]]:
    """Where someone who uses these modules gets a Permit issued, by the outermost call that is known; `sealed`: not by the projector."""
    marked = {path: source[path] for path in (*users, _PROJECTOR)}  # what they take from elsewhere is anything
    marked[_HOME] = _replaced(source[_HOME], _CLAIM, "return _issue_that_is_seen") + _SEEN
    if sealed:
        marked[_PROJECTOR] = _replaced(source[_PROJECTOR], _PROJECT, "raise AssertionError")
    driver = drive({path: marked[path] for path in users}).text
    if _PROJECTOR not in users:
        driver += _CLAIMED
    effects = analyse(as_skill({**marked, DRIVER: driver}), entries=frozenset({DRIVER}))
    for found in as_reached(effects):
        if found.capability == "file.write" and found.scope == _MARK:
            at = next((place for place in found.path if place.file != DRIVER), found.where)
            yield at.file, at.line


def _claims_first(tree: ast.Module) -> bool:
    """Whether importing anything of the room runs the projector: its package imports it in its first statements."""
    return any(isinstance(node, ast.ImportFrom) and node.module == "remit.policy.projector" for node in tree.body)


def _near_permits(tree: ast.Module) -> bool:
    """Whether a file takes something from the modules around permits, or a module through which they can be reached.

    What others take from such a file is one of its doors, so that these files are all that has to be used.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            if any(alias.name.startswith(HOMES[0]) for alias in node.names):
                return True
        elif isinstance(node, ast.ImportFrom):
            named = {alias.name for alias in node.names}
            if node.level or node.module in _AROUND or (node.module == "remit" and "policy" in named):
                return True
            if node.module == HOMES[0] and named & {"*", "permit", "projector", PERMIT, "Projector"}:
                return True
    return False


def _replaced(text: str, name: str, body: str) -> str:
    functions: list[Function] = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
    ]
    return with_bodies(text, functions, body)


def _names(tree: ast.Module, path: str) -> Iterator[tuple[int, str]]:
    allowed = _asked(tree) | _types(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in HOMES and path != _PROJECTOR:
            for alias in node.names:
                if alias.name in _SEALED or alias.name == "*":
                    yield node.lineno, f"`{alias.name}` leads to the right to issue permits"
                if alias.name == PERMIT and alias.asname not in (None, PERMIT):
                    yield node.lineno, "the Permit gets another name"
        elif isinstance(node, ast.Attribute) and node.attr in _SEALED - {"_held"} and path != _PROJECTOR:
            yield node.lineno, f"`{node.attr}` leads to the right to issue permits"
        elif _means_permit(node) and id(node) not in allowed:
            yield getattr(node, "lineno", 1), "the class of permits is used as a value"


def _means_permit(node: ast.AST) -> bool:
    return (isinstance(node, ast.Name) and node.id == PERMIT) or (
        isinstance(node, ast.Attribute) and node.attr == PERMIT
    )


def _asked(tree: ast.Module) -> set[int]:
    """`isinstance(x, Permit)`, `type(x) is Permit` and `case Permit():` only ask."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            found.update(id(inner) for argument in node.args[1:] for inner in ast.walk(argument))
        elif isinstance(node, ast.Compare) and all(isinstance(sign, ast.Is | ast.IsNot) for sign in node.ops):
            found.update(map(id, node.comparators))
        elif isinstance(node, ast.MatchClass):
            found.add(id(node.cls))
    return found


def _types(tree: ast.Module) -> set[int]:
    """Annotations, which nobody calls."""
    found: set[int] = set()
    for node in ast.walk(tree):
        wanted: list[ast.expr | None] = []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            wanted.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            wanted.append(node.annotation)
        found.update(id(inner) for item in wanted if item is not None for inner in ast.walk(item))
    return found
