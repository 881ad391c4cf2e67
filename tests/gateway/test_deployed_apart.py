"""Parties on machines of their own: folders of `remit deploy`, mutual TLS on loopback, and whose secrets are where."""

import asyncio
import contextlib
import json
import os
import re
import socket
import ssl
import time
from pathlib import Path

import pytest
from cryptography import x509
from gatekeys import ALL
from running import running

from each_row import each_row
from remit.authority.settings import read_settings
from remit.authority.wire.address import Certificates, asking_context, read_address
from remit.authority.wire.client import Client
from remit.bundle.keys import read_private
from remit.cli import main
from remit.core.errors import AuthorityError, InputError, UsageError
from remit.executor.credentials.issuer import credential, grant, workload
from remit.gateway.deployment.files import epoch_of
from remit.gateway.deployment.folders import PartyFolders, kept_network, make_folders
from remit.gateway.deployment.operator_actions import confirm_one, waiting
from remit.gateway.deployment.plan import ORDER, SECRETS, VISITORS, Network
from remit.gateway.deployment.processes import works
from remit.gateway.fronts.client import GatewayClient

POLICY = """
policy  apart
list    keys  note
intent  FinalizeOutput
allow   not text shows key
intent  MemoryWrite
allow   token in keys
confirm always
"""


def free_port():
    """The first of twenty ports that nobody has; each process looks elsewhere first."""
    begin = 20_000 + os.getpid() * 20 % 10_000
    for first in range(begin, 32_000, 20):  # below those that connections are given
        with contextlib.ExitStack() as held, contextlib.suppress(OSError):
            for port in range(first, first + 20):
                held.enter_context(socket.create_server(("127.0.0.1", port)))
            return first
    raise AssertionError


def loopback(folder):
    for role in ("executor", "gateway"):
        (folder / "var" / role).mkdir(parents=True, mode=0o700)
    return PartyFolders(Network(dict.fromkeys(ORDER, "127.0.0.1"), free_port(), "127.0.0.1"), str(folder / "var"))


@pytest.fixture
def made(tmp_path):
    policy = tmp_path / "apart.policy"
    policy.write_text(POLICY)
    placed = loopback(tmp_path)
    folder = tmp_path / "parties"
    return folder, placed, make_folders(folder, placed, policy)


def credential_of(folder):
    key = read_private(folder / "office" / "keys" / "operator.key")
    exp = int(time.time()) + 600
    chain = (grant(key.public.keyid, key, "alice", ALL, "s1", exp=exp),)
    return credential(workload(key.public.keyid, key, "alice", exp=exp), chain).text()


def tls(folder, name):
    place = folder / name / "tls"
    return Certificates(place / f"{name}.crt", place / f"{name}.key", place / "authority.crt")


def all_work(folder, placed):
    return not any(works(folder / "monitor" / "tls", role, placed.network.at(role, "watch")) for role in ORDER)


