"""Commands to paste: complete, quoted, and honest about what is not known."""

from __future__ import annotations

import shlex
from itertools import pairwise

import pytest

from core.decide.command import command_for
from core.model.run import Conditions, Kind, Run


def run(format_id="vllm_bench", **conditions):
    return Run(
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
