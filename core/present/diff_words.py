"""One input that differs between two scenarios, in words: what it is called, and its value on either side."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.i18n import Text, t
from core.model.change import Aspect, Change, Value
from core.model.compared import Layer
from core.model.metric import Metric
from core.model.run import Conditions, Kind
from core.model.scenario import DemandKind
from core.model.workload import WorkloadKind
from core.present.batch import duration
from core.present.compare_names import LAYERS, OF_STUDY
from core.present.conditions import condition_name, condition_text
from core.present.formats import format_name
from core.present.kinds import KINDS
from core.present.memory_names import SIZING
from core.present.names import kind_text, metric_name, value_text
from core.present.numbers import concurrency, percent, plain
from core.present.reasons import exclusion_text
from core.present.traffic import ARRIVALS, CONDITIONS

DEMAND_KINDS: dict[DemandKind, Text] = {
    DemandKind.CONCURRENCY: t("concurrent requests"),
    DemandKind.USERS: t("active users"),
    DemandKind.REQ_S: t("requests per second"),
}

_ORDERED = {
    "runs": t("Order of the runs"),
    "targets": t("Order of the targets"),
    "columns": t("Order of your columns"),
}

_OF_PRICE = {
    "amount": t("Price per hour"),
    "per_accelerator": t("The price is for"),
    "currency": t("Currency"),
    "output_weight": t("Input tokens that cost as much as an output token"),
    "cached_weight": t("Share of the price that a cached token costs"),
    "discount": t("Discount"),
    "power_kw": t("Power of one accelerator with host, network and cooling, kW"),
    "as_of": t("Day of the price"),
    "exchange.quoted": t("Currency that the price is given in"),
    "exchange.rate": t("Rate of exchange"),
    "exchange.as_of": t("Day of the rate of exchange"),
    "tax.rate": t("Tax"),
    "tax.quoted_with": t("The price as given holds the tax"),
    "tax.counted": t("The figures hold the tax"),
    "owned.capex": t("Purchase price"),
    "owned.years": t("Years of use"),
    "owned.residual": t("Worth at the end"),
    "owned.interest": t("Interest a year"),
    "owned.power_kw": t("Power of the machines, kW"),
    "owned.pue": t("PUE"),
    "owned.tariff": t("Price of a kWh"),
    "owned.hosting": t("Hosting a year"),
    "owned.licence": t("Licences a year"),
    "owned.operations": t("Operations a year"),
    "listed.provider": t("Provider of the picked price"),
    "listed.sku": t("Offer of the picked price"),
    "listed.region": t("Region of the picked price"),
    "listed.accelerator": t("Accelerator of the picked price"),
    "listed.commitment": t("Commitment of the picked price"),
    "listed.amount": t("Picked price"),
    "listed.currency": t("Currency of the picked price"),
    "listed.as_of": t("Day of the picked price"),
    "listed.certainty": t("Certainty of the picked price"),
    "listed.source": t("Source of the picked price"),
    "listed.notes": t("Notes of the picked price"),
}
_PRICE_SHARES = frozenset({"discount", "tax.rate", "owned.interest"})

_OF_TRAFFIC = CONDITIONS | {
    "share": t("Share of the requests"),
    "burst": t("Burstiness"),
    "users": t("Users at once"),
    "think_s": t("Pause of a user"),
    "given": t("Your traffic"),
}

_OF_WORKLOAD = {
    "kind": t("Made for"),
    "job.requests": t("Requests of the job"),
    "job.input_tokens": t("Input tokens of the job, mean"),
    "job.output_tokens": t("Output tokens of the job, mean"),
    "job.deadline_s": t("Deadline of the job"),
    "given": t("Made for"),
}

_OF_DEMAND = {"peak": t("Demand at the peak"), "kind": t("The demand counts"), "given": t("Demand at the peak")}

_OF_FLEET = {
    "curve": t("Demand over time"),
    "growth": t("Growth a month"),
    "ahead": t("Built for growth, months"),
    "burst": t("Bursts over the mean of an hour"),
    "ceiling": t("Utilisation ceiling"),
    "spares": t("Spare replicas"),
    "zones": t("Zones, one may be lost"),
    "out_share": t("Out of service, share of the time"),
    "node": t("Accelerators per node"),
    "floor": t("Fewest replicas when autoscaled"),
    "start_s": t("Start of a replica, seconds"),
    "reserved": t("Reserved price per hour"),
    "reserved_as_of": t("Day of the reserved price"),
    "owned_as_of": t("Day of the price of bought hardware"),
    "api_as_of": t("Day of the API's prices"),
    "budget": t("Budget a month"),
    "api.input": t("API price, million input tokens"),
    "api.output": t("API price, million output tokens"),
    "api.cached": t("API price, million cached input tokens"),
    "given": t("What is said of the fleet"),
}
_FLEET_SHARES = frozenset({"growth", "ceiling", "out_share", "owned.interest"})

_OF_VERSION = {
    "method_version": t("Method"),
    "constants_version": t("Constants of the method"),
    "app_version": t("Version of Plimsoll"),
    "schema_version": t("Form of the saved file"),
}

_ALONE: dict[Aspect, Text] = {
    Aspect.NAME: t("Name"),
    Aspect.NOTES: t("Notes"),
    Aspect.RUN: t("Run"),
    Aspect.RUN_NAME: t("Name of the run"),
    Aspect.FILE: t("File"),
    Aspect.FILE_NAME: t("Name of a file"),
    Aspect.GPU_BUSY: t("Accelerator busy, from a profile"),
    Aspect.READING: t("How its files are read"),
    Aspect.THINK_TIME: t("Think time of a user"),
    Aspect.COLUMN: t("Column of your own"),
}

_NAMED: Mapping[Aspect, Mapping[str, Text]] = {
    Aspect.PRICE: _OF_PRICE,
    Aspect.COUNT: {"": t("Accelerators paid for"), "pools": t("Prefill and decode accelerators paid for")},
    Aspect.WORKLOAD: _OF_WORKLOAD,
    Aspect.DEMAND: _OF_DEMAND,
    Aspect.STUDY: OF_STUDY,
    Aspect.VERSION: _OF_VERSION,
    Aspect.ORDER: _ORDERED,
    Aspect.MEMORY: SIZING,
}

_LEVELS: dict[Aspect, Text] = {
    Aspect.LEVEL: t("Level at {load}"),
    Aspect.EXCLUDED: t("Level at {load}: use"),
    Aspect.NUMBERS: t("Level at {load}: numbers"),
}


def change_name(change: Change, language: str = "en") -> str:
    """Return what a change is about, such as "TTFT p99" or "Level at 64 left out"; the run is not named."""
    if change.about in _ALONE:
        return _ALONE[change.about].render(language)
    if change.about in _NAMED:
        return _NAMED[change.about][change.name].render(language)
    if change.about in _BY_PATH:
        return _BY_PATH[change.about](change.name, language)
    if change.about in _LEVELS:
        at = plain(change.at, language) if change.at is not None else "?"
        return Text(_LEVELS[change.about].msgid, {"load": at}).render(language)
    match change.about:
        case Aspect.TARGET:
            metric, statistic = _target(change.name)
            return metric_name(metric, statistic, language)
        case Aspect.CONDITION:
            return condition_name(change.name, language)
        case Aspect.ACCEPTED:
            return t("{name}: may differ or be unknown", name=condition_name(change.name, language)).render(language)
        case Aspect.BY_HAND:
            return t("{name}, given by hand", name=condition_name(change.name, language)).render(language)
        case _:
            return change.name


def change_values(change: Change, language: str = "en") -> tuple[str | None, str | None]:
    """Return both sides in words; None where that side has nothing."""
    if change.about is Aspect.NUMBERS:
        return t("as it was").render(language), t("other numbers").render(language)
    if change.about is Aspect.ORDER:
        return t("as it was").render(language), t("another").render(language)
    if change.about is Aspect.READING and change.before == change.after:
        return t("as it was").render(language), t("otherwise").render(language)
    if change.about is Aspect.EXCLUDED:
        return _use(change.before, language), _use(change.after, language)
    return _value(change, change.before, language), _value(change, change.after, language)


def _use(reason: Value, language: str) -> str:
    return (exclusion_text(str(reason)) if reason is not None else t("in use")).render(language)


def _value(change: Change, value: Value, language: str) -> str | None:
    if value is None:
        return None
    show = _SHOWN.get(change.about)
    if show:
        return show(change, value, language)
    if isinstance(value, bool):
        return (t("yes") if value else t("no")).render(language)
    return str(value) if isinstance(value, str) else plain(value, language, digits=9)


def _of_target(change: Change, value: Value, language: str) -> str:
    metric, _ = _target(change.name)
    limit = value_text(metric, float(value or 0.0), language)
    return f"{'≥' if metric.higher_is_better else '≤'} {limit}"


def _of_condition(change: Change, value: Value, language: str) -> str:
    found = condition_text(Conditions(**{change.name: value}), change.name, language)  # type: ignore[arg-type]  # one field of many types
    return found or str(value)


def _of_level(_change: Change, value: Value, language: str) -> str:
    return (t("there") if value else t("not there")).render(language)


def _of_reading(change: Change, value: Value, language: str) -> str:
    if change.name == "kind":
        return kind_text(Kind(str(value)), language)
    name, _, version = str(value).partition(" ")
    return f"{format_name(name, language)} {version}".strip()


def _of_price(change: Change, value: Value, language: str) -> str:
    if change.name == "per_accelerator":
        return (t("per accelerator") if value else t("whole deployment")).render(language)
    if isinstance(value, bool):
        return (t("yes") if value else t("no")).render(language)
    if change.name in _PRICE_SHARES:
        return percent(float(value or 0.0), language)
    return value if isinstance(value, str) else plain(float(value or 0.0), language, digits=9)


def _of_workload(change: Change, value: Value, language: str) -> str:
    match change.name:
        case "kind":
            return KINDS[WorkloadKind(str(value))].render(language)
        case "job.deadline_s":
            return duration(float(value or 0.0), language)
        case "given":
            return (t("said") if value else t("not said")).render(language)
        case _:
            return concurrency(float(value or 0.0), language)


def _of_demand(change: Change, value: Value, language: str) -> str:
    if change.name == "kind":
        return DEMAND_KINDS[DemandKind(str(value))].render(language)
    return plain(float(value or 0.0), language, digits=9)


def _of_traffic(change: Change, value: Value, language: str) -> str:
    field = change.name.rpartition(".")[2]
    if field == "given":
        return (t("said") if value else t("not said")).render(language)
    if field == "arrivals":
        return ARRIVALS[str(value)].render(language)
    number = float(value or 0.0)
    return percent(number, language) if field == "hit_rate" else plain(number, language, digits=6)


def _of_study(change: Change, value: Value, language: str) -> str:
    match change.name:
        case "given":
            return (t("said") if value else t("not said")).render(language)
        case "layer":
            return LAYERS[Layer(str(value))].render(language)
        case "kv_transfer_s":
            return f"{plain(float(value or 0.0), language, digits=6)} s"
        case _:
            return str(value)


def _fleet_name(path: str, language: str) -> str:
    """Return the name of a part of the fleet; of owned hardware that of the price, of a kind of request which one."""
    field, _, rest = path.partition(".")
    if field == "served_by":
        return t("Run that serves kind {number} of the requests", number=rest).render(language)
    if field == "owned":
        return t("{name}, if bought", name=_OF_PRICE[path]).render(language)
    return _OF_FLEET[path].render(language)


def _of_fleet(change: Change, value: Value, language: str) -> str:
    if change.name == "given":
        return (t("said") if value else t("not said")).render(language)
    if isinstance(value, str):
        return value or t("the run in view").render(language)
    number = float(value or 0.0)
    return percent(number, language) if change.name in _FLEET_SHARES else plain(number, language, digits=9)


def _of_seconds(_change: Change, value: Value, language: str) -> str:
    return f"{plain(float(value or 0.0), language, digits=6)} s"


def _of_share(_change: Change, value: Value, language: str) -> str:
    return percent(float(value or 0.0), language)


_SHOWN: Mapping[Aspect, Callable[[Change, Value, str], str]] = {
    Aspect.TARGET: _of_target,
    Aspect.CONDITION: _of_condition,
    Aspect.LEVEL: _of_level,
    Aspect.READING: _of_reading,
    Aspect.PRICE: _of_price,
    Aspect.WORKLOAD: _of_workload,
    Aspect.DEMAND: _of_demand,
    Aspect.STUDY: _of_study,
    Aspect.TRAFFIC: _of_traffic,
    Aspect.FLEET: _of_fleet,
    Aspect.THINK_TIME: _of_seconds,
    Aspect.GPU_BUSY: _of_share,
}


def _target(name: str) -> tuple[Metric, str]:
    metric, _, statistic = name.partition(" ")
    return Metric(metric), statistic


def _traffic_name(path: str, language: str) -> str:
    """Return the name of a part of the traffic; of several kinds of requests, which of them."""
    parts = path.split(".")
    name = _OF_TRAFFIC[parts[-1]].render(language)
    if len(parts) == 3 and parts[1] != "1":
        return t("{name}, kind {number}", name=name, number=parts[1]).render(language)
    return t("{name} of your traffic", name=name).render(language) if parts[-1] != "given" else name


_BY_PATH: Mapping[Aspect, Callable[[str, str], str]] = {
    Aspect.TRAFFIC: _traffic_name,
    Aspect.FLEET: _fleet_name,
}
"""Names by the way to a part of something nested."""
