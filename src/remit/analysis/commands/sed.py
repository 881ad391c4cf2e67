"""sed: which files a script reads and writes, and which commands it runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.commands.embedded import Source, foreign, is_hole, restored, source
from remit.analysis.commands.values import texts
from remit.analysis.domain import ANY, NUMERIC, SEGMENT, Text, Value, lit, text
from remit.analysis.each import each

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr

_STREAMS = frozenset({"/dev/stdout", "/dev/stderr", "/dev/stdin"})
_TEXT = "aic"  # commands whose argument is text up to the end of the line
_FILE = {"r": "file.read", "R": "file.read", "w": "file.write", "W": "file.write"}
_LABEL = ":btT"
_PLAIN = "dDgGhHlnNpPqQxzF="
_BRACKETS = re.compile(r"\[\^?\]?(?:\[:\w+:\]|[^\]\n])*\]")
_NUMBER = re.compile(r"[0-9]+")


def run_sed(call: Call, args: tuple[Expr, ...]) -> None:
    """Report what the scripts do."""
    for value in call.values(args[0]):
        for item in each(texts(value)):
            _script(call, item)


def _script(call: Call, item: Text) -> None:
    program = source(item)
    if foreign(call, program, frozenset({NUMERIC, SEGMENT})):
        _everything(call)
        return
    readings = (False, True) if "[" in program else (False,)
    understood = [_understood(call, program, brackets=brackets) for brackets in readings]
    if not any(understood):
        call.opaque(f"`sed` script `{item.literal or '…'}` is not understood", "write the script plainly")


def _understood(call: Call, program: Source, *, brackets: bool) -> bool:
    """Report what a script does; tools differ in whether the mark ends a pattern inside brackets (`s/[/]/x/`)."""
    try:
        _Scanner(call, program, brackets=brackets).run()
    except _NotUnderstoodError:
        return False
    return True


def _everything(call: Call) -> None:
    call.effect("file.read", ANY)
    call.effect("file.write", ANY)
    call.effect("shell.execute", ANY)


class _NotUnderstoodError(Exception):
    """The script has a form that is not known."""


class _Scanner:
    """Walks over the commands of a script."""

    def __init__(self, call: Call, program: Source, *, brackets: bool) -> None:
        self.call, self.program, self.at, self.brackets = call, program, 0, brackets

    def run(self) -> None:
        while self._skip(" \t\n;{}"):
            self._addresses()
            if self.at < len(self.program):
                self._command()

    def _skip(self, chars: str) -> bool:
        while self.at < len(self.program) and self.program[self.at] in chars:
            self.at += 1
        return self.at < len(self.program)

    def _addresses(self) -> None:
        """Skip addresses: `1,/re/I!`."""
        while self.at < len(self.program):
            char = self.program[self.at]
            number = _NUMBER.match(self.program, self.at)
            if number:
                self.at = number.end()
            elif char == "/":
                self.at += 1
                self._delimited("/", pattern=True)
                self._skip("IM")
            elif char == "\\":
                self.at += 2
                self._delimited(self.program[self.at - 1 : self.at], pattern=True)
                self._skip("IM")
            elif char in "$,~+! \t" or is_hole(char):
                self.at += 1
            else:
                return

    def _delimited(self, mark: str, *, pattern: bool = False) -> str:
        """Text up to an unescaped mark."""
        start = self.at
        while self.at < len(self.program):
            char = self.program[self.at]
            if pattern and self.brackets and char == "[" and (found := _BRACKETS.match(self.program, self.at)):
                self.at = found.end()
            elif char == "\\":
                self.at += 2
            elif char == mark:
                self.at += 1
                return self.program[start : self.at - 1]
            else:
                self.at += 1
        raise _NotUnderstoodError

    def _line(self) -> str:
        """The rest of the line."""
        end = self.program.find("\n", self.at)
        end = len(self.program) if end < 0 else end
        out = self.program[self.at : end]
        self.at = end
        return out

    def _command(self) -> None:
        char = self.program[self.at]
        self.at += 1
        if char in "{}#" or char in _PLAIN:
            if char == "#":
                self._line()
            else:
                self._skip(" \t0123456789")
        elif char == "s":
            self._substitute()
        elif char == "y":
            mark = self._mark()
            self._delimited(mark)
            self._delimited(mark)
        elif char in _TEXT:
            self._text()
        elif char in _FILE:
            self._file(_FILE[char], self._line().strip())
        elif char == "e":
            self._execute(self._line().strip())
        elif char in _LABEL:
            self._label()
        elif char == "v":
            self._line()
        else:
            raise _NotUnderstoodError

    def _label(self) -> None:
        while self.at < len(self.program) and self.program[self.at] not in "\n;}":
            self.at += 1

    def _text(self) -> None:
        """Text of `a`, `i`, `c`: lines that end in a backslash go on."""
        while self._line().endswith("\\") and self.at < len(self.program):
            self.at += 1

    def _mark(self) -> str:
        if self.at >= len(self.program):
            raise _NotUnderstoodError
        self.at += 1
        return self.program[self.at - 1]

    def _substitute(self) -> None:
        mark = self._mark()
        if is_hole(mark):
            raise _NotUnderstoodError
        self._delimited(mark, pattern=True)
        self._delimited(mark)
        while self.at < len(self.program):
            flag = self.program[self.at]
            if flag == "w":
                self.at += 1
                self._file("file.write", self._line().strip())
                return
            if flag == "e":
                self.call.effect("shell.execute", lit("sh"))
                self.call.opaque("`sed` runs the text that a substitution leaves", "do not use the flag `e`")
            elif flag not in "gpiImM0123456789":
                return
            self.at += 1

    def _file(self, capability: str, name: str) -> None:
        if name not in _STREAMS:
            self.call.effect(capability, _value(name, self.program))

    def _execute(self, command: str) -> None:
        self.call.effect("shell.execute", lit("sh"))
        if command:
            outcome = self.call.world.run_code(
                "shell", _value(command, self.program), self.call.site, child=self.call.child
            )
            self.call.printed.append(outcome.stdout)
        else:
            self.call.opaque("`sed` runs its input as commands", "do not use the command `e`")


def _value(piece: str, program: Source) -> Value:
    return frozenset({restored(piece, program) if piece else text()})
