"""The log of an inference server (vLLM, SGLang, TensorRT-LLM): what it says of the results beside it.

It has no level of its own: it gives conditions to the results in its folder and below, and tells how
full the KV cache was. Details: docs/formats/engine_log.md.
"""

from __future__ import annotations

import re

from core.errors import Place
from core.i18n import t
from core.ingest.console_block import has_block
from core.ingest.console_file import printed_start
from core.ingest.decode import refusal, text_of
from core.ingest.engine_load import load_findings
from core.ingest.engine_start import started
from core.ingest.raw import Head, RawFile, Upload
from core.model.finding import Finding, Severity
from core.model.run import Kind

FORMAT_ID = "engine_log"
LABEL = "Start-up log of vLLM, SGLang or TensorRT-LLM"

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_MARKS = re.compile(
    r"vLLM API server version |Initializing (?:a V1|an) LLM engine \(v|GPU KV cache size: [\d,]+ tokens"
    r"|server_args=ServerArgs\(|max_total_num_tokens=\d+, chunked_prefill_size"
    r"|for max tokens in paged KV cache \(|\[TensorRT-LLM\] TensorRT[- ]LLM version|# GPU blocks: \d+, # CPU blocks"
    r"|Engine \d{3}: Avg prompt throughput|Decode batch[.,] #running-req"
)
_PAGES = (".md", ".markdown", ".html", ".csv", ".tsv", ".rst")


def match(head: Head) -> float:
    """0.9 where a line is there that only such a server writes; never for a page or a result that quotes one."""
    text = printed_start(head)
    quotes = head.name.lower().endswith(_PAGES) or has_block(text)
    return 0.9 if not quotes and _MARKS.search(text) else 0.0


def read(upload: Upload) -> RawFile:
    """Return the conditions that the log tells, without levels.

    Raises:
        RefusedFileError: unreadable text, a last line that is cut off, or nothing of the server.
    """
    text = _COLOURS.sub("", text_of(upload)).replace("\r\n", "\n")
    _ends(upload.name, text)
    start = started(text)
    if not start.about:
        raise refusal(
            "engine_log.no_start",
            t("This is a server's log without the lines of its start"),
            upload.name,
            t("Send the log from the server's start on: it names the engine, its settings and its memory"),
            line=1,
        )
    unclear = (_several(upload.name, start.unclear),) if start.unclear else ()
    return RawFile(
        name=upload.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=(),
        findings=(*unclear, *load_findings(upload.name, text)),
        about=start.about,
    )


def _ends(name: str, text: str) -> None:
    """A number at the end of a log that was cut off may be half a number."""
    if not text.endswith("\n"):
        raise refusal(
            "ingest.truncated",
            t("The last line of the log has no end"),
            name,
            t("Send the log again; if it is whole, end its last line"),
            line=text.count("\n") + 1,
        )


def _several(name: str, unclear: tuple[str, ...]) -> Finding:
    return Finding(
        code="engine_log.several_starts",
        severity=Severity.WARNING,
        where=Place(name, field=", ".join(unclear)),
        what=t("The log tells of servers that differ in {names}", names=", ".join(unclear)),
        consequence=t("These stay unknown, because it does not say which server was measured"),
        fix=t("Send the log of one start, in the folder of the results that were measured on it"),
    )
