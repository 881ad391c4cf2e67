"""Registry of all pages, and the menu. A page is a module of `pages/` and a line here."""

from __future__ import annotations

from remit.web.console.page import Page, Section
from remit.web.console.pages import (
    approvals,
    audit,
    bundle,
    health,
    manifest,
    models,
    skill,
    skills,
    source,
    update,
    waiting,
)

SECTIONS = (
    Section("skills", "Skills", "/", "s"),
    Section("approvals", "Approvals", "/approvals", "a"),
    Section("audit", "Audit", "/audit", "l"),
    Section("health", "Health", "/health", "h"),
    Section("models", "Models", "/models", "m"),
)  # fmt: skip

PAGES = (
    Page("/", "Skills", "skills", skills.show),
    Page("/skills/rows", "Skills", "skills", skills.rows),
    Page("/skills/state", "Skills", "skills", skills.state),
    Page("/skills/look", "Skills", "skills", take=skills.look),
    Page("/approvals", "Approvals", "approvals", approvals.show, approvals.take),
    Page("/approvals/stream", "Approvals", "approvals", approvals.stream),
    Page("/approvals/grants", "What was granted", "approvals", approvals.grants, approvals.revoke),
    Page("/skill/{ident}", "Skill", "skills", skill.show),
    Page("/skill/{ident}/state", "Skill", "skills", skill.state),
    Page("/skill/{ident}/source", "Source", "skills", source.show),
    Page("/skill/{ident}/manifest", "Manifest", "skills", manifest.show, manifest.save),
    Page("/skill/{ident}/check", "Manifest", "skills", take=manifest.check),
    Page("/skill/{ident}/bundle", "Bundle", "skills", bundle.show, bundle.again),
    Page("/skill/{ident}/update", "Update", "skills", update.show),
    Page("/ready", "Ready", "skills", waiting.ready),
    Page("/audit", "Audit", "audit", audit.timeline),
    Page("/audit/record/{number:int}", "Record", "audit", audit.record),
    Page("/audit/alarms", "Alarms", "audit", audit.alarms),
    Page("/audit/compared", "What was admitted, and what ran", "audit", audit.compared),
    Page("/audit/verify", "Audit", "audit", take=audit.verify),
    Page("/audit/standing", "Audit", "audit", audit.standing),
    Page("/health", "Health", "health", health.show),
    Page("/models", "Models", "models", models.show, models.check),
    Page("/models/{name}", "Model", "models", models.show_one, models.check_one),
    Page("/models/{name}/graph", "Model", "models", models.graph),
)  # fmt: skip
