"""Every kind of effect that a summary line can have is put into words."""

from each_row import each_row
from remit.analysis.engine.effects import Effects
from remit.analysis.engine.environments import Environments
from remit.analysis.parts import connect
from remit.analysis.summaries.model import EffectLine
from remit.report.summary_words import _effect

EFFECTS = Effects(None)
connect((EFFECTS, Environments(None)))


@each_row("kind", sorted(EFFECTS._handlers.keys() - {"none"}))
def test_a_kind_of_effect_has_words(kind):
    assert isinstance(_effect(EffectLine(kind, "text")), str)
