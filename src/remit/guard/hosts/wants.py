"""Wants: what a tool call would do, in the host's terms. The engine resolves paths, analyses commands, and judges."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """The meaning of a want's target."""

    COMMAND = "command"  # none: `command` is a line for a shell (`target` names which), to be analysed
    ARGV = "argv"  # in tables only: a list of words, which becomes a command
    CODE = "code"  # a language: `code` is text that its interpreter will run
    PATH = "path"  # a file or folder, relative to the working folder; `content` is what is written
    TREE = "tree"  # a folder with everything in it
    GLOB = "glob"  # in tables only: a pattern of paths, which becomes a tree
    NAMES = "names"  # a tree of which only names are returned; in tables: a pattern of paths
    URL = "url"
    SKILL = "skill"  # the name of a skill or command that is loaded into the context
    SLASH = "slash"  # in tables only: a line `/name words`, which becomes a skill
    AGENT = "agent"  # the name or kind of an agent that gets a task (`content`)
    TOOL = "tool"  # the name of the tool itself
    NAME = "name"  # any other name: a job, a recipient
    ANY = "any"  # none: everything that the capability can be about
    FLAG = "flag"  # in tables only: an argument that widens what the call may do, which becomes ANY
    NOTHING = "nothing"  # in tables only: the tool has no effects


class Want(NamedTuple):
    """One effect that a call would have. With a problem it cannot be granted, whatever the rights are."""

    capability: str  # of the vocabulary; empty only with a problem
    role: Role
    target: str = ""
    command: str = ""
    code: str = ""
    content: str | None = None  # text that is written, sent or handed over; None: there is none
    problem: str = ""  # why the effect of the call is unknown
