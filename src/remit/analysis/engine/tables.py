"""What the languages themselves provide: methods of built-in types, names that reach around them, and marks for members that no library has."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

from remit.analysis.domain import Const, Hole, Lib, Num, Text, Value, env_origin


def _lines(name: str) -> frozenset[str]:
    source = Path(__file__).parents[1].joinpath("data", name).read_text("utf-8")
    return frozenset(line.strip() for line in source.splitlines() if line.strip() and not line.startswith("#"))


HATCHES = _lines("hatches.txt")
PROTOCOLS = frozenset(name for line in _lines("protocols.txt") for name in line.split())
# Python: package → methods with a leading underscore that its classes call on themselves.
PRIVATE_METHODS = {
    package: frozenset(names.split())
    for package, _, names in (line.partition(":") for line in _lines("private_methods.txt"))
}

_PY_DICT = "get items keys values pop popitem setdefault update copy clear fromkeys move_to_end most_common elements subtract total"
_JS_LIST = (
    "push pop shift unshift splice concat map filter forEach reduce reduceRight find findLast findIndex findLastIndex some every "
    "sort toSorted toReversed toSpliced with flat flatMap join slice includes indexOf lastIndexOf reverse keys values entries fill at "
    "copyWithin toString take drop toArray"
)
# Python: the methods that operators call; `__iadd__` and `__radd__` are named after them.
OPERATORS = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__", "%": "__mod__", "**": "__pow__",
    "|": "__or__", "&": "__and__", "^": "__xor__", "@": "__matmul__", "<<": "__lshift__", ">>": "__rshift__",
}  # fmt: skip
# Attributes that a string, bytes or byte array can have.
TEXT_METHODS = frozenset(dir(str)) | frozenset(dir(bytes)) | frozenset(dir(bytearray)) | frozenset(dir(memoryview))
METHODS: dict[str, dict[str, frozenset[str]]] = {
    "python": {
        "list": frozenset(
            "append extend insert pop remove sort reverse copy clear index count appendleft extendleft popleft rotate".split()
        ),
        "dict": frozenset(_PY_DICT.split()),
        "set": frozenset(
            "add update discard remove pop clear copy union intersection difference symmetric_difference issubset issuperset isdisjoint "
            "intersection_update difference_update symmetric_difference_update".split()
        ),
        "tuple": frozenset("index count _asdict _replace _fields _make".split()),
        "iter": frozenset("send close throw __next__ asend aclose __anext__".split()),
        "map": frozenset(),
    },
    "js": {
        "list": frozenset(_JS_LIST.split()),
        "dict": frozenset(
            "hasOwnProperty toString valueOf toJSON isPrototypeOf propertyIsEnumerable toLocaleString".split()
        ),
        "map": frozenset("get set has delete clear forEach keys values entries add".split()),
        "set": frozenset("add has delete clear forEach keys values entries union intersection difference".split()),
        "promise": frozenset({"then", "catch", "finally"}),
        "weakref": frozenset({"deref"}),
    },
}
# Methods that plain data has: texts, numbers, times, and collections of them.
_NUMBERS_AND_TIMES = (int, float, complex, datetime, timedelta, Decimal)
PLAIN_METHODS: dict[str, frozenset[str]] = {
    "python": TEXT_METHODS.union(*METHODS["python"].values(), *map(dir, _NUMBERS_AND_TIMES))
}
# JavaScript: methods of numbers that write them.
NUMBER_METHODS = frozenset({"toString", "toFixed", "toPrecision", "toExponential"})
# JavaScript: what a string has, or a buffer or typed array, which are texts too.
STRING_MEMBERS = frozenset(
    (
        "anchor at big blink bold buffer byteLength byteOffset charAt charCodeAt codePointAt compare concat constructor copy copyWithin "
        "endsWith entries equals every fill filter find findIndex findLast findLastIndex fixed fontcolor fontsize forEach getDate "
        "hasOwnProperty includes indexOf isPrototypeOf isWellFormed italics join keys lastIndexOf link localeCompare map match matchAll "
        "normalize padEnd padStart parent propertyIsEnumerable reduce reduceRight repeat replace replaceAll reverse search set slice small "
        "some sort split startsWith strike sub subarray substr substring sup swap16 swap32 swap64 toHex toJSON toLocaleLowerCase "
        "toLocaleString toLocaleUpperCase toLowerCase toReversed toSorted toString toUpperCase toWellFormed trim trimEnd trimLeft "
        "trimRight trimStart values valueOf with write __iter__"
    ).split()
)
PLAIN_METHODS["js"] = STRING_MEMBERS | NUMBER_METHODS | frozenset().union(*METHODS["js"].values())
READING = frozenset(
    "index count copy __getitem__ __iter__ __len__ __contains__ __eq__ __ne__ __reversed__ __str__ __repr__ "
    "slice map filter forEach find findIndex findLast findLastIndex some every join includes indexOf lastIndexOf "
    "length concat at entries keys values flat flatMap reduce reduceRight toString".split()
)  # what leaves a list as it is


UNKNOWN_MEMBER = "~any."  # a member of an unknown receiver: resolved by name when it is called
# Bound to what it was chosen of: harmless as a value (`getattr(logging, level)`), opaque when it is used.
CHOSEN = Lib("~chosen.*")
COMPUTED = "*"  # a member whose name is not known
VIEW = "view"  # of a dictionary: its fields are those of another object
REGISTERED = " registered"  # Python: the field of a function with those that `singledispatch` may call instead
SETTER = Const("setter")  # JavaScript: the key of `set x(v) {…}` in a literal
SLICE = Const("slice")  # the key of `x[a:b] = …`
BUILTIN_MEMBER = "~builtin."  # a method of text, data, a collection
PROTOTYPE = "~prototype."  # JavaScript: the object that instances of a library class inherit from
# The two places of a pair.
ZERO: Value = frozenset({Num(0, 0)})
ONE: Value = frozenset({Num(1, 1)})
ENVIRONMENTS = frozenset({"os._Environ", "process.Environment"})  # the variables that a program is started with
THEIR_NAME = Hole(env_origin("*"))  # the names of all variables that the caller's environment has
THEIRS: Value = frozenset({Text((THEIR_NAME,))})
CAUGHT = "builtins exceptions"  # no library: the functions that exceptions of the interpreter carry
