"""Causes of effects: a function, a command and its option, a redirection, a sentence."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

IF_OPTION = ", if a value begins with a dash"


DECODED = "decoded"  # the option for code that a program decodes or assembles before it runs it
WHOLE = "whole"  # the option for code that is foreign as a whole, not a template with inserted values


class Cause(StrEnum):
    """The kinds of causes."""

    FUNCTION = "function"  # a function or variable of a library: `os.remove`, `process.env`
    COMMAND = "command"  # a command, with the option that leads to the effect
    START = "start"  # a program is started
    CODE = "code"  # a text is run as code
    REDIRECT = "redirect"  # the shell opens a file or socket
    SHELL = "shell"  # other effects of the shell: patterns, signals, sourced files
    VARIABLE = "variable"  # a variable of the environment is read, set or printed
    SENTENCE = "sentence"  # a sentence asks the agent for it
    SETTING = "setting"  # front matter or a configuration grants or installs it
    RECORD = "record"  # a record says so: an observed run, a replayed session


class Via(NamedTuple):
    """A cause with its name. Decisions use the fields; `words` are for a reader, with `{}` where the name goes."""

    cause: Cause
    name: str = ""  # the function, the command with its sub-commands, the variable, the sentence
    option: str = ""
    possible: bool = False  # the option is not written in the command: a value may turn out to be one
    words: str = "{}"

    @property
    def label(self) -> str:
        """The name, and the option if there is one."""
        return f"{self.name} {self.option}" if self.option else self.name

    def adding(self, words: str) -> Via:
        """Return the same cause, with more words for the reader."""
        return self._replace(words=f"{self.words} {words}")

    def render(self) -> str:
        """Return the text for a reader."""
        shown = self.name if self.cause is Cause.SENTENCE else f"`{self.label}`"
        return self.words.replace("{}", shown + (IF_OPTION if self.possible else ""), 1)


def recorded(words: str) -> Via:
    """Return the cause of an effect that a record reports."""
    return Via(Cause.RECORD, words=words)


def function(name: str, words: str = "{}") -> Via:
    """Return the cause of an effect of a function."""
    return Via(Cause.FUNCTION, name, words=words)
