"""Ask for the cause of every question with a known one, and publish how often it is right.

    python -m benchmarks.causes.run            writes results.md and results.json
    python -m benchmarks.causes.run --half tune    prints the half that thresholds were chosen on

Thresholds were chosen on the deployments of data/tune.jsonl.gz; those of data/test.jsonl.gz are the published figures
and were looked at by nothing else. A question takes the whole way of `plan`: checks, fit, answer, cause.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.causes.generate import DATA, HERE, RELAXED
from core.decide.cause import cause_of
from core.decide.decide import decide
from core.fit.fit import fit_run
from core.ingest.stage_json import stage_of
from core.model.cause import Cause, CauseKind, Confidence
from core.model.metric import Metric
from core.model.run import Conditions, Kind, Run
from core.model.target import Target
from core.pipeline import checked

NEARLY_BEST = 0.8
"""A resource whose gain is at least this share of the largest is as true a cause as the best one."""
MOST_CAUSES = 2
"""Questions in which more resources than this are nearly best have no one cause and are left out."""
NEAR_CAP = 0.75
"""Between this share of what the generator holds and all of it, both server and generator stop the sweep."""
LEAST_GAIN = 0.1
"""Where doubling nothing helps by this much (ln), no cause is true."""

PAIR = {
    CauseKind.BANDWIDTH_OR_LAUNCH: {"bandwidth", "launch"},
    CauseKind.QUEUE_OR_KV_MEMORY: {"queue", "kv_memory"},
}


@dataclass(frozen=True, kw_only=True)
class Case:
    """One question with its truth: every cause that is nearly best, the best one, and what was claimed."""

    deployment: str
    metric: str
    profiled: bool
    truth: frozenset[str]
    best: str
    cause: Cause

    @property
    def claimed(self) -> bool:
        return self.cause.confidence is not Confidence.CANNOT_TELL

    @property
    def right(self) -> bool:
        return bool(PAIR.get(self.cause.kind, {self.cause.kind.value}) & self.truth)

    @property
    def strictly_right(self) -> bool:
        return self.best in PAIR.get(self.cause.kind, {self.cause.kind.value})


def truth_of(question: dict[str, Any], cap: int | None) -> tuple[frozenset[str], str]:
    """The causes that are nearly best, and the best one; "unknown" where nothing helps, none where it is not one.

    `cap` is the number of requests that the load generator holds at most, None where it holds all.
    """
    if cap is not None and question["at"] > cap:
        return frozenset({"client"}), "client"
    if cap is not None and question["at"] > NEAR_CAP * cap:
        return frozenset(), "client"
    gains = {name: question["gains"][name] for name in RELAXED}
    most = max(gains.values())
    if most < LEAST_GAIN:
        return frozenset({"unknown"}), "unknown"
    return frozenset(k for k, v in gains.items() if v >= NEARLY_BEST * most), max(gains, key=lambda k: gains[k])


def run_of(record: dict[str, Any]) -> Run:
    """The sweep as an import would give it."""
    used = [stage.pop("kv_used_fraction", None) for stage in record["stages"]]
    stages = [replace(stage_of(s), kv_used_fraction=u) for s, u in zip(record["stages"], used, strict=True)]
    told = record["told"]
    conditions = Conditions(input_tokens_mean=told["input_tokens_mean"], max_num_seqs=told.get("max_num_seqs"))
    return checked(
        Run(
            id=record["deployment"],
            label=record["deployment"],
            kind=Kind.MEASURED,
            format_id="simulated",
            format_version=None,
            files=(),
            conditions=conditions,
            stages=tuple(stages),
        )
    )


def cases(records: Iterable[dict[str, Any]]) -> Iterator[Case]:
    """Every question with one cause, or two, answered. A profile is of the load that the question is about."""
    for record in records:
        run = run_of(record)
        fit = fit_run(run)
        loads = [stage["asked_concurrency"] for stage in record["stages"]]
        busy = record["told"].get("gpu_busy")
        for question in record["questions"]:
            truth, best = truth_of(question, record["cap"])
            target = Target(Metric(question["metric"]), question["statistic"], question["limit"])
            share = None if busy is None else float(np.interp(question["at"], loads, busy))
            cause = cause_of(replace(run, gpu_busy=share), fit, decide(fit, (target,)))
            if cause and 1 <= len(truth) <= MOST_CAUSES:
                yield Case(
                    deployment=record["deployment"],
                    metric=question["metric"],
                    profiled=share is not None,
                    truth=truth,
                    best=best,
                    cause=cause,
                )


def records(half: str) -> list[dict[str, Any]]:
    """The deployments of one half, "tune" or "test"."""
    with gzip.open(DATA / f"{half}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def figures(found: list[Case]) -> dict[str, float | int]:
    """Shares of all questions, and of those in which a cause is claimed."""
    claimed = [case for case in found if case.claimed]
    clear = [case for case in claimed if case.cause.confidence is Confidence.CLEAR]

    def share(part: int, whole: int) -> float:
        return round(part / whole, 4) if whole else 0.0

    return {
        "questions": len(found),
        "claimed": share(len(claimed), len(found)),
        "right_where_claimed": share(sum(c.right for c in claimed), len(claimed)),
        "best_where_claimed": share(sum(c.strictly_right for c in claimed), len(claimed)),
        "clear": share(len(clear), len(found)),
        "right_where_clear": share(sum(c.right for c in clear), len(clear)),
        "confidently_wrong": share(sum(not c.right for c in clear), len(found)),
    }


def confusion(found: list[Case]) -> Counter[tuple[str, str]]:
    """How often each best cause was answered by each kind; "cannot tell" where nothing was claimed."""
    return Counter((c.best, c.cause.kind.value if c.claimed else "cannot tell") for c in found)


def groups(found: list[Case]) -> dict[str, list[Case]]:
    """All, and the parts that are published beside it."""
    parts = {"all": found}
    parts |= {f"metric {m}": [c for c in found if c.metric == m] for m in ("ttft", "tpot", "itl", "e2e")}
    parts["with a profile"] = [c for c in found if c.profiled]
    parts["without a profile"] = [c for c in found if not c.profiled]
    return parts


def page(test: list[Case], tune: list[Case], asked: int) -> str:
    """The published figures as Markdown."""
    names = list(figures(test))
    head = ["part", *(name.replace("_", " ") for name in names)]
    rows = [[part, *_shown(figures(found))] for part, found in groups(test).items()]
    rows.append(["(half that thresholds were chosen on)", *_shown(figures(tune))])
    table = confusion(test)
    said = sorted({kind for _, kind in table})
    matrix = [[best, *(str(table[best, kind] or "") for kind in said)] for best in sorted({b for b, _ in table})]
    return TEMPLATE.format(
        figures=_table(head, rows), confusion=_table(["true cause (best)", *said], matrix), left_out=asked - len(test)
    )


def _shown(row: dict[str, float | int]) -> list[str]:
    return [str(value) if isinstance(value, int) else f"{100 * value:.1f} %" for value in row.values()]


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


TEMPLATE = """# How often the cause is right

