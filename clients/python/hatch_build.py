"""Refuses to build a package without its generated part, which could not be imported."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Generated(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Ends the build if the generated part is missing."""
        if not Path(self.root, "stagecraft_client/http/creations.py").exists():
            self.app.abort("stagecraft_client/http is missing; in the clone, run: npm run -s python-client")
