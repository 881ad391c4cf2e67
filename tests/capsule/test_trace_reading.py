"""The log of strace, line by line: what it says, and what cannot be read."""

from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.capsule.run import Watch
from remit.capsule.trace import Act, ActKind, Acts, Exit, Outcome, Reader, SystemCall, quoted, unescape


def read(*lines):
    reader = Reader()
    found = [item for item in map(reader.line, lines) if item]
    return [*found, *reader.rest()], reader.problems


def acts(*lines, folder="/skill"):
    found, problems = read(*lines)
    reading = Acts(folder)
    out = [act._replace(by="") for act in (*reading.of(found), *reading.rest())]
    return out, problems + reading.problems


def test_a_call():
    found, problems = read('7 openat(AT_FDCWD</skill>, "a.txt", O_RDONLY|O_CLOEXEC) = 3</skill/a.txt>')
    assert not problems
    assert found == [
        SystemCall(7, "openat", ("AT_FDCWD</skill>", '"a.txt"', "O_RDONLY|O_CLOEXEC"), 3, "", "/skill/a.txt")
    ]


def test_a_failure_and_an_end():
    found, problems = read('7 unlink("x") = -1 ENOENT (No such file or directory)', "7 +++ exited with 0 +++")
    assert not problems
    assert [found[0].result, found[0].error, found[1]] == [-1, "ENOENT", Exit(7)]


def test_calls_that_are_interrupted_by_others():
    found, problems = read(
        '7 unlink("x" <unfinished ...>', '8 unlink("y") = 0', "7 <... unlink resumed>) = 0", "8 exit_group(0) = ?"
    )
    assert not problems
    assert [(call.pid, call.args, call.result) for call in found[:2]] == [(8, ('"y"',), 0), (7, ('"x"',), 0)]


def test_a_call_that_did_not_return_may_have_taken_effect():
    found, problems = acts('7 unlinkat(AT_FDCWD</skill>, "x", 0 <unfinished ...>', "7 +++ killed by SIGKILL +++")
    assert not problems
    assert found == [Act(ActKind.DELETE, "/skill/x")]


def test_processes_in_a_namespace_are_followed_by_the_numbers_of_the_observer():
    found, _ = acts(
        '7 chdir("/tmp") = 0',
        "7 clone(child_stack=NULL, flags=SIGCHLD) = 2 /* 99 in strace's PID NS */",
        '99 unlink("x") = 0',
        '5 unlink("y") = 0',
    )
    assert [act.object for act in found] == ["/tmp/x", "/skill/y"]


UNREADABLE = [
    "",
    "garbage",
    '7 openat(AT_FDCWD</skill>, "a',
    '7 unlink("x") = what',
    "7 <... unlink resumed>) = 0",
    "7 ???( <unfinished ...>",
    'unlink("x") = 0',
    "strace: Process 7 attached",
]


@each_row("line", UNREADABLE)
def test_what_cannot_be_read_is_a_problem(line):
    assert read(line)[1]


NASTY = [
    'x") = -1 ENOENT (No such file or directory)',
    "a, b) = 0",
    "a<b>c",
    "tab\tnew\nline",
    'quote"s and back\\slash',
    "bytes \udcff",
    "é世界",
    "* 9 in strace's PID NS *",
    " <unfinished ...>",
]


def escaped(name):
    """As strace writes a name."""
    out = ""
    for byte in name.encode("utf-8", "surrogateescape"):
        char = chr(byte)
        plain = 32 <= byte < 127 and char not in '"\\<>'
        out += char if plain else {'"': '\\"', "\\": "\\\\"}.get(char) or f"\\{byte:03o}"
    return out


@each_row("name", NASTY)
def test_a_name_cannot_imitate_the_log(name):
    line = f'7 openat(AT_FDCWD</skill>, "{escaped(name)}", O_WRONLY|O_CREAT, 0666) = 3</skill/{escaped(name)}>'
    found, problems = acts(line)
    assert not problems
    assert found == [Act(ActKind.WRITE, f"/skill/{name}")]


@given(st.text(st.characters(blacklist_characters="/\0"), min_size=1).filter(lambda name: name not in (".", "..")))
def test_any_name_is_read_back(name):
    try:
        name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return
    found, problems = acts(f'7 unlinkat(AT_FDCWD</skill>, "{escaped(name)}", 0) = 0')
    assert not problems
    assert found == [Act(ActKind.DELETE, f"/skill/{name}")]


