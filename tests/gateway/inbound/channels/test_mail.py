"""Mail: nobody is believed whom the operator's own server does not vouch for, and a mail is answered once, in its thread."""

import asyncio
import email
import sys
import time
from email.message import EmailMessage
from email.policy import default
from email.utils import formatdate
from pathlib import Path

import pytest
from channelgateway import Gateway, Inbox
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent / "fakes"))

from mail_servers import ADDRESS, PASSWORD, SERVER, FakeMail

from remit.core.errors import UsageError
from remit.gateway.inbound.channels import mail as mail_channel
from remit.gateway.inbound.channels.interface import ChannelError, SendResult
from remit.gateway.inbound.channels.mail import (
    QUOTED,
    Account,
    event_of,
    one_line,
    read_back,
    read_position,
    read_server,
    verdicts,
)
from remit.gateway.inbound.channels.parsing import Refusal, RefusedError
from remit.gateway.inbound.channels.platform_requests import new_client
from remit.gateway.inbound.delivery import Piece, Route
from remit.gateway.inbound.events import KEPT, Direct, Gate
from remit.gateway.inbound.settings.values import Platform

ANNA = "anna@example.net"
PASS = f"{SERVER}; spf=pass smtp.mailfrom=example.net; dkim=pass header.d=example.net; dmarc=pass (p=REJECT) header.from=example.net"
ACCOUNT = Account("mail", ADDRESS, SERVER)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(mail_channel, "PAUSE", 0.01)
    monkeypatch.setattr("remit.gateway.inbound.channels.connections.FIRST_PAUSE", 0.01)


def letter(text="when do the roses want water?", verdict=PASS, *, html=False, files=(), **headers):
    """A mail as our server keeps it: its verdict above what came."""
    told = {
        "From": f"Anna <{ANNA}>",
        "To": ADDRESS,
        "Subject": "roses",
        "Date": formatdate(),
        "Message-ID": "<1@example.net>",
    }
    mail = EmailMessage()
    for name, value in (told | {one.replace("_", "-"): value for one, value in headers.items()}).items():
        if value is not None:
            mail[name] = value
    mail.set_content(text, subtype="html" if html else "plain")
    for name, data in files:
        mail.add_attachment(data, "application", "octet-stream", filename=name)
    above = [verdict] if isinstance(verdict, str) else verdict
    return b"".join(b"Authentication-Results: " + one.encode() + b"\r\n" for one in above) + mail.as_bytes(
        policy=default.clone(linesep="\r\n")
    )


def run(folder, story, **fields):
    async def go():
        fake = FakeMail()
        async with fake.serving() as (imap, smtp):
            known = {
                "account": ADDRESS, "token": PASSWORD, "api": f"imap://127.0.0.1:{imap}", "smtp": f"smtp://127.0.0.1:{smtp}",
                "mail_server": SERVER,
            }  # fmt: skip
            return await story(fake, Gateway(folder, Platform.MAIL, **known | fields))

    return asyncio.run(go())


def heard(*given, **headers):
    return event_of(ACCOUNT, letter(*given, **headers), "1/1", int(time.time()))


def refusal(data, now=None):
    with pytest.raises(RefusedError) as raised:
        event_of(ACCOUNT, data, "1/1", int(now or time.time()))
    return raised.value.code


def test_a_mail_to_others_is_not_heard_though_its_signature_holds():
    assert refusal(letter(To="mallory@evil.example")) == Refusal.ACCOUNT
    assert heard(To="mallory@evil.example", Cc=ADDRESS.upper())


def test_a_subject_that_decodes_to_an_encoded_word_ends_no_header():
    assert "=?" not in one_line("=?utf-8?q?a=0d=0aBcc:_x=40y.example=0d=0a=0d=0abody?=")


