"""The index of formats names every importer, links a page of each, and names no other."""

import re

import pytest

from core.ingest.registry import IMPORTERS

ROW = re.compile(r"^\| \[`([a-z0-9_]+)`\]\((formats/[a-z0-9_]+\.md)\)", re.MULTILINE)


def test_every_importer_is_in_the_index_and_no_other(root):
    rows = dict(ROW.findall((root / "docs" / "formats.md").read_text(encoding="utf-8")))
    known = {importer.FORMAT_ID for importer in IMPORTERS}
    lacking, stale = sorted(known - set(rows)), sorted(set(rows) - known)
    assert not lacking, f"docs/formats.md has no row for {lacking}"
    assert not stale, f"docs/formats.md has rows for {stale}, which core/ingest/registry.py does not know"
    for format_id, link in rows.items():
        assert link == f"formats/{format_id}.md"
        page = root / "docs" / link
        assert page.is_file(), f"docs/{link} is missing"
        assert page.read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("part", ["Recognised by", "Versions seen", "What is read", "What is not read", "Traps"])
def test_every_page_of_a_format_has_its_parts(root, part):
    pages = sorted((root / "docs" / "formats").glob("*.md"))
    lacking = [page.name for page in pages if not re.search(rf"^## .*{part}", page.read_text(encoding="utf-8"), re.M)]
    assert not lacking
