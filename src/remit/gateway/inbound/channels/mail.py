"""Mail: a mailbox read by IMAP, with answers by SMTP.

The mailbox is not changed: nothing is deleted or marked. The gateway stores the number of the last mail it took. Any
`From` can be forged: a sender is trusted only if the operator's own mail server reports that DMARC passes.

(1) exactly one sender, and a verdict of the configured server, above all headers that came with the mail; each such verdict is `pass`
(2) not older than events are remembered, so that a mail that is sent again is ignored
(3) automatic mails (lists, notices, absence replies) count as sent by a machine
(4) quoted text is removed: other people wrote it
"""

from __future__ import annotations

import asyncio
import imaplib
import json
import re
import smtplib
import ssl
import time
from collections.abc import Callable, Iterator
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from remit.core.digest import bytes_digest, digest
from remit.core.errors import UsageError
from remit.gateway.inbound.channels.interface import (
    Channel,
    ChannelError,
    Incoming,
    Received,
    Reply,
    Sending,
    SendResult,
)
from remit.gateway.inbound.channels.parsing import Refusal, RefusedError, judged, made
from remit.gateway.inbound.channels.platform_requests import FAILED, SENT, UNKNOWN, is_here
from remit.gateway.inbound.channels.quarantine import MediaError
from remit.gateway.inbound.events import KEPT, Attachment, Event, What
from remit.gateway.inbound.routing import ChatAddress, ConversationKind

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.channels.connections import ChannelInbox
    from remit.gateway.inbound.channels.interface import Connection
    from remit.gateway.inbound.delivery import Piece
    from remit.gateway.inbound.settings.values import ChannelSettings as Settings


_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9.-]{1,250}")
_NAME = re.compile(r"<[\x21-\x3b=\x3f-\x7e]{3,250}>")
_AHEAD = 24 * 3600  # seconds by which a sender's clock may be ahead
_MACHINES = re.compile(r"(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+.-].*)?@.*")
_MOST_SUBJECT = 200
_BLOCKS = frozenset("br p div tr li h1 h2 h3 h4 ul ol table".split())
QUOTED = "[quoted text left out]"


class Back(NamedTuple):
    """Where an answer goes, and the mail that it answers."""

    to: str
    subject: str = ""
    message: str = ""
    references: str = ""

    def text(self) -> str:
        """Return the JSON text for a route."""
        return json.dumps(self)


def read_back(text: str) -> Back:
    """Parse the text of `Back.text`, or a plain address."""
    return Back(*json.loads(text)) if text.startswith("[") else Back(text)


class Account(NamedTuple):
    """Our address and the mail server that is trusted."""

    channel: str
    address: str
    server: str  # the name under which our mail server writes its verdicts


def parse(data: bytes) -> EmailMessage:
    """Parse a mail; RefusedError if it is malformed."""
    try:
        message: EmailMessage = BytesParser(policy=policy.default).parsebytes(data)
        message.keys()
    except Exception:  # noqa: BLE001  the standard library's parser raises many kinds of errors
        raise RefusedError(Refusal.FORM) from None
    return message


def _addressed(mail: EmailMessage) -> set[str]:
    """Return the addresses in To and Cc. A blind copy is not addressed to us."""
    headers = [header for name in ("to", "cc") for header in mail.get_all(name, [])]
    return {one.addr_spec.lower() for header in headers for one in header.addresses}


def event_of(account: Account, data: bytes, source: str, now: int) -> Event:
    """Return the event of a mail. `source`: the server's name for the mail, to fetch its files."""
    try:
        return _event(account, parse(data), source, now)
    except RefusedError:
        raise
    except Exception:  # noqa: BLE001  as above: headers are parsed on access
        raise RefusedError(Refusal.FORM) from None


