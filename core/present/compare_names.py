"""What is compared, in words: quantities, the seven conditions, states, verdicts, and the layers of a change."""

from __future__ import annotations

from core.compare.compare import Verdict
from core.compare.conditions import Group, State
from core.compare.quantity import Quantity
from core.i18n import Text, t
from core.model.compared import Layer

GROUPS: dict[Group, Text] = {
    Group.MODEL: t("Model and quality"),
    Group.LENGTHS: t("Lengths"),
    Group.LOAD: t("Load"),
    Group.TTFT: t("What TTFT includes"),
    Group.THROUGHPUT: t("Throughput"),
    Group.STATISTICS: t("Statistics and errors"),
    Group.HARDWARE: t("Hardware and engine"),
}

STATES: dict[State, Text] = {
    State.EQUAL: t("equal"),
    State.DIFFERENT: t("different"),
    State.UNKNOWN: t("unknown"),
    State.NOT_APPLICABLE: t("does not apply"),
}

VERDICTS: dict[Verdict, Text] = {
    Verdict.LEADS: t("leads"),
    Verdict.CANNOT_TELL: t("cannot tell"),
    Verdict.NOT_COMPARABLE: t("not compared: conditions differ or are unknown"),
    Verdict.ALONE: t("one run only"),
    Verdict.NOT_ASKED: t("not asked"),
}

QUANTITIES: dict[Quantity, Text] = {
    Quantity.CAPACITY: t("Capacity (concurrent requests)"),
    Quantity.REPLICAS: t("Replicas for the demand"),
    Quantity.MONTH: t("Cost a month for the demand"),
    Quantity.USERS_PER_MONEY: t("Users per money and hour, at the estimate"),
    Quantity.COST: t("Cost at target"),
    Quantity.ACCELERATORS: t("Accelerators for the demand"),
    Quantity.PER_USER: t("Speed of one user (tokens/s)"),
    Quantity.THROUGHPUT: t("System throughput per accelerator (tokens/s)"),
}

OF: dict[Quantity, Text] = {
    Quantity.CAPACITY: t("the concurrent requests that one deployment carries"),
    Quantity.REPLICAS: t("the replicas that the demand needs"),
    Quantity.MONTH: t("the cost a month of what the demand needs"),
    Quantity.USERS_PER_MONEY: t("what is carried for the money of an hour"),
    Quantity.COST: t("the cost of a million output tokens at the safe number"),
    Quantity.ACCELERATORS: t("the accelerators that the demand needs"),
    Quantity.PER_USER: t("the speed of one user at the safe number"),
    Quantity.THROUGHPUT: t("the output tokens per second of the system for each accelerator, at the safe number"),
}
"""A quantity inside of a sentence."""

LAYERS: dict[Layer, Text] = {
    Layer.MODEL: t("Model or precision"),
    Layer.ENGINE: t("Engine or its version"),
    Layer.BATCHING: t("Batching and scheduling"),
    Layer.KERNELS: t("Kernels and launch graphs"),
    Layer.CACHE: t("Prefix cache"),
    Layer.ROUTING: t("Routing between workers"),
    Layer.PARALLELISM: t("Parallelism"),
    Layer.DISAGGREGATION: t("Prefill and decode apart"),
    Layer.SPECULATION: t("Speculative decoding"),
    Layer.HARDWARE: t("Hardware"),
    Layer.NETWORK: t("Network"),
}

OF_STUDY: dict[str, Text] = {
    "before": t("Run before the change"),
    "after": t("Run after the change"),
    "layer": t("What was changed"),
    "dates": t("Day of measuring"),
    "kv_transfer_s": t("Time to move the KV cache"),
    "worker_loads": t("Load of each worker"),
    "runs": t("Runs compared"),
    "given": t("Study of before and after"),
}
