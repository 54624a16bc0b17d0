"""Files that want to do harm, each with the code of its refusal.

python -m tests.ingest.hostile_files NAME [MEGABYTES]     load one, perhaps in a space of so many megabytes
"""

from __future__ import annotations

import gzip
import io
import json
import resource
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from core.ingest.raw import Upload
from core.pipeline import load
from core.settings import LIMITS, MEGABYTE
from tests.ingest.bench_files import VLLM

DEEP = 100_000
HUGE = "1" + "0" * 400


def vllm(**values: object) -> bytes:
    return json.dumps(VLLM | values).encode()


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def workbook(sheet: str, *, doctype: str = "", sheets: int = 1) -> bytes:
    """A workbook written by hand, so that it can say what no program would write."""
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    ids = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    listed = "".join(f'<sheet name="s{i}" sheetId="{i}" r:id="r{i}"/>' for i in range(1, sheets + 1))
    related = "".join(
        f'<Relationship Id="r{i}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"'
        f' Target="worksheets/sheet{i}.xml"/>'
        for i in range(1, sheets + 1)
    )
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "xl/workbook.xml": f"{doctype}<workbook {main} {ids}><sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": "<Relationships"
        f' xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{related}</Relationships>',
    }
    body = f"<worksheet {main}><sheetData>{sheet}</sheetData></worksheet>"
    parts |= {f"xl/worksheets/sheet{i}.xml": body for i in range(1, sheets + 1)}
    return zipped({name: text.encode() for name, text in parts.items()})