def _event(account: Account, mail: EmailMessage, source: str, now: int) -> Event:
    sender, name = _sender(mail)
    check_verdict(mail, account.server, sender.rpartition("@")[2])  # (1)
    if account.address.lower() not in _addressed(mail):
        raise RefusedError(Refusal.ACCOUNT)  # signed, but addressed to others: any recipient could replay it to us
    _check_date(mail, now)  # (2)
    own = _names(mail, "message-id")
    message = own[0] if own else bytes_digest(mail.as_bytes())
    before = _names(mail, "references") or _names(mail, "in-reply-to")
    thread = before[0] if before else message
    subject, body = one_line(str(mail.get("subject", "")))[:_MOST_SUBJECT], words_of(mail)
    files = tuple(_files(mail, source))
    if not body and not subject and not files:
        raise RefusedError(Refusal.KIND)
    place = ChatAddress(account.channel, account.address, ConversationKind.DIRECT, sender, "", thread)
    return made(
        place,
        What.SAID,
        body if before or body.startswith("/") or not subject else f"Subject: {subject}\n\n{body}".strip(),
        message,
        event=message if own else "",
        name=name,
        files=files,
        machine=_machine(mail, sender, account.address),  # (3)
        back=Back(sender, subject, message if own else "", " ".join(before[-20:])).text(),
    )


def _sender(mail: EmailMessage) -> tuple[str, str]:
    """Return address (lower case) and name of the only sender in the only `From` header."""
    found = mail.get_all("from", [])
    addresses: tuple[Any, ...] = found[0].addresses if len(found) == 1 else ()
    if len(addresses) != 1 or found[0].defects or not _ADDRESS.fullmatch(addresses[0].addr_spec):
        raise RefusedError(Refusal.FORM)
    return addresses[0].addr_spec.lower(), str(addresses[0].display_name)


def check_verdict(mail: EmailMessage, server: str, domain: str) -> None:
    """Check our mail server's DMARC verdict on the sender's domain.

    Headers below another server's verdict came with the mail.
    """
    passed = False
    raw = (str(value) for name, value in mail.raw_items() if name.lower() == "authentication-results")
    for header in raw:  # raw: decoded headers may contain marks that the sender encoded
        said = verdicts(header)
        if not said or said[0][0] != server.lower():
            break
        for words in said[1:]:
            if words[0].startswith("dmarc="):
                if words[0] != "dmarc=pass" or f"header.from={domain}" not in words[1:]:
                    raise RefusedError(Refusal.SIGNATURE)
                passed = True
    if not passed:
        raise RefusedError(Refusal.NOT_SIGNED)


def verdicts(header: str) -> list[list[str]]:
    """Return the words of each part of an `Authentication-Results` header.

    The sender can influence comments and quoted strings, so comments are dropped and a quoted string becomes one word.
    """
    parts: list[list[str]] = [[""]]
    depth, quoted, escaped = 0, False, False
    for one in header:
        if escaped:
            escaped = False
            one = "\\" if not depth else ""  # noqa: PLW2901  no relevant word contains an escape
        elif one == "\\":
            escaped = True
            continue
        elif quoted:
            quoted = one != '"'
            one = "?" if quoted else ""  # noqa: PLW2901  nor is any of them quoted
        elif one == '"' and not depth:
            quoted = True
            continue
        elif one in "()":
            depth = max(0, depth + (1 if one == "(" else -1))
            one = " "  # noqa: PLW2901
        elif depth:
            continue
        elif one == ";":
            parts.append([""])
            continue
        if one.isspace():
            parts[-1].append("")
        else:
            parts[-1][-1] += one.lower()
    if quoted or depth:
        return []
    return [words for words in ([word for word in part if word] for part in parts) if words]


def _check_date(mail: EmailMessage, now: int) -> None:
    try:
        when = int(parsedate_to_datetime(str(mail.get("date", ""))).timestamp())
    except (ValueError, TypeError, OverflowError, IndexError):
        raise RefusedError(Refusal.OLD) from None
    if not now - KEPT < when < now + _AHEAD:
        raise RefusedError(Refusal.OLD)


def _names(mail: EmailMessage, header: str) -> list[str]:
    return _NAME.findall(" ".join(str(one) for one in mail.get_all(header, [])))


def _machine(mail: EmailMessage, sender: str, ours: str) -> bool:
    automatic = str(mail.get("auto-submitted", "no")).strip().lower() != "no"
    bulk = str(mail.get("precedence", "")).strip().lower() in ("bulk", "junk", "list", "auto_reply")
    empty = str(mail.get("return-path", "")).strip() == "<>"
    own = sender == ours.lower() or bool(_MACHINES.fullmatch(sender))
    return automatic or bulk or empty or own or mail.get("list-id") is not None


