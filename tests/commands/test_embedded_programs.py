"""Programs in small languages: what is read, what unknown text in them may do, and what is opaque."""

from fake_world import run
from one_command import analysed

from each_row import each_row


def seen(line, **options):
    world, _ = run(line, **options)
    effects = {f"{capability} {scope}" for capability, scope in world.effects if capability != "process.create"}
    return effects | {"opaque" for _ in world.opaques[:1]} | {f"assumes {ident}" for ident in world.assumed}


# Text of the caller in a string, a pattern or a value of a program is data by a printed assumption.
PLACED = (
    "sed s/a/{0}/ f", "sed 's|{0}|b|' f", "sed -n '{0}p' f", "sed '/x/a {0}' f", "awk '$1 == {0}' f", "awk '{print \"{0}\"}' f",
    "awk '/{0}/ {print $1}' f", "jq '.a = \"{0}\"' f", "jq '.[:{0}]' f", "sqlite3 d \"select * from t where a='{0}'\"",
    "psql -c 'select {0}'", "mysql -e 'select {0}'", "ffmpeg -i a -vf scale={0}:-1 b.mp4",
)  # fmt: skip


@each_row("line", PLACED)
def test_text_of_the_caller_inside_a_program(line):
    found = seen(line.replace("{0}", "{ARG}"))
    assert "assumes text-in-programs" in found
    assert "opaque" not in found
    assert "source.execute <any>" not in found


@each_row("line", PLACED)
def test_text_of_unknown_origin_inside_a_program(line):
    found = seen(line.replace("{0}", "{ANY}"))
    assert "opaque" in found or {"file.read <any>", "env.read <any>"} & found


@each_row("line", PLACED)
def test_numbers_inside_a_program(line):
    found = seen(line.replace("{0}", "{NUM}"))
    assert not {"opaque", "source.execute <any>", "assumes text-in-programs"} & found


@each_row(
    "line",
    [
        "sed {0} f",
        "sed 's/a/b/;{0}' f",
        "awk {0} f",
        "awk '{print} {0}' f",
        "sqlite3 d {0}",
        "psql -c 'select 1; {0}'",
        "mysql -e {0}",
        "dc -e {0}",
    ],
)
@each_row(("hole", "is_opaque"), [("{ARG}", False), ("{FILE}", True), ("{NET}", True), ("{ANY}", True)])
def test_text_that_may_be_the_program(line, hole, is_opaque):
    found = seen(line.replace("{0}", hole))
    assert {"source.execute <any>", "shell.execute <any>", f"source.execute <{hole[1:-1].lower()}>"} & set(found)
    assert (
        "opaque" in found
    ) is is_opaque or "shell.execute <any>" in found  # a word that may be an option is every option


def test_names_of_files_cannot_leave_a_pattern_that_ends_in_a_slash():
    assert "source.execute <any>" not in seen("sed -e s/a/{GLOB}/ f")
    assert "source.execute <any>" in seen("sed -e 's|a|{GLOB}|' f")


@each_row(
    ("line", "expected"),
    [
        ("awk -f p.awk f", "shell.execute sh"),
        ("sed -f p.sed f", "file.write out.txt"),
        ("sqlite3 -init p.sql d", "file.write other.db"),
        ("jq -f p.jq f", "env.read SECRET"),
        ("psql -f p.psql", "opaque"),
    ],
)
def test_program_files_of_the_skill(line, expected):
    files = {
        "p.awk": 'BEGIN { system("ls") }', "p.sed": "w out.txt", "p.sql": "ATTACH 'other.db' AS o;", "p.jq": ".a | env.SECRET",
        "p.psql": "\\! ls",
    }  # fmt: skip
    assert expected in seen(line, files=files)


@each_row(
    "line",
    [
        "awk -f x", "sed -f x.sed y", "sqlite3 d < q.sql", "cat q.sql | sqlite3 d", "base64 -d assets/p | sqlite3 d", "sqlite3 -init x d",
        "sed -f <(base64 -d assets/p) y", "psql -f q.sql", "cat q | psql", "dc q", "sftp -b q h", "mysql < q.sql", "base64 -d q | awk -f - x",
        "base64 -d q | sed -f /dev/stdin x",
    ],
)  # fmt: skip
def test_program_files_that_are_not_of_the_skill_are_opaque(tmp_path, line):
    assert analysed(tmp_path, line).opaque


def test_a_program_file_that_the_script_writes_is_read(tmp_path):
    found = analysed(tmp_path, "cat > x.sed <<'EOF'\nw out.txt\nEOF\nsed -f x.sed y\n")
    assert not found.opaque
    assert "./out.txt" in {effect.scope.render() for effect in found.effects if effect.capability == "file.write"}


@each_row(
    ("line", "expected"),
    [
        ('jq -n \'"\\(1)" | env | "\\(.)"\'', "env.read <any>"),  # a string with code in it ends where it ends
        ("jq -n '\"a \\(env.HOME) b\"'", "env.read HOME"),
        ('awk \'{ if (1) /"/; system("ls"); y = "/" }\' f', "opaque"),
        ("sqlite3 d 'select readfile/**/(1)'", "file.read <any>"),
        ("sqlite3 d 'select \"writefile\"(1, 2)'", "file.write <any>"),
        ("sqlite3 d \"attach 'a'||'b' as x\"", "file.write <any>"),
        ("sqlite3 d \"attach 'file:a.db?mode=rwc' as x\"", "file.write a.db"),
        ("sqlite3 d '.unknown x'", "opaque"),
        ("ffmpeg -i a -vf vidstabdetect b.mp4", "file.write <any>"),
        ("ffmpeg -i a -vf subtitles=x.srt b.mp4", "file.read <any>"),
    ],
)
def test_programs_that_reach_further(line, expected):
    assert expected in seen(line)


@each_row(
    "line",
    [
        "sqlite3 d '.tables'",
        "sqlite3 d '.mode csv'",
        "ffmpeg -i a -vf 'crop=1:2,format=gray' b.mp4",
        "jq '.env' f",
        "awk '/a|b/ {n++} END {print n}' f",
    ],
)
def test_ordinary_programs_do_no_more(line):
    assert not {"opaque", "file.write <any>", "file.read <any>", "env.read <any>", "source.execute <any>"} & seen(line)
