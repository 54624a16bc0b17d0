"""What the price comes to, in every unit, for one run; each number with how it was worked out."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.price import Price, price_for
from core.present.bill import bill_notes, paid_text
from core.present.dated import Dated, bill_marks, with_marks
from core.present.divided import day_notes, day_table
from core.present.units import bill_hows, common_gap, unit_lines, unit_table
from pages.parts import how, keys, today
from pages.parts.drawer import drawer
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import words


def figures(answer: RunAnswer, price: Price | None, think_s: float | None = None) -> None:
    """Draw one bill in every unit that the workload has, the leading one first, and how to read it.

    Without a price only what needs none is drawn: electricity per token, where the power is known.
    """
    lines = unit_lines(answer, price, think_s, language())
    paid_by = price_for(price, answer.run.id)
    shown = lines if paid_by else tuple(line for line in lines if line.known)
    if not shown:
        return
    with st.container(border=True):
        heading(t("What it costs at the highest throughput") if answer.batch else t("What it costs at the safe number"))
        paid(answer, price)
        gap = common_gap(shown)
        if gap:
            st.markdown(plain(gap))
        else:
            frame = unit_table(shown, language())
            marks = bill_marks([answer], Dated(today=today.day(), price=price), language())
            words(frame, keys.BILL, partial(with_marks, frame, [marks] * len(frame), language()))
            for note in bill_notes(answer, paid_by, language()) if paid_by else ():
                st.caption(plain(note))
            how.expander(partial(bill_hows, answer, price, shown, language()), keys.of(keys.BILL, "how"))
        if paid_by:
            example()


def example() -> None:
    """Draw one published bill divided four ways, folded: why the denominator has to be named."""
    drawer(say(t("Example: one bill divided four ways")), keys.DIVIDED, _day, icon=":material/pie_chart:")


def _day() -> None:
    words(day_table(language()), keys.DIVIDED)
    for note in day_notes(language()):
        st.caption(plain(note))


def paid(answer: RunAnswer, price: Price | None) -> None:
    """Say what was paid for, beside a cost that is shown without the editor of the price."""
    said = paid_text(answer, price, language(), today=today.day())
    if said:
        st.caption(plain(said))
