"""The shell's syntax tree.

Words are lists of pieces in which every quote is already undone: a piece knows whether it was quoted. Commands know
their offset in the text of their `Unit`, which knows the line and thereby the site.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from remit.analysis import domain
from remit.analysis.domain import Hole, Text, Value
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.world import Site, World


# Characters that stand for something else while a text is parsed and expanded: the three pattern characters where they
# are active (not quoted). A text of the skill that holds them itself is changed to hold U+FFFD.
STAR, MARK, OPEN = "\ue000", "\ue001", "\ue002"
ACTIVATE = str.maketrans({"*": STAR, "?": MARK, "[": OPEN})
DEACTIVATE = str.maketrans({STAR: "*", MARK: "?", OPEN: "["})
# Unknown parts of code that another program built; placeholders of documents lie below, from U+F0000.
FIRST_PLACEHOLDER, FIRST_HOLE = "\U000f0000", "\U00100000"


class ShellSyntaxError(Exception):
    """The text is not a shell program that we can read."""

    def __init__(self, reason: str, pos: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.pos = pos


@dataclass(slots=True, eq=False, repr=False)
class Unit:
    """One text that is parsed: a script, an `eval`, the inside of backticks."""

    text: str
    site_of: Callable[[int], Site]
    base_line: int = 1
    holes: Mapping[str, Hole] = field(default_factory=dict)
    _breaks: list[int] | None = None

    def line(self, pos: int) -> int:
        """The line of an offset."""
        if self._breaks is None:
            self._breaks = [i for i, ch in enumerate(self.text) if ch == "\n"]
        return bisect_right(self._breaks, pos - 1) + self.base_line

    def relay(self, line: int) -> Site:
        """The site of a line, for units inside this one: a text that is parsed once is run at several sites."""
        return self.site_of(line)

    def site(self, pos: int) -> Site:
        """The site of an offset."""
        return self.site_of(self.line(pos))


@dataclass(slots=True, eq=False, repr=False)
class Lit:
    """Characters that stand for themselves; unquoted ones may still be a pattern, a tilde, a brace."""

    text: str
    quoted: bool


@dataclass(slots=True, eq=False, repr=False)
class Param:
    """`$name`, `${name op arg}`. `index` is the subscript; `arg`/`arg2` the operands of `op`."""

    name: str
    quoted: bool
    pos: int
    op: str = ""
    arg: Word | None = None
    arg2: Word | None = None
    index: Word | None = None
    length: bool = False
    indirect: bool = False
    braced: bool = False  # `${x}`, which a following letter does not extend


@dataclass(slots=True, eq=False, repr=False)
class CmdSub:
    """A command substitution."""

    body: Program
    quoted: bool
    pos: int


@dataclass(slots=True, eq=False, repr=False)
class Arith:
    """`$((…))`: the expression is a word whose pieces are expanded first."""

    expr: Word
    quoted: bool
    pos: int


@dataclass(slots=True, eq=False, repr=False)
class ProcSub:
    """`<(…)` or `>(…)`."""

    body: Program
    direction: str
    pos: int
    quoted: bool = True


Piece: TypeAlias = Lit | Param | CmdSub | Arith | ProcSub


@dataclass(slots=True, eq=False, repr=False)
class Word:
    """A word. `bare` is its text if it is entirely unquoted and literal: only then it can be a reserved word."""

    pieces: tuple[Piece, ...]
    pos: int
    bare: str | None = None
    const: Value | None = None  # its only value, if nothing in it expands
    braces: tuple[Word, ...] | None = None  # what brace expansion makes of it, once computed


@dataclass(slots=True, eq=False, repr=False)
class Array:
    """`(a [k]=b …)` in an assignment; a pair's key is None without a subscript."""

    items: tuple[tuple[Word | None, Word], ...]


@dataclass(slots=True, eq=False, repr=False)
class Assign:
    """`name=value`, `name+=value`, `name[index]=value`, `name=(…)`."""

    name: str
    index: Word | None
    append: bool
    value: Word | Array
    pos: int


@dataclass(slots=True, eq=False, repr=False)
class Redirect:
    """A redirection: `fd` is a number, a `{name}` or None for the operator's own. A here-document has its body in `word`."""

    fd: int | str | None
    op: str
    word: Word
    pos: int


@dataclass(slots=True, eq=False, repr=False)
class Simple:
    """Assignments, words and redirections. `words` may hold assignments where the command declares variables."""

    assigns: tuple[Assign, ...]
    words: tuple[Word | Assign, ...]
    redirects: tuple[Redirect, ...]
    pos: int
    end: int


@dataclass(slots=True, eq=False, repr=False)
class Redirected:
    """A compound command with redirections."""

    body: Command
    redirects: tuple[Redirect, ...]
    pos: int


@dataclass(slots=True, eq=False, repr=False)
class AndOr:
    """`left && right` or `left || right`."""

    left: Command
    op: str
    right: Command


@dataclass(slots=True, eq=False, repr=False)
class Not:
    """`! body`."""

    body: Command


@dataclass(slots=True, eq=False, repr=False)
class Pipeline:
    """Two or more commands; `both[i]` if the i-th also pipes its standard error."""

    stages: tuple[Command, ...]
    both: tuple[bool, ...]


