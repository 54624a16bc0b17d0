"""What the XML inside an XLSX workbook says before any of it is unfolded: sizes, and cells shown in per cent.

A few kilobytes can name a cell a million rows away, repeat one long text a million times or unfold
into gigabytes. Every part is therefore read once as a stream, without a document type, and counted.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from core.errors import RefusedFileError
from core.i18n import Text, t
from core.ingest.decode import refusal
from core.ingest.raw import Upload
from core.settings import MEGABYTE

_PLACE = re.compile(r"([A-Za-z]{1,3})(\d{1,7})")
_MOST_CELLS, _MOST_ENTRIES, _MOST_BYTES, _MOST_TEXT = 2_000_000, 2_000, 100 * MEGABYTE, 1_000 * MEGABYTE
_PERCENT_STYLES = {9, 10}
_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    expat.ExpatError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    KeyError,
)
SAVE_AS_CSV = t("Save the sheet with the results as CSV and send that")

Attributes = dict[str, str]


@dataclass(slots=True)
class Sheet:
    """One sheet as its XML shows it.

    Attributes:
        rows, columns: of the smallest block from the first cell that holds every filled one.
        filled: cells with a value.
        percent: (row, column) from 0 of cells that are shown in per cent.
        unfilled: (row, column) of the first formula without a value; None where there is none.
    """

    rows: int = 0
    columns: int = 0
    filled: int = 0
    percent: set[tuple[int, int]] = field(default_factory=set)
    unfilled: tuple[int, int] | None = None


@dataclass(slots=True)
class _Reader:
    """Follows the cells of one sheet as a workbook reader does: by their place, else one after another."""

    styles: frozenset[int]
    sheet: Sheet = field(default_factory=Sheet)
    row: int = -1
    column: int = -1
    style: int = 0
    formula: bool = False
    value: bool = False

    def start(self, tag: str, attributes: Attributes) -> None:
        """Take the start of an element."""
        name = _local(tag)
        if name == "row":
            self.row = int(attributes["r"]) - 1 if "r" in attributes else self.row + 1
            self.column = -1
        elif name == "c":
            self._cell(attributes)
        elif name in ("v", "is"):
            self._fill()
        elif name == "f":
            self.formula = True

    def end(self, tag: str) -> None:
        """Take the end of an element."""
        if _local(tag) == "c" and self.formula and not self.value and self.sheet.unfilled is None:
            self.sheet.unfilled = (self.row, self.column)

    def _cell(self, attributes: Attributes) -> None:
        place = attributes.get("r")
        if place is None:
            self.column += 1
        else:
            found = _PLACE.fullmatch(place)
            if not found:
                raise ValueError(place)
            self.row, self.column = int(found[2]) - 1, _column(found[1])
        self.style, self.formula, self.value = int(attributes.get("s", 0)), False, False

    def _fill(self) -> None:
        self.value = True
        sheet = self.sheet
        sheet.rows, sheet.columns = max(sheet.rows, self.row + 1), max(sheet.columns, self.column + 1)
        sheet.filled += 1
        if sheet.filled > _MOST_CELLS or sheet.rows * sheet.columns > _MOST_CELLS:
            raise _TooLargeError
        if self.style in self.styles:
            sheet.percent.add((self.row, self.column))


class _TooLargeError(Exception):
    """More cells than are read."""


def sheets_in(upload: Upload) -> Mapping[str, Sheet]:
    """Return what the sheets of a workbook hold, by their name.

    Raises:
        RefusedFileError: damaged, or larger than a limit once it is unfolded.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(upload.data)) as archive:
            entries = archive.infolist()
            if len(entries) > _MOST_ENTRIES:
                raise _too_large(upload, t("The workbook has more than {limit} parts", limit=_MOST_ENTRIES))
            return _sheets(upload, _Parts(upload, archive))
    except _TooLargeError as error:
        raise _too_large(upload, t("The workbook has more than {limit} cells", limit=_MOST_CELLS)) from error
    except _FAULTS as error:
        raise damaged(upload) from error


def damaged(upload: Upload) -> RefusedFileError:
    """Return (not raise) the refusal of a workbook that cannot be read."""
    what = t("The workbook is damaged, cut off or locked")
    return refusal("ingest.bad_workbook", what, upload.name, SAVE_AS_CSV)


