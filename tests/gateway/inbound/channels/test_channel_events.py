"""What platforms send becomes events, and nothing in a text says who speaks, where, or to whom."""

import copy
import json

import pytest
from channelworld import ANNA, DISCORD, GATEWAY, KNOWN, SLACK, TELEGRAM, WEBHOOK, WORLDS, body_of

from each_row import each_row
from remit.gateway.inbound.channels.parsing import Refusal, RefusedError
from remit.gateway.inbound.channels.terminal import said
from remit.gateway.inbound.channels.texts import CUT, MOST
from remit.gateway.inbound.events import What, name_of, speaker_of
from remit.gateway.inbound.routing import ConversationKind


def told(received):
    """An event as a reader wants it: what is not there is left out."""
    if not received.events:
        return f"refused: {received.refused}" if received.refused else f"answered: {received.reply.body.decode()}"
    (event,) = received.events
    place = {name: str(one) for name, one in event.place._asdict().items() if one}
    rest = {name: one for name, one in event._asdict().items() if one and name not in ("place", "digest")}
    rest["text"] = rest.get("text", "")[:80]
    rest["roles"] = sorted(rest.get("roles", ()))
    shown = {name: str(one) if isinstance(one, str) else one for name, one in rest.items() if one}
    return {"place": place, **shown, **({"answered": received.reply.body.decode()} if received.reply.body else {})}


@pytest.mark.parametrize("world", WORLDS, ids=lambda one: one.name)
def test_what_comes_in_is_told_as_events(world, snapshot):
    assert {case: told(one) for case, one in world.events().items()} == snapshot


def test_what_the_gateway_of_discord_sends_is_told_as_events(snapshot):
    channel = DISCORD.channel()
    assert {case: told(channel.dispatched(body_of(one), KNOWN)) for case, one in GATEWAY.items()} == snapshot


def test_every_fixture_is_acknowledged_so_that_nothing_waits_behind_it():
    for world in WORLDS:
        for case, one in world.events().items():
            refused_form = world is WEBHOOK and one.refused == Refusal.FORM
            assert one.reply.status == (400 if refused_form else 200), (world.name, case)


def dispatched(case, known=KNOWN, **settings):
    found = DISCORD.channel(**settings).dispatched(body_of(GATEWAY[case]), known)
    return found.events[0] if found.events else found.refused


def one_of(world, case, **changes):
    value = copy.deepcopy(world.fixture[case])
    for path, new in changes.items():
        *way, last = path.split("__")
        inner = value
        for step in way:
            inner = inner[step]
        inner[last] = new
    found = world.channel().receive(world.signed(value))
    return found.events[0] if found.events else found.refused


