"""The commands that measure one more level: of the tool that made the files, and of the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.decide import writers
from core.decide.writers import Load, usable
from core.i18n import Text, t
from core.model.answer import ToolCommand
from core.model.run import Run


@dataclass(frozen=True, slots=True)
class Tool:
    """A load generator.

    Attributes:
        id: the format that its results are read as.
        package: by which it is installed.
        checked: versions whose options were checked, the newest first.
    """

    id: str
    package: str
    checked: tuple[str, ...]
    write: Callable[[Run, Load, str], str]


TOOLS = (
    Tool("vllm_bench", "vllm", ("0.32.0",), writers.vllm),
    Tool("aiperf", "aiperf", ("0.13.0",), writers.aiperf),
    Tool("guidellm", "guidellm", ("0.8.1", "0.6.0"), writers.guidellm),
    Tool("inference_perf", "inference-perf", ("0.7.0",), writers.inference_perf),
    Tool("sglang_bench", "sglang", ("0.5.5",), writers.sglang),
)
"""In the order in which they are offered; the one that made the files comes first."""


def command_for(run: Run, concurrency: int, requests: int, rate: float | None = None) -> str | None:
    """Return the command of the tool that made the files, None where that is no tool known here.

    Args:
        run: names the tool, its backend, the model and the lengths.
        concurrency: requests in flight, >= 1; in open loop only the warm-up is sized by it.
        requests: to send, >= 1.
        rate: requests/s of an open-loop level, None for a closed loop.
    """
    own = [tool for tool in TOOLS if tool.id == run.format_id]
    return _command(own[0], run, Load(concurrency, requests, rate)).command if own else None


def commands_for(run: Run, concurrency: int, requests: int, rate: float | None = None) -> tuple[ToolCommand, ...]:
    """Return the command of every tool for one level, first that of the tool that made the files."""
    load = Load(concurrency, requests, rate)
    ordered = sorted(TOOLS, key=lambda tool: tool.id != run.format_id)
    return tuple(_command(tool, run, load) for tool in ordered)


def _command(tool: Tool, run: Run, load: Load) -> ToolCommand:
    version, caution = _version(tool, run)
    return ToolCommand(tool=tool.id, version=version, command=tool.write(run, load, version), caution=caution)


def _version(tool: Tool, run: Run) -> tuple[str, Text | None]:
    """Return the version to write for, and what may not fit: the file's own where it is recorded."""
    recorded = usable(run.conditions.tool_version) if run.format_id == tool.id else None
    checked = tool.checked[0]
    if recorded is None:
        unknown = t(
            'Which version is installed is unknown: see that "pip show {package}" says {version}, '
            "or compare the options with its help",
            package=tool.package,
            version=checked,
        )
        return checked, unknown
    if recorded in tool.checked:
        return recorded, None
    other = t(
        "The files are of version {recorded}; the options were checked with {version}: compare them with its help",
        recorded=recorded,
        version=checked,
    )
    return recorded, other
