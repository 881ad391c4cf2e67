"""Messages: by mail to whoever a request names, and the final output to the agent's own user."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from typing import TYPE_CHECKING, NamedTuple

from remit.executor.effects.form import Done, NotDoneError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.executor.accepted import Accepted

_SECONDS = 20
_REMEDY = "see `smtp` in effects.json"


class Mail(NamedTuple):
    """The mail server that takes messages. `tls`: `tls` from the first byte, `starttls`, or `none` for a relay on this machine."""

    host: str
    port: int
    sender: str
    tls: str = "starttls"
    user: str = ""
    password: Path | None = None

    def happen(self, accepted: Accepted) -> Done:
        """Hand the message over. What the server took is sent; what it refused before the last step is not."""
        inputs = accepted.inputs
        message = EmailMessage()
        message["From"], message["To"] = self.sender, inputs["to"]
        message["Subject"] = inputs.get("subject", "")
        message["Message-ID"] = f"<{accepted.action_id}@remit>"
        message.set_content(inputs["text"])
        try:
            server = self._connected(accepted)
        except (OSError, smtplib.SMTPException) as error:
            raise NotDoneError(f"the mail server does not take messages: {type(error).__name__}", _REMEDY) from None
        with server:
            try:
                server.send_message(message)
            except (smtplib.SMTPRecipientsRefused, smtplib.SMTPSenderRefused, smtplib.SMTPHeloError) as error:
                raise NotDoneError(f"the mail server refused: {type(error).__name__}", _REMEDY) from None
        return Done("the message was handed to the mail server")

    def _connected(self, accepted: Accepted) -> smtplib.SMTP:  # noqa: ARG002  (who connects holds one)
        context = ssl.create_default_context()
        if self.tls == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(self.host, self.port, timeout=_SECONDS, context=context)
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=_SECONDS)
        try:
            if self.tls == "starttls":
                server.starttls(context=context)
            if self.user and self.password is not None:
                server.login(self.user, self.password.read_text("utf-8").strip())
        except BaseException:
            server.close()
            raise
        return server


class FinalOutput(NamedTuple):
    """The text as it may be shown: the gateway gives it to the agent's user."""

    def happen(self, accepted: Accepted) -> Done:
        """Hand it back."""
        return Done("the output may be shown", {"text": accepted.inputs["text"]})