class TestSlack:
    def test_a_message_that_names_us_is_one_event_whichever_way_it_comes(self):
        plain, mention = one_of(SLACK, "channel, named"), one_of(SLACK, "channel, named, as app_mention")
        assert plain.trace != mention.trace
        assert name_of(plain) == name_of(mention)
        assert plain.mentioned
        assert mention.mentioned

    def test_a_retry_is_the_same_event(self):
        incoming = SLACK.signed(SLACK.fixture["direct"])
        again = incoming._replace(
            headers=(*incoming.headers, ("x-slack-retry-num", "1"), ("x-slack-retry-reason", "http_timeout"))
        )
        assert SLACK.channel().receive(again) == SLACK.channel().receive(incoming)

    def test_what_slack_fills_in_anew_does_not_make_another_event(self):
        again = one_of(SLACK, "direct", event_context="other", event_time=1765000009)
        assert name_of(again) == name_of(one_of(SLACK, "direct"))

    def test_another_content_under_the_same_name_is_another_event(self):
        other = one_of(SLACK, "direct", event__text="water them now")
        assert name_of(other) != name_of(one_of(SLACK, "direct"))

    def test_we_are_named_by_slack_and_not_by_a_text(self):
        assert not one_of(SLACK, "channel, our name typed as text").mentioned
        assert not one_of(SLACK, "channel, another is named").mentioned
        assert not one_of(SLACK, "channel, named", authorizations=[]).mentioned
        assert not one_of(SLACK, "channel, named", authorizations=[{"user_id": "U0REMIT", "is_bot": False}]).mentioned

    def test_a_program_is_one(self):
        for case in ("bot", "bot with a user", "ourselves"):
            assert speaker_of(one_of(SLACK, case)) == "", case

    def test_a_conversation_of_several_is_never_a_direct_one(self):
        for case in ("several people", "private channel", "channel, named"):
            assert one_of(SLACK, case).place.kind is ConversationKind.GROUP
        assert one_of(SLACK, "direct").place.kind is ConversationKind.DIRECT
        assert one_of(SLACK, "several people", event__channel="D0THREE").place.kind is ConversationKind.GROUP

    def test_an_edit_is_of_who_edited(self):
        assert one_of(SLACK, "edited by another").place.peer == "U0MALLORY"

    @each_row("kind", ["other", "message.im", "", None, 7])
    def test_what_is_no_message_is_not_heard_as_one(self, kind):
        for case in (
            "direct",
            "channel, named",
            "edited by another",
            *(name for name in SLACK.fixture if "deleted" in name),
        ):
            assert one_of(SLACK, case, event__type=kind) == Refusal.KIND, case

    def test_what_slack_hides_is_not_heard(self):
        assert one_of(SLACK, "direct", event__hidden=True) == Refusal.KIND

    def test_names_of_another_form_are_refused(self):
        for path in ("event__channel", "event__user", "event__ts", "event_id", "team_id"):
            for bad in ("", "a/b", "C0\n", "x" * 200, 7, None, ["C0"], {"a": 1}):
                refused = one_of(SLACK, "direct", **{path: bad})
                assert refused in (Refusal.FORM, Refusal.ACCOUNT), (path, bad)

    def test_a_challenge_is_answered_if_it_is_one(self):
        answered = SLACK.events()["challenge"]
        assert answered.reply.body == b"prove-that-you-are-there-0123456789"
        assert one_of(SLACK, "challenge", challenge="<script>\n") == Refusal.FORM
        assert one_of(SLACK, "challenge", challenge="x" * 501) == Refusal.FORM


