"""Packages that a block asks for without a command: a build file's dependencies, or a comment that says what to install."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.skill.document import Fence

# Where a skill shows what a project must declare. Elsewhere such a block is part of some example.
_SETUP = re.compile(
    r"\b(?:install\w*|set-?up|prerequisites?|requirements?|dependenc(?:y|ies)|getting started|quick ?start)\b"
)
_BUILD_FILE = re.compile(
    r"<(?:dependency|PackageReference)\b"  # Maven, NuGet
    r"|^[ \t]*(?:implementation|api|compileOnly|runtimeOnly|testImplementation|classpath)[ (]+[\"']"  # Gradle
    r"|^\[(?:[\w.-]+\.)?(?:dev-)?dependencies\]"  # Cargo, Poetry
    r"|^\.package\(|^[ \t]*gem [\"']|^[ \t]*pod [\"']",  # Swift, Ruby, CocoaPods
    re.MULTILINE,
)
_COMMENTED = re.compile(
    r"^[ \t]*(?:#|//|--)[^\n]*\b(?:pip3?|uv pip|npm|pnpm|yarn|cargo|gem|brew|conda|go|apt|apt-get|dotnet)"
    r" (?:install|add|get)\b",
    re.MULTILINE,
)


def declares_packages(fence: Fence) -> bool:
    """Whether a block under a heading about setting up is part of a build file that names packages."""
    return bool(_SETUP.search(fence.heading.lower()) and _BUILD_FILE.search(fence.text))


def comment_installs(fence: Fence) -> bool:
    """Whether a comment in program text says what to install: `# Requires: pip install x`."""
    return bool(_COMMENTED.search(fence.text))