class TestConversation:
    def test_a_mail_is_answered_in_its_thread(self, tmp_path):
        async def story(fake, gateway):
            fake.come(letter("old", Message_ID="<0@example.net>"))
            async with gateway.running():
                await gateway.until(lambda: gateway.told)
                fake.come(letter())
                await fake.until(lambda: fake.sent)
            return fake.sent, gateway

        ((sender, to, data),), gateway = run(tmp_path, story)
        answer = email.message_from_bytes(data, policy=default)
        assert (sender, to) == (f"MAIL FROM:<{ADDRESS}>", (ANNA,)) or sender.startswith(f"mail FROM:<{ADDRESS}>")
        assert {name: str(answer[name]) for name in ("To", "Subject", "In-Reply-To", "References", "Auto-Submitted")} == {
            "To": ANNA, "Subject": "Re: roses", "In-Reply-To": "<1@example.net>", "References": "<1@example.net>",
            "Auto-Submitted": "auto-replied",
        }  # fmt: skip
        assert (
            "\n".join(answer.get_content().split("\r\n")).strip()
            == "heard: Subject: roses\n\nwhen do the roses want water?"
        )
        assert gateway.heard() == ["Subject: roses\n\nwhen do the roses want water?"]

    def test_a_restart_loses_nothing_and_answers_nothing_twice(self, tmp_path):
        async def story(fake, gateway):
            async with gateway.running():
                await gateway.until(lambda: gateway.told)
                fake.come(letter("one"))
                await fake.until(lambda: len(fake.sent) == 1)
            fake.come(letter("two", Message_ID="<2@example.net>"))
            async with gateway.running():
                await fake.until(lambda: len(fake.sent) == 2)
            fake.validity, fake.following = 2, 10  # the server counts anew
            fake.mails = {10 + number: mail for number, mail in enumerate(fake.mails.values())}
            fake.following = 12
            fake.come(letter("three", Message_ID="<3@example.net>"))
            async with gateway.running():
                await fake.until(lambda: len(fake.sent) == 3)

            return gateway.heard()

        assert run(tmp_path, story) == ["Subject: roses\n\none", "Subject: roses\n\ntwo", "Subject: roses\n\nthree"]

    def test_what_could_not_be_kept_is_taken_again(self, tmp_path):
        async def story(fake, gateway):
            async with gateway.running():
                pass
            inbox, channel = Inbox(), gateway.channel
            inbox.place = "1 0 0 0"
            fake.come(letter())
            inbox.fails = 1
            with pytest.raises(RuntimeError):
                await channel.connection()(inbox)
            assert read_position(inbox.place).uid == 0
            task = asyncio.create_task(channel.connection()(inbox))
            await fake.until(lambda: read_position(inbox.place).uid == 1)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert len(inbox.events) == 1

        run(tmp_path, story)

    def test_a_file_comes_into_quarantine(self, tmp_path):
        async def story(fake, gateway):
            async with gateway.running():
                await gateway.until(lambda: gateway.told)
                fake.come(letter("look", files=[("../../plan.pdf", b"%PDF-1.7"), ("b.sh", b"#!/bin/sh")]))
                await fake.until(lambda: fake.sent)
            return gateway.heard()[0].splitlines()[-2:]

        first, second = run(tmp_path, story)
        assert first.startswith('[file "plan.pdf", 8 bytes, looks like application/pdf')
        assert "looks like text/x-script" in second

    def test_a_mail_that_is_too_large_is_not_taken(self, tmp_path, monkeypatch):
        monkeypatch.setattr(mail_channel, "MOST", 2000)

        async def story(fake, gateway):
            async with gateway.running():
                await gateway.until(lambda: gateway.told)
                fake.come(letter("x" * 3000))
                fake.come(letter("fine", Message_ID="<2@example.net>"))
                await fake.until(lambda: fake.sent)
            assert gateway.inbound.refusals.counts == {("mail", "TOO_LARGE"): 1}
            assert gateway.heard() == ["Subject: roses\n\nfine"]

        run(tmp_path, story)

    def test_a_forged_mail_is_neither_heard_nor_answered_though_its_name_is_paired(self, tmp_path):
        async def story(fake, gateway):
            async with gateway.running():
                await gateway.until(lambda: gateway.told)
                fake.come(letter("/pair mail ABCDEFGH", f"{SERVER}; spf=fail; dmarc=fail header.from=example.net"))
                fake.come(letter("fine", Message_ID="<2@example.net>"))
                await fake.until(lambda: fake.sent)
            assert (gateway.heard(), len(fake.sent)) == (["Subject: roses\n\nfine"], 1)

        run(tmp_path, story, gate=Gate(Direct.NAMED, frozenset({ANNA}), operators=frozenset({ANNA})))


