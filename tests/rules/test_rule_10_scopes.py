"""Rule 10: scopes are normal forms."""

import pytest


def test_an_absolute_right_side_drops_the_left(python):
    found = python("import os, sys\nopen(os.path.join('/srv/data', sys.argv[1]))\n")
    assert "<arg>" in found.scopes("file.read") or "any" in found.scopes("file.read")


def test_node_resolve_drops_the_left_side_too(node):
    found = node(
        "const fs = require('fs'), path = require('path');\nfs.readFileSync(path.resolve('/srv/data', process.argv[2]));\n"
    )
    assert "<arg>" in found.scopes("file.read") or "any" in found.scopes("file.read")


def test_dots_after_a_hole_are_any(python):
    found = python("import sys\nopen(sys.argv[1] + '/../x')\n")
    assert found.scopes("file.read") == {"any"}


@pytest.mark.parametrize(
    ("url", "scope"),
    [
        ("'https://api.example.com/v1'", "api.example.com:443"),
        ("'https://api.example.com/' + sys.argv[1]", "api.example.com:443"),
        ("'https://api.example.com' + sys.argv[1]", "any"),
        ("f'https://{sys.argv[1]}.example.com/'", "any *.example.com"),
        ("'https://api.example.com@evil.example/'", "any"),
    ],
)
def test_a_host_is_fixed_only_if_its_authority_is_closed(python, url, scope):
    found = python(f"import requests, sys\nrequests.get({url})\n")
    assert found.scopes("web.fetch") == set(scope.split())


def test_a_changed_folder_joins(python):
    found = python("import os\nos.chdir('/srv')\nopen('x', 'w')\n")
    assert "/srv/x" in found.scopes("file.write")


def test_the_shell_keeps_the_order_of_folders(shell):
    found = shell("set -e\n: > a\ncd /srv\n: > b\n")
    assert found.scopes("file.write") == {"./a", "/srv/b"}


def test_a_link_reads_and_writes_its_target(python):
    found = python("import os\nos.symlink('/etc/passwd', 'x')\n")
    assert {"file.read", "file.write"} <= found.capabilities


def test_sensitive_places_are_named(python):
    found = python("from pathlib import Path\n(Path.home() / '.ssh' / 'id_rsa').read_text()\n")
    assert "secret.read" in found.capabilities


@pytest.mark.parametrize("path", ["${PWD%/*}/x", "${HOME%/*}/x", "${PWD%skill}x", '$(dirname "$PWD")/x'])
def test_a_folder_with_something_cut_off_is_another_folder(shell, path):
    assert not {"./x", "~/x"} & shell(f'rm "{path}"\n').scopes("file.delete")


@pytest.mark.parametrize("call", ["os.removedirs('a/b/c/d')", "os.renames('a/b/c/d', 'x')"])
def test_folders_that_became_empty_are_removed_too(python, call):
    found = python(f"import os\n{call}\n")
    assert found.scopes("file.delete") == {"./a/b/c/d", "./a/b/c", "./a/b", "./a"}


@pytest.mark.parametrize("place", ["'a.sock'", "{ path: 'a.sock' }"])
def test_a_socket_is_a_file(node, place):
    found = node(f"require('http').createServer().listen({place});\n")
    assert found.scopes("file.write") == found.scopes("file.delete") == {"./a.sock"}


def test_a_port_is_no_file(node):
    found = node("require('http').createServer().listen(process.env.PORT || '3000');\n")
    assert "file.write" not in found.capabilities
