"""All rules, by their identifiers."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.findings.model import Rule

# One module of `rules` each, by the identifier of its rule with underscores; in the order in which they are documented.
NAMES = (
    "secret_to_network",
    "environment_to_network",
    "personal_data_to_network",
    "credentials_collected",
    "embedded_credential",
    "download_and_run",
    "downloaded_code_run",
    "decode_and_run",
    "planted_file_run",
    "package_from_url",
    "unpinned_package",
    "fake_prerequisite",
    "remote_instructions",
    "startup_change",
    "agent_settings",
    "agent_memory",
    "login_access",
    "git_hook",
    "traffic_redirected",
    "other_skill",
    "permission_prompts_off",
    "protections_off",
    "guards_disabled",
    "host_exposed",
    "tls_checks_off",
    "world_writable",
    "predictable_secrets",
    "fixed_login",
    "user_files_deleted",
    "backups_deleted",
    "work_discarded",
    "disk_overwritten",
    "database_dropped",
    "files_locked",
    "invisible_characters",
    "hidden_orders",
    "encoded_text",
    "other_language",
    "assembled_host",
    "import_side_effect",
    "hidden_condition",
    "hidden_markup",
    "password_archive",
    "bundled_executable",
    "unread_script",
    "works_against_user",
    "hides_from_user",
    "overrides_instructions",
    "approval_claimed",
    "results_falsified",
    "hidden_output",
    "secret_disclosed",
    "data_to_unknown_host",
    "hidden_recipient",
    "phishing_material",
    "credentials_requested",
    "standing_orders",
    "interests_harmed",
    "lookalike_name",
    "suspicious_destination",
    "undisclosed_host",
    "author_inbox",
    "fixed_payee",
    "results_rewritten",
    "reverse_shell",
    "remote_control",
    "crypto_miner",
    "user_recorded",
    "contradicts_description",
    "unattended_action",
    "command_injection",
)


def idents() -> tuple[str, ...]:
    """The identifiers of all rules, without loading them."""
    return tuple(name.replace("_", "-") for name in NAMES)


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its identifier."""
    found = [import_module(f"remit.findings.rules.{name}").RULE for name in NAMES]
    return {rule.ident: rule for rule in found}