class TestBelief:
    def test_who_passes_is_the_sender(self):
        event = heard(From="Anna G <Anna@Example.net>")
        assert (event.place.peer, event.name, event.machine) == (ANNA, "Anna G", False)
        assert event.place.thread == "<1@example.net>"
        assert read_back(event.back) == (ANNA, "roses", "<1@example.net>", "")

    @pytest.mark.parametrize(
        ("verdict", "code"),
        [
            ((), Refusal.NOT_SIGNED),
            (f"{SERVER}; spf=pass; dkim=pass header.d=example.net", Refusal.NOT_SIGNED),
            (f"{SERVER}; dmarc=fail header.from=example.net", Refusal.SIGNATURE),
            (f"{SERVER}; dmarc=none header.from=example.net", Refusal.SIGNATURE),
            (f"{SERVER}; dmarc=pass header.from=evil.example", Refusal.SIGNATURE),
            (f"{SERVER}; dmarc=pass", Refusal.SIGNATURE),
            ("mx.evil.example; dmarc=pass header.from=example.net", Refusal.NOT_SIGNED),
            (("mx.evil.example; dmarc=pass header.from=example.net", PASS), Refusal.NOT_SIGNED),
            ((f"{SERVER}; dmarc=fail header.from=example.net", PASS), Refusal.SIGNATURE),
            ((PASS, f"{SERVER}; dmarc=fail header.from=example.net"), Refusal.SIGNATURE),
            (f'{SERVER}; spf=fail smtp.mailfrom="x; dmarc=pass header.from=example.net"', Refusal.NOT_SIGNED),
            (f"{SERVER}; spf=fail (x; dmarc=pass header.from=example.net) smtp.mailfrom=x", Refusal.NOT_SIGNED),
            (f"{SERVER}; spf=fail (a(b); dmarc=pass header.from=example.net) smtp.mailfrom=x", Refusal.NOT_SIGNED),
            (f'{SERVER}; spf=fail smtp.mailfrom="a\\"; dmarc=pass header.from=example.net"', Refusal.NOT_SIGNED),
            (
                f"{SERVER}; spf=fail smtp.mailfrom==?utf-8?q?x=3B_dmarc=3Dpass_header=2Efrom=3Dexample=2Enet?=",
                Refusal.NOT_SIGNED,
            ),
            (f"{SERVER}; x-dmarc=pass header.from=example.net", Refusal.NOT_SIGNED),
            (f"{SERVER}; spf=fail reason=dmarc=pass header.from=example.net", Refusal.NOT_SIGNED),
        ],
    )
    def test_what_our_server_does_not_vouch_for_is_not_heard(self, verdict, code):
        assert refusal(letter(verdict=verdict)) == code

    def test_a_verdict_that_came_with_the_mail_counts_for_nothing_below_another(self):
        forged = letter(verdict=("relay.example.org; none", PASS))
        assert refusal(forged) == Refusal.NOT_SIGNED

    @pytest.mark.parametrize(
        "sender",
        [
            f"Anna <{ANNA}>, Bob <bob@example.net>",
            f'"{ANNA}" <bob@evil.example>',
            "Anna",
            f"<{ANNA}>@evil.example",
            "=?utf-8?q?anna=40example.net?= <bob@evil.example>",
        ],
    )  # fmt: skip
    def test_who_names_another_in_other_words_is_not_that_other(self, sender):
        try:
            found = event_of(
                ACCOUNT,
                letter(verdict=PASS, From=None).replace(b"To: ", f"From: {sender}\r\nTo: ".encode(), 1),
                "1/1",
                int(time.time()),
            )
        except RefusedError:
            return
        assert found.place.peer != ANNA

    def test_two_senders_in_two_headers_are_refused(self):
        twice = letter().replace(b"To: ", b"From: Bob <bob@example.net>\r\nTo: ", 1)
        assert refusal(twice) == Refusal.FORM

    def test_an_old_mail_that_is_sent_again_is_not_heard(self):
        now = int(time.time())
        assert refusal(letter(Date=formatdate(now - KEPT - 1)), now) == Refusal.OLD
        assert refusal(letter(Date=formatdate(now + 2 * 86400)), now) == Refusal.OLD
        assert refusal(letter(Date=None), now) == Refusal.OLD

    @pytest.mark.parametrize(
        "headers",
        [
            {"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"List_Id": "<x.example.net>"}, {"Return_Path": "<>"},
            {"From": "no-reply@example.net"}, {"From": "MAILER-DAEMON@example.net"},
        ],
        ids=str,
    )  # fmt: skip
    def test_machines_are_machines(self, headers):
        assert heard(**headers).machine

    @given(st.binary(max_size=2000))
    def test_whatever_comes_is_an_event_or_refused(self, data):
        for given_ in (data, b"Authentication-Results: " + PASS.encode() + b"\r\n" + data):
            try:
                event_of(ACCOUNT, given_, "1/1", 1_765_000_000)
            except RefusedError:
                continue

    @given(st.text(max_size=200))
    def test_what_a_sender_writes_between_quotes_is_no_verdict(self, text):
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        found = verdicts(f'{SERVER}; spf=fail smtp.mailfrom="{quoted}"; dmarc=fail header.from=x')
        assert [words[0] for words in found] == [SERVER, "spf=fail", "dmarc=fail"]

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("s; dmarc=pas\\xs x", [["s"], ["dmarc=pas\\s", "x"]]),
            ("s; (a\\)b) dmarc=pass", [["s"], ["dmarc=pass"]]),
            ("s; dmarc=pass (", []),
            ('s; dmarc=pass "', []),
        ],
    )
    def test_what_is_escaped_or_left_open_is_no_verdict(self, text, words):
        assert verdicts(text) == words


