"""List the sentences that the Korean catalogue lacks or no longer needs; with --write, put it in order.

Sentences are found by reading the code's syntax trees, not its text: a `t("…")` inside an f-string counts too.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("core", "pages", "serve")
MARKS = frozenset({"t", "_", "gettext"})
HEADER = """msgid ""
msgstr ""
"Project-Id-Version: plimsoll\\n"
"Language: ko\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

"""
"""Without dates: the file changes only where a sentence does."""


def messages() -> dict[str, str]:
    """Return every sentence of the code with the first file that says it."""
    found: dict[str, str] = {}
    for path in sources():
        for first, _ in calls(path):
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                found.setdefault(first.value, path.relative_to(ROOT).as_posix())
    return found


def sources() -> list[Path]:
    """Return every file that may hold sentences."""
    return [ROOT / "app.py", *(path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py")))]


def calls(path: Path) -> Iterator[tuple[ast.expr | None, int]]:
    """Yield the first argument and the line of every call that marks a sentence."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
            yield (node.args[0] if node.args else None), node.lineno


def catalogue_path(language: str) -> Path:
    """Return where the catalogue of a language lies."""
    return ROOT / "data" / "locale" / language / "LC_MESSAGES" / "plimsoll.po"


def catalogue(language: str) -> Catalog:
    """Return the catalogue of a language."""
    with catalogue_path(language).open("rb") as source:
        return read_po(source, locale=language)


def main(write: bool) -> int:  # noqa: FBT001 - the one switch of a command
    """Print what is missing and what is left over; return 1 where something is missing."""
    wanted = messages()
    held = {message.id: message.string for message in catalogue("ko") if message.id}
    missing = [text for text in wanted if not held.get(text)]
    for text in missing:
        print(f"missing  {wanted[text]}: {text}")
    for text in held:
        if text not in wanted:
            print(f"obsolete {text}")
    if missing and not write:
        place = catalogue_path("ko").relative_to(ROOT)
        print(f"python scripts/messages.py --write gives each missing one an empty msgstr in {place}: fill it in")
    if write:
        _write({text: held.get(text, "") for text in wanted})
    return 1 if missing else 0


def _write(pairs: dict[str, str]) -> None:
    """Write the sentences in the order of the alphabet, an empty translation for each that is missing."""
    made = Catalog(locale="ko")
    for text in sorted(pairs):
        made.add(text, pairs[text])
    body = io.BytesIO()
    write_po(body, made, omit_header=True, width=110)
    catalogue_path("ko").write_text(HEADER + body.getvalue().decode().strip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main("--write" in sys.argv[1:]))