def test_an_action_goes_through_and_strangers_do_not_get_in(made, tmp_path):
    folder, placed, _ = made
    at = {
        role: {what: placed.network.at(role, what) for what in ("http", "watch")}
        for role in ("p0", "p1", "executor", "gateway")
    }
    other = tmp_path / "others"
    make_folders(other, placed, None)  # another installation, for the same addresses

    async def acted():
        told = []
        async with GatewayClient(
            read_address(at["gateway"]["http"]), credential_of(folder), tls(folder, "agent")
        ) as asker:
            said = {"intent_id": "FinalizeOutput", "inputs": {"text": "hello"}}
            first = await asker.act(said)
            told += [first, await asker.act({**said, "constraints": {"tx_id": first["tx_id"]}})]
            note = {"intent_id": "MemoryWrite", "inputs": {"key": "note", "text": "remember"}}
            second = await asker.act(note)
            (one,) = waiting(folder / "gateway")
            confirm_one(folder / "gateway", one.id, "anna", key_file=folder / "office" / "keys" / "approver.key")
            told += [second, await asker.act({**note, "constraints": {"tx_id": second["tx_id"]}})]
        return [one["status"] for one in told]

    async def refused(name, files, place):
        """Why nobody of this certificate is heard there."""
        client = Client(name, read_address(place), files, 5)
        try:
            return await client.post("/act", b"{}")
        except AuthorityError as error:
            return error
        finally:
            await client.close()

    async def run():
        async with running([folder / role / "settings.json" for role in ORDER], lambda: all_work(folder, placed)):
            assert await acted() == ["PREVIEW", "OK", "CONFIRM", "OK"]
            wrong = {
                "another authority": ("gateway", tls(other, "agent"), at["gateway"]["http"]),
                "an agent at the executor": ("executor", tls(folder, "agent"), at["executor"]["http"]),
                "an agent at a policy server": ("p0", tls(folder, "agent"), at["p0"]["http"]),
                "one policy server at the other": ("p1", tls(folder, "p0"), at["p1"]["http"]),
                "the monitor at the executor": ("executor", tls(folder, "monitor"), at["executor"]["http"]),
                "the gateway where figures are": ("p0", tls(folder, "gateway"), at["p0"]["watch"]),
                "a party that is another than it should be": ("p1", tls(folder, "gateway"), at["p0"]["http"]),
            }
            for what, case in wrong.items():
                assert isinstance(await refused(*case), AuthorityError), what
            assert await asyncio.to_thread(without_a_certificate, folder, at["executor"]["http"]) in (b"", None)
            found = await asyncio.to_thread(works, other / "monitor" / "tls", "p0", at["p0"]["watch"])
            assert "does not answer" in found
            assert await acted() == ["PREVIEW", "OK", "CONFIRM", "OK"]

    asyncio.run(run())


def without_a_certificate(folder, place):
    """What a client hears that has the authority's certificate and none of its own."""
    address = read_address(place)
    context = ssl.create_default_context(cafile=str(folder / "agent" / "tls" / "authority.crt"))
    try:
        with context.wrap_socket(
            socket.create_connection((address.host, address.port), 5), server_hostname=address.host
        ) as sock:
            sock.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
            return sock.recv(100)
    except OSError:
        return None


def test_a_folder_has_no_secret_of_another_party(made):
    folder, _, _ = made
    secret = {path: path.read_bytes() for path in folder.rglob("*.key")}
    assert {path.name for path in secret} == {
        "handle.key", "p0.key", "p1.key", "operator.key", "approver.key", "authority.key",
        *(f"{name}.key" for name in (*ORDER, *VISITORS)),
    }  # fmt: skip
    for path, value in secret.items():
        whose = path.relative_to(folder).parts[0]
        holders = {
            file.relative_to(folder).parts[0]
            for file in folder.rglob("*")
            if file.is_file() and value in file.read_bytes()
        }
        assert holders == {whose}, path
        assert path.stat().st_mode & 0o077 == 0
    assert {
        path.parent.parent.name for path in secret if path.name in ("operator.key", "approver.key", "authority.key")
    } == {"office"}
    for role in ORDER:
        held = {path.name for path in (folder / role / "keys").glob("*.key")}
        assert held == set(SECRETS.get(role, ())[1:]), role


def test_what_is_there_stays(made, tmp_path):
    folder, placed, parties = made
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert kept_network(folder) == placed
    assert make_folders(folder, placed, None) == parties
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    policy = tmp_path / "more.policy"
    policy.write_text(POLICY.replace("note", "note other"))
    first = epoch_of(folder / "office" / "built")
    make_folders(folder, placed, policy)
    assert epoch_of(folder / "office" / "built") > first
    assert (folder / "office" / "policy" / "remit.policy").read_text() == policy.read_text()
    changed = {path for path in before if path.read_bytes() != before[path]}
    assert not {path for path in changed if path.suffix in (".key", ".crt", ".pub")}
    make_folders(folder, placed, None, renew=True)
    changed = {
        path.name for path in before if path.suffix in (".key", ".crt", ".pub") and path.read_bytes() != before[path]
    }
    assert changed == {f"{name}.{kind}" for name in (*ORDER, *VISITORS) for kind in ("key", "crt")}
    assert (folder / "p0" / "keys" / "p0.key").read_bytes() == before[folder / "p0" / "keys" / "p0.key"]


