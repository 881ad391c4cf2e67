"""Where the object of a verb ends: which word of a noun phrase is its head, and which words begin something else."""

from __future__ import annotations

_PREPOSITIONS = frozenset(
    "from with for by via using based about on onto to into in inside as at against without within across through before "
    "after when while if so that which where because until unless per under over between among".split()
)
_ORIGINS = frozenset("from using based about via".split())
_MEASURES = frozenset("set sets suite series collection number kind kinds piece bunch group list version".split())
_JOINTS = frozenset({",", "/"})
_CALLED_SO = frozenset(
    "file files folder directory document page script module".split()
)  # `go.mod` file: the file itself
_FUNCTION_WORDS = _PREPOSITIONS | frozenset(
    "a an the this that these those its their your our his her my and or nor but of than then also too only again now here "
    "there it they them you we i he she is are was were be been has have had does do did can could may might must shall "
    "should will would not never just still already both either each every any all some no one two other another such same "
    "first next last yourself itself themselves how what why who whose once during since like e i g etc vs plus instead "
    "rather together accordingly directly first if unless otherwise whether up down out off away back more most less least "
    "end goes go needs need uses use works work fails fail passes pass contains contain exists exist changes matches match "
    "runs run requires require matters depends depend".split()
)


def modifies(words: tuple[str, ...], after: int) -> bool:
    """Whether a noun is only part of a longer one: `feature` in `feature branch`. `after` is where the next word stands."""
    if after >= len(words):
        return False
    word = words[after]
    if words[after - 1].startswith("~") and word in _CALLED_SO:
        return False
    return (
        word[0].isalpha() and word not in _FUNCTION_WORDS and not word.endswith(("ed", "ing", "ly")) and "'" not in word
    )


def ends_object(words: tuple[str, ...], at: int, kind: str) -> bool:
    """Whether what a verb is done to ends before this word.

    `make`: with its noun phrase. `put`: where the words say what it comes from, since only what is made and where it goes
    count. `do`: with the clause.
    """
    word = words[at]
    if word == "without":
        return True
    if kind != "make":
        return kind == "put" and word in _ORIGINS
    return word in _PREPOSITIONS or (word == "of" and words[at - 1] not in _MEASURES)


def enumerates_verbs(words: tuple[str, ...], start: int, at: int) -> bool:
    """Whether a word stands in a row of verbs: `test` in `build, run, test`, which builds no test. `start` follows the verb."""
    return words[start] in _JOINTS and words[at - 1] in _JOINTS


def closes(words: tuple[str, ...], start: int, at: int) -> bool:
    """Whether a bracket closes here that was opened before the verb: what follows is another clause."""
    return words[at] == ")" and "(" not in words[start:at]


def begins_aside(words: tuple[str, ...], at: int) -> bool:
    """Whether a comma begins words about something done besides: `as you build, taking notes` builds no notes."""
    return words[at] == "," and at + 1 < len(words) and words[at + 1].endswith("ing")
