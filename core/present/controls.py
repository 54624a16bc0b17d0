"""Three controls that are easily taken for one: what each decides, who turns it, and what Plimsoll gives it."""

from __future__ import annotations

import pandas as pd

from core.i18n import Text, t

TITLE = t("Three controls that are not the same")

HEADS: tuple[Text, ...] = (
    t("Control"),
    t("What it decides"),
    t("Who decides it"),
    t("How fast it acts"),
    t("What Plimsoll gives it"),
)

ROWS: tuple[tuple[Text, ...], ...] = (
    (
        t("Admission limit"),
        t(
            "How many requests one replica takes in at once; the others wait in front of it or are turned away. Beside "
            "it stands the engine's batch limit (max_num_seqs): how many of those run at once."
        ),
        t("You, in the router or gateway and in the engine's start options."),
        t("At once, with every request. It protects the promise while everything else is still reacting."),
        t("Limit to configure: the safe number, divided by the replicas measured; where requests wait at that load."),
    ),
    (
        t("Number of workers"),
        t("How many replicas, or prefill and decode workers, are running now."),
        t("A planner or autoscaler, such as Dynamo's planner, within bounds that you set."),
        t(
            "Delayed: it looks back over an interval, at averages, and a new worker first has to load the model. Until "
            "then only the admission limit helps."
        ),
        t(
            "The safe number and the throughput there, for one endpoint: peak load divided by the safe number is how "
            "many are needed. Averages that a planner watches do not stand in for the percentiles promised here."
        ),
    ),
    (
        t("Structure and life cycle of roles"),
        t(
            "Which roles exist (router, prefill, decode), which start first, which are placed and scaled together, and "
            "what happens when one fails."
        ),
        t("You, as a description in Kubernetes, such as Grove's; its operator and the scheduler carry it out."),
        t("At deployment and at every change of the description. It sets no number of its own by load."),
        t(
            "The configuration that was measured: accelerators, parallelism and roles of one replica. An answer holds "
            "for that shape only."
        ),
    ),
)

SOURCE = t(
    "Source: the documents of vLLM, SGLang, TensorRT-LLM, Dynamo and Grove, read in November 2026. The division into "
    "three is ours."
)


def controls_table(language: str = "en") -> pd.DataFrame:
    """Return one row per control, in the words of `ROWS`."""
    return pd.DataFrame(
        {
            head.render(language): pd.Series([row[i].render(language) for row in ROWS], dtype="str")
            for i, head in enumerate(HEADS)
        }
    )