def test_a_host_that_moved_has_another_certificate(made):
    folder, placed, _ = made
    before = {name: (folder / name / "tls" / f"{name}.crt").read_bytes() for name in ORDER}
    make_folders(folder, placed.changed({"p0": "localhost"}, None, None, None), None)
    after = {name: (folder / name / "tls" / f"{name}.crt").read_bytes() for name in ORDER}
    assert {name for name in ORDER if before[name] != after[name]} == {"p0"}
    assert json.loads((folder / "gateway" / "settings.json").read_text())["reach"]["p0"].startswith("tls:localhost:")


def test_several_executors_and_gateways_have_one_folder_and_the_stores_that_they_share(made):
    folder, placed, _ = made
    several = placed.changed({"executor": "localhost,127.0.0.1", "gateway": "127.0.0.1,localhost"}, None, None, None)
    for role, name in (("executor", "memory-server"), ("gateway", "state-server")):
        (folder / role / "keys" / name).write_text("postgresql://remit@db.example.org/remit")
    make_folders(folder, several, None)
    executor, gateway = (read_settings(folder / role / "settings.json") for role in ("executor", "gateway"))
    assert gateway.executors == ["executor", "executor-2"]
    assert [gateway.reach[name].host for name in gateway.executors] == ["localhost", "127.0.0.1"]
    assert "memory" not in executor.files
    assert executor.file("memory-server").read_text() == gateway.file("state-server").read_text()
    shown = x509.load_pem_x509_certificate((folder / "executor" / "tls" / "executor.crt").read_bytes())
    names = shown.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(one.value) for one in names} == {"executor", "localhost", "127.0.0.1"}
    assert kept_network(folder) == several
    assert len(several.network.places("gateway", "watch")) == 2


@each_row(
    "changes",
    [{"hosts": {"p0": "gateway"}}, {"hosts": {"p1": "a,b"}}, {"hosts": {"executor": "a,gateway"}}, {"hosts": {"executor": "a,"}}, {"hosts": {"p0": "monitor"}}, {"hosts": {"p0": "p0 example"}}, {"hosts": {"p0": "a/b"}},
     {"port": 80}, {"port": 65530}, {"listen": "everywhere"}],
)  # fmt: skip
def test_a_wrong_network_is_refused_before_anything_is_written(tmp_path, changes):
    hosts = {role: role for role in ORDER} | changes.pop("hosts", {})
    network = Network(hosts, **{"port": 7440, "listen": "0.0.0.0", **changes})
    with pytest.raises(UsageError):
        make_folders(tmp_path / "parties", PartyFolders(network), None)
    assert not (tmp_path / "parties").exists()


def test_a_folder_that_is_gone_is_not_made_up(made):
    folder, placed, _ = made
    (folder / "p1").rename(folder.with_name("elsewhere"))
    with pytest.raises(InputError, match="is gone"):
        make_folders(folder, placed, None)


def test_no_party_has_a_list_and_servers_have_no_key_of_a_policy(made):
    """Plain values stay in the office; servers hold rows, and neither the keys of places nor those of tags."""
    folder, _, _ = made
    held = {path: path.read_bytes() for role in ORDER for path in (folder / role).rglob("*") if path.is_file()}
    assert not [path for path in held if path.suffix in (".policy", ".txt")]
    known = {
        role: json.loads((folder / role / "policy" / f"{role}.layout").read_bytes()) for role in ("gateway", "executor")
    }
    keys = {name: bytes.fromhex(known["gateway"][name]) for name in ("table_key", "binding_key")}
    keys |= {f"tag key of {role}": bytes.fromhex(told["tag_key"]) for role, told in known.items()}
    for name, value in keys.items():
        holders = {
            path.relative_to(folder).parts[0]
            for path, data in held.items()
            if value in data or value.hex().encode() in data
        }
        assert holders == ({name.rpartition(" ")[2]} if "tag" in name else {"gateway", "executor"})


