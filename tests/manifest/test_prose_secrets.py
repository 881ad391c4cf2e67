"""Sentences about keys, logins and the environment."""

from __future__ import annotations

from prose_values import asks

from each_row import each_row
from remit.skill.prose.variables import holds_secret, is_blank

OURS = {"secret.read", "secret.write", "secret.delete", "env.read", "env.write"}


@each_row(
    ("text", "expected"),
    [
        ("Needs WEATHER_API_KEY to work.", {"secret.read", "env.read"}),
        ("The script wants `MAP_TOKEN`.", {"secret.read", "env.read"}),
        ("| `MAP_TOKEN` | required |", {"secret.read", "env.read"}),
        ("Set `MAP_TOKEN` before the first run.", {"secret.read", "env.read", "env.write"}),
        ("Set `MAP_REGION` to the region.", {"env.write"}),
        ("Obtain an access token from the settings page.", {"secret.read"}),
        ("Send the bearer token with each request.", {"secret.read"}),
        ("Read the folder from environment variables.", {"env.read"}),
        ("Verify that the env var is set.", {"env.read"}),
        ("Log in with your account first.", {"secret.write"}),
        ("Save the API key in the key chain.", {"secret.write"}),
        ("Generate a new access token once a month.", {"secret.write"}),
        ("Revoke the API key at the end.", {"secret.delete"}),
    ],
)
def test_what_is_done_with_keys_and_variables(text: str, expected: set[str]) -> None:
    assert asks(text) & OURS == expected


@each_row(
    "text",
    [
        "Count the tokens of the prompt.",
        "Load the token file of the parser.",
        "Never use an API key here.",
        "Works without MAP_API_KEY.",
        "Keep credentials out of logs.",
        "Use the colour RED_LIGHT for errors.",
        "The user can create a token.",
        "It runs with a read/write token.",
        "Use environment variables for settings.",
        "Replace YOUR_NAME_HERE.",
        "## Anti-patterns\n\nStore the API key in the code.",
    ],
)
def test_look_alikes_ask_for_nothing(text: str) -> None:
    assert not asks(text) & OURS


@each_row("name", ["A_API_KEY", "APIKEY", "GH_TOKEN", "DB_PASSWORD", "MAP_KEY", "DB_CONNECTION_STRING"])
def test_names_of_secrets(name: str) -> None:
    assert holds_secret(name)


@each_row("name", ["MAP_REGION", "MAX_TOKENS", "YOUR_API_KEY", "SSH_PUBLIC_KEY", "KEY_COUNT", "TOKENIZER_PATH"])
def test_names_that_hold_none(name: str) -> None:
    assert not holds_secret(name)


def test_names_to_be_filled_in() -> None:
    assert is_blank("YOUR_API_KEY")
    assert is_blank("TOKEN_HERE")
    assert not is_blank("MAP_API_KEY")
