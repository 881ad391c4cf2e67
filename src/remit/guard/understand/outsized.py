"""Programs that end, but in nobody's time, or take more room than a machine has: loops that count further than work does, texts and
tables that are made larger than memory, functions that call themselves whatever happens, hours that are slept away piece by piece.

Only what stands in plain sight counts: numbers that are written down, or made of such. The bounds are far above what work needs,
so that what is asked about was meant.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_ROUNDS = 10**8  # of a loop in Python or JavaScript: minutes, if it does next to nothing
_STARTS = (
    10**5
)  # rounds of a loop each of which starts something, asks a server or makes a file: every one of the shell
_AGAIN = 500  # rounds each of which copies a file, makes a commit or asks a server: the same again and again
_MADE = 5000  # files or folders that one command makes by counting
_HOURS = 3600  # seconds of all naps of a loop
_NAP = 600  # seconds that are slept without a loop: nobody waits for an agent as long as that
_HANDED = 10**6  # pieces of work for a pool
_ROOM = 4 * 10**9  # characters or cells that are made at once
_FACTORIAL = 10**6  # more digits than a minute has time for
_EXPONENT = 10**8
_MOST = 10**30  # a number that is worth computing
_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.LShift: operator.lshift, ast.Pow: operator.pow,
}  # fmt: skip
_COUNTING = frozenset({"range", "xrange"})
_EXHAUSTING = frozenset("deque list max min set sorted sum tuple".split())  # they take all of what they are given
_SIZED = frozenset("bytearray bytes zeros ones empty full urandom token_bytes randbytes".split())
# Calls that reach beyond the program: a file, another program, a server
_REACHING = frozenset(
    "open write_text write_bytes touch mkdir mkdtemp copyfile copytree symlink system popen Popen check_call check_output fork urlopen"
    " urlretrieve create_connection sendto sendmail".split()
)
_AGAIN_CALLS = frozenset(
    "copyfile copy2 copytree urlopen urlretrieve create_connection sendto sendmail send_message".split()
)
_SPREADING = frozenset(
    {"map", "imap", "imap_unordered", "map_async", "starmap"}
)  # as methods: of pools of threads and processes
_BRANCHES = ast.If | ast.Try | ast.Match | ast.IfExp | ast.BoolOp | ast.While | ast.For
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef

# Repetitions below are bounded: a text of a stranger must not take more time than it is long.
_SHELL_COUNTS = (
    re.compile(r"\bseq\s{1,9}(?:-\w\s{1,9})?(?:-?\d{1,18}\s{1,9}){0,2}(\d{1,18})\b"),
    re.compile(r"\{-?\d{1,18}\.\.(\d{1,18})(?:\.\.\d{1,9})?\}"),
    re.compile(r"\(\([^;()]{0,99};[^;()]{0,99}<=?\s{0,9}(\d{1,18})\s{0,9};"),
    re.compile(r"\b(?:while|until)\s{1,9}\[{1,2}\s[^;\]\n]{0,99}-[lg][te]\s{1,9}(\d{1,18})\s"),
)
_SHELL_AGAIN = re.compile(
    r"(?:^|[;&|({`\n]|\b(?:do|xargs(?:\s{1,9}-\S{1,20}){0,5}|then|else))\s{0,99}"
    r"(?:cp|rsync|scp|curl|wget|nc|ncat|ping6?|dig|nslookup|mail|sendmail|hf|gh|aws|gsutil|git\s{1,9}(?:commit|tag|branch|push))\s"
)
_SHELL_NAPS = re.compile(r"\bsleep\s{1,9}(\d{1,9})([smhd]?)\b")
_SHELL_MAKES = re.compile(r"\b(?:touch|mkdir|mktemp|ln)\s([^;|&\n]{1,2000})")
_SHELL_RANGE = re.compile(r"\{-?\d{1,9}\.\.(\d{1,9})(?:\.\.\d{1,9})?\}")
_SHELL_LEAVES = re.compile(r"\b(?:break|exit|return)\b")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_BODY = 2000  # characters behind a count in which its loop is looked for
_FILLS = re.compile(
    r"\b(?:head|truncate|mkfile|split|fallocate)\b[^|;&\n]{0,99}?\s-{1,2}(?:c|s|l|bytes|size|length)[= ]?\+?(\d{1,15})([kmgtp])",
    re.IGNORECASE,
)
_SUFFIXES = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "p": 10**15}
_WRITTEN = r"\s{0,9}([\d_.e+*]{1,40})\s{0,9}"
_SCRIPT_COUNTS = re.compile(rf"\b(?:for\s{{0,9}}\([^;]{{0,99}};|while\s{{0,9}}\()[^;()<>]{{0,99}}<=?{_WRITTEN}[;)]")
_SCRIPT_ROOM = re.compile(rf"(?:\.repeat|\bBuffer\.alloc\w{{0,9}}|\bArrayBuffer|\bArray)\({_WRITTEN}[,)]")
_SCRIPT_LEAVES = re.compile(r"\b(?:break|return|throw|await|yield)\b")


def shell_is_outsized(text: str) -> bool:
    """Whether a command counts or fills further than work does."""
    counted = [found for pattern in _SHELL_COUNTS for found in pattern.finditer(text)]
    if any(
        _too_often(int(found[1]), text[found.end() : found.end() + _BODY].partition("done")[0]) for found in counted
    ):
        return True
    if sum(map(_seconds, _SHELL_NAPS.finditer(text))) >= _NAP or any(map(_makes_many, _SHELL_MAKES.findall(text))):
        return True
    counts = (int(found[1]) for found in counted)
    fills = (int(found[1]) * _SUFFIXES[found[2].lower()] for found in _FILLS.finditer(text))
    return any(count >= _STARTS for count in counts) or any(size >= _ROOM for size in fills)


def _too_often(rounds: int, body: str) -> bool:
    """Whether a loop of the shell does the same to others so many times, or sleeps for hours."""
    if _SHELL_LEAVES.search(body):
        return False
    naps = sum(map(_seconds, _SHELL_NAPS.finditer(body)))
    return rounds * naps >= _HOURS or (rounds >= _AGAIN and _SHELL_AGAIN.search(body) is not None)


def _seconds(nap: re.Match[str]) -> int:
    return int(nap[1]) * _UNITS[nap[2]]


def _makes_many(words: str) -> bool:
    """Whether the words of a command that makes files or folders name more of them than anybody looks at."""
    return any(math.prod(int(last) for last in _SHELL_RANGE.findall(word)) >= _MADE for word in words.split())


def script_is_outsized(text: str) -> bool:
    """Whether JavaScript or TypeScript does."""
    left = max((found.start() for found in _SCRIPT_LEAVES.finditer(text)), default=-1)
    counts = (found[1] for found in _SCRIPT_COUNTS.finditer(text) if found.end() > left)
    return any(_written(count) >= _ROUNDS for count in counts) or any(
        _written(found[1]) >= _ROOM for found in _SCRIPT_ROOM.finditer(text)
    )


def _written(text: str) -> int:
    """A number as scripts write it, or what is computed of some; 0 for anything else."""
    try:
        return number(ast.parse(text, mode="eval").body) or 0
    except (SyntaxError, ValueError):
        return 0


def python_is_outsized(tree: ast.AST, leaves: Callable[[ast.For | ast.While], bool]) -> bool:
    """Whether Python does. `leaves`: whether something in a loop ends it early."""
    return any(
        (isinstance(node, ast.For | ast.While) and not leaves(node) and _goes_too_far(node))
        or (isinstance(node, ast.For | ast.While) and _naps(node) >= _HOURS)
        or _taken(node) >= _ROUNDS
        or _spread(node) >= _HANDED
        or _room(node) >= _ROOM
        or _slept(node) >= _NAP
        or _is_beyond(node)
        or (isinstance(node, ast.FunctionDef) and _calls_itself(node))
        for node in ast.walk(tree)
    )


def _goes_too_far(loop: ast.For | ast.While) -> bool:
    rounds = _rounds(loop)
    if rounds >= _ROUNDS:
        return True
    if rounds >= _AGAIN and any(_is_copy(one) for body in loop.body for one in ast.walk(body)):
        return True
    bounds = ((_STARTS, _REACHING), (_AGAIN, _AGAIN_CALLS))
    return any(rounds >= bound and _calls(loop, names) for bound, names in bounds)


def _is_copy(node: ast.AST) -> bool:
    """`shutil.copy`, whose last name alone is that of many methods."""
    called = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(called, ast.Attribute)
        and called.attr == "copy"
        and isinstance(called.value, ast.Name)
        and called.value.id == "shutil"
    )


def _calls(loop: ast.For | ast.While, names: frozenset[str]) -> bool:
    """Whether each round of a loop may call one of these."""
    return any(isinstance(one, ast.Call) and _name(one) in names for body in loop.body for one in ast.walk(body))


def _naps(loop: ast.For | ast.While) -> int:
    """How many seconds a loop sleeps in all its rounds, as far as it is written down. One that something ends early waits for that."""
    inside = [one for body in loop.body for one in ast.walk(body)]
    if any(isinstance(one, ast.Break | ast.Return | ast.Raise) for one in inside):
        return 0
    naps = (
        number(one.args[0]) or 0 for one in inside if isinstance(one, ast.Call) and _name(one) == "sleep" and one.args
    )
    return _rounds(loop) * sum(naps)


def _slept(node: ast.AST) -> int:
    """The seconds of one nap."""
    return number(node.args[0]) or 0 if isinstance(node, ast.Call) and _name(node) == "sleep" and node.args else 0


def _is_beyond(node: ast.AST) -> bool:
    """A power or a factorial of written numbers that fills memory before it is known."""
    if isinstance(node, ast.Call) and _name(node) == "factorial" and node.args:
        return (number(node.args[0]) or 0) >= _FACTORIAL
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Pow):
        return False
    base, exponent = number(node.left), number(node.right)
    return base is not None and abs(base) > 1 and exponent is not None and exponent >= _EXPONENT


def _spread(node: ast.AST) -> int:
    """How many times a pool is given something to do, as far as it is written down."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SPREADING:
        return max(map(_counted, node.args), default=1)
    return 1