def test_a_build_has_keys_of_its_own_and_an_epoch_that_does_not_go_back(made, tmp_path):
    folder, placed, _ = made
    layout = folder / "gateway" / "policy" / "gateway.layout"
    before = json.loads(layout.read_bytes())
    (folder / "office" / "built" / "epoch.json").unlink()  # what is known of the last build is lost
    make_folders(folder, placed, None)
    after = json.loads(layout.read_bytes())
    assert after["epoch"] >= before["epoch"]
    assert not {before[name] for name in ("table_key", "tag_key")} & {after[name] for name in ("table_key", "tag_key")}
    assert before["binding_key"] == after["binding_key"], "what waits for an approver is bound by it"


def test_addresses_of_both_kinds_are_read():
    for text in ("tls:127.0.0.1:7440", "tls:[::1]:7440", "tls:p0.example.org:1"):
        assert str(read_address(text)) == text
    for text in ("tls:::1:7440", "tls:[p0]:1", "tls:[]:1", "tls:[::1:7440"):
        with pytest.raises(UsageError):
            read_address(text)


def test_the_command_as_a_user_sees_it(tmp_path, capsys, snapshot, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["deploy", "parties", "--host", "p0=p0.example.org", "--host", "p1=10.0.2.7"]) == 0
    shown = capsys.readouterr().out.replace(str(tmp_path), "…")
    assert re.sub(r"number \d+", "number N", shown) == snapshot
    assert main(["deploy", "parties", "--host", "executor=gateway"]) == 2
    assert "as another party is" in capsys.readouterr().err
    assert main(["deploy", "nowhere", "--status"]) == 2
    assert "there is no installation" in capsys.readouterr().err
    assert not Path("nowhere").exists()
    port = free_port()
    hosts = [word for role in ORDER for word in ("--host", f"{role}=127.0.0.1")]
    assert main(["deploy", "parties", *hosts, "--port", str(port)]) == 0
    capsys.readouterr()
    assert main(["deploy", "parties", "--status", "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)["parties"]
    assert [one["works"] for one in told] == [False] * len(ORDER)


def test_files_of_deploy_name_what_the_command_makes(tmp_path):
    """The compose file and the unit find settings and state where the command says they are."""
    root = Path(__file__).resolve().parents[2] / "deploy"
    make_folders(tmp_path / "parties", kept_network(tmp_path / "parties"), None)
    compose, unit = (root / "compose.yaml").read_text("utf-8"), (root / "systemd" / "remit@.service").read_text("utf-8")
    for role in ORDER:
        assert f"/{role}:/etc/remit:ro" in compose
        settings = json.loads((tmp_path / "parties" / role / "settings.json").read_text())
        assert all(place.split(":")[1] in ORDER for place in settings["reach"].values())
        written = [path for path in settings["files"].values() if path.startswith("/")]
        assert all(path.startswith(f"/var/lib/remit/{role}/") for path in written)
        assert not written or f":/var/lib/remit/{role}" in compose
    port = kept_network(tmp_path / "parties").network.at("gateway", "http").rpartition(":")[2]
    assert f'"{port}:{port}"' in compose
    assert "StateDirectory=remit/%i" in unit
    assert "/etc/remit/%i/settings.json" in unit


def test_tls_of_an_older_version_is_not_spoken(made):
    folder, _, _ = made
    assert asking_context(tls(folder, "agent")).minimum_version is ssl.TLSVersion.TLSv1_3
