"""`python -m core memory`: what a model's memory allows on some accelerators, from its config.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from core.errors import PlimsollError
from core.i18n import t

if TYPE_CHECKING:
    from core.model.sizing import Sizing

FINE, DOES_NOT_FIT, USAGE, NO_INPUT = 0, 1, 2, 3


@click.command()
@click.argument("config", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--accelerator", metavar="NAME", help="As the catalogue or the vendor calls it, such as H100-SXM.")
@click.option("--tp", type=click.IntRange(1), help="Ranks of tensor parallelism; 1 where nobody says.")
@click.option("--pp", type=click.IntRange(1), help="Stages of pipeline parallelism.")
@click.option("--dp", type=click.IntRange(1), help="Ranks of data parallelism, each with a cache of its own.")
@click.option("--ep", type=click.IntRange(1), help="Ranks that whole experts are spread over.")
@click.option(
    "--weights", metavar="TYPE", help="bf16, fp16, fp32, fp8, int8, int4, mxfp4, nvfp4; else the checkpoint's."
)
@click.option("--kv", metavar="TYPE", help="Type of the cache: bf16, fp32, fp8, int8, nvfp4, fp8_ds_mla.")
@click.option("--engine", metavar="NAME", help="vllm, sglang or trtllm; else the range holds all of them.")
@click.option("--engine-version", metavar="VERSION", help="Such as 0.11.2.")
@click.option("--fraction", type=float, metavar="SHARE", help="Of memory for the engine, as the engine means it.")
@click.option("--runtime", type=float, metavar="GIB", help="Memory of one accelerator beside weights and cache.")
@click.option("--windows", type=click.Choice(["freed", "kept"]), help="What the engine does with what windows leave.")
@click.option("--max-len", type=click.IntRange(1), metavar="TOKENS", help="Of the longest request.")
@click.option("--isl", type=float, metavar="TOKENS", help="Input of a request, mean.")
@click.option("--osl", type=float, metavar="TOKENS", help="Output of a request, mean.")
@click.option("--log", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="The engine's start-up log.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
def memory(config: Path, *, log: Path | None, as_json: bool, **said: str | float | None) -> None:
    """Say what memory allows for the model that CONFIG, its config.json, describes.

    Exit codes: 0 it fits; 1 it does not, or not one request of the longest length, or cannot be told; 2 the command was
    written wrongly; 3 the file cannot be used.
    """
    from core.limits.told import limits_of
    from core.present.memory_console import memory_table
    from core.present.memory_document import memory_document

    sizing = _sizing(config, log, said)
    found = limits_of(sizing)
    if found is None:  # a model is always given here
        sys.exit(NO_INPUT)
    text = json.dumps(memory_document(found), indent=1, allow_nan=False) if as_json else memory_table(found)
    click.echo(text)
    sys.exit(FINE if found.memory.fits and found.memory.holds_one is not False else DOES_NOT_FIT)


def _sizing(config: Path, log: Path | None, said: dict[str, str | float | int | None]) -> Sizing:
    """Return what was said, with model and log read; end with a word of what is wrong."""
    from core.catalogue.hardware import accelerator, candidates
    from core.ingest.raw import Upload
    from core.limits import cache, storage
    from core.limits.architecture import MOST_BYTES, read_architecture
    from core.limits.engine_log import MOST_CHARS, read_log
    from core.limits.engines import engine_named
    from core.model.sizing import Sizing

    name = said["accelerator"]
    if name is not None and accelerator(str(name)) is None:
        several = ", ".join(one.name for one in candidates(str(name)))
        if several:
            _end(
                str(t("{name} may be one of several: {candidates}. Say which", name=str(name), candidates=several)),
                USAGE,
            )
        _end(str(t("The catalogue has no accelerator called {name}", name=str(name))), USAGE)
    engine = said["engine"]
    if engine is not None and engine_named(str(engine)) is None:
        _end(str(t("{name} is no engine known here: vllm, sglang or trtllm", name=str(engine))), USAGE)
    for option, known in (("weights", storage.type_of), ("kv", cache.type_of)):
        word = said[option]
        if word is not None:
            said[option] = known(str(word)) or _end(str(t("No type is called {name}", name=str(word))), USAGE)
    names = {"runtime": "runtime_gib", "max_len": "longest", "isl": "input_tokens", "osl": "output_tokens"}
    try:
        with config.open("rb") as opened:
            model = read_architecture(Upload(config.name, opened.read(MOST_BYTES + 1)))
    except PlimsollError as error:
        _end(f"{error} [{error.code}]", NO_INPUT)
    try:
        logged = None
        if log is not None:
            with log.open(encoding="utf-8", errors="replace") as lines:
                logged = read_log(lines.read(MOST_CHARS + 1))
        return Sizing(architecture=model, logged=logged, **{names.get(key, key): value for key, value in said.items()})  # type: ignore[arg-type] # each as its option's type
    except PlimsollError as error:
        _end(f"{error} [{error.code}]", USAGE)


def _end(said: str, code: int) -> NoReturn:
    click.echo(said, err=True)
    sys.exit(code)
