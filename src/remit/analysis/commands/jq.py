"""jq: a filter is pure but for the environment and modules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.commands.embedded import foreign, source
from remit.analysis.commands.values import texts
from remit.analysis.domain import ANY, lit

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr

_STRING = re.compile(r'"(?:[^"\\]|\\[^(])*"')
_ENVIRONMENT = re.compile(r"(?<![\w.$])(?:env|\$ENV)(?:\.(\w+))?(?![\w(])")
_MODULE = re.compile(r"(?<![\w.$])(?:import|include)\s*\"")


def run_jq(call: Call, args: tuple[Expr, ...]) -> None:
    """Report what the filters read besides their input."""
    for value in call.values(args[0]):
        for item in texts(value):
            program = source(item)
            if foreign(call, program):
                call.effect("env.read", ANY)
                call.effect("file.read", ANY)
                continue
            if _MODULE.search(program):
                call.effect("file.read", ANY)
            for found in _ENVIRONMENT.finditer(_STRING.sub('""', program)):
                call.effect("env.read", lit(found[1]) if found[1] else ANY)
