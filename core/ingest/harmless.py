"""Which texts of a file are no prompt and no answer: an allow-list, since nobody can tell a short prompt by its look.

A text is harmless because of its shape (a number, a time, a hash), or because its field is one whose texts are
settings: those that importers read, and a column that says a condition of the measurement.
"""

from __future__ import annotations

import re

from core.ingest.columns import NOTHING, column_of
from core.ingest.header import STATISTICS, UNITS

LONGEST = 200
"""Characters: a longer text is none of a file's labels or settings."""

MOST_WORDS = 8
"""Words: a text with more reads like prose. The longest name of a metric in the tools' own tables has seven."""

_TEXTS = """
    answer answers assistant body bodies chosen completion completions content contents conversation conversations
    errormessage errormsg errortext generatedtext generatedtexts generation history human input inputs inputtext
    instruction instructions message messages output outputs outputtext payload payloads prompt prompts prompttext
    query question questions rawrequest rawresponse reasoning reasoningcontent request requestbody requestdata
    requestinputs response responsebody responseoutputs responses responsetext result system systemprompt text texts
    thinking toolcalls transcript turns user userprompt 질문 답변 프롬프트 응답 提示 回答 问题 回复
"""
TEXTS = frozenset(_TEXTS.split())
"""Names of fields, folded, whose texts are prompts or answers: those that importers know and their kin."""

_MODEL_NAMES = """
    apimodelname backendmodel formattedmodelname model modelhfrepo modelid modelname modelnames modelpath models
    processor servermodeltokenizer speculativedraftmodelpath tokenizer tokenizerid tokenizername tokenizerpath
"""
MODELS = frozenset(_MODEL_NAMES.split())
"""Names of fields whose texts may be long: paths and names of models."""

_SETTING_NAMES = """
    accelerator acceleratortype admissionpolicy aiperfversion approach arrivalpattern arrivalprocess attentionbackend
    backend backendtype backendversion benchmarkphase benchmarkversion candidateid collector comm concurrency dataset
    datasetname date decodedpattention device devicename disagg distribution dpattention dtype duration endpoint
    endpointname endpointtype endtime engine engineversion estimationmethod experimentname expname finishedat fmha
    framework frameworkversion gemm gpu gpuname gputype guidellmversion hardware hardwaretype hw image instancename
    instancetype isfailed isl iterationtype kvcache kvcachedtype kvoffloadbackend kvoffloading latencymodel metric
    metricname metricstimeunit moe networkdevice offload offloading osl payloadfile platform precision
    prefilldpattention proto quantization rampupstrategy requestformat requestrate requestratemode routingpolicy
    runlabel runtype scheduler schemaversion serverengine servergputype serverversion servicekind slavariable
    slovariable specdecoding speculativealgorithm startedat starttime statistic streaming timestamp timeunit tool
    toolversion unit units urlstrategy version vllmversion
"""
_SETTINGS = frozenset(_SETTING_NAMES.split())
"""Names of fields, folded, whose texts are settings: what importers read, and what tools write of a run."""

_ONE_WORD_NAMES = """
    api apibackend code component componentlabel kind loadtype method mode parallel phase profile rate role scenario
    scenariotype stage stat status strategy strategytype strategytypes task terminalstatus trafficscenario type
"""
_ONE_WORD = frozenset(_ONE_WORD_NAMES.split())
"""Names of fields, folded, that take one word of a few; more words may be somebody's own."""

_WORDS_OF_NUMBERS = """
    accept accepted accuracy adjusted aggregated average avg bench benchmark benchmarks by cache ci cis class client
    completed concurrency concurrent constraints content count current cut decode decoded dev duration e2e end
    endpoint environment error errored errors expected failed failure failures first for fraction good goodput gpu hit
    hits id incomplete index info input inter iter itl kv last latencies latency length level load max mean median
    metadata min model ms name non number of off output p50 p90 p95 p99 peak per percentile percentiles prefill prompt
    queue rate ratio read req request requests response run s sec second seconds sent server size spec speculative
    start started std stop strategy stream streaming succeed succeeded success successful sum taken test tests
    throughput time timings to tok token tokens total tpot tps ttft ttlt type usage user users uuid valid value
    version versions wait warm warmup write
"""
_WORDS = frozenset(_WORDS_OF_NUMBERS.split())
"""Words that names of numbers are made of; whoever writes in these alone says nothing that is private."""

