"""Messages: mail to the recipients of a request, and the final output to the agent's own user."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from typing import TYPE_CHECKING, NamedTuple

from remit.executor.effects.adapter import EffectDone, NotDoneError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.executor.accepted_request import Accepted

_SECONDS = 20
_REMEDY = "see `smtp` in effects.json"


class Mail(NamedTuple):
    """The SMTP server. `tls`: `tls` from the first byte, `starttls`, or `none` for a relay on this machine."""

    host: str
    port: int
    sender: str
    tls: str = "starttls"
    user: str = ""
    password: Path | None = None

    def happen(self, accepted: Accepted) -> EffectDone:
        """Send the message. A refusal before the last step of SMTP means that it was not sent."""
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
        return EffectDone("the message was handed to the mail server")

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
    """The final text, which the gateway gives to the agent's user."""

    def happen(self, accepted: Accepted) -> EffectDone:
        """Return the text."""
        return EffectDone("the output may be shown", {"text": accepted.inputs["text"]})
