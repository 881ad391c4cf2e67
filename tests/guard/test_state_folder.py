"""The state folder: ours alone, or refused."""

import os
import socket
from pathlib import Path

import pytest

from each_row import each_row
from remit.core.errors import GuardError
from remit.guard.state_folder import (
    checked,
    lies_in,
    prepared,
    private_file,
    private_socket,
    refuse_inside,
    state_folder,
)


@each_row(
    ("environ", "folder"),
    [
        ({"REMIT_STATE": "/s", "XDG_STATE_HOME": "/x", "HOME": "/h"}, "/s"),
        ({"REMIT_STATE": "", "XDG_STATE_HOME": "/x", "HOME": "/h"}, "/x/remit"),
        ({"XDG_STATE_HOME": "x", "HOME": "/h"}, "/h/.local/state/remit"),
    ],
)
def test_where_the_state_lies(environ, folder):
    assert state_folder(environ) == Path(folder)


@each_row("environ", [{}, {"REMIT_STATE": "state", "HOME": "/h"}, {"HOME": "h"}])
def test_a_place_that_follows_the_workspace_is_refused(environ):
    with pytest.raises(GuardError):
        state_folder(environ)


def test_a_new_folder_is_ours_alone(tmp_path):
    found = prepared(tmp_path / "a" / "b")
    assert found.folder.stat().st_mode & 0o777 == 0o700
    assert found == checked(found.folder)


@each_row("mode", [0o701, 0o710, 0o720, 0o702, 0o777])
def test_a_folder_that_others_can_open_is_refused(tmp_path, mode):
    folder = tmp_path / "state"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(GuardError, match="open to others"):
        prepared(folder)


def test_links_files_and_what_is_missing_are_refused(tmp_path):
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "file").touch(mode=0o600)
    for name in ("link", "file", "none"):
        with pytest.raises(GuardError):
            checked(tmp_path / name)
    with pytest.raises(GuardError):
        prepared(tmp_path / "file" / "x")
    for path in (Path("real"), tmp_path / ".." / tmp_path.name / "real"):
        with pytest.raises(GuardError, match="not absolute"):
            checked(path)


def test_a_folder_of_another_user_is_refused(tmp_path, monkeypatch):
    prepared(tmp_path / "state")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(GuardError, match="another user"):
        checked(tmp_path / "state")


def test_a_folder_that_others_can_swap_is_refused(tmp_path):
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    with pytest.raises(GuardError, match="can replace it"):
        prepared(open_to_all / "state")
    open_to_all.chmod(0o1777)  # as /tmp: others cannot rename what is ours
    prepared(open_to_all / "state")


def test_a_path_too_long_for_a_socket_is_refused(tmp_path):
    with pytest.raises(GuardError, match="too long"):
        prepared(tmp_path / ("x" * 100))


def test_files_are_plain_and_ours(tmp_path):
    good = tmp_path / "good"
    good.touch(mode=0o600)
    private_file(good)
    (tmp_path / "link").symlink_to(good)
    (tmp_path / "open").touch()
    (tmp_path / "open").chmod(0o640)
    (tmp_path / "folder").mkdir(mode=0o700)
    for name in ("link", "open", "folder", "none"):
        with pytest.raises(GuardError):
            private_file(tmp_path / name)
    (tmp_path / "twin").hardlink_to(good)
    with pytest.raises(GuardError, match="one name"):
        private_file(good)


def test_sockets_are_sockets_and_ours(tmp_path):
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        path.chmod(0o600)
        private_socket(path)
        path.chmod(0o660)
        with pytest.raises(GuardError, match="open to others"):
            private_socket(path)
    (tmp_path / "link").symlink_to(path)
    (tmp_path / "file").touch(mode=0o600)
    for name in ("link", "file", "none"):
        with pytest.raises(GuardError):
            private_socket(tmp_path / name)


def test_a_folder_in_the_workspace_is_refused(tmp_path):
    work = tmp_path / "work"
    (work / "state").mkdir(parents=True)
    (tmp_path / "beside").mkdir()
    (tmp_path / "way").symlink_to("work")
    (work / "out").symlink_to("../beside")
    for folder in (work, work / "state", tmp_path / "way" / "state", work / "out", work / "none"):
        assert lies_in(folder, work)
        with pytest.raises(GuardError, match="is in the workspace"):
            refuse_inside(folder, work)
    refuse_inside(tmp_path / "beside", work)
    refuse_inside(tmp_path / "workshop", work)
    assert lies_in(work / "state", tmp_path / "way")