def database(rows: int) -> bytes:
    """A database like EvalScope's, with rows that hold nothing of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.db"
        with sqlite3.connect(path) as opened:
            opened.execute("create table result (first_chunk_latency text, blob blob)")
            opened.executemany("insert into result values (?, ?)", [("x", b"")] * rows)
        opened.close()
        return path.read_bytes()


HEADER = b"concurrency,ttft_p99_ms,request_throughput\n"
ROW = b"1,100,2\n"
YAML = b"version: '0.1'\nscenario:\n  load: {}\n  host: {}\nmetrics:\n  latency: "

ATTACKS: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "nothing": ("a.json", lambda: b"", "ingest.empty"),
    "blanks": ("a.csv", lambda: b" \r\n\t" * 1000, "ingest.empty"),
    "deep-lists": ("a.json", lambda: b"[" * DEEP, "ingest.too_deep"),
    "deep-objects": ("a.json", lambda: b'{"a":' * DEEP, "ingest.too_deep"),
    "deep-in-a-result": ("a.json", lambda: vllm()[:-1] + b',"x":' + b"[" * DEEP, "ingest.too_deep"),
    "deep-behind-nan": ("a.json", lambda: vllm(x=float("nan"))[:-1] + b',"y":' + b"[" * DEEP, "ingest.too_deep"),
    "deep-yaml": ("a.yaml", lambda: YAML + b"\n    " + b"- " * 400 + b"x\n", "ingest.too_deep"),
    "yaml-aliases": (
        "a.yaml",
        lambda: YAML + b"&a [x, x]\nb: [*a, *a]\n",
        "ingest.not_yaml",
    ),
    "two-yaml-documents": ("a.yaml", lambda: YAML + b"{}\n---\n" + YAML + b"{}\n", "ingest.not_yaml"),
    "invalid-utf-8": ("a.json", lambda: vllm(x="X").replace(b"X", b"\xff"), "ingest.encoding"),
    "half-a-letter-in-bytes": ("a.json", lambda: vllm(x="X").replace(b"X", b"\xed\xa0\x80"), "ingest.encoding"),
    "zeros": ("a.json", lambda: bytes(10_000), "ingest.unknown_format"),
    "columns": (
        "a.csv",
        lambda: HEADER[:-1] + b"".join(b",c%d" % i for i in range(2 * LIMITS.csv_columns)) + b"\n" + ROW,
        "ingest.too_large",
    ),
    "levels": ("a.csv", lambda: HEADER + ROW * (LIMITS.levels + 1), "ingest.too_large"),
    "levels-in-json": (
        "a.jsonl", lambda: b"\n".join([vllm()] * (LIMITS.levels + 1)), "ingest.too_large",
    ),
    "open-quote": ("a.csv", lambda: HEADER + b'1,"2,3\n' * 1000, "ingest.bad_table"),
    "two-columns-of-a-name": (
        "a.csv",
        lambda: b"concurrency,ttft_p99_ms,TTFT_p99_ms\n1,2,3\n",
        "ingest.duplicate_column",
    ),
    "workbook-with-entities": (
        "a.xlsx",
        lambda: workbook("", doctype='<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'),
        "ingest.bad_workbook",
    ),
    "workbook-with-a-far-cell": (
        "a.xlsx",
        lambda: workbook('<row><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
        "ingest.too_large",
    ),
    "workbook-that-unfolds": ("a.xlsx", lambda: workbook(" " * 101 * MEGABYTE), "ingest.too_large"),
    "workbook-of-many-parts": ("a.xlsx", lambda: workbook("", sheets=2_000), "ingest.too_large"),
    "cut-zip": ("a.zip", lambda: zipped({"a.json": vllm()})[:-30], "ingest.truncated"),
    "zip-of-many": (
        "a.zip",
        lambda: zipped({f"{i}.json": b"{}" for i in range(LIMITS.files + 1)}),
        "container.too_many",
    ),
    "zip-bomb": ("a.zip", lambda: zipped({"a.json": bytes(50 * MEGABYTE)}), "container.too_large"),
    "zip-that-leads-out": ("a.zip", lambda: zipped({"../a.json": vllm()}), "container.path"),
    "zip-in-zip": ("a.zip", lambda: zipped({"b.zip": zipped({"a.json": vllm()})}), "container.nested"),
    "gzip-cut": ("a.json.gz", lambda: gzip.compress(vllm())[:-10], "ingest.truncated"),
    "parquet-of-nothing": ("a.parquet", lambda: b"PAR1" + bytes(1000) + b"PAR1", "ingest.damaged_parquet"),
    "parquet-with-a-huge-footer": (
        "a.parquet", lambda: b"PAR1" + bytes(100) + b"\xff\xff\xff\x7fPAR1", "ingest.damaged_parquet",
    ),
    "database-cut": ("a.db", lambda: database(2_000)[:5_000], "ingest.truncated"),
    "database-of-another": ("a.db", lambda: database(5), "ingest.no_levels"),
}  # fmt: skip

HEAVY: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "too-long": ("a.json", lambda: b"{" + b" " * LIMITS.file_bytes, "ingest.too_large"),
    "gzip-bomb": ("a.json.gz", lambda: gzip.compress(b"{" + b" " * (LIMITS.file_bytes + 1), 1), "ingest.too_large"),
    "long-line": ("a.jsonl", lambda: vllm() + b"\n" + vllm(x="x" * (LIMITS.line_bytes + 1)), "ingest.too_large"),
    "open-quote-of-100-mb": ("a.csv", lambda: HEADER + b'1,"' + b"2," * 50_000_000, "ingest.bad_table"),
    "rows": ("a.csv", lambda: HEADER + b"1,2,3\n" * (LIMITS.csv_rows + 1), "ingest.too_large"),
    "many-short-lines": ("a.log", lambda: b"x\n" * 50_000_000, "ingest.unknown_format"),
    "many-objects": ("a.json", lambda: b"[" + b"{}," * 20_000_000 + b"{}]", "ingest.too_large"),
}
"""Those that are long: each is loaded in a process that may not take much more memory than the file."""


def codes(name: str) -> list[str]:
    """Load one and return the codes of what was refused."""
    file, made, _ = {**ATTACKS, **HEAVY}[name]
    return [error.code for error in load([Upload(file, made())]).refused]


if __name__ == "__main__":
    if len(sys.argv) > 2:
        most = int(sys.argv[2]) * MEGABYTE
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    sys.stdout.write(json.dumps(codes(sys.argv[1])))
