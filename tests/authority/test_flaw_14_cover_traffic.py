"""Flaw 14: questions that nobody asked were off by default. They are on wherever a gateway is made, and no setting turns them off."""

from remit.authority.settings import Settings
from remit.gateway.parties.servers import Servers
from remit.gateway.parties.shaping import OPEN, Shaping


def test_shaping_is_on_unless_a_program_says_otherwise():
    made = Servers(None, None, (None, None), set)
    assert made._shaping == Shaping()
    assert made._shaping.covers > 0
    assert made._shaping.slot > 0
    assert made._shaping != OPEN


def test_no_setting_turns_it_off():
    assert not {name for name in Settings._fields if "shap" in name or "cover" in name or "slot" in name}
