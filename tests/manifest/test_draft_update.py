"""Drafting again keeps what a person wrote."""

from hypothesis import given
from hypothesis import strategies as st

from remit.core.capability import vocabulary
from remit.core.scope import parse_scope
from remit.manifest.draft.update import marks, update
from remit.manifest.identity import entry_digest
from remit.manifest.model import Decision, Manifest, Permission


def entry(text: str, effect: str = "confirm") -> Permission:
    capability, _, scopes = text.partition(" ")
    kind = vocabulary()[capability].scope_kind
    parsed = tuple(parse_scope(kind, scope) for scope in scopes.split(" ")) if scopes else Permission(capability).scopes
    return Permission(capability, parsed, Decision(effect))


def draft(*entries: Permission) -> Manifest:
    return Manifest("remit.json", entries, drafted=marks(entries))


def said(manifest: Manifest) -> set[tuple[str, str, str]]:
    return {(one.capability, one.place, str(one.effect)) for one in manifest.permissions}


def test_an_untouched_draft_becomes_the_new_one():
    new = draft(entry("file.read ./a"), entry("web.fetch x.example"))
    made = update(draft(entry("file.read ./b"), entry("web.post y.example")), new)
    assert made.manifest.permissions == new.permissions
    assert {one.capability for one in made.dropped} == {"file.read", "web.post"}


def test_what_a_person_changed_stays_and_is_not_doubled():
    old = draft(entry("file.read ./a ./b"))
    edited = old._replace(permissions=(entry("file.read ./a ./b", "allow"),))
    made = update(edited, draft(entry("file.read ./a ./b ./c")))
    assert said(made.manifest) == {("file.read", "./a, ./b", "allow"), ("file.read", "./c", "confirm")}
    assert [one.place for one in made.added] == ["./c"]


def test_what_a_person_removed_is_not_brought_back():
    old = draft(entry("file.read ./a"), entry("web.fetch x.example"))
    edited = old._replace(permissions=old.permissions[:1])
    made = update(edited, old)
    assert said(made.manifest) == {("file.read", "./a", "confirm")}
    assert [one.capability for one in made.withheld] == ["web.fetch"]
    again = update(made.manifest, old)
    assert said(again.manifest) == said(made.manifest)


def test_what_a_person_removed_is_not_brought_back_among_more():
    old = draft(entry("web.fetch x.example"), entry("file.read ./a ./b"))
    edited = old._replace(permissions=(entry("file.read ./a"),))
    made = update(edited, draft(entry("web.fetch x.example y.example"), entry("file.read ./a ./b ./c")))
    assert said(made.manifest) == {
        ("file.read", "./a", "confirm"),
        ("file.read", "./c", "confirm"),
        ("web.fetch", "y.example", "confirm"),
    }
    assert {(one.capability, one.place) for one in made.withheld} == {("web.fetch", "x.example"), ("file.read", "./b")}


def test_what_a_person_removed_is_not_brought_back_after_a_version_without_it():
    old = draft(entry("web.fetch x.example"))
    without = update(old._replace(permissions=()), draft()).manifest
    assert update(without, old).manifest.permissions == ()


def test_a_removed_grant_does_not_keep_a_denial_away():
    old = draft(entry("web.post x.example"))
    made = update(old._replace(permissions=(entry("web.post"),)), draft(entry("web.post x.example", "deny")))
    assert ("web.post", "x.example", "deny") in said(made.manifest)


def test_what_a_person_added_stays():
    edited = draft()._replace(permissions=(entry("pay"),))
    assert said(update(edited, draft()).manifest) == {("pay", "any", "confirm")}


def test_a_grant_of_a_person_does_not_take_a_new_denial_away():
    edited = draft()._replace(permissions=(entry("web.post", "allow"),))
    made = update(edited, draft(entry("web.post evil.example", "deny")))
    assert ("web.post", "evil.example", "deny") in said(made.manifest)


ENTRIES = st.builds(
    entry,
    st.sampled_from(
        ["file.read ./a", "file.read ./b", "file.read", "web.fetch x.example", "file.write ./a ./b", "pay"]
    ),
    st.sampled_from(["allow", "confirm", "deny"]),
)
SETS = st.lists(ENTRIES, max_size=5, unique_by=entry_digest).map(tuple)


@given(SETS, SETS, SETS)
def test_a_persons_entries_always_stay_and_updating_twice_changes_nothing(first, now, second):
    old = draft(*first)._replace(permissions=now)
    new = draft(*second)
    made = update(old, new).manifest
    drafted = set(old.drafted)
    assert all(one in made.permissions for one in now if entry_digest(one) not in drafted)
    again = update(made, new).manifest
    assert said(again) == said(made)
