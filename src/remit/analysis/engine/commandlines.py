"""A command line that is known word by word: that of a call which somebody is about to make.

A skill is analysed for every caller, so that its words are `<arg>` there, without a place. The analysis of one call says what stands where,
and what each declared argument of a parser gets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.analysis.domain import Value


class Words(NamedTuple):
    """The words of a program by their places, the name of the program first. Programs of one `name` share them."""

    name: str
    words: tuple[Value, ...]


class Given(NamedTuple):
    """What one declared argument gets: its words, and what else it may be; nothing of all that if its subcommand is not chosen."""

    words: Value
    default: bool  # it may be left out
    bare: bool  # its name may stand without a word
