"""How careful the fleet is: ceiling, spares, zones, time out of service, nodes; and how it scales."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.catalogue.hardware import Quantity, accelerator
from core.i18n import t
from core.model.run import Run
from pages.parts import fleet_fields, fleet_state, keys
from pages.parts.fleet_fields import PERCENT
from pages.parts.number import row
from pages.parts.speech import heading, say, say_raw

MINUTE = 60.0


def editor(runs: Sequence[Run]) -> None:
    """Draw the cautions, then what an autoscaler may do."""
    fleet = fleet_state.fleet()
    heading(t("Cautions"))
    fleet_fields.slider(
        "ceiling",
        t("Utilisation ceiling, % of the safe number"),
        fleet.ceiling * PERCENT,
        lambda now, moved: replace(now, ceiling=moved / PERCENT),
        ends=(30.0, 100.0, 5.0),
        unit="%",
        tip=say(t("The safe number already holds one chance in ten: 100 % adds no second caution")),
    )
    with row():
        fleet_fields.whole(
            "spares",
            t("Spare replicas"),
            fleet_fields.standing("spares", fleet.spares, 0),
            lambda now, typed: replace(now, spares=typed or 0),
            most=10_000,
            hint=say_raw(t("none")),
            tip=say(t("1 is N+1: one may fail or be updated while the others carry the peak")),
        )
        fleet_fields.whole(
            "zones",
            t("Zones, one may be lost"),
            fleet_fields.standing("zones", fleet.zones, 1),
            lambda now, typed: replace(now, zones=typed or 1),
            most=20,
            least=1,
            hint=say_raw(t("none")),
            tip=say(
                t(
                    "Spread evenly, the zones that are left have to carry the peak; it covers spares too. With 1 there "
                    "is none to lose"
                )
            ),
        )
    with row():
        fleet_fields.number(
            "out",
            t("Out of service, % of the time"),
            fleet_fields.standing("out", fleet.out_share * PERCENT, 0.0),
            lambda now, typed: replace(now, out_share=(typed or 0.0) / PERCENT),
            most=90.0,
            hint=say_raw(t("none")),
            tip=say(
                t("Updates, restarts and failures of one replica. Plan 2 to 5 % of accelerators failing in a year")
            ),
        )
        fleet_fields.whole(
            "node",
            t("Accelerators per node"),
            fleet.node,
            lambda now, typed: replace(now, node=typed),
            most=100_000,
            least=1,
            hint=say_raw(t("none")),
            tip=_node_tip(runs),
        )
    with (
        st.expander(say(t("Autoscaling")), icon=":material/autorenew:", key=keys.of(keys.FLEET, "scaling")),
        row(),
    ):
        fleet_fields.whole(
            "floor",
            t("Never fewer than"),
            fleet.floor,
            lambda now, typed: replace(now, floor=typed or 0),
            most=1_000_000,
        )
        fleet_fields.number(
            "start",
            t("Start of a replica, minutes"),
            fleet.start_s / MINUTE,
            lambda now, typed: replace(now, start_s=(typed or 0.0) * MINUTE),
            most=1440.0,
            tip=say(t("From the order of a machine to its first answer; 5 minutes is our guess until you say")),
        )


def _node_tip(runs: Sequence[Run]) -> str:
    """Return what the catalogue says of the hardware in view: how many are wired together as one."""
    names = [run.conditions.accelerator for run in runs if run.conditions.accelerator]
    found = [part for name in dict.fromkeys(names) if (part := accelerator(name))]
    known = [(part.name, part.value(Quantity.SCALEUP_DOMAIN)) for part in found]
    said = ", ".join(f"{name}: {size:g}" for name, size in known if size)
    if not said:
        return say(t("Where machines are rented or bought whole: the bill counts every accelerator of each"))
    return say(
        t(
            "Where machines are rented or bought whole: the bill counts every accelerator of each. Wired together as "
            "one according to the catalogue: {parts}",
            parts=said,
        )
    )