@given(st.text(alphabet='ab"\\<>(){}[], =/*.07\n', max_size=60))
def test_no_line_is_fatal_and_none_is_passed_over(line):
    found, problems = read(f"7 unlink({line}")
    assert problems or found or line.endswith(" <unfinished ...>")


def test_texts():
    assert unescape(r"\303\251 \x41 \n") == "é A \n"
    assert quoted('"a"') == "a"
    assert quoted('"a"...') is None
    assert quoted("NULL") is None


def test_links_that_are_made_moved_and_removed():
    found, _ = acts(
        '7 symlinkat("/etc", AT_FDCWD</skill>, "l") = 0',
        '7 unlinkat(AT_FDCWD</skill>, "l/passwd", 0) = -1 EROFS (Read-only file system)',
        '7 renameat2(AT_FDCWD</skill>, "l", AT_FDCWD</skill>, "m", 0) = 0',
        '7 unlinkat(AT_FDCWD</skill>, "m/group", 0) = -1 EROFS (Read-only file system)',
        '7 unlinkat(AT_FDCWD</skill>, "m", 0) = 0',
        '7 unlinkat(AT_FDCWD</skill>, "m/x", 0) = -1 ENOENT (No such file or directory)',
    )
    assert [(act.object, act.outcome) for act in found if act.kind is ActKind.DELETE] == [
        ("/etc/passwd", Outcome.REFUSED),
        ("/skill/l", Outcome.DONE),
        ("/etc/group", Outcome.REFUSED),
        ("/skill/m", Outcome.DONE),
        ("/skill/m/x", Outcome.ABSENT),
    ]


def test_links_in_a_circle_come_to_an_end():
    found, problems = acts(
        '7 symlinkat("b", AT_FDCWD</skill>, "a") = 0',
        '7 symlinkat("a", AT_FDCWD</skill>, "b") = 0',
        '7 unlinkat(AT_FDCWD</skill>, "a/x", 0) = -1 ELOOP (Too many levels of symbolic links)',
    )
    assert not problems
    assert found[-1].outcome is Outcome.ABSENT


QUESTION = rb"\23\230\1\0\0\1\0\0\0\0\0\0\3api\7example\3com\0\0\1\0\1".decode()


def test_a_name_is_read_from_the_question():
    found, problems = acts(
        '7 connect(3<socket:[5]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
        f'7 sendto(3<socket:[5]>, "{QUESTION}", 33, MSG_NOSIGNAL, NULL, 0) = 33',
    )
    assert not problems
    assert found == [Act(ActKind.LOOKUP, "api.example.com", Outcome.REFUSED)]


@each_row("data", [QUESTION[:20], "tunnel", r"\0" * 40, QUESTION.replace(r"\3api", r"\77api")])
def test_a_question_that_cannot_be_read_is_one_for_any_host(data):
    found, _ = acts(
        '7 connect(3<socket:[5]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
        f'7 sendto(3<socket:[5]>, "{data}", 33, MSG_NOSIGNAL, NULL, 0) = 33',
    )
    assert found == [Act(ActKind.LOOKUP, "", Outcome.REFUSED)]


def test_addresses():
    found, _ = acts(
        "7 connect(3<socket:[5]>, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), "
        'inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = -1 ENETUNREACH (Network is unreachable)',
        "7 connect(3<socket:[6]>, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), "
        'inet_pton(AF_INET6, "::ffff:192.0.2.1", &sin6_addr), sin6_scope_id=0}, 28) = -1 EINPROGRESS (Operation now in progress)',
        '7 bind(4<socket:[7]>, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("0.0.0.0")}, 16) = 0',
        "7 listen(4<socket:[7]>, 5) = 0",
    )
    assert [act.object for act in found] == ["2001:db8::1:443", "192.0.2.1:80", "0.0.0.0:0"]


@each_row(
    ("line", "problem"),
    [
        ("7 io_uring_setup(8, {flags=0}) = 3<anon_inode:[io_uring]>", "io_uring"),
        ("7 clone(child_stack=NULL, flags=CLONE_UNTRACED|SIGCHLD) = 5", "cannot be watched"),
        ("7 clone3({flags=CLONE_VM|CLONE_UNTRACED, exit_signal=SIGCHLD}, 88) = 5", "cannot be watched"),
        ("7 execve(0x1234, [], NULL) = 0", "unknown name"),
        ("7 openat(AT_FDCWD</skill>, 0x1234, O_RDONLY) = 3<pipe:[1]>", "unknown name"),
    ],
)
def test_what_cannot_be_followed_is_a_problem(line, problem):
    assert any(problem in text for text in acts(line)[1])


