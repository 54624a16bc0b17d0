"""Texts that would like to be more than text, and a scenario that holds one wherever a file or a person may write."""

from __future__ import annotations

from dataclasses import fields, replace

from core.errors import Place
from core.i18n import t
from core.letters import is_blank
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.price import Price
from core.model.run import Conditions, FileRef
from core.model.scenario import NAME_CHARS, DecisionColumn
from tests.present.builders import FakeFit, answer_of, cost_of, run_of
from tests.present.report.report_build import scenario_of

FORMULAS = (
    '=HYPERLINK("http://example.invalid/x","y")',
    "+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "＝1+1",
    "'=1+1",
)
MARKUP = (
    "<script>alert(1)</script>",
    '<img src="http://example.invalid/b.png" onerror="alert(1)">',
    "<svg onload=alert(1)><style>@import 'http://example.invalid/'</style>",
    "]]><!--&amp;&#x202e;-->\"'",
    "![x](http://example.invalid/a.png)",
    "[z](javascript:alert(2)) <http://example.invalid>",
    ":material/home: :red[y] :blue-badge[z] $x^2$ `c` ~~s~~",
    "# a\n\n| b | c |\n|---|---|\n| d | e |\n- f\n1. g\n\\h",
    '#eval("1") $x$ @ref <label> #image("/etc/passwd")',
    "{{ 7*7 }}{% raw %} {0} {name.__class__} {x:>999999999} %s",
)
UNSEEN = (
    "nul\x00nul",
    "half\ud800half",
    "control\x01\x0b\x1b[31m\x7f\x85control",
    "none\ufffe\uffff\ufdd0\U0010ffffnone",
    "bidi\u202eidib\u2066\u2067\u061c\u200f",
    "lines\r\nof\u2028a\u2029text",
    "_x0000__x0041_",
    "\u200b\u2060\ufeffzero",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f1f0\U0001f1f7 emoji",
    "pile" + "\u0301" * 300,
    "W" * 400,
    "한글이름" * 40,
    "שלום عليكم",
)
TEXTS = (*FORMULAS, *MARKUP, *UNSEEN)

ACTING = "".join(map(chr, (*range(9), 11, 12, *range(14, 32), *range(127, 160)))) + (
    "\ud800\ufffe\uffff\ufdd0\U0010ffff\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""Letters that must be in nothing that is shown or sent."""


def name_of(text):
    """A text as the name of something, which must be seen."""
    return "a name" if is_blank(text) else text.strip()[: NAME_CHARS - 8].strip()


def hostile_run(text, number=0):
    """A run whose every text is this one."""
    words = [f.name for f in fields(Conditions) if "str" in str(f.type)]
    run = run_of((4.0, 8.0, 16.0, 32.0, 64.0))
    place = Place(text, 3, text)
    stages = tuple(
        replace(stage, where=place, excluded=None if i else text or None) for i, stage in enumerate(run.stages)
    )
    finding = Finding(
        code="latency.identity",
        severity=Severity.WARNING,
        where=place,
        what=t("{file} says {word}", file=text, word=text),
        consequence=t("so {word}", word=text),
        fix=t("do {word}", word=text),
    )
    return replace(
        run,
        id=f"run-{number}",
        label=f"{text}{number}",
        conditions=Conditions(**dict.fromkeys(words, text), accelerator_count=4),
        files=(FileRef(text, f"{number:064d}"),),
        stages=stages,
        backend=text,
        format_version=f"{text} 1.0",
        calls={Metric.TTFT: text},
        asked=("model", "engine"),
        findings=(finding,),
    )


def hostile_scenario(*texts):
    """A scenario of a run for each text; the first is everywhere else too."""
    answers = [answer_of(hostile_run(text, i), cost=cost_of(currency=text[:12])) for i, text in enumerate(texts)]
    columns = tuple(
        DecisionColumn(name=name_of(text), values={f"run-{i}": text for i in range(len(texts))}) for text in texts[:12]
    )
    return scenario_of(
        *answers,
        name=name_of(texts[0]),
        notes="\n".join(texts)[:20_000],
        decision=columns,
        price=Price(amount=1.0, per_accelerator=True, currency=texts[0][:12]),
        method_version=texts[0][:64],
        app_version=texts[0][:64],
    )


def fits(scenario):
    """Curves of it, as quick ones as the drawings need."""
    return {answer.run.id: FakeFit(answer.run) for answer in scenario.answers}


def harmless(text):
    """Fail where a letter that acts is in a text that is shown or sent."""
    assert not set(text) & set(ACTING), sorted(map(hex, map(ord, set(text) & set(ACTING))))
    return text
