"""The rows of the first screen and the guarantees that they state, from made-up effects."""

from dataclasses import replace

from findings_samples import FOUND, SENDS, end
from report_samples import effect, effects

from each_row import each_row
from remit.checker.report import judge
from remit.core import Location, Opaque, Origin
from remit.core.flow import Flow
from remit.core.via import Cause, Via
from remit.findings.guarantees import GuaranteeSubject, guarantees
from remit.findings.model import Confidence, Role, Severity, Witness
from remit.report.first_screen import RowKind, badness, first_screen, hints


def rows(found):
    return {row.kind: row.whole for row in first_screen(judge(found, None))}


def holding(found):
    return {item.ident for item in guarantees(found) if item.about}


@each_row(
    ("capability", "scope", "words"),
    [
        ("web.post", "<arg>", "talks to hosts you name"),
        ("web.post", "api.yourapp.com", "talks to hosts you name"),
        ("web.post", "<model>", "talks to hosts the agent chooses"),
        ("web.post", "<net>", "talks to hosts that a server names"),
        ("web.post", "any", "talks to any host"),
        ("web.post", "localhost:8080", "talks to this machine"),
        ("web.post", "a.example:443", "talks to hosts that its description does not name: a.example"),
        ("web.post", "a.example:8443", "talks to hosts that its description does not name: a.example:8443"),
    ],
)
def test_hosts_in_words(capability, scope, words):
    assert rows(effects(effect(capability, scope, "a.py", 1, "x")))[RowKind.NETWORK] == words


def test_a_host_of_the_description_is_no_surprise_and_gets_what_flows_there():
    found = effects(
        effect("web.post", "api.acme.example:443", "a.py", 3, "x"), effect("file.read", "<arg>", "a.py", 1, "x")
    )
    flow = Flow(end("file.read", "<arg>", "a.py", 1), end("web.post", "api.acme.example:443", "a.py", 3))
    found = replace(found, described=("api.acme.example",), flows=(flow,))
    assert rows(found)[RowKind.NETWORK] == "talks to api.acme.example (gets files you name)"


def test_a_program_that_works_on_files_and_fetches_something_sends_no_files():
    def by(program, *told):
        return effect(*told)._replace(via=Via(Cause.COMMAND, program))

    read = by("npm install", "file.read", "./**", "a.sh", 1, "x")
    flow = Flow(end("file.read", "./**", "a.sh", 1), end("web.fetch", "a.example", "a.sh", 1))
    found = replace(effects(read, by("npm install", "web.fetch", "a.example", "a.sh", 1, "x")), flows=(flow,))
    assert rows(found)[RowKind.NETWORK].endswith("name: a.example")
    other = replace(effects(read, by("curl", "web.fetch", "a.example", "a.sh", 1, "x")), flows=(flow,))
    assert (
        rows(other)[RowKind.NETWORK].endswith("name: a.example (gets your project)")
        or "gets" in rows(other)[RowKind.NETWORK]
    )


def test_a_secret_stands_with_where_it_goes():
    found = effects(
        effect("secret.read", "env:ACME_KEY", "a.py", 1, "x"), effect("web.post", "a.example", "a.py", 2, "x")
    )
    flow = Flow(end("secret.read", "env:ACME_KEY", "a.py", 1), end("web.post", "a.example", "a.py", 2))
    assert rows(found)[RowKind.SECRETS] == "reads secrets: ACME_KEY"
    assert rows(replace(found, flows=(flow,)))[RowKind.SECRETS] == "reads secrets: ACME_KEY → a.example"


def test_code_that_is_fetched_and_run():
    found = effects(effect("web.fetch", "a.example", "a.sh", 1, "x"), effect("shell.execute", "any", "a.sh", 1, "x"))
    flow = Flow(end("web.fetch", "a.example", "a.sh", 1), end("shell.execute", "any", "a.sh", 1))
    assert rows(replace(found, flows=(flow,)))[RowKind.CODE] == "installs or fetches code: code from a.example (a.sh:1)"
    input_of_jq = flow._replace(sink=end("shell.execute", "jq", "a.sh", 1))
    assert RowKind.CODE not in rows(replace(found, flows=(input_of_jq,)))
    assert RowKind.CODE not in rows(replace(found, flows=(flow,), samples=(flow.sink.where,)))
    assert rows(effects(effect("package.install", "acme", "a.sh", 1, "x")))[RowKind.CODE] == "installs acme"


