"""The answer in words: the safe number large, the estimate beside its range, what stops it, the cost."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer, Status
from core.model.fleet import Fleet
from core.model.price import Price, price_for
from core.model.scenario import Demand
from core.present.assumptions import HIDDEN
from core.present.demand import demand_line
from core.present.price_words import marked
from core.present.words import active_users, headline
from pages.parts import today
from pages.parts.speech import language, plain, say, say_raw


def sentence(
    answer: RunAnswer,
    price: Price | None,
    think_s: float | None,
    demand: Demand | None = None,
    *,
    fleet: Fleet | None = None,
    prices_hidden: bool = False,
) -> None:
    """Draw everything that the first screen says about one run; that prices are hidden stands in place of a cost."""
    users = active_users(answer, think_s) if think_s is not None else None
    said = headline(answer, language(), users=users, price=price)
    if said.lead:
        st.markdown(plain(said.lead))
    untold = (answer.for_traffic or answer).capacity.status is Status.CANNOT_TELL
    if said.number == "?" if answer.batch else untold:
        st.subheader(plain(said.safe), help=plain(said.tooltip), anchor=False)
    else:
        st.title(plain(said.safe), help=plain(said.tooltip), anchor=False)
    doubt = " · ".join(part for part in (said.estimate, said.stopped_by) if part)
    figures = " · ".join(said.beside)
    cost = say_raw(HIDDEN) if prices_hidden else said.cost
    if cost and answer.cost and price:
        cost = marked(cost, price_for(price, answer.run.id), today.day(), language())
    bill = None if prices_hidden else price
    wanted = demand_line(answer, demand, think_s, language(), fleet=fleet, price=bill)
    st.markdown("  \n".join(plain(line) for line in (doubt, figures, said.throughput, cost, wanted) if line))
    for text in said.meaning:
        st.caption(plain(text))
    if said.measured:
        st.markdown(plain(said.measured))
    if said.widened:
        st.caption(plain(said.widened))
    if think_s is not None and users is None and answer.capacity.safe is not None:
        st.caption(say(t("Active users cannot be told: the files give neither request times nor request rates")))
    st.caption(plain(said.source))
    if said.caution:
        st.warning(plain(said.caution), icon=":material/science:")
