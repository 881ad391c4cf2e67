"""Every kind of effect that a summary line can have is put into words."""

import pytest

from remit.analysis.engine.effects import _EFFECTS
from remit.analysis.summaries.model import EffectLine
from remit.report.summary_words import _effect


@pytest.mark.parametrize("kind", sorted(_EFFECTS.keys() - {"none"}))
def test_a_kind_of_effect_has_words(kind):
    assert isinstance(_effect(EffectLine(kind, "text")), str)
