"""What the scenarios share: a call that leaves a trace, and the words that a hook answers."""

from scripted_model import call, say

BYPASS = ("--permission-mode", "bypassPermissions")


def touch(name="made"):
    """A session that makes one file in the workspace."""
    return [call("Bash", command=f"touch {name}", description="make a file"), say("done")]


def decision(word, **more):
    """What the stand-in hook prints at PreToolUse."""
    return {"stdout": {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": word, **more}}}


def bash(command):
    """A turn that runs a command."""
    return call("Bash", command=command, description="x")


def skill(name, args=""):
    """A turn that loads a skill."""
    return call("Skill", skill=name, args=args)
