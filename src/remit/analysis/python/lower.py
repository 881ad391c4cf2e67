"""Lowers Python: `ast` from the bytes that the interpreter would read, to facts over terms in one pass."""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Mapping

from remit.analysis.domain import SKILL, SOME_TEXT, Hole, Value, lit, text
from remit.analysis.ir import Function, Known, Program, Term
from remit.analysis.python.constants import Constants, makes_texts
from remit.analysis.python.names import nonlocal_names
from remit.analysis.python.narrowing import has_tests, keeps_sys, may_make_bytes
from remit.analysis.python.statements import StatementLowerer


def lower_python(source: bytes | str, file: str, *, holes: Mapping[str, Value] | None = None) -> Program:
    """The common form of a Python file; `file` is its path in the skill, or empty for text that became code.

    Source that does not parse yields a program whose one fact is that it is opaque.
    """
    program = Program("python", file)
    program.functions.append(Function(0, "<module>", 1, None))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, os.devnull)  # a syntax error makes the interpreter look for a file of this name
    except SyntaxError as error:
        program.opaque.append((f"Python does not parse: {error.msg}", error.lineno or 1))
        return program
    except (ValueError, RecursionError, MemoryError, UnicodeError, LookupError) as error:
        program.opaque.append((f"Python does not parse: {type(error).__name__}", 1))
        return program
    names = module_names(file)
    names.update((mark, Known(value)) for mark, value in (holes or {}).items() if mark.isidentifier())
    lowerer = StatementLowerer(program, names, holes or {})
    text = source if isinstance(source, str) else source.decode("latin-1")
    lowerer.walrus, lowerer.has_globals = _may_hold(text, ":="), _may_hold(text, "global")
    lowerer.has_tests = has_tests(text)
    program.keeps_sys = lowerer.has_tests and "sys.exit" in text and keeps_sys(tree)
    if makes_texts(text):
        lowerer.constants = Constants(tree)
    program.makes_bytes = may_make_bytes(text)
    if _may_hold(text, "nonlocal"):
        lowerer.nonlocals = nonlocal_names(tree)
    try:
        lowerer.module(tree)
    except RecursionError:
        program.opaque.append(("the code is nested too deeply", 1))
    return program


def _may_hold(text: str, word: str) -> bool:
    """Whether the source can hold a token; a declared encoding may spell it in other bytes."""
    return word in text or "coding" in text[:400]


def module_names(file: str) -> dict[str, Term]:
    """What the interpreter sets in a module before its first line."""
    known: dict[str, Term] = {
        "__name__": Known(lit("__main__") | SOME_TEXT),
        "__doc__": Known(SOME_TEXT),
        "__package__": Known(SOME_TEXT),
    }
    if file:
        known["__file__"] = Known(frozenset({text(Hole(SKILL), "/" + file)}))
    return known
