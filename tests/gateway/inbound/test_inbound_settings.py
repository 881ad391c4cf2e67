"""The settings of the inbound gateway: what the file says is what counts, what nobody knows is refused, and each finding is found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.errors import DataError, RemitError, UsageError
from remit.gateway.inbound.access import Access, Auth, Bind, expected, fingerprint
from remit.gateway.inbound.channels import webhook
from remit.gateway.inbound.events import Direct, Gate
from remit.gateway.inbound.findings import checked, findings, kinds
from remit.gateway.inbound.limits import Limit
from remit.gateway.inbound.nodes import devices
from remit.gateway.inbound.nodes.commands import Commands
from remit.gateway.inbound.pairing import OFTEN, Rules
from remit.gateway.inbound.routing import Binding, Identity, Scope, Sessions, linked
from remit.gateway.inbound.settings.loader import FORM, made, read_inbound
from remit.gateway.inbound.settings.values import Agent, ChannelSettings, ModelSettings, Platform, Settings
from remit.gateway.inbound.tool_policy import Caller, Layer, Policy, allowed, apply_layer, joined, names

ALL = """
[access]
bind = "custom"
address = "192.0.2.1"
port = 4711
auth = "token"
token_file = "token"
password_file = "password"
proxies = ["10.0.0.2", "10.1.0.0/24"]
tailnet_users = ["anna@example.org"]
[sessions]
scope = "per-peer"
scopes = {chat = "main"}
links = [["chat:anna", "web:anna", "web:a:b"]]
unlinked = ["chat"]
[channels.web]
kind = "web"
[channels.chat]
kind = "slack"
account = "us"
direct = "named"
named = ["n"]
rooms = ["r"]
roles = ["o"]
unnamed = ["u"]
operators = ["p"]
command = "!"
secret_file = "secret"
token_file = "token"
api = "https://api.test"
voices = ["v"]
pairing = {lifetime = 60, most = 7, per_hour = 7}
[agents.main]
[agents.other]
prompt = "hello"
credential_file = "credential"
elevated = true
elevated_for = ["chat:p"]
tools = {agent = {allow = ["read"], deny = []}, profile = {deny = ["group:web"]}}
[[bindings]]
agent = "other"
channel = "chat"
room = "r"
[tools]
elevated = true
elevated_tools = ["bash"]
global = {deny = ["group:run"]}
[nodes]
extra = ["a.b"]
deny = ["c.d"]
[model]
speaks = "openai"
url = "https://model.test"
name = "m"
key_file = "key"
[authority]
socket = "gate.sock"
[store]
postgres_file = "postgres"
"""
SECRETS = ("token", "password", "secret", "credential", "key", "postgres")


@pytest.fixture
def read(tmp_path):
    for name in SECRETS:
        (tmp_path / name).write_text(f" the {name}\n")
        (tmp_path / name).chmod(0o600)

    def reads(text):
        (tmp_path / "gateway.toml").write_text(text)
        return read_inbound(tmp_path / "gateway.toml")

    return reads


def test_all_that_can_be_said_counts(read):
    found = read(ALL)
    assert found.access == Access(
        Bind.CUSTOM, "192.0.2.1", Auth.TOKEN, fingerprint("the token"), fingerprint("the password"), 9, 12,
        ("10.0.0.2", "10.1.0.0/24"), ("anna@example.org",),
    )  # fmt: skip
    assert found.port == 4711
    people = [(Identity("chat", "anna"), Identity("web", "anna")), (Identity("chat", "anna"), Identity("web", "a:b"))]
    assert found.sessions == Sessions(Scope.PEER, {"chat": Scope.MAIN}, linked(people), frozenset({"chat"}))
    sets = [frozenset(letter) for letter in "nroup"]
    gate = Gate(Direct.NAMED, *sets, "!")
    rules = Rules(60, 7, Limit(7, 514))
    assert found.channels["chat"] == ChannelSettings(
        Platform.SLACK, "us", gate, rules, "the secret", "the token", "https://api.test", frozenset("v")
    )
    assert found.channels["web"] == ChannelSettings(Platform.WEB, "*", Gate(), Rules())
    assert found.agents["main"] == Agent(
        Policy(
            names().all, {"global": Layer(None, ("group:run",)), "global-provider": Layer()}, frozenset({"exec"}), True
        )
    )
    layers = {
        "agent": Layer(("read",), ()),
        "profile": Layer(None, ("group:web",)),
        **found.agents["main"].policy.layers,
    }
    assert found.agents["other"] == Agent(
        Policy(names().all, layers, frozenset({"exec"}), True, True), "hello", "the credential",
        frozenset({Identity("chat", "p")}),
    )  # fmt: skip
    assert found.bindings == (Binding("other", "chat", "*", "r", "*"),)
    assert found.nodes == Commands(frozenset({"a.b"}), frozenset({"c.d"}))
    assert found.model == ModelSettings("openai", "https://model.test", "m", "the key")
    assert (found.authority, found.database) == ("gate.sock", "the postgres")


def test_what_is_not_said_is_closed(read):
    found = read("")
    assert found == Settings(agents=found.agents)
    assert list(found.agents) == ["main"]
    assert found.access == Access()
    assert read('[channels.a]\nkind = "cli"\npairing = {per_hour = 3600}\n').channels["a"].pairing.often == Limit(
        3600, 1
    )
    assert read('[channels.a]\nkind = "cli"\npairing = {most = 1}\n').channels["a"].pairing == Rules(
        most=1, often=OFTEN
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[other]", "`other` is not a field"),
        ("[access", "gateway.toml"),
        ("[access]\nport = 0", "not a whole number"),
        ('[access]\nproxies = ["nobody"]', "`nobody` is no network"),
        ('[access]\ntoken_file = "open"', "open"),
        ('[access]\ntoken_file = "absent"', "absent"),
        ('[[bindings]]\nagent = "nobody"', "names the agent `nobody`"),
        ('[[bindings]]\nagent = "main"\nchannel = "no"', "channel `no` is named"),
        ('[sessions]\nscopes = {no = "main"}', "channel `no` is named"),
        ('[sessions]\nunlinked = ["no"]', "channel `no` is named"),
        ('[sessions]\nlinks = [["no:a", "no:b"]]', "channel `no` is named"),
        ('[agents.main]\ntools = {agent = {deny = ["group:no"]}}', "`group:no` is no group"),
        ('[agents.main]\ntools = {agent = {allow = ["group:no"]}}', "`group:no` is no group"),
        ('[tools]\nglobal = {deny = ["group:no"]}', "`group:no` is no group"),
        (
            "[agents.main]\ntools = {global = {deny = []}}",
            "`global` is not a field of `gateway.toml.agents.main.tools`",
        ),
        ('[channels.a]\nname = "x"', "channels.a"),
    ],
)
def test_what_says_nothing_is_refused(read, tmp_path, text, told):
    (tmp_path / "open").write_text("secret")
    (tmp_path / "open").chmod(0o644)
    with pytest.raises(RemitError) as error:
        read(text)
    assert told in error.value.message


def test_bytes_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "gateway.toml").write_bytes(b"\xff")
    with pytest.raises(UsageError, match=r"gateway\.toml"):
        read_inbound(tmp_path / "gateway.toml")


def test_the_form_is_the_one_that_was_meant(snapshot):
    assert FORM.schema() == snapshot


def test_what_others_send_has_the_form_that_was_meant(snapshot):
    assert [webhook.FORM.schema(), devices._HELLO.schema(), devices._DONE.schema()] == snapshot


def test_which_secret_counts():
    both = Access(token=b"t", password=b"p")
    assert expected(both) == b"p"
    assert expected(both._replace(auth=Auth.TOKEN)) == b"t"
    assert expected(both._replace(password=b"")) == b"t"
    assert expected(both._replace(auth=Auth.NONE)) == expected(Access()) == b""
    assert expected(Access(auth=Auth.PASSWORD, token=b"t")) == b""


def ids(settings):
    return {one.id for one in findings(settings)}


SAFE = Access(token=b"t", token_length=24)
WEB = ChannelSettings(Platform.WEB, "us", Gate(operators=frozenset({"p"})), Rules())
OPEN = Gate(Direct.ANYONE, operators=frozenset({"p"}))
QUIET = Policy(names().all, {"global": Layer(deny=("group:run",))})


@each_row(
    ("access", "found"),
    [
        (Access(), set()),
        (SAFE, set()),
        (SAFE._replace(bind=Bind.TAILNET), set()),
        (SAFE._replace(bind=Bind.LAN), {"gateway.exposed_plain"}),
        (SAFE._replace(bind=Bind.AUTO), {"gateway.exposed_plain"}),
        (SAFE._replace(bind=Bind.CUSTOM, address="192.0.2.1"), {"gateway.exposed_plain"}),
        (SAFE._replace(bind=Bind.CUSTOM), {"gateway.exposed_plain", "gateway.custom_no_address"}),
        (Access(Bind.TAILNET), {"gateway.bind_no_auth"}),
        (Access(proxies=("10.0.0.1",)), {"gateway.proxy_no_auth"}),
        (SAFE._replace(proxies=("10.0.0.1",)), set()),
        (SAFE._replace(proxies=("10.0.0.1", "0.0.0.0/0")), {"gateway.proxy_anyone"}),
        (SAFE._replace(proxies=("::/0",)), {"gateway.proxy_anyone"}),
        (Access(auth=Auth.TOKEN), {"gateway.token_missing"}),
        (Access(auth=Auth.PASSWORD), {"gateway.password_missing"}),
        (SAFE._replace(token_length=23), {"gateway.token_short"}),
        (SAFE._replace(token_length=1), {"gateway.token_short"}),
        (Access(password=b"p", password_length=12), set()),
        (Access(password=b"p", password_length=11), {"gateway.password_short"}),
        (Access(password=b"p", password_length=1), {"gateway.password_short"}),
        (Access(password=b"p", password_length=12, token=b"t", token_length=3), set()),
        (SAFE._replace(auth=Auth.TOKEN, password=b"p", password_length=3), set()),
        (SAFE._replace(tailnet_users=("a",)), {"gateway.tailnet_no_proxy"}),
        (SAFE._replace(tailnet_users=("a",), proxies=("10.0.0.1",)), {"gateway.tailnet_no_proxy"}),
        (SAFE._replace(tailnet_users=("a",), proxies=("10.0.0.1", "127.0.0.1/32")), set()),
        (SAFE._replace(proxies=("127.0.0.1/32",)), set()),
    ],
)
def test_findings_about_access(access, found):
    assert ids(Settings(access)) == found


@each_row(
    ("gate", "kind", "secret", "found"),
    [
        (WEB.gate, Platform.WEB, "", set()),
        (WEB.gate, Platform.CLI, "", set()),
        (WEB.gate, Platform.SLACK, "s", set()),
        *((WEB.gate, kind, "", {"channel.no_token" if kind.opened else "channel.no_secret"}) for kind in Platform if not kind.socket and kind is not Platform.MAIL),
        (WEB.gate, Platform.MAIL, "", {"channel.no_token", "channel.no_mail_server"}),
        (Gate(), Platform.WEB, "", {"channel.no_operator"}),
        (OPEN, Platform.WEB, "", {"channel.direct_anyone"}),
        (OPEN._replace(direct=Direct.NAMED, named=frozenset("*")), Platform.WEB, "", {"channel.direct_anyone"}),
        (OPEN._replace(direct=Direct.NAMED, named=frozenset("a")), Platform.WEB, "", set()),
        (OPEN._replace(direct=Direct.NOBODY, named=frozenset("*")), Platform.WEB, "", set()),
        (OPEN._replace(direct=Direct.NOBODY, named=frozenset("*"), rooms=frozenset("r")), Platform.WEB, "", {"channel.group_anyone"}),
        (OPEN._replace(direct=Direct.NOBODY, named=frozenset("a"), rooms=frozenset("r")), Platform.WEB, "", set()),
        (OPEN._replace(direct=Direct.NOBODY, named=frozenset("*"), rooms=frozenset("r"), roles=frozenset("o")), Platform.WEB, "", set()),
    ],
)  # fmt: skip
def test_findings_about_channels(gate, kind, secret, found):
    settings = Settings(
        channels={"a": WEB._replace(gate=gate, kind=kind, secret=secret)}, agents={"main": Agent(QUIET)}
    )
    assert ids(settings) == found
    assert all(one.at == "channels.a" for one in findings(settings))


def named(*people, direct=Direct.NAMED):
    return WEB._replace(gate=Gate(direct, frozenset(people), operators=frozenset({"p"})))


@each_row(
    ("sessions", "channels", "found"),
    [
        (Sessions(Scope.MAIN), {"a": named()}, set()),
        (Sessions(Scope.MAIN), {"a": named("p")}, set()),
        (Sessions(Scope.MAIN), {"a": named("q")}, {"sessions.main_shared"}),
        (Sessions(Scope.MAIN), {"a": named(), "b": named()}, {"sessions.main_shared"}),
        (Sessions(Scope.MAIN, {"b": Scope.PEER}), {"a": named(), "b": named("q")}, set()),
        (Sessions(Scope.MAIN), {"a": named(direct=Direct.PAIRED)}, {"sessions.main_shared"}),
        (Sessions(Scope.MAIN), {"a": named(direct=Direct.ANYONE)}, {"sessions.main_shared", "channel.direct_anyone"}),
        (Sessions(), {"a": named("q", direct=Direct.PAIRED)}, set()),
        (Sessions(links=linked([(Identity("a", "x"), Identity("a", "y"))])), {"a": named()}, {"sessions.links_unused"}),
        (Sessions(Scope.PEER, links=linked([(Identity("a", "x"), Identity("a", "y"))])), {"a": named()}, set()),
    ],
)
def test_findings_about_sessions(sessions, channels, found):
    assert ids(Settings(sessions=sessions, channels=channels, agents={"main": Agent(QUIET)})) == found


@each_row(
    ("gate", "found"),
    [
        (Gate(Direct.NAMED, frozenset("p"), operators=frozenset("p")), set()),
        (Gate(Direct.NAMED, frozenset("pq"), operators=frozenset("p")), {"agents.workspace_shared"}),
        (Gate(Direct.PAIRED, operators=frozenset("p")), {"agents.workspace_shared"}),
        (Gate(Direct.NOBODY, rooms=frozenset("r"), operators=frozenset("p")), {"agents.workspace_shared"}),
    ],
)
def test_a_workspace_is_shared_by_all_but_one_person_alone(gate, found):
    channels = {"a": WEB._replace(gate=gate)}
    assert ids(Settings(channels=channels, agents={"main": Agent(QUIET, workspace="w")})) == found
    assert ids(Settings(channels=channels, agents={"main": Agent(QUIET)})) == set()


def test_findings_about_tools_and_devices():
    runs = QUIET._replace(layers={})
    assert allowed(names(), runs, Caller()) & names().groups["run"]
    closed = Settings(channels={"a": WEB}, agents={"main": Agent(runs)})
    assert ids(closed) == set()
    assert ids(closed._replace(channels={"a": WEB._replace(gate=OPEN)})) == {"channel.direct_anyone", "tools.run_for_anyone"}  # fmt: skip
    rooms = Gate(Direct.NOBODY, frozenset("*"), frozenset("r"), operators=frozenset("p"))
    assert ids(closed._replace(channels={"a": WEB._replace(gate=rooms)})) == {"channel.group_anyone", "tools.run_for_anyone"}  # fmt: skip
    for words in ((True, True), (True, False), (False, True)):
        policy = QUIET._replace(elevated_global=words[0], elevated_agent=words[1])
        assert ids(Settings(agents={"main": Agent(policy)})) == ({"tools.elevated"} if all(words) else set())
    assert ids(Settings(nodes=Commands(frozenset({"a.b", "c.d"}), frozenset({"a.b"})))) == {"nodes.denied_and_extra"}
    assert ids(Settings(nodes=Commands(frozenset({"c.d"}), frozenset({"a.b"})))) == set()


def test_what_is_grave_does_not_start_and_comes_first():
    settings = Settings(
        Access(Bind.LAN), channels={"b": WEB._replace(gate=Gate()), "a": WEB._replace(kind=Platform.SLACK)}
    )
    found = findings(settings)
    assert [one.id for one in found] == ["channel.no_token", "gateway.bind_no_auth", "channel.no_operator", "gateway.exposed_plain"]  # fmt: skip
    assert [one.kind.grave for one in found] == [True, True, False, False]
    with pytest.raises(UsageError, match=r"channel\.no_token \(channels\.a\)"):
        checked(settings)
    fine = Settings(SAFE._replace(bind=Bind.LAN))
    assert checked(fine) is fine


@pytest.mark.parametrize("line", ["a | grave | x | y\na | warn | x | y", "a | often | x | y"])
def test_a_table_of_findings_that_can_not_be_read(line, tmp_path):
    (tmp_path / "findings.table").write_text(f"[finding]\n{line}\n")
    with pytest.raises(DataError, match=r"findings\.table:"):
        kinds(tmp_path / "findings.table")


@each_row("name", ["\u0435xec", "wirte", "ex\u00adec"])
def test_a_denial_of_a_tool_that_is_nobody_s_is_refused(tmp_path, name):
    path = tmp_path / "gateway.toml"
    path.write_text(f'[channels.web]\nkind = "web"\n[agents.main]\n[tools.global]\ndeny = ["{name}"]\n')
    with pytest.raises(RemitError, match="is no tool"):
        read_inbound(path)


PLACES = """
[channels.garden]
kind = "web"
tools = {deny = ["group:run"]}
[channels.house]
kind = "cli"
tools = {allow = ["group:memory", "group:nodes", "exec"]}
[sessions.tools]
"main/group/garden/any/bed" = {deny = ["memory_put"]}
"main/group/garden/any/bed/thread/7" = {allow = ["group:memory", "exec"]}
"""


def written(folder, text):
    path = folder / "places.toml"
    path.write_text(text)
    return read_inbound(path)


def left(settings, channel, session=""):
    return allowed(names(), settings.policy("main", channel, session), Caller())


def test_a_channel_and_a_session_have_layers_of_their_own(tmp_path):
    settings = written(tmp_path, PLACES)
    assert "exec" not in left(settings, "garden")
    assert left(settings, "house") == {"memory_search", "memory_get", "memory_put", "node_run", "node_list", "exec"}
    bed = "main/group/garden/any/bed"
    assert "memory_put" not in left(settings, "garden", bed)
    assert "read" in left(settings, "garden", bed)
    assert left(settings, "garden", f"{bed}/thread/7") == {"memory_search", "memory_get"}, (
        "a thread has what its room has, and less"
    )
    assert "memory_put" in left(settings, "garden", f"{bed}s")


def test_a_layer_of_a_place_that_names_no_tool_is_refused(tmp_path):
    for bad in (
        '[channels.x]\nkind = "web"\ntools = {deny = ["no_such"]}',
        '[sessions.tools]\n"k" = {deny = ["no_such"]}',
    ):
        with pytest.raises(DataError, match="no_such"):
            written(tmp_path, bad)


def test_an_agent_has_no_layer_of_a_place(tmp_path):
    with pytest.raises(UsageError, match="channel"):
        written(tmp_path, "[agents.main.tools.channel]\ndeny = []")


@given(
    st.lists(
        st.tuples(
            st.none() | st.sets(st.sampled_from(sorted(names().all))), st.sets(st.sampled_from(sorted(names().all)))
        ),
        max_size=4,
    )
)
def test_layers_that_are_joined_leave_what_each_of_them_leaves(drawn):
    layers = [Layer(None if allow is None else tuple(allow), tuple(deny)) for allow, deny in drawn]
    tools, kept = names().all, names().all
    for layer in layers:
        kept = apply_layer(names(), tools, kept, layer)
    assert apply_layer(names(), tools, tools, joined(names(), tools, layers)) == kept


def test_a_client_wants_a_model_of_its_own_kind_where_one_is_set(tmp_path):
    agents = {"main": {"backend": "codex"}}
    assert made({"agents": agents}, tmp_path).agents["main"].backend == "codex"
    with pytest.raises(UsageError, match="wants a model that speaks `openai`"):
        made({"agents": agents, "model": {"speaks": "anthropic", "url": "https://model.test", "name": "m"}}, tmp_path)
