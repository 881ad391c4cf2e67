"""docs/gateway.md says of channels what the code does."""

import json
import re
import textwrap
from pathlib import Path

from channelworld import NOW, SECRET, WEBHOOK

from each_row import each_row
from remit.gateway.inbound.channels import parsing, texts, webhook
from remit.gateway.inbound.channels.connections import make_channel
from remit.gateway.inbound.channels.parsing import Refusal
from remit.gateway.inbound.events import KEPT
from remit.gateway.inbound.settings.loader import read_inbound
from remit.gateway.inbound.settings.values import Platform

PAGE = (Path(__file__).parents[4] / "docs" / "gateway.md").read_text("utf-8")


def rows(heading):
    table = PAGE[PAGE.index(heading) :].split("\n\n")[0]
    return re.findall(r"^\| `(\w+)`", table, re.MULTILINE)


def test_every_code_is_explained_and_none_besides():
    assert rows("| code | |") == list(Refusal)


def test_every_field_of_a_webhook_is_explained_and_none_besides():
    assert sorted(rows("| field | |")) == sorted(webhook.FORM.fields)


@each_row("platform", Platform)
def test_every_platform_is_explained(platform):
    table = PAGE[PAGE.index("| kind |") :].split("\n\n")[0]
    assert f"`{platform}`" in table


def test_numbers_are_those_of_the_code():
    assert f"at most {parsing.WINDOW}\nseconds" in PAGE
    assert f"{parsing.MOST_BYTES // 1024} KiB" in PAGE
    assert f"{texts.MOST:,} characters" in PAGE
    assert KEPT == 7 * 24 * 3600
    assert "for seven days" in PAGE


def test_the_example_of_settings_makes_a_channel(tmp_path):
    block = PAGE[PAGE.index("    [channels.work]") :].split("\n\n")[0]
    for name in ("slack-signing-secret", "slack-token"):
        (tmp_path / name).write_text("xoxb-ours\n")
        (tmp_path / name).chmod(0o600)
    file = tmp_path / "gateway.toml"
    file.write_text(textwrap.dedent(block) + '\nvoices = ["895000000000000001"]\n')
    channel = read_inbound(file).channels["work"]
    assert (channel.account, channel.secret, channel.token) == ("T0HOUSE", "xoxb-ours", "xoxb-ours")
    assert channel.voices == {"895000000000000001"}
    assert make_channel("work", channel).settings == channel


def test_the_example_of_a_webhook_is_heard():
    body = re.search(r"^    (\{\"id\".*\})$", PAGE, re.MULTILINE)[1].encode()
    (event,) = WEBHOOK.channel().receive(WEBHOOK.signed(body, when=NOW, secret=SECRET)).events
    assert event.text == json.loads(body)["text"]