def test_what_is_installed_is_named_for_what_it_is():
    listed = effect("package.install", "package.json", "a.sh", 1, "x")
    assert rows(effects(listed))[RowKind.CODE] == "installs or fetches code: what package.json lists"
    image = effect("container.run", "web", "a.sh", 1, "x")
    assert rows(effects(image))[RowKind.CODE] == "installs or fetches code: container web"
    inside = image._replace(via=Via(Cause.COMMAND, "docker exec"))
    assert RowKind.CODE not in rows(effects(inside)), "it runs already"


def test_a_credential_that_a_program_keeps_is_no_file():
    assert rows(effects(effect("secret.read", "./gh", "a.py", 1, "x")))[RowKind.SECRETS] == (
        "reads secrets: the credential that gh keeps"
    )


def test_programs_are_named_or_said_to_be_the_callers():
    runs = [effect("shell.execute", name, "a.sh", 1, "x") for name in ("git", "--flag")]
    called = effect("source.execute", "<arg>", "a.sh", 1, "x")._replace(capability="process.create")
    assert rows(effects(*runs, called))[RowKind.WORK] == "runs programs you name, git"


def test_words_alone_that_make_no_concern_are_left_to_the_whole_report():
    said = SENDS._replace(
        severity=Severity.LOW,
        confidence=Confidence.MEDIUM,
        witnesses=(Witness(Role.TEXT, Location("SKILL.md", 3), "so it is"),),
    )
    done = SENDS._replace(severity=Severity.LOW)
    for finding, expected in ((said, False), (done, True)):
        report = judge(effects(effect("file.read", "./a", "a.py", 1, "x")), None, (), (finding,))
        assert (RowKind.FINDING in {row.kind for row in first_screen(report)}) is expected


def test_code_that_is_run_only_if_a_value_begins_with_a_dash():
    fetched, run = effect("web.fetch", "a.example", "a.sh", 1, "x"), effect("source.execute", "any", "a.sh", 2, "x")
    flow = Flow(end("web.fetch", "a.example", "a.sh", 1), end("source.execute", "any", "a.sh", 2))
    possible = run._replace(via=Via(Cause.COMMAND, "git log", "--ext-diff", possible=True))
    assert RowKind.CODE not in rows(replace(effects(fetched, possible), flows=(flow,)))
    assert RowKind.CODE in rows(replace(effects(fetched, possible, run), flows=(flow,)))


def test_tools_that_front_matter_approves_are_not_what_the_skill_does():
    def tool(name, capability, scope="any"):
        via = Via(Cause.SETTING, name, words="pre-approves the tool {}")
        return effect(capability, scope, "SKILL.md", 4, "x", Origin.INSTRUCTED)._replace(via=via)

    write, bash, git = (
        tool("Write", "file.write"),
        tool("Bash", "shell.execute"),
        tool("Bash(git:*)", "shell.execute", "git"),
    )
    shown = rows(effects(write, bash, git))
    assert shown[RowKind.APPROVED] == "your agent need not ask before it uses Write, Bash (any command), Bash(git:*)"
    assert RowKind.WORK not in shown
    code = effect("file.read", "<arg>", "a.py", 1, "x")
    found = holding(effects(code, write))
    assert "no-agent-settings" in found, "that a tool may write files is no act of the code"
    assert "no-programs" not in holding(effects(code, bash))


