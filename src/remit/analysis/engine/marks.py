"""Names that stand for members which no library has: of unknown receivers, of built-in types, of prototypes; and fixed keys."""

from __future__ import annotations

from remit.analysis.domain import Const, Hole, Lib, Num, Text, Value, env_origin

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