TO = 'sin_port=htons({port}), sin_addr=inet_addr("{host}")}}'


def test_a_question_to_another_name_server_is_a_connection():
    """A well-formed question for a host that is granted must not cover up where it goes."""
    other = "{sa_family=AF_INET, " + TO.format(port=53, host="203.0.113.9")
    found, _ = acts(
        f"7 connect(3<socket:[5]>, {other}, 16) = 0",
        f'7 sendto(3<socket:[5]>, "{QUESTION}", 33, MSG_NOSIGNAL, NULL, 0) = 33',
        f'7 sendto(4<socket:[6]>, "{QUESTION}", 33, 0, {other}, 16) = 33',
    )
    assert found == [Act(ActKind.CONNECT, "203.0.113.9:53")] * 2


def test_what_is_sent_cannot_imitate_where_it_goes():
    true = "{sa_family=AF_INET, " + TO.format(port=99, host="203.0.113.9")
    lie = escaped(TO.format(port=53, host="127.0.0.1"))
    found, _ = acts(
        f'7 sendto(4<socket:[6]>, "{lie}", 33, 0, {true}, 16) = 33',
        f'7 sendmsg(4<socket:[6]>, {{msg_name={true}, msg_namelen=16, msg_iov=[{{iov_base="{lie}", iov_len=9}}]}}, 0) = 9',
        f'7 sendmsg(4<socket:[6]>, {{msg_iov=[{{iov_base="{lie}", iov_len=9}}], msg_name={true}}}, 0) = 9',
    )
    assert found == [Act(ActKind.CONNECT, "203.0.113.9:99")] * 3


def test_many_messages_go_to_many_hosts():
    hosts = ["{sa_family=AF_INET, " + TO.format(port=9, host=f"203.0.113.{n}") for n in (1, 2)]
    messages = ", ".join(f'{{msg_hdr={{msg_name={host}, msg_iov=[{{iov_base="x", iov_len=1}}]}}}}' for host in hosts)
    found, _ = acts(f"7 sendmmsg(4<socket:[6]>, [{messages}], 2, 0) = 2")
    assert [act.object for act in found] == ["203.0.113.1:9", "203.0.113.2:9"]


def test_a_question_that_can_be_read_does_not_cover_up_the_next():
    server = '{sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.1")}'
    found, _ = acts(
        f"7 connect(3<socket:[5]>, {server}, 16) = 0",
        f'7 sendto(3<socket:[5]>, "{QUESTION}", 33, MSG_NOSIGNAL, NULL, 0) = 33',
        '7 sendto(3<socket:[5]>, "a secret", 8, MSG_NOSIGNAL, NULL, 0) = 8',
        f'7 sendmsg(4<socket:[6]>, {{msg_name={server}, msg_iov=[{{iov_base="{QUESTION}", iov_len=33}}]}}, 0) = 33',
    )
    assert [act.object for act in found] == ["api.example.com", "", "api.example.com"]


def test_a_socket_in_a_folder_is_a_file():
    found, _ = acts(
        '7 bind(4<socket:[6]>, {sa_family=AF_UNIX, sun_path="s.sock"}, 9) = 0',
        "7 listen(4<socket:[6]>, 5) = 0",
        '7 bind(4<socket:[7]>, {sa_family=AF_UNIX, sun_path=@"hidden"}, 9) = 0',
        "7 listen(4<socket:[7]>, 5) = 0",
    )
    assert found == [Act(ActKind.WRITE, "/skill/s.sock")]


def test_what_the_sandbox_does_when_the_command_has_begun_is_not_of_the_command():
    """Which of the two is first hangs on how busy the machine is."""
    watch = Watch("/usr/bin/prlimit", {})
    for line in (
        '6 openat(AT_FDCWD</>, "/etc/passwd", O_RDONLY) = 3</etc/passwd>',
        '7 execve("/usr/bin/prlimit", ["prlimit"], NULL) = 0',
        '7 execve("/usr/bin/python3", ["python3"], NULL) = 0',
        '6 openat(4</proc>, "self/fd", O_RDONLY|O_DIRECTORY) = 5</proc/1/fd>',
        "7 clone(child_stack=NULL, flags=SIGCHLD) = 8",
        '8 openat(AT_FDCWD</skill>, "/proc/1/cmdline", O_RDONLY) = 3</proc/1/cmdline>',
        "6 getdents64(5</proc/1/fd>, 0x1, 32768 <unfinished ...>",
    ):
        watch.line(line)
    watch.end()
    assert [act.object for act in watch.acts] == ["/proc/1/cmdline"]
