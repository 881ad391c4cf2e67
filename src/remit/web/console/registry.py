"""The list of all pages, and the menu. A page is a module of `pages/`, and a line here."""

from __future__ import annotations

from remit.web.console.page import Page, Section
from remit.web.console.pages import skills

SECTIONS = (
    Section("skills", "Skills", "/", "s"),
)  # fmt: skip

PAGES = (
    Page("/", "Skills", "skills", skills.show),
    Page("/skills/rows", "Skills", "skills", skills.rows),
    Page("/skills/state", "Skills", "skills", skills.state),
    Page("/skills/look", "Skills", "skills", take=skills.look),
)  # fmt: skip