def parts_of(mail: EmailMessage) -> list[EmailMessage]:
    """Return the attached files in order."""
    body = mail.get_body(("plain", "html"))
    leaves = [one for one in mail.walk() if not one.is_multipart()]
    return [one for one in leaves if one is not body and (one.get_filename() or one.get_content_maintype() != "text")]


def _files(mail: EmailMessage, source: str) -> Iterator[Attachment]:
    for number, one in enumerate(parts_of(mail)):
        size = len(one.get_payload(decode=True) or b"")
        yield Attachment(one.get_filename() or "file", one.get_content_type(), size, f"{source}/{number}")


def words_of(mail: EmailMessage) -> str:
    """Return the text without quotes."""
    body = mail.get_body(("plain", "html"))
    if body is None:
        return ""
    text = str(body.get_content())
    if body.get_content_subtype() == "html":
        reader = _Words()
        reader.feed(text)
        reader.close()
        text = "".join(reader.words)
    lines: list[str] = []
    for line in text.encode("utf-8", "replace").decode().splitlines():
        if not line.lstrip().startswith(">"):
            lines.append(line.rstrip())
        elif lines[-1:] != [QUOTED]:
            lines.append(QUOTED)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Words(HTMLParser):
    """Extracts the text of HTML without scripts, styles and attributes. Quotes are marked."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        """Start a block on a new line."""
        if tag in ("script", "style", "head", "title", "blockquote", "template"):
            self._silent.append(tag)
            self.words += ["\n> \n"] if tag == "blockquote" else []
        elif tag in _BLOCKS:
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """End a skipped element or a block."""
        if self._silent[-1:] == [tag]:
            self._silent.pop()
        elif tag in _BLOCKS:
            self.words.append("\n")

    def handle_data(self, data: str) -> None:
        """Collect text."""
        if not self._silent:
            self.words.append(data)


def one_line(text: str) -> str:
    """Return a text that cannot end a header, now or when it is parsed again: `=?` begins an encoded word, which may
    contain newlines.
    """
    return " ".join("".join(one if one.isprintable() else " " for one in text).split()).replace("=?", "= ?")


PAUSE = 15.0  # seconds between two polls
MOST = 30 * 1024 * 1024  # bytes of a mail: the largest accepted file, as encoded in a mail
SECONDS = 30.0  # for a server's answer; sending takes less time than the lease of a piece
_BUSY = 60  # seconds before a busy server is tried again
_SUBJECT = "Message"


class Server(NamedTuple):
    """The address of a mail server."""

    host: str
    port: int
    plain: bool  # not encrypted: on this machine only
    starts: bool  # STARTTLS


def read_server(told: str, what: str, encrypted: int) -> Server:
    """Parse `imaps://host`, `smtps://host:465` or `smtp://host:587`; UsageError if malformed."""
    parts = urlsplit(told)
    remedy = f"write {what}s://HOST" + ("" if what == "imap" else " or smtp://HOST:587")
    if parts.scheme not in (what, f"{what}s") or not parts.hostname or parts.path.strip("/") or parts.username:
        raise UsageError(f"`{told}` is no address of a server for {what.upper()}", remedy)
    here = is_here(parts.hostname)
    if parts.scheme == "imap" and not here:
        raise UsageError(f"`{told}` is not encrypted", remedy)
    usual = {"smtp": 587, "imap": 143}.get(parts.scheme, encrypted)
    starts = parts.scheme == "smtp" and not here
    return Server(parts.hostname, parts.port or usual, here and not parts.scheme.endswith("s"), starts)


class Mail(Channel):
    """One mailbox."""

    def __init__(self, name: str, settings: Settings, _: AsyncClient) -> None:
        if "@" not in settings.account:
            raise UsageError(f"the channel `{name}` has no address", "set `account` to the address of the mailbox")
        self.name, self.settings = name, settings
        self.inbox, self.outbox = read_server(settings.api, "imap", 993), read_server(settings.smtp, "smtp", 465)

    def receive(self, incoming: Incoming) -> Received:  # noqa: ARG002  the form of a channel
        """Refuse: mail has no requests."""
        return Received(reply=Reply(404), refused=Refusal.NO_SECRET)

    def connection(self) -> Connection:
        """Return what polls the mailbox."""
        return self._poll

    async def fetch(self, file: Attachment, write: Callable[[bytes], None]) -> None:
        """Read the mail again and extract the file."""
        validity, uid, number = (*file.source.split("/"), "", "")[:3]
        try:
            write(await asyncio.to_thread(self._read_again, validity, uid, int(number)))
        except (OSError, imaplib.IMAP4.error, RefusedError, ChannelError, ValueError, IndexError, TypeError, EOFError):
            raise MediaError("the mail cannot be read again") from None

    async def send(self, piece: Piece) -> Sending:
        """Send an answer in the thread of the mail."""
        back = Back(*map(one_line, read_back(piece.route.to)))
        if piece.route.channel != self.name or not piece.body or "@" not in back.to:
            return FAILED
        mail = EmailMessage()
        mail["From"], mail["To"] = self.settings.account, back.to
        subject = back.subject or _SUBJECT
        mail["Subject"] = subject if subject.lower().startswith("re:") or not back.message else f"Re: {subject}"
        text = piece.body.encode("utf-8", "replace").decode()
        name = digest([piece.trace, piece.route.to, text]).removeprefix("sha256:")[:32]
        mail["Message-ID"] = f"<{name}@{self.settings.account.rpartition('@')[2]}>"
        if back.message:
            mail["In-Reply-To"], mail["References"] = back.message, f"{back.references} {back.message}".strip()
        mail["Auto-Submitted"] = "auto-replied"  # so that no machine replies
        mail.set_content(text)
        return await asyncio.to_thread(self._post, mail, back.to)

    def _post(self, mail: EmailMessage, to: str) -> Sending:
        try:
            smtp = open_smtp(self)
        except (smtplib.SMTPException, OSError):
            return FAILED
        try:
            smtp.send_message(mail, self.settings.account, [to])
        except smtplib.SMTPDataError as error:
            return Sending(SendResult.FAILED, _BUSY if error.smtp_code < 500 else 0)
        except (smtplib.SMTPRecipientsRefused, smtplib.SMTPSenderRefused, smtplib.SMTPHeloError):
            return Sending(SendResult.FAILED, _BUSY)
        except (smtplib.SMTPException, OSError):
            return UNKNOWN
        finally:
            smtp.close()
        return SENT

    def _read_again(self, validity: str, uid: str, number: int) -> bytes:
        imap = open_imap(self)
        try:
            if _select(imap)[0] != int(validity):
                raise ValueError("the mailbox restarted its numbering")
            found = parts_of(parse(_mail(imap, int(uid))))[number].get_payload(decode=True)
            return found if isinstance(found, bytes) else b""
        finally:
            imap.shutdown()

    async def _poll(self, inbox: ChannelInbox) -> None:
        """Poll the mailbox."""
        await asyncio.to_thread(self._check)
        imap = await asyncio.to_thread(open_imap, self)
        try:
            place = await inbox.position()
            found = await asyncio.to_thread(_begin, imap, read_position(place))
            await inbox.move(found.text())
            inbox.connected()
            while True:
                for number in await asyncio.to_thread(_behind, imap, found.uid):
                    await self._take(inbox, imap, found._replace(uid=number))
                    found = found._replace(uid=number)
                    await inbox.move(found.text())
                await asyncio.sleep(PAUSE)
        except imaplib.IMAP4.error:
            raise ChannelError("the mail server closed the connection", "it is opened again") from None
        finally:
            imap.shutdown()

    def _check(self) -> None:
        """Check that answers can be sent, before any mail is taken."""
        try:
            open_smtp(self).close()
        except smtplib.SMTPAuthenticationError:
            remedy = "write a password for programs of this account into the file under `token_file`"
            raise ChannelError("the server for SMTP does not take the password", remedy, operator=True) from None
        except smtplib.SMTPException as error:
            raise ChannelError(f"the server for SMTP refuses ({type(error).__name__})", "look at `smtp`") from None

    async def _take(self, inbox: ChannelInbox, imap: imaplib.IMAP4, place: Position) -> None:
        came, size = await asyncio.to_thread(_about, imap, place.uid)
        if size > MOST:
            await inbox.take(Received(refused=Refusal.TOO_LARGE))
        elif size and came >= place.floor:
            data = await asyncio.to_thread(_mail, imap, place.uid)
            source = f"{place.validity}/{place.uid}"
            await inbox.take(await asyncio.to_thread(judged, lambda given: self._event(given, source), data))

    def _event(self, data: bytes, source: str) -> Received:
        account = Account(self.name, self.settings.account, self.settings.mail_server)
        return Received((event_of(account, data, source, int(time.time())),))


class Position(NamedTuple):
    """The stored position: UIDVALIDITY, UID of the last mail taken, time of the start, and time before which mails are
    ignored.
    """

    validity: int
    uid: int
    began: int
    floor: int = 0

    def text(self) -> str:
        """Return the position as stored text."""
        return " ".join(map(str, self))


def read_position(text: str) -> Position | None:
    """Return the stored position; None if there is none."""
    known = [int(one) for one in text.split() if one.isdigit()]
    return Position(*known) if len(known) == len(Position._fields) else None


def open_imap(mail: Mail) -> imaplib.IMAP4:
    """Return a logged-in connection."""
    server = mail.inbox
    if server.plain:
        imap: imaplib.IMAP4 = imaplib.IMAP4(server.host, server.port, SECONDS)
    else:
        imap = imaplib.IMAP4_SSL(server.host, server.port, ssl_context=ssl.create_default_context(), timeout=SECONDS)
    try:
        imap.login(mail.settings.account, mail.settings.token)
    except imaplib.IMAP4.error:
        imap.shutdown()
        remedy = "write a password for programs of this account into the file under `token_file`, and allow IMAP for it"
        raise ChannelError("the server for IMAP does not take the password", remedy, operator=True) from None
    return imap


def open_smtp(mail: Mail) -> smtplib.SMTP:
    """Return a logged-in connection."""
    server, context = mail.outbox, ssl.create_default_context()
    if server.plain or server.starts:
        smtp = smtplib.SMTP(server.host, server.port, timeout=SECONDS)
    else:
        smtp = smtplib.SMTP_SSL(server.host, server.port, timeout=SECONDS, context=context)
    try:
        if server.starts:
            smtp.starttls(context=context)
        smtp.login(mail.settings.account, mail.settings.token)
    except BaseException:
        smtp.close()
        raise
    return smtp


def _select(imap: imaplib.IMAP4) -> tuple[int, int]:
    """Open the mailbox read-only; return UIDVALIDITY and the UID of the next mail."""
    imap.select("INBOX", readonly=True)
    found = [(imap.response(name)[1] or [None])[0] for name in ("UIDVALIDITY", "UIDNEXT")]
    if not all(isinstance(one, bytes) and one.isdigit() for one in found):
        raise ChannelError("the server for IMAP does not say how it counts mails", "use another server")
    return int(found[0]), int(found[1])


def _begin(imap: imaplib.IMAP4, known: Position | None) -> Position:
    """Return where to start: at first with new mails; after a change of UIDVALIDITY, with all since the first start."""
    validity, following = _select(imap)
    if known is None:
        return Position(validity, following - 1, int(time.time()))
    return known if known.validity == validity else Position(validity, 0, known.began, known.began)


def _behind(imap: imaplib.IMAP4, uid: int) -> list[int]:
    """Return the UIDs after one; the server returns the last mail even if there is none after it."""
    imap.noop()
    _, found = imap.uid("SEARCH", f"UID {uid + 1}:*")
    return sorted(number for number in map(int, (found[0] or b"").split()) if number > uid)


def _about(imap: imaplib.IMAP4, uid: int) -> tuple[int, int]:
    """Return when a mail arrived and its size; zeros if it is gone."""
    text = b" ".join(_parts(imap.uid("FETCH", str(uid), "(INTERNALDATE RFC822.SIZE)")[1]))
    size, when = re.search(rb"RFC822\.SIZE (\d{1,12})", text), imaplib.Internaldate2tuple(text)
    if size is None or when is None:
        return 0, 0
    return int(time.mktime(when)), int(size[1])


def _mail(imap: imaplib.IMAP4, uid: int) -> bytes:
    found = [one[1] for one in imap.uid("FETCH", str(uid), "(BODY.PEEK[])")[1] if isinstance(one, tuple)]
    if not found or len(found[0]) > MOST:
        raise ChannelError("the server for IMAP does not give a mail", "it is tried again")
    return bytes(found[0])


def _parts(told: list[bytes | tuple[bytes, ...] | None]) -> Iterator[bytes]:
    for one in told:
        yield from (one,) if isinstance(one, bytes) else one or ()