class TestTelegram:
    def test_we_are_named_by_telegram_and_not_by_a_text(self):
        named = {case for case, one in TELEGRAM.events().items() if one.events and one.events[0].mentioned}
        assert "our name without a mark of Telegram" not in named
        assert "another is named" not in named
        assert "topic" not in named  # the message with which a topic began is ours: nobody answers it
        assert {"supergroup, named", "named after an emoji", "named by a mark in the text", "command for us"} < named
        assert "answer to us" in named

    def test_a_mark_that_lies_beside_the_name_names_nobody(self):
        for offset in (1, 2, 400, 10**12):
            mark = [{"type": "mention", "offset": offset, "length": 17}]
            assert not one_of(TELEGRAM, "supergroup, named", message__entities=mark).mentioned
        assert (
            one_of(TELEGRAM, "supergroup, named", message__entities=[{"type": "mention", "offset": -17, "length": 17}])
            == Refusal.FORM
        )

    def test_a_mark_of_another_kind_names_nobody(self):
        text = "write to x@remit_garden_bot please"
        for kind, named in (("email", False), ("url", False), ("mention", False), ("bot_command", True)):
            mark = [{"type": kind, "offset": 9, "length": 18}]
            event = one_of(TELEGRAM, "supergroup, named", message__text=text, message__entities=mark)
            assert event.mentioned is named, kind

    @each_row(("offset", "length"), [(0, -1), (-1, 1), (-1, -1), ("0", 1), (0, None)])
    def test_a_mark_that_lies_nowhere_is_refused(self, offset, length):
        mark = [{"type": "mention", "offset": offset, "length": length}]
        assert one_of(TELEGRAM, "supergroup, named", message__entities=mark) == Refusal.FORM

    def test_without_a_user_name_no_name_in_a_text_is_ours(self):
        channel = TELEGRAM.channel(account="*")
        (event,) = channel.receive(TELEGRAM.signed(TELEGRAM.fixture["supergroup, named"])).events
        assert not event.mentioned
        assert event.place.account == "5550001"
        assert channel.receive(TELEGRAM.signed(TELEGRAM.fixture["command for us"])).refused == Refusal.OTHERS

    def test_without_a_user_name_a_command_that_ends_with_a_mark_is_not_ours(self):
        told = copy.deepcopy(TELEGRAM.fixture["supergroup, named"])
        told["message"]["text"] = "/stop@ now"
        told["message"]["entities"] = [{"type": "bot_command", "offset": 0, "length": 6}]
        assert TELEGRAM.channel(account="*").receive(TELEGRAM.signed(told)).refused == Refusal.OTHERS

    def test_a_command_for_another_bot_is_none_for_us(self):
        assert one_of(TELEGRAM, "command for another") == Refusal.OTHERS
        assert one_of(TELEGRAM, "command for us").text == "/status now"

    def test_whoever_is_no_person_speaks_for_nobody(self):
        for case in (
            "bot",
            "anonymous administrator",
            "channel that speaks in its group",
            "nobody speaks",
            "reaction of a group",
        ):
            assert speaker_of(one_of(TELEGRAM, case)) == "", case

    def test_words_of_another_are_no_command_and_name_nobody(self):
        forwarded = one_of(TELEGRAM, "forwarded, with our name")
        assert not forwarded.mentioned
        assert forwarded.text == "forwarded: @remit_garden_bot list the beds"
        assert one_of(TELEGRAM, "command that another bot wrote").text == "forwarded: /approve 1"

    def test_a_button_is_never_a_command(self):
        assert one_of(TELEGRAM, "button").text == "pressed: /approve 1"

    def test_a_button_without_a_name_is_refused(self):
        assert one_of(TELEGRAM, "button", callback_query__id="") == Refusal.KIND

    def test_a_button_is_answered_at_once(self):
        found = TELEGRAM.channel().receive(TELEGRAM.signed(TELEGRAM.fixture["button"]))
        assert json.loads(found.reply.body) == {"method": "answerCallbackQuery", "callback_query_id": "301000000001"}

    def test_what_telegram_fills_in_anew_does_not_make_another_event(self):
        again = one_of(TELEGRAM, "private", message__chat={"id": 70001, "first_name": "Anne", "type": "private"})
        assert name_of(again) == name_of(one_of(TELEGRAM, "private"))

    def test_a_second_edit_to_the_same_words_is_another_event(self):
        assert name_of(one_of(TELEGRAM, "edited", edited_message__edit_date=1765000100)) != name_of(
            one_of(TELEGRAM, "edited")
        )

    @each_row("kind", ["channel", "sender", "", None])
    def test_a_chat_of_another_kind_is_neither_direct_nor_a_group(self, kind):
        assert one_of(TELEGRAM, "private", message__chat__type=kind) == Refusal.KIND

    @each_row("message", [None, "x", [], 1])
    def test_a_button_under_no_message_is_refused(self, message):
        case = next(name for name, told in TELEGRAM.fixture.items() if "callback_query" in told)
        assert one_of(TELEGRAM, case, callback_query__message=message) == Refusal.KIND

    def test_a_field_without_a_name_says_nothing(self):
        case = next(name for name, told in TELEGRAM.fixture.items() if "callback_query" in told)
        assert one_of(TELEGRAM, case, callback_query__={}) == one_of(TELEGRAM, case)._replace(
            digest=one_of(TELEGRAM, case, callback_query__={}).digest
        )

    def test_numbers_are_numbers(self):
        for path in ("message__chat__id", "message__from__id", "message__message_id", "update_id"):
            for bad in ("70001", True, None, [1], 2**53):
                if path == "message__from__id" and bad is None:
                    continue
                assert one_of(TELEGRAM, "private", **{path: bad}) == Refusal.FORM, (path, bad)


