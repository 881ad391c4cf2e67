# ruff: noqa: PLR0912  one branch for each thing that is said
"""A mailbox: IMAP (RFC 3501) and SMTP (RFC 5321) as far as a program needs them that reads new mails and answers."""

import asyncio
import base64
import re
import sys
import time
from contextlib import asynccontextmanager

ADDRESS, PASSWORD, SERVER = "garden@example.org", "of-a-program", "mx.example.org"
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


class FakeMail:
    def __init__(self):
        self.mails, self.validity, self.following = {}, 1, 1  # by UID
        self.sent, self.refusals, self.ends, self.commands = [], {}, {}, []
        self.logins = 0

    def come(self, data, when=None):
        """A mail that the server took: what it says of the sender stands above."""
        self.mails[self.following] = (data if isinstance(data, bytes) else data.encode(), when or time.time())
        self.following += 1
        return self.following - 1

    async def until(self, holds):
        async with asyncio.timeout(300):
            while not holds():  # noqa: ASYNC110  what it waits for knows of no event
                await asyncio.sleep(0.01)

    @asynccontextmanager
    async def serving(self):
        imap = await asyncio.start_server(self._imap, "127.0.0.1", 0, limit=1 << 25)
        smtp = await asyncio.start_server(self._smtp, "127.0.0.1", 0, limit=1 << 25)
        try:
            yield tuple(one.sockets[0].getsockname()[1] for one in (imap, smtp))
        finally:
            imap.close()
            smtp.close()

    async def _imap(self, reader, writer):
        writer.write(b"* OK [CAPABILITY IMAP4rev1] ready\r\n")
        try:
            while line := await reader.readline():
                tag, command, *rest = line.decode().rstrip("\r\n").split(" ", 2)
                self.commands.append(command.upper())
                text = rest[0] if rest else ""
                if command.upper() == "IDLE":
                    await self._idle(reader, writer)
                    said = b"OK done"
                else:
                    said = self._imap_said(writer, command.upper(), text)
                writer.write(f"{tag} ".encode() + said + b"\r\n")
                await writer.drain()
                if command.upper() == "LOGOUT":
                    return
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def _idle(self, reader, writer):
        writer.write(b"+ idling\r\n")
        known = len(self.mails)
        done = asyncio.create_task(reader.readline())
        while not done.done():
            await asyncio.wait((done,), timeout=0.02)
            if len(self.mails) != known:
                known = len(self.mails)
                writer.write(f"* {known} EXISTS\r\n".encode())

    def _imap_said(self, writer, command, text):
        match command:
            case "CAPABILITY":
                writer.write(b"* CAPABILITY IMAP4rev1 IDLE UIDPLUS\r\n")
            case "LOGIN":
                self.logins += 1
                if [one.strip('"') for one in text.split(" ")] != [ADDRESS, PASSWORD]:
                    return b"NO [AUTHENTICATIONFAILED] no"
            case "SELECT" | "EXAMINE":
                writer.write(f"* {len(self.mails)} EXISTS\r\n* 0 RECENT\r\n* FLAGS (\\Seen)\r\n".encode())
                writer.write(f"* OK [UIDVALIDITY {self.validity}] .\r\n* OK [UIDNEXT {self.following}] .\r\n".encode())
                return b"OK [READ-ONLY] fine"
            case "LOGOUT":
                writer.write(b"* BYE\r\n")
            case "UID":
                return self._uid(writer, text)
            case "NOOP" | "CLOSE":
                pass
            case _:
                return b"BAD what"
        return b"OK fine"

    def _uid(self, writer, text):
        kind, _, rest = text.partition(" ")
        if kind.upper() == "SEARCH":
            found = re.search(r"(\d+):\*", rest)
            first = int(found[1]) if found else 1
            names = [one for one in self.mails if one >= first] or sorted(self.mails)[-1:]  # `*` is always the last
            writer.write(("* SEARCH " + " ".join(map(str, names))).rstrip().encode() + b"\r\n")
            return b"OK fine"
        name, _, wanted = rest.partition(" ")
        if int(name) not in self.mails:
            return b"OK nothing"
        data, when = self.mails[int(name)]
        order = list(self.mails).index(int(name)) + 1
        if "BODY" in wanted.upper():
            writer.write(f"* {order} FETCH (UID {name} BODY[] {{{len(data)}}}\r\n".encode() + data + b")\r\n")
        else:
            at = time.gmtime(when)
            date = f"{at.tm_mday:2d}-{_MONTHS[at.tm_mon - 1]}-{at.tm_year} {at.tm_hour:02}:{at.tm_min:02}:{at.tm_sec:02} +0000"
            writer.write(f'* {order} FETCH (UID {name} INTERNALDATE "{date}" RFC822.SIZE {len(data)})\r\n'.encode())
        return b"OK fine"

    async def _smtp(self, reader, writer):
        writer.write(b"220 here ESMTP\r\n")
        sender, to = "", []
        try:
            while line := await reader.readline():
                text = line.decode().rstrip("\r\n")
                word = text.split(" ")[0].upper()
                if self.ends.get(word):
                    self.ends[word] -= 1
                    return
                if self.refusals.get(word):
                    said = self.refusals[word].pop(0)
                elif word == "EHLO":
                    said = "250-here\r\n250-AUTH PLAIN\r\n250 8BITMIME"
                elif word == "AUTH":
                    shown = base64.b64decode(text.split(" ")[2]).split(b"\0")[1:] if text.count(" ") > 1 else []
                    said = "235 fine" if shown == [ADDRESS.encode(), PASSWORD.encode()] else "535 5.7.8 no"
                elif word == "MAIL":
                    sender, to, said = text, [], "250 fine"
                elif word == "RCPT":
                    to.append(re.search("<(.*?)>", text)[1])
                    said = "250 fine"
                elif word == "DATA":
                    said = await self._data(reader, writer, sender, to)
                    if said is None:
                        return
                else:
                    said = "221 bye" if word == "QUIT" else "250 fine"
                writer.write(said.encode() + b"\r\n")
                await writer.drain()
                if word == "QUIT":
                    return
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def _data(self, reader, writer, sender, to):
        writer.write(b"354 go on\r\n")
        data = await reader.readuntil(b"\r\n.\r\n")
        self.sent.append((sender, tuple(to), data[:-5].replace(b"\r\n..", b"\r\n.")))
        if self.ends.get("."):
            self.ends["."] -= 1
            return None
        return self.refusals["."].pop(0) if self.refusals.get(".") else "250 fine"


if __name__ == "__main__":

    async def go():
        fake = FakeMail()
        async with fake.serving() as ports:
            print(*ports, flush=True)
            while line := await asyncio.to_thread(sys.stdin.readline):
                fake.come(base64.b64decode(line))

    asyncio.run(go())