_SHAPES = re.compile(
    r"""
        [\d\s.,;:%()\[\]{}/+*x-]*            # numbers, lists of them, times of day
      | (?:약|约|ca\.)?[-+~≈<>≤≥±\d.,'’\s]+
      | [-+~≈<>≤≥±\d.,\s]+(?:[mµμun]?s|sec|seconds|%|[kmgt]i?b|rps|qps|tps|x|초|秒)
      | [-+~≈<>≤≥±\d.,\s]+(?:tok|tokens|req|requests)/(?:s|sec|min)
      | [-+]?[\d.,]+e[-+]?\d+
      | [-+]?(?:inf|infinity|nan)
      | true|false|none|null|n/?a|yes|no|ok|auto|default
      | \d{4}-\d\d-\d\d[ T_][\d:.-]+(?:Z|[ ]?UTC|[-+][\d:]+)?
      | \d{8}-\d{6}
      | PT?[\d.]+[HMSD](?:[\d.]+[HMS])*      # a duration by ISO 8601
      | [DNE]\(\d+,\s*\d+\)                 # lengths as genai-bench writes them
      | v?\d+(?:\.\d+)+(?:[.+-]?(?:rc|post|dev|a|b)\d+)?
      | (?:constant|poisson|concurrent|throughput|synchronous|sweep)@[\d.]+
      | (?:\d+\s*x\s*)?(?:(?:gb|[habvlt])\d{2,3}s?|mi\d{3}[xa]?)(?:[_-](?:sxm|pcie|oam|dgx|nvl\d*))?
      | [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12} | [0-9a-f]{32} | [0-9a-f]{40} | [0-9a-f]{64}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SETTING_LIST = re.compile(r"([A-Za-z_]+)=[-+\d.]+")
_IDENTIFIER = re.compile(r"[A-Za-z0-9_.:/%@#()\[\]<>=+-]*")
_LETTERS = re.compile(r"[^\W\d_]+")


def is_texts(name: str) -> bool:
    """Return True for the name of a field whose texts are prompts or answers.

    >>> is_texts("generated_texts"), is_texts("ttft")
    (True, False)
    """
    return folded(name) in TEXTS


def is_harmless(name: str, text: str) -> bool:
    """Return True where a text of a field can be no prompt and no answer.

    >>> is_harmless("backend", "vllm"), is_harmless("anything", "2026-01-01T00:00:00Z"), is_harmless("anything", "Hi")
    (True, True, False)
    """
    if folded(name) in MODELS:
        return len(text.split()) <= MOST_WORDS
    if _SHAPES.fullmatch(text.strip()) or _is_list_of_settings(text):
        return True
    if is_texts(name) or reads_like_prose(text):
        return False
    if folded(name) in _ONE_WORD:
        return _IDENTIFIER.fullmatch(text) is not None
    return is_setting(name) or is_known(text)


def is_label(name: str, text: str) -> bool:
    """Return True for a short text of a field that is not known to hold prompts or answers.

    >>> is_label("Maschine", "Blade 7"), is_label("prompt", "Hi")
    (True, False)
    """
    if is_texts(name):
        return not text or is_number(text)
    return folded(name) in MODELS or not reads_like_prose(text) or is_number(text)


def is_name(text: str) -> bool:
    """Return True for what may name a field: an identifier, a column that is known, or words of measuring alone.

    >>> is_name("mean_ttft_ms"), is_name("Average latency (s)"), is_name("첫 토큰 지연 p99 (초)"), is_name("Tell me")
    (True, True, True, False)
    """
    if len(text) > LONGEST:
        return False
    return _IDENTIFIER.fullmatch(text) is not None or is_known(text)


def is_known(name: str) -> bool:
    """Return True for a name that importers know: of a column, of a setting, of a text, of a unit or a statistic.

    >>> is_known("TTFT p99 (ms)"), is_known("prompt"), is_known("hello")
    (True, True, False)
    """
    said = name.strip()
    if (
        _is_measuring(said)
        or said.casefold() in UNITS
        or said.casefold() in STATISTICS
        or is_texts(name)
        or is_setting(name)
    ):
        return True
    return bool(said) and column_of(0, said).role not in NOTHING


def is_setting(name: str) -> bool:
    """Return True for a field that importers know, whose texts are settings.

    >>> is_setting("kv_cache_dtype"), is_setting("모델"), is_setting("question")
    (True, True, False)
    """
    short = folded(name).removeprefix("metadata")
    short = short[1:] if name.startswith(("(p)", "(d)")) else short  # of the prefill pool, of the decode pool
    if short in _SETTINGS or short in _ONE_WORD or short in MODELS:
        return True
    return bool(name.strip()) and column_of(0, name).role.startswith("conditions.")


def is_number(text: str) -> bool:
    """Return True for a cell that is nothing but a number, with its unit or without.

    >>> is_number("1,146.3"), is_number("120 ms"), is_number("ms"), is_number("8 apples")
    (True, True, False, False)
    """
    return any(map(str.isdigit, text)) and _SHAPES.fullmatch(text.strip()) is not None


def reads_like_prose(text: str) -> bool:
    """Return True for a text that is too long for a label."""
    return len(text) > LONGEST or len(text.split()) > MOST_WORDS


def folded(name: str) -> str:
    """Return a field's name without its marks, in small letters.

    >>> folded("Generated-Texts")
    'generatedtexts'
    """
    return re.sub(r"[\W_]+", "", name).casefold()


def _is_list_of_settings(text: str) -> bool:
    """Return True for "prompt_tokens=256,output_tokens=128": names that are made of words of measuring, and numbers."""
    found = [_SETTING_LIST.fullmatch(part) for part in text.split(",")]
    return all(one is not None and _is_measuring(one[1]) for one in found)


def _is_measuring(name: str) -> bool:
    words = _LETTERS.findall(name.casefold())
    return bool(words) and all(word in _WORDS for word in words)
