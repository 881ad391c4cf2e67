from each_row import each_row
from remit.skill.host_permissions import grants
from remit.skill.load import load_skill


def build(tmp_path, **files):
    files.setdefault("SKILL.md", "x")
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return [tuple(grant) for grant in grants(load_skill(tmp_path))]


def test_text_of_the_skill(tmp_path):
    found = build(tmp_path, **{"SKILL.md": "---\nname: x\nallowed-tools: Read, Bash(*)\n---\n"})
    assert found == [("Read", "SKILL.md", 3), ("Bash(*)", "SKILL.md", 3)]


def test_a_list_has_a_line_for_each(tmp_path):
    found = build(tmp_path, **{"SKILL.md": "---\nallowed-tools:\n  - Read\n  - Bash(git:*)\n---\n"})
    assert found == [("Read", "SKILL.md", 3), ("Bash(git:*)", "SKILL.md", 4)]


def test_both_of_a_key_given_twice(tmp_path):
    found = build(tmp_path, **{"SKILL.md": "---\nallowed-tools: Bash\nallowed-tools: Read\n---\n"})
    assert {grant[0] for grant in found} == {"Bash", "Read"}


def test_agents_and_settings(tmp_path):
    found = build(
        tmp_path,
        **{
            "agents/a.md": "---\ntools: Bash\npermissionMode: bypassPermissions\n---\n",
            ".claude/settings.json": '{"permissions": {\n"allow": ["Bash(rm:*)"],\n"defaultMode": "acceptEdits"}}',
        },
    )
    assert found == [
        ("Bash(rm:*)", ".claude/settings.json", 2),
        ("mode:acceptEdits", ".claude/settings.json", 3),
        ("Bash", "agents/a.md", 2),
        ("mode:bypassPermissions", "agents/a.md", 3),
    ]


@each_row(
    ("name", "text"),
    [
        ("references/x.md", "---\nallowed-tools: Bash\n---\n"),
        (".claude/settings.json", "{"),
        (".claude/settings.json", '{"permissions": 1}'),
        ("SKILL.md", "---\ntools: Bash\n---\n"),
    ],
)
def test_what_grants_nothing(tmp_path, name, text):
    assert build(tmp_path, **{name: text}) == []
