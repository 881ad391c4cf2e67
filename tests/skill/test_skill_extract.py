import json

from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.skill.config_commands import READERS, extract


def texts(reader, data):
    return [(held.text, held.line) for held in extract(reader, data.encode()) if not held.opaque]


def opaque(reader, data):
    return [(held.opaque, held.line) for held in extract(reader, data.encode()) if held.opaque]


def test_agent_settings():
    data = json.dumps(
        {
            "hooks": {"Stop": [{"hooks": [{"type": "command", "command": 'a "b"'}]}]},
            "apiKeyHelper": "/bin/k",
            "mcpServers": {"x": {"command": "npx", "args": ["-y", "p q"]}},
        },
        indent=1,
    )
    assert [text for text, _ in texts("hooks", data)] == ["/bin/k", 'a "b"', "npx -y 'p q'"]
    rows = data.split("\n")
    assert all(text.split()[0] in rows[line - 1] for text, line in texts("hooks", data))


def test_settings_with_comments():
    assert texts("hooks", '{\n // why\n "hooks": [{"command": "a // b"},],\n}') == [("a // b", 3)]


def test_plugin_that_names_its_hooks():
    assert [held.form for held in extract("hooks", b'{"hooks": "./h.json"}')] == ["include"]


def test_package_scripts():
    held = extract("package", b'{\n"scripts": {\n"postinstall": "curl x",\n"test": "jest"}}')
    assert [(one.text, one.line, one.asked) for one in held] == [("curl x", 3, False), ("jest", 4, True)]
    assert extract("package", b'{"name": "x"}') == []


def test_devcontainer():
    assert texts(
        "devcontainer",
        '{"postCreateCommand": "a b",\n"onCreateCommand": ["c", "d e"],\n"postStartCommand": {"x": "f"}}',
    ) == [("a b", 1), ("c 'd e'", 2), ("f", 3)]


def test_editor_tasks():
    assert texts("vscode-tasks", '{"tasks": [{"command": "make",\n"args": ["x"]}]}') == [("make x", 1)]
    assert opaque("vscode-launch", '{"configurations": [{"request": "launch"}]}')


def test_workflow():
    data = "on: push\njobs:\n  a:\n    steps:\n      - uses: a/b@v1\n      - run: |\n          one ${{ x }}\n          two\n      - run: three\n"
    held = [one for one in extract("yaml-run", data.encode()) if not one.opaque]
    assert held[0].lines[:2] == (7, 8)
    assert list(held[0].holes.values()) == ["${{ x }}"]
    assert (held[1].text, held[1].line) == ("three", 9)
    assert opaque("yaml-run", data) == [("the workflow runs code from `a/b@v1`", 5)]


def test_precommit():
    data = "repos:\n- repo: local\n  hooks:\n  - id: x\n    entry: ./x.sh\n- repo: https://h/x\n"
    assert texts("precommit", data) == [("./x.sh", 5)]
    assert len(opaque("precommit", data)) == 1


def test_compose():
    assert texts(
        "compose",
        "services:\n  a:\n    command: run x\n    entrypoint: [sh, -c, 'y z']\n    healthcheck:\n      test: [CMD-SHELL, 'curl x']\n",
    ) == [("run x", 3), ("sh -c 'y z'", 4), ("curl x", 6)]


def test_pyproject():
    assert texts("pyproject", '[project]\nname = "x"\n[tool.poe.tasks]\na = "rm x"\nb = {cmd = "ls"}\n') == [
        ("rm x", 4),
        ("ls", 5),
    ]
    assert opaque("pyproject", '[build-system]\nbuild-backend = "own"\nbackend-path = ["."]\n') == [
        ("the folder is built by `own`", 2)
    ]
    assert opaque("pyproject", '[build-system]\nbuild-backend = "hatchling.build"\n') == []


def test_toml_commands():
    assert texts("toml-commands", 'prompt = """\nsee !{git log {{args}}}\n"""\n')[0][1] == 2
    assert texts("toml-commands", '[mcp_servers.x]\ncommand = "npx"\nargs = ["y"]\n') == [("npx y", 2)]
    assert texts("toml-commands", 'notify = ["sh", "-c", "a b"]\n') == [("sh -c 'a b'", 1)]


def test_tox():
    held = extract("tox", b"[testenv]\ncommands =\n    pytest {posargs}\n    - rm -rf x\n")
    assert [one.line for one in held] == [3, 4]
    assert list(held[0].holes.values()) == ["{posargs}"]
    assert held[1].text == "rm -rf x"


def test_pth():
    assert [(one.language, one.text, one.line) for one in extract("pth", b"# x\nimport os; os.system('x')\n")] == [
        ("python", "import os; os.system('x')", 2)
    ]
    assert opaque("pth", "../lib\n")


def test_dockerfile():
    data = 'FROM x\nRUN --mount=type=cache,target=/x apt-get update && \\\n  # why\n  apt-get install y\nCMD ["a", "b c"]\nRUN <<EOF\nrm x\nEOF\nENTRYPOINT run me\nRUN [ -f x ] && y\n'
    found = extract("dockerfile", data.encode())
    assert [one.line for one in found] == [2, 5, 7, 9, 10]
    assert found[0].text.startswith("apt-get update")
    assert found[0].text.rstrip().endswith("apt-get install y")
    assert [one.text for one in found[1:]] == ["a 'b c'", "rm x", "run me", "[ -f x ] && y"]


@each_row("reader", sorted(READERS))
def test_what_cannot_be_read_is_opaque_never_nothing(reader):
    for data in (b"{", b"[1, 2", b"\xff\xfe\x00", b"a: [", b"= ="):
        for held in extract(reader, data):
            assert held.opaque or held.text
    if reader not in {"pth", "dockerfile"}:
        assert all(held.opaque for held in extract(reader, b"{ [ = :"))


@given(st.sampled_from(sorted(READERS)), st.binary(max_size=200))
def test_any_bytes(reader, data):
    for held in extract(reader, data):
        assert held.line >= 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["hooks", "command", "args", "scripts", "tasks", "a"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.sampled_from(["hooks", "package", "devcontainer", "vscode-tasks", "vscode-launch"]), json_values)
def test_any_json(reader, value):
    for held in extract(reader, json.dumps(value).encode()):
        assert held.line >= 1


def test_addresses_that_the_host_sends_to():
    assert texts("hooks", '{"mcpServers": {"x": {"url": "https://h/x"}}}') == [("curl -d @- https://h/x", 1)]
    assert texts("hooks", '{"homepage": {"url": "https://h/x"}}') == []
