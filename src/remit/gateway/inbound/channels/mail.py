"""Mail: a mailbox read by IMAP, with answers by SMTP. mail_messages.py decides whether a sender is trusted.

The mailbox is not changed: nothing is deleted or marked. The gateway stores the number of the last mail it took.
"""

from __future__ import annotations

import asyncio
import imaplib
import re
import smtplib
import ssl
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from remit.core.digest import digest
from remit.core.errors import UsageError
from remit.gateway.inbound.channels.interface import ChannelError, Inbox, Incoming, Received, Reply, Sending, Went
from remit.gateway.inbound.channels.mail_messages import Account, Back, event_of, one_line, parse, parts_of, read_back
from remit.gateway.inbound.channels.platform_requests import FAILED, SENT, UNKNOWN, is_here
from remit.gateway.inbound.channels.quarantine import MediaError
from remit.gateway.inbound.channels.refusal import Refusal, RefusedError, judged

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.delivery.state_machine import Piece, Route
    from remit.gateway.inbound.ingress.event import Attachment
    from remit.gateway.inbound.settings.values import Channel

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


class Mail(NamedTuple):
    """One mailbox."""

    name: str
    settings: Channel
    inbox: Server
    outbox: Server

    def receive(self, incoming: Incoming) -> Received:  # noqa: ARG002  the form of a channel
        """Refuse: mail has no requests."""
        return Received(reply=Reply(404), refused=Refusal.NO_SECRET)

    def connection(self) -> Mailbox:
        """Return the connection that polls the mailbox."""
        return Mailbox(self)

    async def typing(self, route: Route) -> None:
        """Do nothing: mail has no typing indicator."""

    async def fetch(self, file: Attachment, write: Callable[[bytes], None]) -> None:
        """Read the mail again and extract the file."""
        validity, uid, number = (*file.source.split("/"), "", "")[:3]
        try:
            write(await asyncio.to_thread(self._read_again, validity, uid, int(number)))
        except (OSError, imaplib.IMAP4.error, RefusedError, ChannelError, ValueError, IndexError, TypeError, EOFError):
            raise MediaError("the mail can not be read again") from None

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
            return Sending(Went.FAILED, _BUSY if error.smtp_code < 500 else 0)
        except (smtplib.SMTPRecipientsRefused, smtplib.SMTPSenderRefused, smtplib.SMTPHeloError):
            return Sending(Went.FAILED, _BUSY)
        except (smtplib.SMTPException, OSError):
            return UNKNOWN
        finally:
            smtp.close()
        return SENT

    def _read_again(self, validity: str, uid: str, number: int) -> bytes:
        imap = open_imap(self)
        try:
            if _select(imap)[0] != int(validity):
                raise ValueError("the mailbox counts anew")
            found = parts_of(parse(_mail(imap, int(uid))))[number].get_payload(decode=True)
            return found if isinstance(found, bytes) else b""
        finally:
            imap.shutdown()


class Place(NamedTuple):
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


def read_place(text: str) -> Place | None:
    """Return the stored position; None if there is none."""
    known = [int(one) for one in text.split() if one.isdigit()]
    return Place(*known) if len(known) == len(Place._fields) else None


class Mailbox(NamedTuple):
    """See interface.Connection."""

    channel: Mail

    async def run(self, inbox: Inbox) -> None:
        """Poll the mailbox."""
        await asyncio.to_thread(self._check)
        imap = await asyncio.to_thread(open_imap, self.channel)
        try:
            place = await inbox.position()
            found = await asyncio.to_thread(_begin, imap, read_place(place))
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
            open_smtp(self.channel).close()
        except smtplib.SMTPAuthenticationError:
            remedy = "write a password for programs of this account into the file under `token_file`"
            raise ChannelError("the server for SMTP does not take the password", remedy, operator=True) from None
        except smtplib.SMTPException as error:
            raise ChannelError(f"the server for SMTP refuses ({type(error).__name__})", "look at `smtp`") from None

    async def _take(self, inbox: Inbox, imap: imaplib.IMAP4, place: Place) -> None:
        came, size = await asyncio.to_thread(_about, imap, place.uid)
        if size > MOST:
            await inbox.take(Received(refused=Refusal.TOO_LARGE))
        elif size and came >= place.floor:
            data = await asyncio.to_thread(_mail, imap, place.uid)
            source = f"{place.validity}/{place.uid}"
            await inbox.take(await asyncio.to_thread(judged, lambda given: self._event(given, source), data))

    def _event(self, data: bytes, source: str) -> Received:
        settings = self.channel.settings
        account = Account(self.channel.name, settings.account, settings.mail_server)
        return Received((event_of(account, data, source, int(time.time())),))


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


def _begin(imap: imaplib.IMAP4, known: Place | None) -> Place:
    """Return where to start: at first with new mails; after a change of UIDVALIDITY, with all since the first start."""
    validity, following = _select(imap)
    if known is None:
        return Place(validity, following - 1, int(time.time()))
    return known if known.validity == validity else Place(validity, 0, known.began, known.began)


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


def mail(name: str, settings: Channel, _: AsyncClient) -> Mail:
    """Return a mailbox with these settings; UsageError if they are unusable."""
    if "@" not in settings.account:
        raise UsageError(f"the channel `{name}` has no address", "set `account` to the address of the mailbox")
    inbox, outbox = read_server(settings.api, "imap", 993), read_server(settings.smtp, "smtp", 465)
    return Mail(name, settings, inbox, outbox)