class TestDiscord:
    def test_a_thread_lies_in_its_room(self):
        for event in (one_of(DISCORD, "command in a thread"), dispatched("message in a thread")):
            assert (event.place.room, event.place.thread) == ("850000000000000001", "850000000000000011")

    def test_a_thread_of_which_nothing_is_known_is_a_room_of_its_own(self):
        event = dispatched("message in a thread", KNOWN._replace(parents={}))
        assert (event.place.room, event.place.thread) == ("850000000000000011", "")

    def test_direct_is_with_us_alone_and_never_in_a_guild(self):
        assert one_of(DISCORD, "command in direct").place.kind is ConversationKind.DIRECT
        assert one_of(DISCORD, "command in direct", guild_id="840000000000000001").place.kind is ConversationKind.GROUP
        assert one_of(DISCORD, "command in direct", context=None).place.kind is ConversationKind.DIRECT
        assert one_of(DISCORD, "command in direct", context=None, channel__type=3).place.kind is ConversationKind.GROUP
        for context in (0, 2, "1"):
            assert one_of(DISCORD, "command in direct", context=context).place.kind is ConversationKind.GROUP

    def test_roles_are_those_of_the_member(self):
        roles = {"810000000000000001", "810000000000000002"}
        assert one_of(DISCORD, "command").roles == roles
        assert dispatched("message, named").roles == roles
        assert one_of(DISCORD, "command in direct").roles == frozenset()
        assert one_of(DISCORD, "command", member__roles=["@everyone"]) == Refusal.FORM

    def test_two_others_who_speak_with_each_other_are_a_group(self):
        assert one_of(DISCORD, "command between two others").place.kind is ConversationKind.GROUP
        assert one_of(DISCORD, "command in direct").place.kind is ConversationKind.DIRECT
        assert (
            one_of(DISCORD, "command", context=1).place.kind is ConversationKind.GROUP
        )  # it has a server: it is none of ours alone

    def test_a_button_is_never_a_command(self):
        assert one_of(DISCORD, "button").text == "pressed: /approve 1"

    def test_answers_come_later(self):
        answers = {case: one.reply.body for case, one in DISCORD.events().items() if one.reply.body}
        assert {case: json.loads(body)["type"] for case, body in answers.items()} == dict.fromkeys(
            [case for case in DISCORD.fixture if case.startswith("command")], 5
        ) | {"ping": 1, "button": 6, "menu": 6}

    def test_we_are_named_by_discord_and_not_by_a_text(self):
        for case in (
            "our name in a text that Discord does not read as one",
            "everybody is named",
            "message, not named",
        ):
            assert not dispatched(case).mentioned, case
        assert dispatched("message, named").mentioned

    def test_a_webhook_speaks_for_a_person_only_where_the_settings_name_its_application(self):
        assert speaker_of(dispatched("webhook of an application that speaks for people")) == ANNA
        assert speaker_of(dispatched("webhook of an application that speaks for people", voices=frozenset())) == ""
        assert (
            speaker_of(dispatched("webhook of an application that speaks for people", KNOWN._replace(behind={}))) == ""
        )
        assert speaker_of(dispatched("webhook of another application")) == ""
        assert speaker_of(dispatched("webhook")) == ""
        assert speaker_of(dispatched("bot")) == ""

    def test_an_application_that_speaks_by_itself_speaks_for_nobody(self):
        frame = copy.deepcopy(GATEWAY["webhook of an application that speaks for people"])
        del frame["d"]["webhook_id"]
        (event,) = DISCORD.channel().dispatched(body_of(frame), KNOWN).events
        assert speaker_of(event) == ""

    def test_whose_message_was_deleted_must_be_known(self):
        assert dispatched("deleted").place.peer == ANNA
        assert dispatched("deleted, of nobody") == Refusal.AUTHOR

    def test_frames_that_bring_nothing(self):
        channel = DISCORD.channel()
        assert channel.dispatched(body_of(GATEWAY["message, named"] | {"op": 11}), KNOWN).refused == Refusal.KIND
        assert channel.dispatched(b" " * (256 * 1024 + 1), KNOWN).refused == Refusal.TOO_LARGE

    def test_an_interaction_is_of_the_application_that_is_set(self):
        assert one_of(DISCORD, "another application") == Refusal.ACCOUNT

    def test_a_command_without_a_name_is_refused(self):
        assert one_of(DISCORD, "command", data={"options": []}) == Refusal.FORM

    def test_commands_without_an_end_are_refused(self):
        inner = {"name": "x", "type": 1}
        for _ in range(4):
            inner = {"name": "x", "type": 2, "options": [inner]}
        assert one_of(DISCORD, "command", data={"name": "bed", "options": [inner]}) == Refusal.FORM


