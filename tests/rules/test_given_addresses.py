"""An address that the caller gives, or the host or port in one, is what the caller gives: not anything."""

import pytest

GIVEN = {
    "the whole": ('curl "$URL"', {"<env:URL>"}),
    "its beginning": ('curl "$URL/api/x?y=1"', {"<env:URL>"}),
    "its host": ('curl "https://${HOST}/x"', {"<env:HOST>"}),
    "its host, with a port": ('curl "http://$HOST:8000/x"', {"<env:HOST>"}),
    "its host and port": ('curl "http://$HOST:$PORT/x"', {"<env:HOST>"}),
    "its port": ('curl "http://localhost:$PORT/x"', {"localhost"}),
    "without quotes": ("curl $URL", {"<env:URL>"}),
    "a part of the name": ('curl "https://$HOST.example/x"', {"any"}),
    "a part of the name in a domain": ('curl "https://$HOST.a.example/x"', {"any", "*.a.example"}),
    "what ends in a name": ('curl "https://a.example$PART/x"', {"any"}),
    "two pieces": ('curl "https://$ONE$TWO/x"', {"any"}),
}


@pytest.mark.parametrize(("code", "scopes"), GIVEN.values(), ids=GIVEN)
def test_the_host_of_an_address_that_is_given(shell, code, scopes):
    assert shell(code + "\n").scopes("web.fetch") == scopes


def test_an_address_that_is_given_is_no_file(shell):
    assert not shell('curl "$URL"\n').scopes("file.read")
    assert "any" in shell('read -r url < list.txt\ncurl "$url"\n').scopes("file.read")


def test_a_key_that_the_agent_has_to_find_is_one_that_the_model_gives(skill):
    text = 'Run:\n\n```bash\ncurl -H "Authorization: Bearer YOUR_KEY" https://a.example/x\n```\n'
    assert skill({}, text).scopes("secret.read") == {"<model>"}


def test_what_is_split_by_the_script_itself_is_not_what_the_caller_gives(shell):
    assert shell("rm $1\n").scopes("file.delete") == {"<arg>"}
    assert "any" in shell("IFS=/\nrm $1\n").scopes("file.delete")


def test_servers_that_names_are_asked_of(node):
    code = "const dns = require('dns');\nnew dns.Resolver().setServers(['192.0.2.3:53']);\n"
    assert node(code).scopes("net.connect") == {"192.0.2.3:53"}


def test_a_file_in_a_folder_of_the_caller_that_the_skill_writes_is_not_the_callers(shell):
    found = shell('curl -s https://a.example/x > "$1/x.sh"\nbash "$1/x.sh"\n')
    assert found.opaque
    assert not shell('bash "$1/x.sh"\n').opaque


def test_a_file_that_the_caller_names_and_the_skill_writes_is_not_the_callers(shell):
    assert shell('curl -s https://a.example/x > "$1"\nbash "$1"\n').opaque
    assert not shell('bash "$1"\n').opaque


BESIDE = {
    "p.with_suffix('.b').write_text('')": "<arg>/../*.b",
    "(p.parent / 'a').write_text('')": "<arg>/../a",
    "open(sys.argv[1] + '.b', 'w')": "<arg>/../*.b",
    "open(f'{sys.argv[1]}.b', 'w')": "<arg>/../*.b",
    "open(sys.argv[1] + '/b', 'w')": "<arg>/b",
    "open(sys.argv[1] + '/../b', 'w')": "any",
    "open(p.parent.name, 'w')": "any",
    "(p.parent.parent / 'a').write_text('')": "any",
}


@pytest.mark.parametrize(("code", "scope"), BESIDE.items())
def test_what_lies_beside_a_path_of_the_caller(python, code, scope):
    found = python(f"from pathlib import Path\nimport sys\np = Path(sys.argv[1])\n{code}\n")
    assert found.scopes("file.write") == {scope}


@pytest.mark.parametrize(
    ("code", "scope"),
    [
        ('mkdir -p "$(dirname "$1")"', "<arg>/.."),
        ('touch "${1}.b"', "<arg>/../*.b"),
        ('mkdir "$1/."', "<arg>"),
        ('mkdir "$(dirname "$(dirname "$1")")"', "any"),
    ],
)
def test_the_folder_of_a_path_of_the_caller(shell, code, scope):
    assert shell(code + "\n").scopes("file.write") == {scope}


def test_a_part_of_a_path_that_the_caller_gives(python):
    found = python("import sys\nopen('out/' + sys.argv[1], 'w')\n")
    assert found.scopes("file.write") == {"./out/**", "<arg>"}
    found = python("import sys\nopen('out/' + sys.argv[1] + '.b', 'w')\n")
    assert found.scopes("file.write") == {"./out/**", "<arg>/../*.b"}
    assert "any" in python("import sys\nopen('out/' + sys.argv[1] + open('x').read(), 'w')\n").scopes("file.write")
    assert "argument-paths" in found.assumptions
