"""Makefiles: each recipe is a shell program, with simple variables expanded.

Make expands its variables before the shell sees the line, so `$(X)` is text from the makefile while `$$x` is the
shell's. What cannot be expanded here (functions over unknown text, variables of the command line or environment)
becomes a hole; anything that could define rules in a form that is not parsed (`include`, `define`, `eval`) is opaque.
"""

from __future__ import annotations

import re

from remit.core.patterns import lazy_pattern
from remit.skill.config_commands import ConfigProgram, unread
from remit.skill.placeholders import FIRST

_VARIABLE = r"((?:export|override|private)\s+)*([A-Za-z_.][\w.-]*)\s*(:::?=|[:?+!]?=)\s*(.*)$"
_ASSIGN = lazy_pattern(rf"^\s*{_VARIABLE}")
_FOR_TARGETS = lazy_pattern(rf"^[^\s#:=][^:=#]*?\s*&?::?\s*{_VARIABLE}")  # `all: X = …`: as if it were set for all
_RULE = lazy_pattern(r"^([^\s#:=][^:=#]*?)\s*&?::?(?!=)([^=;#][^;#]*|)(?:;(.*))?(?:#.*)?$")
_UNREAD = lazy_pattern(r"^\s*-?(include|sinclude|define|load)\b|\$[({](eval|file|guile)\b")
# Variables that change how make reads or runs recipes, or what their programs do without being named in them.
_STEERING = lazy_pattern(
    r"\.SHELLFLAGS|\.RECIPEPREFIX|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|BASH_ENV|ENV|PATH|IFS|PS4|LD_\w+|DYLD_\w+|PYTHON\w+|NODE_\w+|PERL5\w*"
    r"|RUBY\w*|GIT_\w+|EDITOR|VISUAL|PAGER"
)
_CONDITIONAL = lazy_pattern(r"^\s*(?:ifeq|ifneq|ifdef|ifndef|else|endif|vpath|unexport|export|undefine)\b")
_AUTOMATIC = frozenset("@<^+*?%|")
_MAX_TEXT = 20_000
_MAX_NESTING = 8
_SHELL_CALL = lazy_pattern(r"\$[({]shell\s+")


def recipes(data: bytes) -> list[ConfigProgram]:
    """Return the programs of a makefile: one for each recipe, one for each `$(shell …)` and `!=`, and opaque locations."""
    reader = _Reader()
    for number, line in _logical(data.decode("utf-8", "replace")):
        reader.line(number, line)
    reader.flush()
    return reader.out


def _logical(text: str) -> list[tuple[int, str]]:
    """Return lines with continuations joined; a recipe keeps its backslashes, which the shell reads."""
    out: list[tuple[int, str]] = []
    rows = text.replace("\r\n", "\n").split("\n")
    index = 0
    while index < len(rows):
        start, line = index, rows[index]
        while line.endswith("\\") and not line.endswith("\\\\") and index + 1 < len(rows):
            index += 1
            line = (
                f"{line}\n{rows[index].removeprefix(chr(9))}"
                if line.startswith("\t")
                else f"{line[:-1].rstrip()} {rows[index].lstrip()}"
            )
        out.append((start + 1, line))
        index += 1
    return out


