"""`python -m core memory`: its document is what its schema promises, and what is wrong is said with an exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from core.cli import main
from core.limits.architecture import architecture_of
from core.limits.engine_log import read_log
from core.limits.told import limits_of
from core.model.run import Conditions
from core.model.sizing import Sizing
from core.present.memory_console import memory_table
from core.present.memory_document import memory_document
from tests.limits import configs

LOG = """
INFO gpu_worker.py: Available KV cache memory: 28.20 GiB
INFO kv_cache_utils.py: GPU KV cache size: 184,832 tokens
INFO kv_cache_utils.py: Maximum concurrency for 16,384 tokens per request: 11.28x
"""


@pytest.fixture
def asked(tmp_path: Path) -> Any:
    def ask(config: configs.Config, *words: str, log: str | None = None) -> Result:
        (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
        if log is not None:
            (tmp_path / "server.log").write_text(log, encoding="utf-8")
            words = (*words, "--log", str(tmp_path / "server.log"))
        return CliRunner().invoke(main, ["memory", str(tmp_path / "config.json"), *words])

    return ask


@pytest.mark.parametrize("name", sorted(name for name in vars(configs) if name.isupper()))
@pytest.mark.parametrize("said", [{}, {"accelerator": "H200", "tp": 2, "input_tokens": 1000.0, "output_tokens": 200.0}])
def test_every_document_is_valid(name: str, said: dict[str, Any], root: Path) -> None:
    schema = json.loads((root / "docs" / "schemas" / "memory.schema.json").read_text(encoding="utf-8"))
    found = limits_of(Sizing(architecture=architecture_of(getattr(configs, name)), logged=read_log(LOG), **said))
    assert found is not None
    jsonschema.validate(json.loads(json.dumps(memory_document(found), allow_nan=False)), schema)
    assert memory_table(found)


def test_the_log_of_mistral_small_is_set_beside(asked: Any) -> None:
    words = ["--accelerator", "H100-SXM", "--engine", "vllm", "--fraction", "0.95"]
    done = asked(configs.MISTRAL_SMALL, *words, "--json", log=LOG)
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert found["memory"]["bytes_per_token"] == 163_840
    assert {each["figure"]: each["agrees"] for each in found["log"]} == {"cache": True, "each": True, "times": True}
    # 28.195 to 28.205 GiB / (16,384 x 163,840 B) = 11.278 to 11.282.
    assert found["concurrency"]["worst"]["low"] == pytest.approx(11.278, abs=0.001)
    table = asked(configs.MISTRAL_SMALL, *words, log=LOG).stdout
    assert "Bytes of a token on one accelerator" in table


def test_more_than_there_is_room_for_is_told(asked: Any) -> None:
    done = asked(configs.LLAMA_70B, "--accelerator", "H100-SXM")
    assert done.exit_code == 1
    assert "does not fit" in done.stdout


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--accelerator", "a card of tomorrow"], 2),
        (["--weights", "sharp"], 2),
        (["--kv", "sharp"], 2),
        (["--fraction", "1.5"], 2),
        (["--tp", "0"], 2),
    ],
)
def test_wrong_words_end_with_their_code(asked: Any, words: list[str], code: int) -> None:
    assert asked(configs.LLAMA_8B, *words).exit_code == code


def test_a_file_that_describes_no_model_is_refused(asked: Any) -> None:
    done = asked({"results": [1, 2]})
    assert done.exit_code == 3
    assert "limits.not_a_config" in done.stderr


def test_a_log_without_memory_is_refused(asked: Any) -> None:
    done = asked(configs.LLAMA_8B, log="INFO: started")
    assert done.exit_code == 2
    assert "limits.log_says_nothing" in done.stderr


def test_a_name_of_several_accelerators_gets_them_named(asked: Any) -> None:
    done = asked(configs.MISTRAL_SMALL, "--accelerator", "H100")
    assert done.exit_code == 2
    assert "H100 may be one of several: H100-SXM, H100-PCIe, H100-NVL. Say which" in done.stderr
    assert "no accelerator called B999" in asked(configs.MISTRAL_SMALL, "--accelerator", "B999").stderr


def test_the_parts_of_what_the_engine_takes_add_up(asked: Any) -> None:
    table = asked(configs.MISTRAL_SMALL, "--accelerator", "H100-SXM", "--engine", "vllm").stdout
    # -0.88 to 1.03 in data/limits/engines.csv: memory was given back. 2.10 + 0.13 - 0.88 = 1.35.
    assert "1.35–6.78" in table
    assert "one step 2.10–5.60, beside the framework 0.130–0.150, graphs -0.88 to 1.03" in table
    assert "memory is given back while they are captured" in table


def test_a_request_that_no_memory_holds_is_no_fit(asked: Any) -> None:
    done = asked(configs.LLAMA_70B, "--accelerator", "H100-SXM", "--tp", "8", "--max-len", "999999999")
    assert done.exit_code == 1
    assert "Memory holds no request of 999,999,999 tokens" in done.stdout
    assert "longer than this model is made for" in done.stdout


def test_requests_longer_than_the_longest_have_no_steady_state(asked: Any) -> None:
    words = ["--accelerator", "H100-SXM", "--tp", "8", "--isl", "200000", "--osl", "10"]
    found = json.loads(asked(configs.LLAMA_70B, *words, "--json").stdout)
    assert found["concurrency"]["steady"] is None
    assert found["concurrency"]["worst"] is not None
    assert "limits.beyond_longest" in found["unknown"]


@pytest.mark.parametrize(("tp", "uneven"), [("8", False), ("3", True), ("1000", True)])
def test_heads_that_do_not_divide_are_said(asked: Any, tp: str, uneven: bool) -> None:  # noqa: FBT001 - a case
    shown = asked(configs.LLAMA_70B, "--accelerator", "H100-SXM", "--tp", tp).stdout
    assert ("heads of this model do not divide" in shown) is uneven
    # 8 heads of keys over 3 ranks: no rank holds another one's key.
    assert "more ranks hold" not in shown or tp == "1000"


def test_an_engine_that_nobody_knows_is_refused(asked: Any) -> None:
    done = asked(configs.LLAMA_8B, "--engine", "foo")
    assert done.exit_code == 2
    assert "vllm, sglang or trtllm" in done.output


def test_a_cache_taken_for_every_head_is_said(asked: Any) -> None:
    assert "silent on some sizes" in asked(configs.LLAMA_7B).stdout


def test_a_file_of_another_family_than_the_run_s_model_is_said() -> None:
    sizing = Sizing(architecture=architecture_of(configs.LLAMA_70B), accelerator="H200", tp=8)
    for name, said in (("deepseek-ai/DeepSeek-V3", True), ("Llama-3.1-70B-Instruct", False), (None, False)):
        found = limits_of(sizing, Conditions(model=name))
        assert found is not None
        assert ("limits.other_model" in found.memory.unknown) is said
