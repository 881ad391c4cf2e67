"""`remit policy`: explains a policy of the two authorities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from remit.authority.intents import intents
from remit.authority.program.compiled import compile_policy
from remit.authority.program.explain import explained
from remit.authority.program.language import read_policy

if TYPE_CHECKING:
    import argparse


def policy(args: argparse.Namespace) -> int:
    """Explain a policy, or list what policies can refer to."""
    if args.action == "intents":
        for intent in intents().values():
            slots = ", ".join(intent.slots) or "-"
            inputs = ", ".join(name + ("?" if name in intent.form.optional else "") for name in intent.form.fields)
            print(f"{intent.name:25} {intent.effect:8} {inputs or '-':30} slots: {slots}")
        return 0
    read = read_policy(Path(args.file))
    for line in explained(read, compile_policy(read)):
        print(line)
    return 0