class _Reader:
    """Reads one makefile from top to bottom. `=` variables are expanded when they are used, as in make."""

    def __init__(self) -> None:
        self.out: list[ConfigProgram] = []
        self.variables: dict[str, list[str]] = {}
        self.unknown: set[str] = set()  # variables with the output of a command as value
        self.target = ""
        self.rows: list[tuple[int, str]] = []
        self.defining = False

    def line(self, number: int, line: str) -> None:
        if self.defining:
            self.defining = not re.match(r"\s*endef\b", line)
            return
        if line.startswith("\t") and self.target:
            if found := _UNREAD.search(line):
                self._unread(number, f"`{found[1] or found[2]}` in a makefile, which is not read")
            self.rows.append((number, line[1:]))
            return
        assigned = _ASSIGN.match(line)
        if not line.strip() or line.lstrip().startswith("#") or (_CONDITIONAL.match(line) and not assigned):
            if _CONDITIONAL.match(line):
                self._shell_calls(line, number)
            return
        if found := _UNREAD.search(line):
            what = found[1] or found[2]
            self.flush()
            self.defining = what == "define"
            self._unread(number, f"`{what}` in a makefile, which is not read")
            return
        if found := assigned or _FOR_TARGETS.match(line):
            self._assign(number, found[2], found[3], found[4])
            return
        self.flush()
        self._shell_calls(line, number)
        if found := _RULE.match(line):
            self.target = found[1].strip()
            if found[3]:
                self.rows.append((number, found[3]))

    def _unread(self, number: int, reason: str) -> None:
        self.out.append(unread(number, reason, "makefile", form="recipe", asked=True))

    def _assign(self, number: int, name: str, operator: str, value: str) -> None:
        value = re.sub(r"(?<!\\)\s*#.*$", "", value)
        if name == "SHELL":
            if not re.fullmatch(r"(?:/(?:usr/)?bin/)?(?:env\s+)?(?:ba|da)?sh(?:\s+-\w+)*", value.strip()):
                self._unread(number, f"recipes are run by `{value.strip()}`")
            return
        if _STEERING.fullmatch(name):
            self._unread(number, f"`{name}` in a makefile changes what recipes do")
            return
        if operator == "!=":
            self._add(value, number)
            self.unknown.add(name)
            return
        self._shell_calls(value, number)
        values = self.variables.setdefault(name, [])
        if operator == "+=":
            values[:] = [f"{old} {value}" for old in values] or [value]
        elif value not in values:
            # A conditional or a later line may override it: every possible value is kept.
            values.append(value)

    def flush(self) -> None:
        """End the recipe of the current target."""
        rows, self.rows, self.target = self.rows, [], ""
        if not rows:
            return
        text: list[str] = []
        numbers: list[int] = []
        holes: dict[str, str] = {}
        for number, row in rows:
            self._shell_calls(row, number)
            body = re.sub(r"^[ \t]*[@+-]+[ \t]*", "", row)
            for variant in self._expand(body, holes):
                text.append(variant)
                numbers += [number + extra for extra in range(variant.count("\n") + 1)]
        self.out.append(
            ConfigProgram("\n".join(text), rows[0][0], form="recipe", lines=tuple(numbers), holes=holes, asked=True)
        )

    def _add(self, text: str, number: int) -> None:
        holes: dict[str, str] = {}
        for variant in self._expand(text, holes):
            self.out.append(
                ConfigProgram(
                    variant, number, form="recipe", holes=holes, asked=False, note="run when make reads the file"
                )
            )

    def _shell_calls(self, text: str, number: int, depth: int = 0) -> None:
        """Return every `$(shell ...)` of a text, including nested ones."""
        at = 0
        while found := _SHELL_CALL.search(text, at):
            at = _closing(text, found.end())
            inner = text[found.end() : at]
            if depth >= _MAX_NESTING:
                reason = "calls of `shell` in a makefile that are nested too deeply"
                self.out.append(unread(number, reason, "makefile", form="recipe"))
                return
            self._add(inner, number)
            self._shell_calls(inner, number, depth + 1)

    def _expand(self, text: str, holes: dict[str, str]) -> list[str]:
        """Return every text that a line can become, up to a few; unknown parts are holes."""
        variants = [""]
        at = 0
        while (dollar := text.find("$", at)) >= 0:
            variants = [variant + text[at:dollar] for variant in variants]
            options, at = self._reference(text, dollar, holes, 0)
            too_long = max(map(len, variants)) + max(map(len, options)) > _MAX_TEXT
            if too_long or len(variants) * len(options) > 8:
                options = [_hole(text[dollar:at], holes)]
            variants = [variant + option for variant in variants for option in options]
        return [variant + text[at:] for variant in variants]

    def _reference(self, text: str, dollar: int, holes: dict[str, str], depth: int) -> tuple[list[str], int]:
        """Return the values of the reference at a dollar sign, and where it ends."""
        following = text[dollar + 1 : dollar + 2]
        if following == "$":
            return ["$"], dollar + 2
        if following not in {"(", "{"}:
            whole = text[dollar : dollar + 2]
            return [_hole(whole, holes)] if following in _AUTOMATIC else self.variables.get(
                following, [_hole(whole, holes)]
            ), dollar + 2
        end = _closing(text, dollar + 2)
        name = text[dollar + 2 : end]
        if name in {"MAKE", "SHELL"}:
            return ["make" if name == "MAKE" else "sh"], end + 1
        if name in self.variables and name not in self.unknown and depth < 8:
            return self._nested(self.variables[name], holes, depth) or [_hole(text[dollar : end + 1], holes)], end + 1
        return [_hole(text[dollar : end + 1], holes)], end + 1

    def _nested(self, values: list[str], holes: dict[str, str], depth: int) -> list[str]:
        out: list[str] = []
        for value in values:
            variants, at = [""], 0
            while (dollar := value.find("$", at)) >= 0:
                head = value[at:dollar]
                options, at = self._reference(value, dollar, holes, depth + 1)
                variants = [variant + head + option for variant in variants for option in options]
                if len(variants) > 8:
                    return []
            out += [variant + value[at:] for variant in variants]
        return out if len(out) <= 8 else []


def _hole(reference: str, holes: dict[str, str]) -> str:
    for char, known in holes.items():
        if known == reference:
            return char
    char = chr(FIRST + 1 + len(holes))
    holes[char] = reference
    return char


def _closing(text: str, at: int) -> int:
    """Return the index of the bracket that closes a reference whose content begins at `at`."""
    depth = 1
    for index in range(at, len(text)):
        depth += (text[index] in "({") - (text[index] in ")}")
        if depth == 0:
            return index
    return len(text)
