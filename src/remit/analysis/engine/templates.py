"""Templates that are programs: Jinja2 and its relatives call what they are given, and walk from one object to the next.

A template of the skill is read for the names that it uses. Plain data has nothing to call; an object with effects that the template
library was given is used with anything as arguments, under every name that the template mentions. A template that is not part of the
skill, and one that reaches around the language, is opaque.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, BOTTOM, NUMERIC, Hole, Instance, Text, Value
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import texts_of
from remit.analysis.summaries.library import KEPT
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.summaries.model import EffectLine

_CODE = lazy_pattern(r"\{\{(.*?)\}\}|\{%(.*?)%\}", re.DOTALL)
_NAME = lazy_pattern(r"[A-Za-z_]\w*")
_OTHERS = lazy_pattern(r"\s*[-+]?\s*(?:extends|include|import|from)\b")
_MOST_NAMES = 200
_FOREIGN = "a template that is not part of the skill is run as a program"
_REMEDY = "keep the template in the skill, or fill it without a template language"


class Templates(EnginePart):
    """Carries out the effect `template`."""

    calls: engine.Calls
    effects: engine.Effects
    environments: engine.Environments
    kept: engine.KeptObjects
    members: engine.Members

    def effect_template(self, name: str, effect: EffectLine, env: dict[str, Value], line: int) -> None:
        """A text, or the files of the skill that a path names, are run as templates with all that their library was given."""
        given = self.effects.operand(effect.args[0], env, line)
        if not given:
            return
        texts: Value = frozenset(texts_of(given))
        if effect.text == "file":
            files = self.run.world.skill_files(texts, self.environments.here())
            texts = ANY if files is None else BOTTOM.union(*map(self.run.world.file_text, files))
        words: set[str] = set()
        for text in texts_of(texts):
            found = _names(text, alone=effect.text != "file")
            if found is None and effect.text == "sandboxed" and not self.kept.kept():
                found = set()  # plain data, and a language that reaches nothing else
            if found is None:
                self.run.opaque(f"`{name}`: {_FOREIGN}", line, _REMEDY)
                return
            words |= found
        if any("__" in word for word in words) or "attr" in words:
            self.run.opaque(
                f"`{name}`: a template reaches around the language", line, "name members in the template plainly"
            )
        self._use_kept(sorted(words), line)

    def _use_kept(self, words: list[str], line: int) -> None:
        """A template may call the functions that it is given, and the members that it names, with anything."""
        view = Instance(self.run.serving + KEPT)
        done: Value = BOTTOM
        anything = Args(star=ANY, keyword_star=ANY)
        while objects := self.kept.kept_in(view) - done:
            done = done | objects
            called = self.kept.call_kept(view, anything, line)
            for atom in each(objects):
                for word in words[:_MOST_NAMES]:
                    if self.kept.lists(atom, word):
                        member = self.members.member_of(atom, word, line)
                        called = called | member | self.calls.call(member, anything, line)
            self.kept.keep(called, line)


def _names(text: Text, *, alone: bool) -> set[str] | None:
    """The names in the code of a template; None if its text is not known, or if it is `alone` and needs other templates."""
    if any(isinstance(part, Hole) and part.alphabet != NUMERIC for part in text.parts):
        return None
    source = "".join(part if isinstance(part, str) else "0" for part in text.parts)
    blocks = ["".join(code) for code in _CODE.findall(source)]
    if alone and any(map(_OTHERS.match, blocks)):
        return None
    return {word for block in blocks for word in _NAME.findall(block)}
