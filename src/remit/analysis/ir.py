"""The language-independent form of a file: functions made of facts over terms.

A front end lowers a file in one pass and drops the tree. There is no control flow: every fact of a body holds, in any
order and any number of times, which over-approximates every run. What a front end cannot express it lowers to `Unknown`.

Names are resolved while lowering: `Var(owner, name)` is a variable of the function `owner` (an index into
`Program.functions`; 0 is the module body), `Global(name)` a name that the language or the run provides.

Nothing compares or prints them, so that their classes do without the methods for it: making these takes most of the import.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from remit.analysis.domain import Value


@dataclass(slots=True, eq=False, repr=False)
class Known:
    """A constant: its value is already abstract."""

    value: Value


@dataclass(slots=True, eq=False, repr=False)
class Var:
    """A variable of the function `owner`, as seen from a function nested in it (or from `owner` itself)."""

    owner: int
    name: str


@dataclass(slots=True, eq=False, repr=False)
class Global:
    """A name that no scope of the file binds: a builtin, a host global, or an unbound name."""

    name: str
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Attr:
    """Member access with a constant name: `base.name`. Implicit getters are live anyway."""

    base: Term
    name: str
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Item:
    """Subscript or computed member: `base[key]`."""

    base: Term
    key: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Slice:
    """`base[start:]`: what remains of a sequence or text; `start` is None if unknown or not a plain prefix cut."""

    base: Term
    start: int | None
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Star:
    """Among arguments or elements: `*term` / `...term`. Among keywords (name None): `**term`."""

    term: Term


@dataclass(slots=True, eq=False, repr=False)
class Call:
    """A call, or with `new` a JavaScript construction. `keywords` pairs a name with its term; `**x` is (None, Star(x))."""

    callee: Term
    args: tuple[Term, ...]
    keywords: tuple[tuple[str | None, Term], ...]
    line: int
    new: bool = False


@dataclass(slots=True, eq=False, repr=False)
class Concat:
    """Text made of pieces: f-strings, template literals."""

    parts: tuple[Term, ...]
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Binary:
    """An operator, by its Python spelling (`+ - * / // % ** @ & | ^ << >>`), or `cmp` for what yields a boolean."""

    op: str
    left: Term
    right: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Narrow:
    """A value where something holds of it, by `kind`: `isinstance(value, said)` (`keep`) or not, `value in said`, a method that holds of
    texts without a slash, the call `said` of `re`, or that it lies below `said` (`resolved`: the path of which it is the real one)."""

    term: Term
    said: Term
    keep: bool
    line: int
    kind: str = "type"
    resolved: Term | None = None


@dataclass(slots=True, eq=False, repr=False)
class Choice:
    """One of several values: conditional expressions, `or`, `??`, several bindings.

    `fallback`: the last one stands where JavaScript finds that the others are missing.
    """

    options: tuple[Term, ...]
    fallback: bool = False


@dataclass(slots=True, eq=False, repr=False)
class Sequence:
    """A list, tuple, set or array display; `kind` is `list`, `tuple` or `set`."""

    kind: str
    items: tuple[Term, ...]
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Bag:
    """Any number of `element`: comprehensions and generators. With `key` it is a dictionary."""

    kind: str
    element: Term
    line: int
    key: Term | None = None


@dataclass(slots=True, eq=False, repr=False)
class Mapping:
    """A dict or object display. A pair whose key is None spreads its value. `soon`: keys that are set before anybody looks at it."""

    pairs: tuple[tuple[Term | None, Term], ...]
    line: int
    soon: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False, repr=False)
class MakeFunction:
    """The closure of a function, made here."""

    index: int


@dataclass(slots=True, eq=False, repr=False)
class MakeClass:
    """A class statement or expression: evaluates bases, body and decorators' input."""

    index: int


@dataclass(slots=True, eq=False, repr=False)
class Iterate:
    """An element of an iterable: loops, unpacking of unknown position."""

    term: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Keys:
    """A key of a mapping or object: `for (k in o)`."""

    term: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Element:
    """The element at a fixed position while unpacking; negative counts from the end (after a starred target)."""

    term: Term
    index: int
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Rest:
    """What unpacking leaves: elements from `start` on, without the last `behind`, or an object without the named keys."""

    term: Term
    start: int
    line: int
    behind: int = 0


@dataclass(slots=True, eq=False, repr=False)
class Enter:
    """What `with term as x` binds."""

    term: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Await:
    """What a promise or coroutine yields."""

    term: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Part:
    """Something inside a value, at an unknown place: what a pattern captures."""

    term: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Throw:
    """An exception on its way: who catches it may use whatever it carries."""

    term: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Catch:
    """What `except types as x` binds."""

    types: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Decorate:
    """A decorator applied to a function or class."""

    decorator: Term
    target: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Super:
    """`super()` inside a method of class `cls`: members are looked up in the bases, the receiver is the first parameter."""

    cls: int
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Import:
    """A module, by the name that the file writes (`level` counts leading dots). `dynamic` if it is computed by `name_term`.

    `member` None yields the module itself: `import a.b` binds `a`, so the front end asks for `a` after importing `a.b`.
    """

    name: str
    level: int
    line: int
    member: str | None = None


@dataclass(slots=True, eq=False, repr=False)
class DynamicImport:
    """`import(expr)`, `require(expr)` with a name that is not a literal."""

    name: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Unknown:
    """Something that the front end does not understand: opaque here, and its value is anything."""

    reason: str
    line: int