@dataclass(slots=True, eq=False, repr=False)
class Background:
    """`body &`."""

    body: Command


@dataclass(slots=True, eq=False, repr=False)
class Seq:
    """Commands one after the other; `{ … }` is one too."""

    items: tuple[Command, ...]


@dataclass(slots=True, eq=False, repr=False)
class Subshell:
    """`( … )`."""

    body: Command


@dataclass(slots=True, eq=False, repr=False)
class If:
    """Conditions with their bodies, and the `else` part."""

    clauses: tuple[tuple[Command, Command], ...]
    otherwise: Command | None


@dataclass(slots=True, eq=False, repr=False)
class For:
    """`for`/`select name in words`; `words` is None for the positional parameters."""

    name: str
    words: tuple[Word, ...] | None
    body: Command
    select: bool
    pos: int


@dataclass(slots=True, eq=False, repr=False)
class ArithFor:
    """`for ((a; b; c))`."""

    parts: tuple[Word, Word, Word]
    body: Command
    pos: int


@dataclass(slots=True, eq=False, repr=False)
class While:
    """`while`, or `until`."""

    cond: Command
    body: Command
    until: bool


@dataclass(slots=True, eq=False, repr=False)
class Case:
    """Items are patterns, a body, and how they end: `;;`, `;&` or `;;&`."""

    subject: Word
    items: tuple[tuple[tuple[Word, ...], Command, str], ...]
    pos: int


@dataclass(slots=True, eq=False, repr=False)
class Function:
    """A function definition; `source` is the text of the body, for functions that are exported."""

    name: str
    body: Command
    unit: Unit
    source: str
    pos: int


@dataclass(slots=True, eq=False, repr=False)
class Test:
    """`[[ … ]]`: operators with operands, in order. `holds` says when all terms hold: if it succeeds (`ok`), if it fails
    (`fail`, one negated term), or nobody knows (an empty text)."""

    terms: tuple[tuple[str, tuple[Word, ...]], ...]
    pos: int
    holds: str = ""


@dataclass(slots=True, eq=False, repr=False)
class ArithCommand:
    """`(( … ))`."""

    expr: Word
    pos: int


@dataclass(slots=True, eq=False, repr=False)
class Coproc:
    """`coproc [NAME] command`."""

    name: str
    body: Command
    pos: int


@dataclass(slots=True, eq=False, repr=False)
class Broken:
    """From here on the text cannot be read; what stands before it runs all the same."""

    reason: str
    pos: int


Command: TypeAlias = (
    Simple
    | Redirected
    | AndOr
    | Not
    | Pipeline
    | Background
    | Seq
    | Subshell
    | If
    | For
    | ArithFor
    | While
    | Case
    | Function
    | Test
    | ArithCommand
    | Coproc
    | Broken
)


@dataclass(slots=True, eq=False, repr=False)
class Program:
    """A parsed text: complete commands in order."""

    unit: Unit
    items: tuple[Command, ...]
    begins: tuple[int, ...] = ()  # the offset of each command of a whole text


# Texts as programs: holes become characters that stand for them.


def make_unit(item: Text, site_of: Callable[[int], Site]) -> Unit:
    """A text as a program: its holes become characters that stand for them."""
    holes: dict[str, Hole] = {}
    out: list[str] = []
    for part in item.parts:
        if isinstance(part, str):
            out.append(clean(part))
        else:
            ch = chr(ord(FIRST_HOLE) + len(holes))
            if unit_raw(part):
                holes[ch] = Hole(part.origin, "any", False)
            elif part.alphabet == domain.NUMERIC or part.origin in domain.ANCHORS:
                holes[ch] = part
            else:
                holes[ch] = part._replace(alphabet=domain.QUOTED)
            out.append(ch)
    return Unit("".join(out), site_of, 1, holes)


def unit_raw(part: Hole) -> bool:
    """Whether a hole in code may change what the code is."""
    fixed = part.alphabet in (domain.NUMERIC, domain.QUOTED)
    return not fixed and part.origin not in {*domain.ANCHORS, domain.MODEL, domain.RANDOM}


def report_raw(world: World, item: Text, site: Site, cwd: Value) -> None:
    """Report holes that may be commands. A program that is nothing but such a hole, or that may hide the skill's own text, is
    not understood at all."""
    found = [part for part in item.parts if isinstance(part, Hole) and unit_raw(part)]
    if not found:
        return
    via = Via(Cause.CODE, words="runs text that is not known as a shell program")
    world.effect("shell.execute", domain.ANY, site, via, cwd=cwd)
    whole = not any(isinstance(part, str) and not part.isspace() for part in item.parts)
    if any(
        part.origin in (domain.UNKNOWN, domain.MIXED, domain.BLENDED)
        or (whole and part.origin in (domain.FILE, domain.NET))
        for part in found
    ):
        world.opaque("text that is not known is run as a shell program", site, "write the commands themselves")


def clean(text: str) -> str:
    """A text without the characters that we use as marks, and without the NULs that a shell skips."""
    text = text.replace("\0", "")
    if text.isascii() or (
        "\ue000" not in text and "\ue001" not in text and "\ue002" not in text and max(text) < FIRST_HOLE
    ):
        return text
    return "".join("\ufffd" if ch in "\ue000\ue001\ue002" or ch >= FIRST_HOLE else ch for ch in text)
