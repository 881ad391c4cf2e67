"""What a call of a tool would do, as the host words it: the engine resolves paths, understands commands and judges."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """What the target of a want is."""

    COMMAND = "command"  # none: `command` is a line for a shell (`target` names which), to be understood
    ARGV = "argv"  # in tables only: a list of words, which becomes a command
    CODE = "code"  # a language: `code` is text that its interpreter will run
    PATH = "path"  # a file or folder, relative to the working folder; `content` is what is written
    TREE = "tree"  # a folder with all that is in it
    GLOB = "glob"  # in tables only: a pattern of paths, which becomes a tree
    NAMES = "names"  # a tree of which only names are told; in tables: a pattern of paths
    URL = "url"
    SKILL = "skill"  # the name of a skill or command that is loaded into the context
    SLASH = "slash"  # in tables only: a line `/name words`, which becomes a skill
    AGENT = "agent"  # the name or kind of an agent that is given a task (`content`)
    TOOL = "tool"  # the name of the tool itself
    NAME = "name"  # any other name: a job, a recipient
    ANY = "any"  # none: all that the capability can be about
    FLAG = "flag"  # in tables only: an argument that widens what the call may do, which becomes ANY
    NOTHING = "nothing"  # in tables only: the tool does nothing to the world


class Want(NamedTuple):
    """One thing that a call would do. With a problem it cannot be granted, whatever the rights are."""

    capability: str  # of the vocabulary; empty only with a problem
    role: Role
    target: str = ""
    command: str = ""
    code: str = ""
    content: str | None = None  # text that is written, sent or handed over; None: there is none
    problem: str = ""  # why nobody can say what the call would do
