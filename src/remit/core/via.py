"""What causes an effect: a function, a command and its option, a redirection, a sentence."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

IF_OPTION = ", if a value begins with a dash"


DECODED = "decoded"  # the option of code that a program decodes or puts together before it runs it
WHOLE = "whole"  # the option of code that is foreign as a whole, not a template into which something is put


class Cause(StrEnum):
    """The kinds of causes."""

    FUNCTION = "function"  # a function or variable of a library: `os.remove`, `process.env`
    COMMAND = "command"  # a command, with the option that leads to the effect
    START = "start"  # a program is started
    CODE = "code"  # a text is run as code
    REDIRECT = "redirect"  # the shell opens a file or socket
    SHELL = "shell"  # the shell does it otherwise: patterns, signals, files that are sourced
    VARIABLE = "variable"  # a variable of the environment is read, set or printed
    SENTENCE = "sentence"  # a sentence asks the agent for it
    SETTING = "setting"  # front matter or a configuration grants or installs it
    RECORD = "record"  # a record says so: a run that was watched, a session that is replayed


class Via(NamedTuple):
    """A cause with its name. Decisions use the fields; `words` tell a reader, with `{}` where the name stands."""

    cause: Cause
    name: str = ""  # the function, the command with its sub-commands, the variable, the sentence
    option: str = ""
    possible: bool = False  # the option does not stand in the command: a value may turn out to be one
    words: str = "{}"

    @property
    def label(self) -> str:
        """The name, and the option if there is one."""
        return f"{self.name} {self.option}" if self.option else self.name

    def adding(self, words: str) -> Via:
        """The same cause, with more words for the reader."""
        return self._replace(words=f"{self.words} {words}")

    def render(self) -> str:
        """For a reader."""
        shown = self.name if self.cause is Cause.SENTENCE else f"`{self.label}`"
        return self.words.replace("{}", shown + (IF_OPTION if self.possible else ""), 1)


def recorded(words: str) -> Via:
    """An effect that a record tells of."""
    return Via(Cause.RECORD, words=words)


def function(name: str, words: str = "{}") -> Via:
    """An effect of a function."""
    return Via(Cause.FUNCTION, name, words=words)
