"""What names tell: the load level and the accelerators in a file's, the model in a path.

The part of the path nearest to the file decides; two different answers in one part are none.
Whoever uses a value of a file's name marks it with `from_name`, because a name can be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.errors import Place
from core.i18n import joined, t
from core.model.finding import Finding, Severity

_START, _END = r"(?<![a-z0-9])", r"(?![a-z0-9])"
_CONCURRENCY = re.compile(
    rf"{_START}(?:max[_-]?)?(?:concurrency|conc|users|vus|streams)[_=-]?(\d+){_END}|^c(\d+){_END}"
    rf"|{_START}(\d+)[_-]?(?:users|vus){_END}",
    re.IGNORECASE,
)
# A bare "rate" only at the start: "error_rate_5" and "hit_rate_50" are no request rates.
_NUMBER = r"(\d+(?:\.\d+)?)"
_RATE = re.compile(
    rf"^rate[_=-]?{_NUMBER}{_END}|{_START}(?:req(?:uest)?[_-]?rate|qps|rps)[_=-]?{_NUMBER}{_END}"
    rf"|{_START}{_NUMBER}(?:qps|rps){_END}",
    re.IGNORECASE,
)
_ACCELERATORS = re.compile(
    rf"{_START}(?:gpus|gpu|accelerators)[_=-]?(\d+){_END}|{_START}(\d+)x?gpus?{_END}", re.IGNORECASE
)
_POOLS = re.compile(rf"{_START}ctx[_=-]?(\d+)[_-]gen[_=-]?(\d+){_END}", re.IGNORECASE)
# Not "pp": elsewhere that is a number of prompt tokens.
_PARALLEL = re.compile(rf"{_START}(tep|dep|tp|ep|dp)[_=-]?(\d{{1,3}}){_END}", re.IGNORECASE)
REPETITION = re.compile(
    r"(?<![a-z])(?:pass|run|rep|repeat|replicate|repetition|trial|iter|iteration|attempt|seed|round)s?[-_ =#]*\d+"
    r"(?![a-z0-9])",
    re.IGNORECASE,
)
"""What in a folder's name says "the same again" and counts."""
_SNAPSHOT = re.compile(r"models--([^/\\]+)[/\\]+snapshots[/\\]+([^/\\]+)")
_LOCAL = re.compile(r"[/~.\\]|[A-Za-z]:[/\\]|file:")
_EXTENSIONS = re.compile(r"(?:\.(?:json|jsonl|csv|txt|gz|yaml|yml))+$", re.IGNORECASE)


def concurrency_in(name: str) -> float | None:
    """Return the concurrent requests that a path names, None where it names none above zero.

    >>> concurrency_in("a/concurrency_128_req_rate_inf_gpus_16.json"), concurrency_in("tp8_conc16.json")
    (128.0, 16.0)
    >>> concurrency_in("concurrency_4__requests_40/profile.json"), concurrency_in("rate5.json")
    (4.0, None)
    """
    return _nearest(_CONCURRENCY, name)


def rate_in(name: str) -> float | None:
    """Return the requests per second that a path names, None where it names none or "inf".

    >>> rate_in("run/rate2.5.json"), rate_in("vllm-10.0qps-model.json"), rate_in("req_rate_inf.json")
    (2.5, 10.0, None)
    """
    return _nearest(_RATE, name)


def accelerators_in(name: str) -> dict[str, int]:
    """Return accelerator_count, prefill_accelerators and decode_accelerators that a path names.

    "ctx" and "gen" are pools of accelerators only where they add up to the count:
    elsewhere they may be lengths.

    >>> accelerators_in("conc_8_gpus_16_ctx_4_gen_12.json")
    {'accelerator_count': 16, 'prefill_accelerators': 4, 'decode_accelerators': 12}
    >>> accelerators_in("llama_8gpu/run.json"), accelerators_in("ctx_8192_gen_1024.json")
    ({'accelerator_count': 8}, {})
    """
    count = _nearest(_ACCELERATORS, name)
    if count is None:
        return {}
    found = {"accelerator_count": int(count)}
    pools = _POOLS.search(name)
    if pools and int(pools[1]) + int(pools[2]) == int(count):
        found |= {"prefill_accelerators": int(pools[1]), "decode_accelerators": int(pools[2])}
    return found


