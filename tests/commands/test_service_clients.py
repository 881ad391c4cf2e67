"""Clients of hosted services: the hosts that data/clients.table gives them, and what leads them elsewhere."""

import pytest
from one_command import analysed

from each_row import each_row
from remit.analysis.commands.services import clients, read_clients
from remit.core.errors import DataError
from remit.core.scope import ScopeKind, parse_scope


def called(folder, command):
    found = analysed(folder, command).effects
    return {effect.scope.render() for effect in found if effect.capability == "api.call"}


def test_a_client_talks_to_its_service(tmp_path):
    assert called(tmp_path, "hcloud server list") == {"api.hetzner.cloud"}


def test_a_client_that_is_not_listed_may_talk_to_any_host(tmp_path):
    assert called(tmp_path, "cast call 0x1") == {"any"}


@each_row(
    "command",
    [
        "HCLOUD_ENDPOINT=https://e.example hcloud server list",
        "export HCLOUD_ENDPOINT=https://e.example\nhcloud server list",
        "hcloud --endpoint https://e.example server list",
    ],
)
def test_a_skill_that_names_another_server_is_believed(tmp_path, command):
    assert "e.example:443" in called(tmp_path, command)


def test_every_host_of_the_table_can_be_written_in_a_manifest():
    for hosts in clients().values():
        for host in hosts:
            parse_scope(ScopeKind.HOST, host)


@each_row("rows", ["a | x.example\na | y.example", "a | -", "- | x.example"])
def test_a_row_that_cannot_be_meant_is_refused(tmp_path, rows):
    table = tmp_path / "clients.table"
    table.write_text(f"[clients]\n{rows}\n")
    with pytest.raises(DataError, match="occurs twice or has no hosts"):
        read_clients(table)
