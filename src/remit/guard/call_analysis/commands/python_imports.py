"""A Python module as it runs when another program imports it: without its `__main__` block, and with functions that run
if named.

An import sets the module's name before its first line, so the block `if __name__ == "__main__":` does not run unless
something changes that name in between. The text of everything that the call runs is searched for code that could do so,
or that could reach a function without naming it. One suspicious word is enough: then the module counts as a whole.
"""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from typing import TYPE_CHECKING, cast

from remit.analysis.program_loader import Loader
from remit.guard.call_analysis.commands.module_lookup import DiskLinker

if TYPE_CHECKING:
    from remit.analysis.engine.frames import Loaded
    from remit.analysis.world import Site
    from remit.guard.call_analysis.commands.analysis_session import CommandAnalysis
    from remit.skill.model import Skill

_NAME = "__name__"
_MAIN = "__main__"
# Words with which a program can change the name of a module, or run it under another one.
_REACHES = re.compile(
    rb"setattr|__dict__|\bvars\b|\bmodules\b|globals|\blocals\b|_getframe|\.\s*__name__\s*(?:=[^=]|[,)\]:]|\bin\b)|runpy|spec_from|Loader\b"
    rb"|load_source|ModuleType|load_module|exec_module|importlib|__import__|ctypes|\bgc\b|\bimp\b|inspect|import\s*\(?\s*\*|\bexec\b|\beval\b"
    rb"|compile\s*\(|__builtins__|builtins|\\[uxN0-7]"
)
# Decorators that call nothing by themselves: the decorated function is still called by its name.
_QUIET = frozenset(
    "staticmethod classmethod property setter deleter getter dataclass lru_cache cache cached_property wraps contextmanager"
    " abstractmethod override overload final total_ordering".split()
)


class Imports:
    """Loads modules as imports do, as long as nothing may change their names."""

    def __init__(self, session: CommandAnalysis) -> None:
        self._session = session
        self.loader = Loader(cast("Skill", session.skill), session, self._before)
        self.linker = DiskLinker(session.disk, self._load, session.skill.owner)
        self._renames = False  # whether something may change the name of a module
        self._imported: dict[str, Loaded | None] = {}
        self._shadows: set[str] = set()  # folders whose files may come before libraries

    def _before(self, source: bytes) -> None:
        self._session.budget.spend(len(source))
        self._renames = self._renames or may_rename(source)

    def _load(self, path: str, language: str) -> Loaded | None:
        """Load a file into a running program: it sees the words of that program, not its own."""
        self._session.host.loaded(path)
        if language != "python" or self._renames or self.loader.knows(path, language):
            return self.loader.module(path, language)
        if path not in self._imported:
            source = self._session.skill.read(path)
            known = None if source is None else as_imported(source)
            if known is None:
                return self.loader.module(path, language)
            self._imported[path] = None  # it may import itself
            self._imported[path] = self.loader.source(path, language, known)
        return self._imported[path]

    def only_imported(self, loaded: Loaded) -> bool:
        """Whether a program is a module that is only imported."""
        return not self._renames and self._imported.get(loaded.file) is loaded

    def whole_modules(self) -> bool:
        """Reload as a whole the modules that were loaded as imports, if a program may change their names. Return
        whether there were any.
        """
        todo = [path for path in self._imported if self._renames and not self.loader.knows(path, "python")]
        for path in todo:
            self.loader.module(path, "python")
        return bool(todo)

    def beside(self, folder: str, site: Site) -> None:
        """Report files in a script's folder that take precedence over libraries of the same name."""
        if folder not in self._shadows:
            self._shadows.add(folder)
            for found in self.linker.shadowing(folder, self._session.parts.libraries["python"].module):
                self._session.opaque(f"`{found}` is imported instead of a library", site)


def may_rename(text: bytes) -> bool:
    """Whether a program may change the name under which a module runs."""
    if not text.isascii():  # Python normalises identifiers to NFKC
        text = unicodedata.normalize("NFKC", text.decode("utf-8", "replace")).encode()
    return _REACHES.search(text) is not None


def as_imported(source: bytes) -> bytes | None:
    """Return a module without its `__main__` blocks; None if that cannot be determined. Line numbers are unchanged."""
    if may_rename(source) or b"coding" in source[:400]:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source.decode("utf-8"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if any(_binds_name(node) or _is_handed_on(node) for node in ast.walk(tree)):
        return None
    lines = source.splitlines(keepends=True)
    for node in tree.body:
        if isinstance(node, ast.If) and _is_main(node.test):
            _blank(lines, node.body)
    return b"".join(lines)


def _is_main(test: ast.expr) -> bool:
    """Whether a condition is `__name__ == "__main__"`, in either order."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
        return False
    sides = (test.left, test.comparators[0])
    return any(isinstance(one, ast.Name) and one.id == _NAME for one in sides) and any(
        isinstance(one, ast.Constant) and one.value == _MAIN for one in sides
    )


def _binds_name(node: ast.AST) -> bool:
    """Whether a part of a program may assign `__name__`, or contains it in a string."""
    if isinstance(node, ast.Name | ast.Attribute):
        name = node.id if isinstance(node, ast.Name) else node.attr
        return name == _NAME and not isinstance(node.ctx, ast.Load)
    return any(value == _NAME or (isinstance(value, list) and _NAME in value) for _, value in ast.iter_fields(node))


def _is_handed_on(node: ast.AST) -> bool:
    """Whether a function or class is passed on where it is defined, so that other code may call it later
    (`atexit.register`).
    """
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    called = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    names = (one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in called)
    return not _QUIET.issuperset(names)


def _blank(lines: list[bytes], body: list[ast.stmt]) -> None:
    """Replace statements with `pass`. Columns count bytes of UTF-8, the encoding of the text."""
    first, last = body[0], body[-1]
    start, end = first.lineno - 1, (last.end_lineno or last.lineno) - 1
    before, after = lines[start][: first.col_offset], lines[end][last.end_col_offset :]
    for at in range(start, end + 1):
        lines[at] = b"\n"
    lines[start] = before + b"pass" + (after if start == end else b"\n")
    if start != end:
        lines[end] = after if after.strip() else b"\n"