Term: TypeAlias = (
    Known
    | Var
    | Global
    | Attr
    | Item
    | Slice
    | Star
    | Call
    | Concat
    | Binary
    | Narrow
    | Choice
    | Sequence
    | Bag
    | Mapping
    | MakeFunction
    | MakeClass
    | Iterate
    | Keys
    | Element
    | Rest
    | Enter
    | Await
    | Part
    | Throw
    | Catch
    | Decorate
    | Super
    | Import
    | DynamicImport
    | Unknown
)


@dataclass(slots=True, eq=False, repr=False)
class Bind:
    """A variable gets a value."""

    owner: int
    name: str
    term: Term


@dataclass(slots=True, eq=False, repr=False)
class SetAttr:
    """`base.name = term`."""

    base: Term
    name: str
    term: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class SetItem:
    """`base[key] = term`."""

    base: Term
    key: Term
    term: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Delete:
    """`del base[key]` or `delete base.key`; variables need no fact."""

    base: Term
    key: Term
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Evaluate:
    """An expression whose value is dropped (its calls and references count)."""

    term: Term


@dataclass(slots=True, eq=False, repr=False)
class Return:
    """The function returns this; `yield` makes the function a generator of what it yields."""

    term: Term
    yields: bool = False


@dataclass(slots=True, eq=False, repr=False)
class StarImport:
    """`from m import *`: every public member of the module becomes a name of the module body."""

    name: str
    level: int
    line: int


@dataclass(slots=True, eq=False, repr=False)
class Export:
    """JavaScript: `export const x`, `exports.x =`, `module.exports =` (name None)."""

    name: str | None
    term: Term
    line: int


Fact: TypeAlias = Bind | SetAttr | SetItem | Delete | Evaluate | Return | StarImport | Export


@dataclass(slots=True, eq=False, repr=False)
class Param:
    """A formal parameter. `kind`: `positional`, `keyword`, `rest` (`*args`), `keywords` (`**kw`)."""

    name: str
    kind: str = "positional"
    default: Term | None = None


class Block(NamedTuple):
    """Lines that are run together or not at all; a loop may run them again."""

    first: int
    last: int
    loop: bool


@dataclass(frozen=True, slots=True)
class Building:
    """How a body builds lists: its blocks, outer ones first; the lines where a step may be skipped or repeated inside a statement;
    those where a list is handed to others; and whether a list has a second name."""

    blocks: tuple[Block, ...]
    loose: frozenset[int]
    exits: tuple[int, ...]
    aliased: bool

    def block(self, line: int) -> Block | None:
        """The innermost block of a line."""
        return next((block for block in reversed(self.blocks) if block.first <= line <= block.last), None)

    def loop(self, line: int) -> Block | None:
        """The innermost loop of a line."""
        loops = (block for block in reversed(self.blocks) if block.loop)
        return next((block for block in loops if block.first <= line <= block.last), None)

    def holds(self, made: int, line: int) -> bool:
        """Whether a line lies in the innermost block of another."""
        block = self.block(made)
        return block is None or block.first <= line <= block.last


@dataclass(slots=True, eq=False, repr=False)
class Function:
    """A body. `owner` encloses it (None for the module). `class_index` is set on functions defined directly in a class body."""

    index: int
    name: str
    line: int
    owner: int | None
    params: list[Param] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    generator: bool = False
    is_async: bool = False
    takes_this: bool = False  # JavaScript: the first parameter is the receiver
    class_index: int | None = None
    binding: str = "instance"  # how a class member binds: `instance`, `static`, `class`, `property`
    decorated: bool = False  # by something that may call it or hand it on: its parameters are anything
    is_class_body: bool = False
    building: Building | None = None  # where it appends to lists
    inner: list[int] = field(default_factory=list)  # the functions directly inside it; filled when all are lowered


class FieldType(NamedTuple):
    """The annotation of a field: the classes that it names, and whether they are those of the elements of a collection."""

    classes: tuple[Term, ...]
    elements: bool


@dataclass(slots=True, eq=False, repr=False)
class ClassInfo:
    """A class: its body is a function whose variables are the class's members."""

    index: int
    name: str
    line: int
    body: int
    bases: tuple[Term, ...]
    fields: tuple[str, ...] = ()  # annotated names in order: what a generated constructor takes
    keywords: tuple[tuple[str | None, Term], ...] = ()
    decorated: bool = False  # a decorator may write a constructor for it
    types: dict[str, FieldType] = field(default_factory=dict)  # what a constructor may make of the values of its fields
    present: frozenset[str] = frozenset()  # JavaScript: members that every instance has


@dataclass(slots=True, eq=False, repr=False)
class Program:
    """One lowered file, fence, or text that became code."""

    language: str  # `python` or `js`
    file: str
    functions: list[Function] = field(default_factory=list)
    classes: list[ClassInfo] = field(default_factory=list)
    opaque: list[tuple[str, int]] = field(default_factory=list)  # reasons found while lowering, with their lines
    has_star_import: bool = False
    decoded: set[str] = field(default_factory=set)  # texts that it makes of literals in another form
    makes_bytes: bool = True  # whether text of the program may be bytes
    keeps_sys: bool = False  # whether `sys.exit()` ends it, where that matters
