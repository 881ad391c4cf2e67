"""What a server sends back of a credential does not reach the agent, however it is encoded."""

import base64

from each_row import each_row
from remit.gateway import effects
from remit.gateway.acts import ActAnswer, Status, holds_any, without

VALUE = "api-key-of-the-operator-7f3"
ECHOES = {
    "plain": f"Bearer {VALUE}",
    "base64": base64.b64encode(f"Bearer {VALUE}".encode()).decode(),
    "base64 of base64": base64.b64encode(base64.b64encode(VALUE.encode())).decode(),
    "hex": VALUE.encode().hex(),
    "percent": "".join(f"%{byte:02x}" for byte in VALUE.encode()),
    "entities": "".join(f"&#{ord(char)};" for char in VALUE),
    "tags": "".join(chr(0xE0000 + ord(char)) for char in VALUE),
    "unseen characters": "\u200b".join(VALUE),
}


@each_row("echo", ECHOES.values(), ids=ECHOES)
def test_a_credential_that_comes_back_encoded_is_taken_out(echo):
    answer = ActAnswer(Status.OK, f"got {echo}", {"text": f'{{"headers": "{echo}"}}', echo: ["nothing", echo]})
    assert holds_any(answer, [VALUE])
    told = without(answer, [VALUE])
    assert not holds_any(told, [VALUE])
    assert told.summary.startswith("got")
    assert "nothing" in str(told.data)


def test_an_answer_without_it_stays_as_it_is():
    answer = ActAnswer(Status.OK, "got 100 % & more", {"text": "Zürich+Bern %41"})
    assert without(answer, [VALUE]) == answer
    assert not holds_any(answer, [VALUE])


def test_of_a_text_from_outside_no_more_is_told_than_was_searched(monkeypatch):
    monkeypatch.setattr(effects, "_SEARCHED", 20)
    assert effects._outside({"text": "a" * 30, "status": 200, "cut": False}) == {
        "text": "a" * 20,
        "status": 200,
        "cut": True,
    }
    assert effects._outside({"text": "a" * 20, "cut": False}) == {"text": "a" * 20, "cut": False}
