"""Commands to paste: complete, quoted, and honest about what is not known."""

from __future__ import annotations

import shlex
from itertools import pairwise

import pytest

from core.decide.command import command_for
from core.model.run import Conditions, Kind, Run


def run(format_id="vllm_bench", *, backend=None, **conditions):
    return Run(
        backend=backend,
        id="r",
        label="r",
        kind=Kind.MEASURED,
        format_id=format_id,
        format_version=None,
        files=(),
        conditions=Conditions(**conditions),
        stages=(),
    )


KNOWN = {"model": "org/model", "input_tokens_mean": 1023.6, "output_tokens_mean": 128.0}


def options(command):
    words = shlex.split(command.replace("<", "").replace(">", ""))
    return {a: b for a, b in pairwise(words) if a.startswith("--")}


@pytest.mark.parametrize(
    ("tool", "flags"),
    [
        ("vllm_bench", {"--max-concurrency": "47", "--num-prompts": "470", "--random-input-len": "1024"}),
        ("sglang_bench", {"--max-concurrency": "47", "--num-prompts": "470", "--random-output-len": "128"}),
        ("aiperf", {"--concurrency": "47", "--request-count": "470", "--output-tokens-mean": "128"}),
        ("guidellm", {"--rate": "47", "--max-requests": "470"}),
    ],
)
def test_each_tool_gets_the_load_and_the_lengths_in_its_own_words(tool, flags):
    found = options(command_for(run(tool, **KNOWN), 47, 470))
    assert flags.items() <= found.items()


def test_what_the_files_do_not_say_stands_as_a_placeholder():
    command = command_for(run(), 8, 300)
    assert "--model <MODEL>" in command
    assert "--random-input-len <INPUT_TOKENS>" in command


def test_a_hostile_name_stays_one_quoted_word():
    name = "x; rm -rf ~ $(id) `id` 'quoted'"
    command = command_for(run(model=name), 8, 300)
    words = shlex.split(command.replace("<URL>", "URL").replace("<INPUT_TOKENS>", "1").replace("<OUTPUT_TOKENS>", "1"))
    assert words[words.index("--model") + 1] == name


@pytest.mark.parametrize("name", ["--api-key=x", "a\nb", "m" * 400, "<MODEL>"])
def test_a_name_that_is_an_option_or_no_name_is_not_pasted(name):
    assert "--model <MODEL>" in command_for(run(model=name), 8, 300)


def test_a_format_without_a_known_tool_has_no_command():
    assert command_for(run("generic_csv"), 8, 300) is None


@pytest.mark.parametrize(
    ("tool", "flags", "closed"),
    [
        ("vllm_bench", {"--request-rate": "2.5", "--num-prompts": "470"}, "--max-concurrency"),
        ("sglang_bench", {"--request-rate": "2.5", "--num-prompts": "470"}, "--max-concurrency"),
        ("aiperf", {"--request-rate": "2.5", "--request-count": "470"}, "--concurrency"),
        ("guidellm", {"--profile": "constant", "--rate": "2.5"}, "--max-concurrency"),
    ],
)
def test_a_rate_is_sent_in_open_loop_in_the_tools_own_words(tool, flags, closed):
    found = options(command_for(run(tool, **KNOWN), 47, 470, 2.5))
    assert flags.items() <= found.items()
    assert closed not in found


@pytest.mark.parametrize(
    ("tool", "arrival", "flags"),
    [
        ("vllm_bench", "gamma, burstiness 0.5", {"--burstiness": "0.5"}),
        ("aiperf", "constant", {"--arrival-pattern": "constant"}),
        ("guidellm", "poisson", {"--profile": "poisson"}),
    ],
)
def test_requests_arrive_as_they_did(tool, arrival, flags):
    assert flags.items() <= options(command_for(run(tool, arrival=arrival), 8, 300, 2.5)).items()
    assert not flags.items() & options(command_for(run(tool, arrival=arrival), 8, 300)).items()


@pytest.mark.parametrize(
    ("tool", "backend", "flags"),
    [
        ("vllm_bench", "openai-chat", {"--backend": "openai-chat", "--endpoint": "/v1/chat/completions"}),
        ("vllm_bench", "tgi", {"--backend": "tgi"}),
        ("sglang_bench", "vllm", {"--backend": "vllm"}),
    ],
)
def test_the_backend_of_the_file_is_kept(tool, backend, flags):
    assert flags.items() <= options(command_for(run(tool, backend=backend), 8, 300)).items()


@pytest.mark.parametrize(
    ("tool", "backend"),
    [("vllm_bench", "openai"), ("vllm_bench", None), ("vllm_bench", "-x"), ("sglang_bench", "sglang")],
)
def test_a_default_or_unknown_backend_is_not_named(tool, backend):
    assert "--backend" not in command_for(run(tool, backend=backend), 8, 300)
