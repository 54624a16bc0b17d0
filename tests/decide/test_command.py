"""Commands to paste: complete, quoted, and honest about what is not known."""

from __future__ import annotations

import json
import shlex
from itertools import pairwise

import pytest

from core.decide.command import TOOLS, command_for, commands_for
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


def written(tool, run, *load):
    """The command of one tool among all."""
    return next(each for each in commands_for(run, *load) if each.tool == tool)


def configuration(command):
    """What inference-perf would read, line by line: what stands between the marks of the here-document."""
    head, *lines = command.splitlines()
    assert head == "cat > inference-perf.yml <<'END'"
    end = lines.index("END")
    assert lines[end + 1 :] == ["inference-perf --config_file inference-perf.yml"]
    return lines[:end]


@pytest.mark.parametrize(
    ("tool", "flags"),
    [
        ("vllm_bench", {"--max-concurrency": "47", "--num-prompts": "470", "--random-input-len": "1024"}),
        ("sglang_bench", {"--max-concurrency": "47", "--num-prompts": "470", "--random-output-len": "128"}),
        ("aiperf", {"--concurrency": "47", "--request-count": "470", "--output-tokens-mean": "128"}),
        ("guidellm", {"--profile": "kind=concurrent,streams=47", "--constraint": "kind=max_requests,count=470"}),
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


@pytest.mark.parametrize("name", ["--api-key=x", "m" * 400, "<MODEL>"])
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
        ("guidellm", {"--profile": "kind=constant,rate=2.5"}, "--max-concurrency"),
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
        ("guidellm", "poisson", {"--profile": "kind=poisson,rate=2.5"}),
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


@pytest.mark.parametrize("own", [tool.id for tool in TOOLS])
def test_every_tool_is_offered_and_that_of_the_files_first(own):
    found = commands_for(run(own, **KNOWN), 47, 470)
    assert found[0].tool == own
    assert {each.tool for each in found} == {tool.id for tool in TOOLS}
    assert found[0].command == command_for(run(own, **KNOWN), 47, 470)


def test_a_table_gets_the_commands_of_all_tools():
    assert len(commands_for(run("generic_csv"), 8, 300)) == len(TOOLS)


def test_the_version_of_the_files_is_named_and_trusted_where_it_was_checked():
    found = commands_for(run("aiperf", tool_version="0.13.0", **KNOWN), 8, 300)
    assert (found[0].version, found[0].caution) == ("0.13.0", None)
    assert all(other.caution for other in found[1:])


def test_another_version_of_the_files_is_named_with_a_caution():
    found = commands_for(run("aiperf", tool_version="0.8.0"), 8, 300)[0]
    assert found.version == "0.8.0"
    assert "0.8.0" in str(found.caution)
    assert "0.13.0" in str(found.caution)


def test_an_unknown_version_is_said():
    found = commands_for(run("vllm_bench"), 8, 300)[0]
    assert "unknown" in str(found.caution)
    assert "pip show vllm" in str(found.caution)


@pytest.mark.parametrize("version", ["-rf", "9" * 400])
def test_a_version_that_is_none_counts_as_unknown(version):
    found = commands_for(run("aiperf", tool_version=version), 8, 300)[0]
    assert found.version == "0.13.0"


@pytest.mark.parametrize(
    ("version", "start"),
    [
        ("0.5.3", "guidellm benchmark "),
        ("0.6.0", "guidellm benchmark "),
        ("0.7.1", "guidellm run "),
        ("x", "guidellm run "),
    ],
)
def test_guidellm_is_told_in_the_words_of_its_version(version, start):
    assert commands_for(run("guidellm", tool_version=version), 8, 300)[0].command.startswith(start)


def test_old_guidellm_keeps_its_options():
    found = options(command_for(run("guidellm", tool_version="0.5.3", **KNOWN), 47, 470))
    assert {"--profile": "concurrent", "--rate": "47", "--max-requests": "470"}.items() <= found.items()


def test_inference_perf_reads_a_configuration_of_the_load_and_the_lengths():
    found = configuration(written("inference_perf", run(**KNOWN), 47, 470).command)
    load = found.index("load:")
    assert found[load + 1 : load + 3] == [
        "  type: concurrent",
        "  stages: [{num_requests: 470, concurrency_level: 47}]",
    ]
    fixed = "{type: fixed, min: 128, max: 128, mean: 128, std_dev: 0, total_count: 470}"
    assert f"  output_distribution: {fixed}" in found
    assert f"  input_distribution: {fixed.replace('128', '1024')}" in found
    assert '  model_name: "org/model"' in found


def test_inference_perf_sends_a_rate_for_as_long_as_the_requests_take():
    found = configuration(written("inference_perf", run(arrival="constant"), 8, 300, 2.5).command)
    load = found.index("load:")
    assert found[load + 1 : load + 3] == ["  type: constant", "  stages: [{rate: 2.5, duration: 120}]"]


@pytest.mark.parametrize("name", ["x: {y}", 'a" # b', "END", "'; rm -rf ~", "${HOME} `id`", "모델/이름"])
def test_a_hostile_name_stays_one_value_of_the_configuration(name):
    found = configuration(written("inference_perf", run(model=name), 8, 300).command)
    # A text of JSON is one of YAML too: whatever is in it is neither a key nor a comment.
    values = [line.partition("name: ")[2] for line in found if line.startswith("  model_name: ")]
    assert [json.loads(value) for value in values] == [name]
    assert found.count("server:") == 1


def test_the_backend_of_one_tool_is_no_backend_of_another():
    found = written("sglang_bench", run("vllm_bench", backend="openai-chat"), 8, 300)
    assert "--backend" not in found.command
