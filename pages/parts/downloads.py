"""What can be taken away of a scenario: the memo, the workbook, the slides, tables and the JSON document."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from core.i18n import LANGUAGES, Text, t
from core.model.scenario import Scenario
from core.present.report.brand import Brand
from core.present.report.memo_parts import Memo, SavedAs
from pages.parts import keys
from pages.parts.answers import fit_of
from pages.parts.speech import NAMES, language, say

if TYPE_CHECKING:
    from core.present.report.pdf import PaperSize

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_STEM_CHARS = 60
_BETWEEN = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """What is sent, and how.

    Attributes:
        scenario: without its prices where `prices_hidden`.
        saved: when and as which version; empty where it is not saved.
        link: that stands on it, None for none.
        words: language of the documents.
        paper: size of the memo's page, by its name in `PaperSize`.
    """

    scenario: Scenario
    saved: SavedAs
    link: str | None
    brand: Brand
    words: str = "en"
    paper: str = "a4"
    prices_hidden: bool = False


def language_choice(key: str) -> str:
    """Draw the choice of the documents' language, and return it."""
    at = LANGUAGES.index(language())
    chosen = st.radio(
        say(t("Language of the documents")), LANGUAGES, at, format_func=NAMES.__getitem__, horizontal=True, key=key
    )
    return str(chosen)


def popover(parcel: Parcel, *, exploring: bool = False) -> None:
    """Draw the button behind which every document of a saved version is, in a language of the reader's choice.

    While the reader tries other limits, what the documents hold is not what the page shows: that is said.
    """
    with st.popover(say(t("Download")), icon=":material/download:", key=keys.TAKE_OPEN):
        if exploring:
            st.warning(
                say(
                    t(
                        "These documents hold the numbers as saved, not those for the targets you try. "
                        "To take those along, make your own copy"
                    )
                ),
                icon=":material/explore:",
            )
        words = language_choice(keys.TAKE_LANGUAGE)
        buttons(replace(parcel, words=words))


def buttons(parcel: Parcel) -> None:
    """Draw one button for each document; it is made when it is asked for."""
    stem = stem_of(parcel.scenario.name)
    with st.container(horizontal=True):
        _button(t("PDF memo"), partial(_pdf, parcel), f"{stem}.pdf", "application/pdf", primary=True)
        _button(t("Web page"), partial(_page, parcel), f"{stem}.html", "text/html")
        _button(t("Spreadsheet"), partial(_workbook, parcel), f"{stem}.xlsx", XLSX)
        _button(t("Slides"), partial(_slides, parcel), f"{stem}.pptx", PPTX)
    st.caption(say(t("The tables of the screen, and everything as one document for programs")))
    with st.container(horizontal=True):
        _button(t("Answers (CSV)"), partial(_answers, parcel), f"{stem}-answers.csv", "text/csv")
        _button(t("Levels (CSV)"), partial(_levels, parcel), f"{stem}-levels.csv", "text/csv")
        _button(t("Findings (CSV)"), partial(_findings, parcel), f"{stem}-findings.csv", "text/csv")
        _button(t("Document (JSON)"), partial(_json, parcel), f"{stem}.json", "application/json")


def memo(parcel: Parcel) -> Memo:
    """Return the memo of what is sent."""
    from core.present.report.memo import memo_of

    scenario = parcel.scenario
    return memo_of(
        scenario,
        {answer.run.id: fit_of(answer.run) for answer in scenario.answers},
        parcel.words,
        saved=parcel.saved,
        link=parcel.link,
        brand=parcel.brand,
        prices_hidden=parcel.prices_hidden,
    )


def paper_of(parcel: Parcel) -> PaperSize:
    """Return the size of the memo's page."""
    from core.present.report.pdf import PaperSize

    return PaperSize(parcel.paper)


def stem_of(name: str) -> str:
    """Return the name of a scenario as the stem of a file's name, which every system takes.

    >>> stem_of("Launch: 8 x H100 / 한국"), stem_of("../..")
    ('launch-8-x-h100-한국', 'plimsoll')
    """
    folded = _BETWEEN.sub("-", unicodedata.normalize("NFC", name).casefold())
    return folded.strip("-_")[:_STEM_CHARS].rstrip("-_") or "plimsoll"


def _button(label: Text, make: Callable[[], bytes], name: str, mime: str, *, primary: bool = False) -> None:
    st.download_button(
        say(label),
        data=make,
        file_name=name,
        mime=mime,
        key=keys.of(keys.TAKE, mime.rsplit("/", 1)[-1], name.rsplit("-", 1)[-1]),
        on_click="ignore",
        icon=":material/download:",
        type="primary" if primary else "secondary",
    )


# What makes the documents is loaded when one is asked for: a page that only offers them starts without it.
def _pdf(parcel: Parcel) -> bytes:
    from core.present.report.pdf import memo_pdf

    return memo_pdf(memo(parcel), paper_of(parcel))


def _page(parcel: Parcel) -> bytes:
    from core.present.report.page import memo_html

    return memo_html(memo(parcel), paper_of(parcel)).encode()


def _workbook(parcel: Parcel) -> bytes:
    from core.present.report.workbook import workbook

    given = {answer.run.id: fit_of(answer.run) for answer in parcel.scenario.answers}
    return workbook(
        parcel.scenario,
        parcel.words,
        saved=parcel.saved,
        link=parcel.link,
        accent=parcel.brand.on_white,
        fits=given,
        prices_hidden=parcel.prices_hidden,
    )


def _slides(parcel: Parcel) -> bytes:
    from core.present.report.slides import slides

    given = {answer.run.id: fit_of(answer.run) for answer in parcel.scenario.answers}
    return slides(
        parcel.scenario,
        parcel.words,
        saved=parcel.saved,
        link=parcel.link,
        accent=parcel.brand.on_white,
        logo=parcel.brand.logo,
        fits=given,
        prices_hidden=parcel.prices_hidden,
    )


def _answers(parcel: Parcel) -> bytes:
    from core.present.report.exports import answers_csv

    return answers_csv(parcel.scenario, parcel.words, today=parcel.saved.read_on, prices_hidden=parcel.prices_hidden)


def _levels(parcel: Parcel) -> bytes:
    from core.present.report.exports import levels_csv

    return levels_csv(parcel.scenario, parcel.words)


def _findings(parcel: Parcel) -> bytes:
    from core.present.report.exports import findings_csv

    return findings_csv(parcel.scenario, parcel.words)


def _json(parcel: Parcel) -> bytes:
    from core.present.report.exports import scenario_json

    return scenario_json(parcel.scenario, version=parcel.saved.version, prices_hidden=parcel.prices_hidden)