class TestWords:
    def test_a_file_says_how_large_it_is(self):
        (file,) = heard("look", files=[("plan.pdf", b"%PDF-1.7")]).files
        assert (file.name, file.size, file.source) == ("plan.pdf", 8, "1/1/0")

    def test_a_page_is_heard_by_its_words(self):
        page = "<style>x</style><p>water</p><script>cut()</script>the <b>beans</b><blockquote>Anna: cut the roses</blockquote>"
        assert heard(page, html=True, Subject=None).text == f"water\nthe beans\n{QUOTED}"

    def test_what_is_quoted_is_another_s_word(self):
        assert heard("yes\n\n> /approve 1\n> > cut\nfine", Subject=None).text == f"yes\n\n{QUOTED}\nfine"

    def test_a_command_is_not_hidden_behind_its_subject(self):
        assert heard("/devices").text == "/devices"
        assert heard("no", Subject="/approve 1").text == "Subject: /approve 1\n\nno"

    def test_an_answer_stays_in_its_thread(self):
        event = heard(
            "yes", References="<0@x.example> <1@x.example>", In_Reply_To="<1@x.example>", Message_ID="<2@x.example>"
        )
        assert (event.place.thread, event.text) == ("<0@x.example>", "yes")


class TestSending:
    def send(self, tmp_path, change, **route):
        async def story(fake, gateway):
            async with gateway.running():
                await gateway.until(lambda: gateway.told)
                change(fake)
                to = Route(**{"channel": "mail", "account": ADDRESS, "to": ANNA} | route)
                return await gateway.channel.send(Piece("s", to, "water <b>them</b>\n.\n\ud800", "t")), fake

        return run(tmp_path, story)

    def test_a_piece_to_an_address(self, tmp_path):
        sending, fake = self.send(tmp_path, lambda _: None)
        assert sending.went is SendResult.SENT
        answer = email.message_from_bytes(fake.sent[0][2], policy=default)
        assert answer.get_content_type() == "text/plain"
        assert answer.get_content().splitlines() == ["water <b>them</b>", ".", "?"]

    @pytest.mark.parametrize("route", [{"channel": "other"}, {"to": "anna"}])
    def test_a_piece_for_nobody_here_is_not_sent(self, tmp_path, route):
        sending, fake = self.send(tmp_path, lambda _: None, **route)
        assert (sending.went, fake.sent) == (SendResult.FAILED, [])

    @pytest.mark.parametrize("word", ["MAIL", "RCPT", ".", "AUTH"])
    def test_what_the_server_refuses_was_not_sent(self, tmp_path, word):
        assert (
            self.send(tmp_path, lambda fake: fake.refusals.update({word: ["451 later"]}))[0].went is SendResult.FAILED
        )

    def test_a_server_that_is_gone_after_the_mail_leaves_it_open(self, tmp_path):
        assert self.send(tmp_path, lambda fake: fake.ends.update({".": 1}))[0].went is SendResult.UNKNOWN

    def test_no_header_can_be_put_into_an_answer(self, tmp_path):
        from remit.gateway.inbound.channels.mail import Back

        back = Back(ANNA, "x\r\nBcc: evil@example.net", "<1@x>", "<0@x>").text()
        sending, fake = self.send(tmp_path, lambda _: None, to=back)
        answer = [email.message_from_bytes(data, policy=default) for _, _, data in fake.sent]
        assert sending.went in (SendResult.SENT, SendResult.FAILED)
        assert all(one["Bcc"] is None for one in answer)
        assert all(to == (ANNA,) for _, to, _ in fake.sent)


class TestSettings:
    def test_a_password_that_is_wrong_is_told(self, tmp_path):
        async def story(fake, gateway):
            async with gateway.running():
                with pytest.raises(ChannelError) as raised:
                    await gateway.channel.connection()(Inbox())
            return raised.value

        assert "password for programs" in run(tmp_path, story, token="wrong").remedy

    @pytest.mark.parametrize(
        "told", ["imap://mail.example.org", "http://x", "imaps://", "imaps://u:p@x", "imaps://x/y", "smtp://x"]
    )
    def test_a_mailbox_that_is_not_encrypted_is_refused(self, told):
        with pytest.raises(UsageError):
            read_server(told, "imap", 993)

    def test_servers(self):
        assert read_server("imaps://mail.example.org", "imap", 993) == ("mail.example.org", 993, False, False)
        assert read_server("smtps://mail.example.org", "smtp", 465) == ("mail.example.org", 465, False, False)
        assert read_server("smtp://mail.example.org", "smtp", 465) == ("mail.example.org", 587, False, True)

    def test_an_account_that_is_no_address_is_refused(self):
        with pytest.raises(UsageError):
            asyncio.run(_made())


async def _made():
    from channelworld import settings

    async with new_client() as client:
        mail_channel.Mail("x", settings(Platform.MAIL), client)