def _rounds(node: ast.AST) -> int:
    """How often the inmost body of a loop runs, as far as it is written down; 1 where it is not."""
    own = 1
    if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and _name(node.iter) in _COUNTING:
        own = max((found for one in node.iter.args if (found := number(one)) is not None), default=1)
    if (
        isinstance(node, ast.While)
        and isinstance(node.test, ast.Compare)
        and isinstance(node.test.ops[0], ast.Lt | ast.LtE)
    ):
        own = number(node.test.comparators[0]) or 1
    inner = (_rounds(one) for one in ast.iter_child_nodes(node) if not isinstance(one, _DEFINITIONS))
    return max(own, 1) * max(inner, default=1)


def _counted(made: ast.expr) -> int:
    if isinstance(made, ast.Call) and _name(made) in _COUNTING:
        return max((found for one in made.args if (found := number(one)) is not None), default=1)
    return 1


def _taken(node: ast.AST) -> int:
    """How many items an expression goes through, as far as it is written down."""
    if isinstance(node, ast.Call) and _name(node) in _EXHAUSTING and node.args:
        inner = node.args[0]
        return _taken_by(inner) if isinstance(inner, ast.GeneratorExp) else _counted(inner)
    return _taken_by(node) if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp) else 1


def _taken_by(made: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> int:
    return math.prod(max(_counted(one.iter), 1) for one in made.generators)


def _room(node: ast.AST) -> int:
    """How many characters or cells an expression makes at once, as far as it is written down."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for made, times in ((node.left, node.right), (node.right, node.left)):
            if isinstance(made, ast.List) or (isinstance(made, ast.Constant) and isinstance(made.value, str | bytes)):
                return number(times) or 0
    if isinstance(node, ast.ListComp):  # each of so many
        return _taken_by(node) * max(map(_room, ast.walk(node.elt)), default=0)
    if isinstance(node, ast.Call) and _name(node) in _SIZED and node.args:
        sides = node.args[0].elts if isinstance(node.args[0], ast.Tuple | ast.List) else [node.args[0]]
        return math.prod(number(side) or 0 for side in sides)
    return 0


def _calls_itself(function: ast.FunctionDef) -> bool:
    """Whether a function calls itself before anything can keep it from doing so."""
    for statement in function.body:
        inside = list(ast.walk(statement))
        if any(isinstance(one, ast.Return | ast.Raise | ast.Yield | _BRANCHES | _DEFINITIONS) for one in inside):
            one = statement.value if isinstance(statement, ast.Return) else None
            return isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == function.name
        if any(
            isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == function.name
            for one in inside
        ):
            return True
    return False


def _name(call: ast.Call) -> str:
    return (
        call.func.attr
        if isinstance(call.func, ast.Attribute)
        else call.func.id
        if isinstance(call.func, ast.Name)
        else ""
    )


def number(node: ast.AST) -> int | None:
    """The number that an expression of constants is, rounded; None for anything else, and for what is too large to compute."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return int(node.value) if abs(node.value) < _MOST else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.Call) and _name(node) == "int" and len(node.args) == 1:
        return number(node.args[0])
    if not isinstance(node, ast.BinOp) or type(node.op) not in _ARITHMETIC:
        return None
    left, right = number(node.left), number(node.right)
    if left is None or right is None or max(abs(left), abs(right)) > _MOST:
        return None
    if isinstance(node.op, ast.Pow | ast.LShift) and not (0 <= right <= 200 and abs(left) <= 10**6):
        return None
    return _ARITHMETIC[type(node.op)](left, right)
