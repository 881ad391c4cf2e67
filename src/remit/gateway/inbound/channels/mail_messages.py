"""Events of mails. Any `From` can be forged: a sender is trusted only if the operator's own mail server reports that
DMARC passes.

(1) exactly one sender, and a verdict of the configured server, above all headers that came with the mail; each such verdict is `pass`
(2) not older than events are remembered, so that a mail that is sent again is ignored
(3) automatic mails (lists, notices, absence replies) count as sent by a machine
(4) quoted text is removed: other people wrote it
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from email import policy
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.digest import bytes_digest
from remit.gateway.inbound.channels.parsing import made
from remit.gateway.inbound.channels.refusal import Refusal, RefusedError
from remit.gateway.inbound.ingress.deduplication import KEPT
from remit.gateway.inbound.ingress.event import Attachment, Event, What
from remit.gateway.inbound.routing.message import Kind, Place

if TYPE_CHECKING:
    from email.message import EmailMessage


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
    place = Place(account.channel, account.address, Kind.DIRECT, sender, "", thread)
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