`python -m benchmarks.causes.run` writes this page. The cases are simulated: every deployment was simulated again with
twice as much of each resource in turn, and the change that raises the capacity most at the limit of the question is the
true cause (`generate.py`). A change whose gain is at least 80 % of the best one's is as true a cause; questions
in which three or more are that near have no one cause and are left out ({left_out} of this half).

Half of the questions come with the share of time that the accelerator is busy, half with `max_num_seqs`, a quarter
with the share of the KV cache in use. In every seventh deployment the load generator holds fewer requests than asked;
questions just below what it holds are left out too.

{figures}

*Claimed*: "clear" or "likely". *Right*: the kind named is a true cause; "bandwidth or launch" names two. *Best*: it is
the very best one. *Confidently wrong*: "clear" and not right, as a share of all questions. Other kinds that an answer
names as still possible do not count as right.

## Which cause was taken for which

Rows are the best cause, columns what was said, in questions.

{confusion}
"""


def main() -> None:
    if "--half" in sys.argv:
        found = list(cases(records(sys.argv[sys.argv.index("--half") + 1])))
        print(json.dumps({part: figures(each) for part, each in groups(found).items()}, indent=1))
        for (best, kind), count in sorted(confusion(found).items()):
            print(f"{best:12} {kind:20} {count}")
        return
    held = records("test")
    test, tune = list(cases(held)), list(cases(records("tune")))
    asked = sum(len(record["questions"]) for record in held)
    (HERE / "results.md").write_text(page(test, tune, asked), encoding="utf-8")
    numbers = {part: figures(found) for part, found in groups(test).items()}
    (HERE / "results.json").write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
