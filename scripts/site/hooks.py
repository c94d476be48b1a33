"""What MkDocs does not know of this repository: its addresses, and its pages outside of ``docs``.

Pages are written to be read in a checkout, so their links lead through the repository. Files outside of
``docs`` become pages and pictures of the site, links to the repository where it has an address, else words.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError

ROOT = Path(__file__).resolve().parents[2]
GATHERED = ROOT / "build" / "site-pages"
PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "examples/README.md": "examples.md",
    "benchmarks/data/README.md": "benchmark-data.md",
    "benchmarks/results/acting.md": "benchmark-acting.md",
}
"""File outside of ``docs`` -> the page of the site that it becomes."""
PLACES = {
    **PAGES,
    "README.md": "index.md",
    "README.zh.md": "index.md",
}
"""File outside of ``docs`` -> what stands for it on the site."""
LANGUAGES = {"中文", "English"}
"""Links to the same page in the other language; the site has a menu for that."""
LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)#\s]+)(?P<anchor>#[^)\s]+)?\)")
LOADED = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?(?:https?:)?//[^\">]*"
    r"|<link\b(?=[^>]*\brel=\"?(?:stylesheet|preconnect|preload|icon)\b)[^>]*\bhref=\"?(?:https?:)?//[^\">]*"
    r"|class=\"?mermaid\b"
)
"""What a browser would load from elsewhere; for mermaid the theme fetches a library."""


def on_config(config: Any) -> Any:
    """The addresses of the project (pyproject.toml), and all pages in one folder."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"].get("urls", {})
    config.repo_url = urls.get("Repository")
    config.site_url = urls.get("Documentation")
    shutil.rmtree(GATHERED, ignore_errors=True)
    shutil.copytree(ROOT / "docs", GATHERED)
    for name, place in PAGES.items():
        shutil.copyfile(ROOT / name, GATHERED / place)
    config.docs_dir = str(GATHERED)
    return config


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """The page with links that lead somewhere on the site."""
    here = page.file.src_uri
    is_fallback = page.file.locale_alternate_of == "zh" and not here.endswith(".zh.md")
    return LINK.sub(partial(_link, here=here, is_fallback=is_fallback, repository=config.repo_url), markdown)


def _link(link: re.Match[str], here: str, is_fallback: bool, repository: str | None) -> str:
    """A link of the page ``here``, as the site has it; what leads nowhere stays for MkDocs to report."""
    target, anchor = link["target"], link["anchor"] or ""
    if link["text"] in LANGUAGES:
        return ""
    source = next((name for name, made in PAGES.items() if made == here), f"docs/{here}")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    if "://" in target or not (ROOT / path).exists():
        return link[0]
    if path in PLACES:
        path = f"docs/{PLACES[path]}"
    elif not path.startswith("docs/"):
        return _outside(link["text"], path, repository)
    if (ROOT / path).is_dir():
        path = f"{path}/README.md"
    if is_fallback and (ROOT / path.replace(".md", ".zh.md")).exists():
        anchor = ""  # from an English page to a Chinese one, whose headings have other names
    leads = os.path.relpath(path, posixpath.join("docs", posixpath.dirname(here)))
    return f"{link['picture']}[{link['text']}]({leads}{anchor})"


def _outside(text: str, path: str, repository: str | None) -> str:
    """A file that is no page: in the repository where that has an address, else named."""
    if repository:
        return f"[{text}]({repository.rstrip('/')}/blob/main/{path})"
    return text if path in text else f"{text} (`{path}`)"


def on_post_page(output: str, page: Any, config: Any) -> str:
    """The page as it is. Raises PluginError where a browser would load something from another machine."""
    if found := LOADED.search(output):
        raise PluginError(f"{page.file.src_uri} loads something from elsewhere: {found[0]}")
    return output
