"""The memo as PDF, read back: every number on it is that of the answer, nothing in it is markup, it is one page."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from pypdf import PdfReader

from core.fit.fit import fit_run
from core.fleet.plan import fleet_for
from core.model.fleet import Fleet
from core.model.price import Exchange, RunPrice, Tax
from core.model.run import Kind
from core.model.scenario import DecisionColumn, Demand, DemandKind
from core.model.target import parse_target
from core.model.workload import Job, Workload, WorkloadKind
from core.present.fleet_numbers import amount_text
from core.present.headline import headline
from core.present.numbers import concurrency, money
from core.present.report.pdf import PaperSize, fitted, memo_pdf
from tests.present.report.memo_build import LINK, MEANS, SIMULATED, memo, priced, runs_of, scenario_of
from tests.price.price_build import H200
from tests.security.hostile import FORMULAS, UNSEEN, hostile_scenario

LANGUAGES = ["en", "ko"]
HOSTILE = (
    '#eval("1+1") $x^2$ *b* _i_ `c`',
    "<script>alert(1)</script>",
    "![x](http://evil.example/x.png)",
    "=cmd|' /C calc'!A0",
    '@import #include #read("/etc/passwd") \\ ~ <label> @ref',
    "//comment /* more */ [link](javascript:alert(1))",
)


def read(data):
    return PdfReader(io.BytesIO(data))


def text_of(data):
    """All words of a PDF with single spaces; where a long word was broken there is no space in it."""
    return " ".join(" ".join(page.extract_text() for page in read(data).pages).replace("\u200b", "").split())


def squeezed(text):
    return re.sub(r"\s+", "", text)


@pytest.fixture(scope="module")
def one():
    runs = runs_of("emulator")
    names = {runs[0].id: "6 weeks"}
    return scenario_of(
        runs,
        price=priced(runs),
        think_time_s=30.0,
        demand=Demand(peak=500, kind=DemandKind.USERS),
        decision=(DecisionColumn(name="Lead time", values=names),),
        notes="Ask the vendor first.",
    )


@pytest.fixture(scope="module")
def two():
    runs = runs_of("emulator", "vllm_cpu")
    return scenario_of(runs, price=priced(runs), demand=Demand(peak=120))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_of_the_sentence_are_those_of_the_answer(one, language):
    text = squeezed(text_of(memo_pdf(memo(one, language))))
    answer = one[0].answers[0]
    capacity, cost = answer.capacity, answer.cost
    assert capacity.safe > 0
    for value in (capacity.safe, capacity.concurrency.low, capacity.concurrency.mid, capacity.concurrency.high):
        assert concurrency(value, language) in text
    for value in (cost.per_million_output.low, cost.per_million_output.mid, cost.per_million_output.high):
        assert money(value, "USD", language) in text
    said = headline(answer, language, price=one[0].price)
    for part in (said.estimate, said.stopped_by, said.cost):
        assert squeezed(part) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cell_of_the_table_stands_on_the_page(two, language):
    page = memo(two, language)
    text = squeezed(text_of(memo_pdf(page)))
    for table in page.tables:
        for words in (*table.headers, *(cell for row in table.rows for cell in row)):
            assert squeezed(words) in text, words
    for answer, row in zip(two[0].answers, page.tables[0].rows, strict=True):
        assert str(answer.capacity.safe) in row
        cell = answer.cost.per_million_output
        assert f"{money(cell.mid, 'USD', language)} (" in " ".join(row)


def test_page_language_title_and_tags_are_those_of_the_memo(one):
    for language in LANGUAGES:
        document = read(memo_pdf(memo(one, language)))
        root = document.trailer["/Root"]
        assert root["/Lang"] == language
        assert root["/MarkInfo"]["/Marked"]
        assert document.metadata.title == one[0].name
    assert "pdfuaid" in read(memo_pdf(memo(one))).trailer["/Root"]["/Metadata"].get_object().get_data().decode()


def test_what_has_to_stand_on_it_stands_on_it(one):
    text = text_of(memo_pdf(memo(one)))
    for words in (
        "knee-network/2",
        "0123abcd",
        "Plimsoll 0.1.0",
        "2026-11-30, version 3",
        LINK,
        "6 weeks",
        "Ask the vendor first.",
        "unknown: Precision",
        "What could change the answer",
        "at $2.50 per accelerator and hour × 8",
    ):
        assert words in text, words


def test_the_same_memo_gives_the_same_bytes(one):
    assert memo_pdf(memo(one)) == memo_pdf(memo(one))


@pytest.mark.parametrize("paper", list(PaperSize))
def test_it_is_one_page_of_the_paper_that_was_chosen(two, paper):
    pages = read(memo_pdf(memo(two), paper)).pages
    assert len(pages) == 1
    height = {PaperSize.A4: 842, PaperSize.LETTER: 792}[paper]
    assert float(pages[0].mediabox.height) == pytest.approx(height, abs=1)


def named(scenario_and_fits, names):
    """The same scenario with other names of runs."""
    scenario, fits = scenario_and_fits
    answers = []
    for answer, name in zip(scenario.answers, names, strict=True):
        answers.append(replace(answer, run=replace(answer.run, label=name)))
    return replace(scenario, answers=tuple(answers), runs=tuple(answer.run for answer in answers)), fits


def doubled(scenario_and_fits):
    """Twice as many runs, under other ids."""
    scenario, fits = scenario_and_fits
    more = [replace(a, run=replace(a.run, id=f"{a.run.id}-b")) for a in scenario.answers]
    answers = (*scenario.answers, *more)
    kept = {**fits, **{f"{name}-b": fit for name, fit in fits.items()}}
    return replace(scenario, answers=answers, runs=tuple(answer.run for answer in answers)), kept


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_long_names_and_notes_still_make_one_page(one, two, language, count):
    found = {1: one, 2: two, 4: doubled(two)}[count]
    found = named(found, [f"{i} {'a long name of a run ' * 6}"[:120] for i in range(count)])
    own = tuple(
        DecisionColumn(name=f"Column {i} {'x' * 40}", values={run.id: "many words " * 9 for run in found[0].runs})
        for i in range(9)
    )
    scenario = replace(found[0], name="가" * 120, notes="A long note, line by line.\n" * 700, decision=own)
    data = memo_pdf(memo((scenario, found[1]), language))
    assert len(read(data).pages) == 1
    text = text_of(data)
    more = {"en": r"\d+ more characters: see the link at the foot", "ko": r"\d+자 더 있음: 맨 아래"}[language]
    assert re.search(more, text)
    more = {"en": r"\d more columns of your own: see the link", "ko": r"직접 만든 열 \d개 더 있음"}[language]
    assert re.search(more, text)


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_are_words(one, words):
    scenario = replace(one[0], name=words, notes=f"{words}\n{words}", decision=(DecisionColumn(name=words),))
    data = memo_pdf(memo(named((scenario, one[1]), [words])))
    text = squeezed(text_of(data))
    assert text.count(squeezed(words)) >= 4
    document = read(data)
    assert document.metadata.title == words
    assert set(links(document)) <= {LINK}
    for sign in (b"/JavaScript", b"/Launch", b"/EmbeddedFile", b"/SubmitForm"):
        assert sign not in data


def links(document):
    for page in document.pages:
        for note in page.get("/Annots", ()):
            action = note.get_object().get("/A", {})
            if "/URI" in action:
                yield action["/URI"]


def test_marks_that_turn_text_around_and_signs_without_a_letter_break_nothing(one):
    scenario = replace(one[0], notes="left \u202eright\u202c \U0001f6a2 end")
    found = named((scenario, one[1]), ["a\u202eb \U0001f6a2"])
    data = memo_pdf(memo(found))
    assert len(read(data).pages) == 1
    assert "\u202e" not in text_of(data)


def test_a_link_that_is_no_web_address_is_left_off(one):
    page = memo(one, link="javascript:alert(1)")
    assert page.link is None
    assert list(links(read(memo_pdf(page)))) == []


@pytest.mark.parametrize(("language", "said"), [("en", "candidate, not confirmed"), ("ko", "확정되지 않은 후보")])
def test_a_simulated_run_is_a_candidate_wherever_it_stands(two, language, said):
    scenario, fits = two
    first, second = scenario.answers
    assumed = replace(second, run=replace(second.run, kind=Kind.SIMULATED))
    found = replace(scenario, answers=(first, assumed), runs=(first.run, assumed.run))
    page = memo((found, fits), language)
    assert page.sayings[0].candidate is None
    assert said in page.sayings[1].candidate
    assert [said in " ".join(row) for row in page.tables[0].rows] == [False, True]
    assert said.split(",")[0] in page.chart.note
    assert squeezed(said) in squeezed(text_of(memo_pdf(page)))


def test_a_measured_scenario_speaks_of_no_candidate(two):
    assert "candidate" not in text_of(memo_pdf(memo(two)))


def test_an_unknown_cost_is_said_and_is_never_nothing(two):
    scenario, fits = two
    price = replace(scenario.price, accelerators=())
    bare = tuple(replace(answer, cost=None) for answer in scenario.answers)
    text = text_of(memo_pdf(memo((replace(scenario, price=price, answers=bare), fits))))
    assert "number of accelerators unknown: no cost" in text
    assert not re.search(r"\$0(\.0+)?\b", text)
    text = text_of(memo_pdf(memo((replace(scenario, price=None, answers=bare), fits))))
    assert "no price given: no cost" in text
    assert "$" not in text


def test_hidden_prices_are_said_to_be_hidden(two):
    scenario, fits = two
    bare = tuple(replace(answer, cost=None) for answer in scenario.answers)
    text = text_of(memo_pdf(memo((replace(scenario, price=None, answers=bare), fits), prices_hidden=True)))
    assert "prices are hidden in this view" in text
    assert "no price given" not in text


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("ttft p99 <= 1ms", "Below 5 concurrent requests"),
        ("ttft p99 <= 100s", "At least 40 concurrent requests"),
        ("ttft p99.9 <= 500ms", "Cannot tell TTFT p99.9"),
    ],
)
def test_every_kind_of_answer_has_its_page(target, said):
    runs = runs_of("emulator")
    found = scenario_of(runs, (parse_target(target),), price=priced(runs), demand=Demand(peak=100))
    data = memo_pdf(memo(found))
    assert len(read(data).pages) == 1
    text = text_of(data)
    assert said in text
    untold = "At least" not in said
    assert ("there is no safe number" in text) is untold
    assert ("3 or fewer" in text) is not untold


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_batch_is_about_its_job(language):
    runs = runs_of("emulator")
    work = Workload(kind=WorkloadKind.BATCH, job=Job(requests=100_000, deadline_s=80_000))
    found = scenario_of(runs, (), price=priced(runs), workload=work)
    data = memo_pdf(memo(found, language))
    assert len(read(data).pages) == 1
    said = headline(found[0].answers[0], language, price=found[0].price)
    for part in (said.safe, said.cost, said.stopped_by):
        assert squeezed(part) in squeezed(text_of(data))


@pytest.mark.skipif(not SIMULATED.exists(), reason="the simulated files are not here")
def test_a_simulator_beside_benchmarks_is_one_page_and_three_sentences():
    runs = runs_of("emulator", "vllm_cpu", "simulated")
    found = scenario_of(runs, MEANS, price=priced(runs), demand=Demand(peak=120))
    data = memo_pdf(memo(found))
    assert len(read(data).pages) == 1
    for place, answer in enumerate(found[0].answers, start=1):
        assert squeezed(f"({place}) {answer.run.label}") in squeezed(text_of(data))
    assert "simulated: candidate, not confirmed" in text_of(data)


@pytest.mark.parametrize("texts", [FORMULAS, UNSEEN[:9]], ids=["formulas", "unseen"])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_conditions_of_many_runs_as_long_as_they_may_be_still_take_one_page(texts, language):
    scenario = hostile_scenario(*texts)
    made = memo((scenario, {answer.run.id: fit_run(answer.run) for answer in scenario.answers}), language)
    (page,) = PdfReader(io.BytesIO(memo_pdf(made))).pages
    text = re.sub(r"[\s\u200b]+", "", page.extract_text())
    assert not [group.name for group in made.conditions if group.name.replace(" ", "") not in text]
    assert made.where.replace(" ", "") in text
    assert LINK in text
    assert "\U0001f469" not in text


@pytest.fixture(scope="module")
def billed():
    runs = runs_of("emulator", "vllm_cpu")
    offer = {"provider": "A cloud", "sku": "h100-8", "region": "us", "source": "https://cloud.example/prices"}
    listed = replace(H200, **offer, accelerator="H100", amount=3.25, as_of="2026-10-01")
    own = (RunPrice(amount=2.5, as_of="2026-09-01"), RunPrice(amount=3.25, listed=listed))
    price = replace(
        priced(runs),
        by_run=tuple((run.id, each) for run, each in zip(runs, own, strict=True)),
        discount=0.1,
        tax=Tax(rate=0.19, counted=True),
        exchange=Exchange(quoted="EUR", rate=1.08, as_of="2026-11-02"),
    )
    fleet = Fleet(growth=0.05, ahead=12, spares=1, ceiling=0.9)
    return scenario_of(runs, price=price, demand=Demand(peak=30, kind=DemandKind.REQ_S), fleet=fleet)


@pytest.mark.parametrize("notes", ["", "A long note of what was weighed, line by line.\n" * 400])
def test_what_makes_the_bill_stands_whole_however_full_the_page_is(billed, notes):
    data = memo_pdf(memo((replace(billed[0], notes=notes), billed[1])))
    assert len(read(data).pages) == 1
    text = squeezed(text_of(data))
    for words in (
        "Demand: 30 requests/s at the peak",
        "growth 5% a month · built for 12 months of it · ceiling 90% of the safe number · 1 spare replica",
        "€2.50 per accelerator and hour × 8, less 10% discount, with 19% tax, at $1.08 for 1 EUR of 2026-11-02",
        "Price typed by hand: as of 2026-09-01",
        "A cloud h100-8 · H100 · on demand · us · 2026-10-01",
        "source: https://cloud.example/prices",
    ):
        assert squeezed(words) in text, words


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_run_says_its_fleet_and_bill_in_a_sentence_and_no_amount_is_torn(billed, language):
    page = memo(billed, language)
    data = memo_pdf(page)
    lines = [line.strip() for one in read(data).pages for line in one.extract_text().splitlines()]
    for number, (answer, saying) in enumerate(zip(billed[0].answers, page.sayings, strict=True), start=1):
        scenario = billed[0]
        found = fleet_for(answer, scenario.demand, None, scenario.fleet, scenario.price)
        assert saying.fleet.startswith(f"({number}) ")
        amount = amount_text(found.month, "USD", language)
        assert amount in saying.fleet
        assert squeezed(saying.fleet) in squeezed(text_of(data))
        for word in amount.split():
            assert any(word in line for line in lines), word
    if language == "en":
        assert re.fullmatch(
            r"\(1\) \d+ replicas \([^()]+\) carry 30 requests/s with growth of 5% a month for 12 months, "
            r"a ceiling of 90% of the safe number, 1 spare: \S+ \([^()]+\) a month",
            page.sayings[0].fleet,
        )


def test_lines_are_counted_only_where_the_page_is_full(billed):
    page = memo((replace(billed[0], answers=billed[0].answers[:1], runs=billed[0].runs[:1]), billed[1]))
    short, _ = fitted(page)
    assert short.assumptions.more is None
    assert short.assumptions.lines == page.assumptions.lines
