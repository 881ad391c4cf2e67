"""What a wheel holds besides the package: the manual and the completions, as this source prints them."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {
    "bash": "share/bash-completion/completions/remit",
    "zsh": "share/zsh/site-functions/_remit",
    "fish": "share/fish/vendor_completions.d/remit.fish",
}
MANUAL = "share/man/man1/remit.1"


class WheelData(BuildHookInterface[Any]):
    """The hook of hatchling; an editable installation prints them by itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, str(Path(self.root, "src")))
        sys.dont_write_bytecode = True  # nothing of this build lies in the source that is packed
        from remit.cli.arguments import parser
        from remit.cli.command_tree import command_tree
        from remit.cli.completion import script
        from remit.cli.manual import manual_page

        self._made = tempfile.TemporaryDirectory(prefix="remit-wheel-")
        texts = {place: script(shell) for shell, place in PLACES.items()}
        texts[MANUAL] = manual_page(command_tree(parser()))
        for place, text in texts.items():
            file = Path(self._made.name, place.replace("/", "-"))
            file.write_text(text, "utf-8")
            file.chmod(0o644)
            build_data["shared_data"][str(file)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        if version != "editable":
            self._made.cleanup()