class TestWebhook:
    def test_its_form_is_closed(self):
        assert one_of(WEBHOOK, "a field that is not known") == Refusal.FORM
        assert one_of(WEBHOOK, "nobody") == Refusal.FORM

    @each_row("field", ["mentioned", "machine", "roles", "text", "from", "id", "message", "what", "behind"])
    def test_its_fields_have_their_types(self, field):
        assert one_of(WEBHOOK, "room", **{field: 7}) == Refusal.FORM


class TestConnected:
    def test_who_speaks_is_who_logged_in(self):
        event = said("web", "house", "anna", '{"peer": "operator", "mentioned": true}', "m1")
        assert event.place == ("web", "house", ConversationKind.DIRECT, "anna", "", "")
        assert (event.what, event.machine, event.mentioned, event.roles, event.behind) == (
            What.SAID,
            False,
            False,
            frozenset(),
            "",
        )

    def test_the_name_of_one_is_not_the_name_of_another(self):
        assert name_of(said("web", "", "a", "x", "m1")) != name_of(said("web", "", "b", "x", "m1"))
        assert said("web", "", "a", "x", "b.1").event != said("web", "", "a/b", "x", "1").event
        assert name_of(said("web", "", "a", "x", "m1")) == name_of(said("web", "", "a", "x", "m1"))

    def test_half_a_character_is_replaced(self):
        assert said("web", "", "anna", "a\ud800b", "m1").text == "a?b"

    @each_row("name", ["", "a b", "x" * 101, "a/b", "\ud800"])
    def test_names_are_bounded(self, name):
        with pytest.raises(RefusedError):
            said("web", "", "anna", "x", name)


@each_row("bad", [7, True, ["x"], {"a": "b"}])
def test_a_text_is_a_text(bad):
    assert one_of(SLACK, "direct", event__text=bad) == Refusal.FORM
    assert one_of(TELEGRAM, "private", message__text=bad) == Refusal.FORM
    assert one_of(DISCORD, "command", data__name=bad) == Refusal.FORM


@each_row("bad", [7, "x", {"a": "b"}, [None] * 1001])
def test_a_list_is_a_list_with_an_end(bad):
    assert one_of(SLACK, "direct", authorizations=bad) == Refusal.FORM
    assert one_of(TELEGRAM, "private", message__entities=bad) == Refusal.FORM
    assert one_of(DISCORD, "command", member__roles=bad) == Refusal.FORM


def test_a_long_list_that_has_an_end_is_one():
    mark = {"type": "bold", "offset": 0, "length": 1}
    assert one_of(TELEGRAM, "private", message__entities=[mark] * 1000).text


def test_a_long_text_is_cut_and_says_so():
    event = one_of(SLACK, "long")
    assert len(event.text) == MOST
    assert event.text.endswith(CUT)
    assert len(said("web", "", "anna", "x" * MOST, "m1").text) == MOST
    assert not said("web", "", "anna", "x" * MOST, "m1").text.endswith(CUT)


def test_two_long_texts_that_differ_after_the_cut_are_two_events():
    one, other = (said("web", "", "anna", "x" * 20_000 + end, "m1") for end in "ab")
    assert one.text == other.text
    assert name_of(one) != name_of(other)


@each_row("world", WORLDS, ids=lambda one: one.name)
@each_row(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b"\xff{}",
        b'{"a":NaN}',
        b'{"a":1,"a":2}',
        b'{"a":"\\ud800"}',
        b'{"a":' + b"9" * 5000 + b"}",
        b'{"a":' + b"9" * 30 + b"}",
        b'{"a":' + b"[" * 30 + b"]" * 30 + b"}",
        b"[" * 100_000,
    ],
    ids=range(12),
)
def test_what_is_signed_and_no_form_of_json_is_refused(world, body):
    assert world.channel().receive(world.signed(body)).refused == Refusal.FORM


@each_row("world", WORLDS, ids=lambda one: one.name)
def test_a_body_without_an_end_is_refused_before_it_is_looked_at(world):
    found = world.channel().receive(world.signed(b" " * (256 * 1024 + 1)))
    assert (found.refused, found.reply.status) == (Refusal.TOO_LARGE, 413)