class _Parts:
    """The parts of one workbook; together they may not unfold into more than the limit."""

    def __init__(self, upload: Upload, archive: zipfile.ZipFile) -> None:
        self.upload, self.archive, self.left = upload, archive, _MOST_BYTES
        self.names = [entry.filename for entry in archive.infolist()]

    def read(self, name: str) -> bytes:
        """One part to its real end: the size that an archive claims is not believed."""
        with self.archive.open(name) as part:
            data = part.read(self.left + 1)
        self.left -= len(data)
        if self.left < 0:
            what = t("The workbook unfolds into more than {limit} MB", limit=_MOST_BYTES // MEGABYTE)
            raise _too_large(self.upload, what)
        return data

    def first(self, ending: str) -> bytes:
        """The part with an ending of its name, empty where there is none."""
        name = next((name for name in self.names if name.lower().endswith(ending)), None)
        return self.read(name) if name else b""


def _sheets(upload: Upload, parts: _Parts) -> dict[str, Sheet]:
    styles = _percent_styles(parts.first("xl/styles.xml"))
    longest = _longest_text(parts.first("xl/sharedstrings.xml"))
    files = _files(parts.first("xl/workbook.xml"), parts.first("xl/_rels/workbook.xml.rels"))
    found: dict[str, Sheet] = {}
    for name, file in files.items():
        if file in parts.names:
            reader = _Reader(styles)
            _parsed(parts.read(file), reader.start, reader.end)
            found[name] = reader.sheet
    # Every cell of a text is a copy of it: one long text in a million cells would fill the memory.
    if longest * sum(sheet.filled for sheet in found.values()) > _MOST_TEXT:
        raise _too_large(
            upload, t("The texts of the workbook unfold into more than {limit} MB", limit=_MOST_TEXT // MEGABYTE)
        )
    return found


def _files(workbook: bytes, relations: bytes) -> dict[str, str]:
    """The part of each sheet by the sheet's name."""
    targets: dict[str, str] = {}
    names: dict[str, str] = {}

    def relation(tag: str, found: Attributes) -> None:
        if _local(tag) == "Relationship":
            targets[found.get("Id", "")] = found.get("Target", "")

    def sheet(tag: str, found: Attributes) -> None:
        if _local(tag) == "sheet":
            key = next((value for name, value in found.items() if _local(name) == "id" and ":" in name), "")
            names[found.get("name", "")] = key

    _parsed(relations, relation)
    _parsed(workbook, sheet)
    return {
        name: posixpath.normpath(posixpath.join("/xl", targets.get(key, ""))).lstrip("/") for name, key in names.items()
    }


def _percent_styles(styles: bytes) -> frozenset[int]:
    """Which styles of cells show a number in per cent."""
    formats = set(_PERCENT_STYLES)
    cells: list[int] = []
    inside = [False]

    def start(tag: str, found: Attributes) -> None:
        name = _local(tag)
        if name == "numFmt" and "%" in found.get("formatCode", ""):
            formats.add(int(found.get("numFmtId", -1)))
        elif name == "cellXfs":
            inside[0] = True
        elif name == "xf" and inside[0]:
            cells.append(int(found.get("numFmtId", 0)))

    def end(tag: str) -> None:
        if _local(tag) == "cellXfs":
            inside[0] = False

    _parsed(styles, start, end)
    return frozenset(position for position, number in enumerate(cells) if number in formats)


def _longest_text(strings: bytes) -> int:
    """Characters of the longest text that cells share."""
    longest, current = [0], [0]

    def start(tag: str, _found: Attributes) -> None:
        if _local(tag) == "si":
            current[0] = 0

    def text(data: str) -> None:
        current[0] += len(data)
        longest[0] = max(longest[0], current[0])

    _parsed(strings, start, text=text)
    return longest[0]


def _parsed(
    data: bytes,
    start: Callable[[str, Attributes], None],
    end: Callable[[str], None] | None = None,
    text: Callable[[str], None] | None = None,
) -> None:
    """Stream one part; a document type, which could define entities, is refused."""
    if not data:
        return
    parser = expat.ParserCreate()

    def declared(*_: object) -> None:
        raise ValueError("a document type")

    parser.StartDoctypeDeclHandler = declared
    parser.StartElementHandler = start
    if end:
        parser.EndElementHandler = end
    if text:
        parser.CharacterDataHandler = text
    parser.Parse(data, True)


def _local(tag: str) -> str:
    return tag.rpartition(":")[2]


def _column(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def _too_large(upload: Upload, what: Text) -> RefusedFileError:
    return refusal("ingest.too_large", what, upload.name, SAVE_AS_CSV)