def parallelism_in(name: str) -> dict[str, int]:
    """Return tp, ep and dp that the file's own name states, without its folders.

    InferenceX writes "tep8" for attention split by tensor and "dep8" for attention
    replicated by data, both with experts spread over the same accelerators.

    >>> parallelism_in("glm5_tp8_conc16.json"), parallelism_in("x/minimax_dep8_isl1024.json")
    ({'tp': 8}, {'tp': 1, 'dp': 8, 'ep': 8})
    """
    found: dict[str, int] = {}
    for kind, size in _PARALLEL.findall(name.replace("\\", "/").rsplit("/", 1)[-1]):
        n = int(size)
        if n > 0:
            both = {"tep": {"tp": n, "dp": 1, "ep": n}, "dep": {"tp": 1, "dp": n, "ep": n}}
            found = both.get(kind.lower(), {kind.lower(): n}) | found
    return found


def model_in(text: str | None) -> tuple[str | None, str | None]:
    """Return (model, revision) of a model's name or local path; None where it does not say.

    Of any other local path only the last part is kept: the rest names somebody's machine.

    >>> model_in("/m/models--openai--gpt-oss-120b/snapshots/b5c939de/")
    ('openai/gpt-oss-120b', 'b5c939de')
    >>> model_in("meta-llama/Llama-3.1-8B"), model_in("/models/tiny-llama/")
    (('meta-llama/Llama-3.1-8B', None), ('tiny-llama', None))
    """
    if text is None:
        return None, None
    snapshot = _SNAPSHOT.search(text)
    if snapshot:
        return snapshot[1].replace("--", "/", 1), snapshot[2]
    if _LOCAL.match(text):
        return re.split(r"[/\\]", text.rstrip("/\\"))[-1] or None, None
    return text, None


def without_load(text: str) -> str:
    """Return a label without the load level in it, so that levels of one sweep stay together.

    >>> without_load("fp8 conc16"), without_load("rate5"), without_load("baseline")
    ('fp8', '', 'baseline')
    """
    bare = _RATE.sub("", _CONCURRENCY.sub("", text))
    return re.sub(r"[\s_\-]{2,}", " ", bare).strip(" _-")


def configuration_folder(name: str) -> str | None:
    """Return the folders of a file without load levels and counts of repetitions, None where it has none.

    For tools that write a run into a folder of its own and name its settings nowhere inside.

    >>> configuration_folder("fp8/pass2/stage_0.json"), configuration_folder("bf16/conc16/x.json")
    ('fp8', 'bf16')
    """
    parts = (without_load(REPETITION.sub("", part)) for part in name.replace("\\", "/").split("/")[:-1])
    return "/".join(part for part in parts if part)[:300] or None


_CALLED = {
    "accelerator_count": t("accelerators"),
    "prefill_accelerators": t("accelerators for prefill"),
    "decode_accelerators": t("accelerators for decode"),
    "serving_mode": t("serving mode"),
    "asked_concurrency": t("concurrent requests"),
    "concurrency": t("concurrent requests"),
    "asked_rate": t("requests per second"),
    "request_rate": t("requests per second"),
}


def from_name(place: Place, field: str, value: float | str) -> Finding:
    """Return the finding that marks a value which only the file's name told."""
    return all_from_name(place, {field: value})


def all_from_name(place: Place, values: Mapping[str, float | str]) -> Finding:
    """Return the one finding that marks values which only the file's name told."""
    said = [
        t("{name}: {value}", name=_CALLED.get(field, field), value=value if isinstance(value, str) else f"{value:g}")
        for field, value in values.items()
    ]
    return Finding(
        code="ingest.from_file_name",
        severity=Severity.INFO,
        where=Place(place.file, place.line, ", ".join(values)),
        what=t("Read from the file name: {values}", values=joined(said)),
        consequence=t("The content of the file does not say it; a renamed file would be misread"),
    )


def _nearest(pattern: re.Pattern[str], name: str) -> float | None:
    for part in reversed(name.replace("\\", "/").split("/")):
        found = {
            float(next(group for group in match.groups() if group is not None))
            for match in pattern.finditer(_EXTENSIONS.sub("", part))
        }
        if found:
            value = found.pop()
            return value if not found and value > 0.0 else None
    return None
