"""The share of time that an accelerator computes, as a person gives it: typed, or as a trace to read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from core.errors import RefusedFileError, UsageError
from core.i18n import t
from core.ingest.profile import gpu_busy_of
from core.ingest.raw import Upload


def parse_share(text: str) -> float:
    """Return a share such as "0.62" or "62%".

    Raises:
        UsageError: "profile.share_unreadable" where it is no share above 0 and up to 1.

    >>> parse_share("0.62"), parse_share("62 %")
    (0.62, 0.62)
    """
    written = text.strip()
    percent = written.endswith("%")
    try:
        value = float(written.rstrip("% ")) / (100.0 if percent else 1.0)
    except ValueError:
        value = math.nan
    if 0.0 < value <= 1.0:
        return value
    raise UsageError(
        "profile.share_unreadable",
        t('"{text}" is no share of time that an accelerator is busy', text=text),
        fix=t("Write a share above 0 and up to 1, such as 0.62 or 62%"),
    )


def busy_shares(
    shares: Sequence[str], traces: Sequence[str], run_ids: Sequence[str], read: Callable[[str], Upload]
) -> dict[str, float]:
    """Return the share by run id.

    Args:
        shares: "0.62", or "RUN=0.62" where there are several runs.
        traces: a file's name, or "RUN=FILE".
        run_ids: ids of the runs that are there.
        read: returns the file of a name; may raise OSError.

    Raises:
        UsageError: "profile.run_missing", "profile.unknown_run", "profile.twice",
            "profile.share_unreadable", "profile.file"; a trace that cannot be used keeps its own code.
    """
    found: dict[str, float] = {}
    for text in shares:
        run, value = _run_and(text, run_ids)
        _keep(found, run, parse_share(value), text)
    for text in traces:
        run, name = _run_and(text, run_ids)
        _keep(found, run, _read_share(name, read), text)
    return found


def _run_and(text: str, run_ids: Sequence[str]) -> tuple[str, str]:
    """Split "RUN=VALUE"; a value alone belongs to the only run there is."""
    name, equals, value = text.partition("=")
    if equals and name.strip() in run_ids:
        return name.strip(), value.strip()
    if len(run_ids) == 1:
        return run_ids[0], text
    code = "profile.unknown_run" if equals else "profile.run_missing"
    raise UsageError(
        code,
        t('"{text}" does not say which of several runs it belongs to', text=text),
        fix=t("Write RUN=… with one of: {names}", names=", ".join(run_ids)),
    )


def _keep(found: dict[str, float], run: str, share: float, text: str) -> None:
    if run in found:
        raise UsageError(
            "profile.twice",
            t('"{text}" gives the busy share of a run for the second time', text=text),
            fix=t("Give one share or one trace for each run"),
        )
    found[run] = share


def _read_share(name: str, read: Callable[[str], Upload]) -> float:
    try:
        return gpu_busy_of(read(name))
    except OSError as error:
        raise UsageError(
            "profile.file",
            t("The trace {name} cannot be read: {reason}", name=name, reason=error.strerror or type(error).__name__),
            fix=t("Check the name and the permissions"),
        ) from error
    except RefusedFileError as error:
        raise UsageError(error.code, error.what, fix=error.fix, place=error.place) from error
