"""Write the project's addresses to where programs and people look for them: `make addresses`.

They stand in `[project.urls]` of pyproject.toml and nowhere else: Repository, Issues, Documentation and
Security. One that is not named there yet is left empty, or said to be missing.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MANIFEST = ROOT / "custom_components/winnow/manifest.json"
SECURITY = ROOT / "SECURITY.md"
FORMS = ROOT / ".github/ISSUE_TEMPLATE/config.yml"
NO_CONTACT = "*not named yet: whoever publishes this repository puts an address into pyproject.toml*"
CONTACT = re.compile(r"(<!-- security-contact -->).*?(<!-- /security-contact -->)")


def project_urls() -> Mapping[str, str]:
    """What pyproject.toml names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return dict(project.get("urls", {}))


def written(urls: Mapping[str, str]) -> dict[Path, str]:
    """Each file that holds addresses -> its text with these."""
    repository = urls.get("Repository", "").rstrip("/")
    page = f"{repository}/blob/main/docs/home-assistant.md" if repository else ""
    manifest = MANIFEST.read_text("utf-8")
    for key, url in (("documentation", page), ("issue_tracker", urls.get("Issues", ""))):
        manifest = re.sub(rf'("{key}": )"[^"]*"', rf"\g<1>{json.dumps(url)}", manifest)
    contact = urls.get("Security", NO_CONTACT)
    forms = "blank_issues_enabled: false\n"
    if documentation := urls.get("Documentation"):
        forms += "contact_links:\n"
        forms += (
            f"  - {{ name: Documentation, url: {json.dumps(documentation)}, about: How to use Winnow. }}\n"
        )
    return {
        MANIFEST: manifest,
        SECURITY: CONTACT.sub(lambda found: found[1] + contact + found[2], SECURITY.read_text("utf-8")),
        FORMS: forms,
    }


if __name__ == "__main__":
    for path, text in written(project_urls()).items():
        path.write_text(text, encoding="utf-8")