def test_what_it_reads_and_what_it_writes():
    both = effect("file.read", "./**", "a.py", 1, "x"), effect("file.write", "./**", "a.py", 2, "x")
    assert rows(effects(*both))[RowKind.WORK] == "works on your project"
    apart = effect("file.read", "<arg>", "a.py", 1, "x"), effect("file.write", "any", "a.py", 2, "x"), both[1]
    assert rows(effects(*apart))[RowKind.WORK] == "reads files you name; writes any file"
    beside = effect("file.read", "/**/x/SKILL.md", "a.py", 1, "x")
    assert rows(effects(beside))[RowKind.WORK] == "reads files elsewhere"


def test_what_nobody_starts_and_what_cannot_be_undone():
    found = effects(
        effect("process.create", "npm", "package.json", 3, "x", Origin.HOOK),
        effect("file.delete", "./out/**", "a.py", 1, "x"),
        effect("file.delete", "$TMP/a", "a.py", 2, "x"),
        effect("message.send", "any", "a.py", 3, "x"),
    )
    assert rows(found)[RowKind.UNATTENDED] == "runs by itself: package.json:3 (process.create npm)"
    assert rows(found)[RowKind.LASTING] == "cannot be undone: deletes ./out/**, sends messages"


def test_samples_break_a_guarantee_and_option_like_values_stand_in_its_way():
    wild = effect("web.post", "any", "reference.md", 4, "x", Origin.INSTRUCTED)
    option = effect("file.delete", "any", "a.py", 5, "x")._replace(
        via=Via(Cause.COMMAND, "acme", "--rm", possible=True)
    )
    found = replace(
        effects(wild, option, opaque=[Opaque("odd", Location("reference.md", 9))]),
        samples=(Location("reference.md", 4), Location("reference.md", 9)),
    )
    assert not {"only-hosts", "deletes-no-files"} & holding(found)
    every = {item.ident: item for item in guarantees(found)}
    assert every["installs-nothing"].about is GuaranteeSubject.SCRIPTS
    assert every["no-network"].broken_by == (wild,)
    notes = [one.note for part in every["deletes-no-files"].conditions for one in part.conditions]
    assert notes == ["at a.py:5 (if a value that you pass begins with a dash)", "at reference.md:9 (not understood)"]


def test_a_location_that_is_not_understood_stands_in_the_way_of_everything():
    found = effects(opaque=[Opaque("odd", Location("a.py", 9))])
    assert holding(found) == set()
    shown = rows(found)
    assert RowKind.GUARANTEES not in shown
    assert shown[RowKind.CONDITIONAL].startswith("its code never uses the network, reads no secrets")
    assert shown[RowKind.CONDITIONAL].endswith(", except possibly at a.py:9 (not understood)")


def test_conditions_that_are_too_many_to_be_named_are_left_to_the_whole_report():
    found = effects(opaque=[Opaque("odd", Location("a.py", line)) for line in range(1, 6)])
    assert not {RowKind.GUARANTEES, RowKind.CONDITIONAL} & rows(found).keys()


def test_a_skill_without_code_says_just_that():
    text = rows(effects())
    assert text[RowKind.WORK].startswith("only text: it holds no code and no command")
    assert RowKind.GUARANTEES not in text


def test_installing_uses_the_network():
    (network, *_) = guarantees(effects(effect("package.install", "acme", "a.sh", 1, "x")))
    assert (network.ident, network.broken_by) == ("only-installs", ())
    assert [one.note for one in network.claims[0].conditions] == ["at a.sh:1 (installs a package)"]
    mixed = effects(
        effect("package.install", "acme", "a.sh", 1, "x"), effect("subagent.delegate", "claude", "a.sh", 2, "x")
    )
    assert guarantees(mixed)[0].broken_by


def test_the_next_commands():
    (row,) = (row for row in first_screen(FOUND["review"]) if row.kind is RowKind.HINT)
    assert hints(row) == [("more", "remit check skills/tidy -v"), ("hold it to this", "remit init skills/tidy")]


def test_the_worst_first():
    ranked = sorted(FOUND, key=lambda name: badness(FOUND[name]))
    assert set(ranked[:3]) == {"block", "many", "void"}
    assert ranked[3] == "review"
