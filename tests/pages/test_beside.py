"""Beside the safe number on the Plan page: each replica, requests per second, and what ITL means with speculation."""

from __future__ import annotations

import re

from tests.pages.conftest import calm, words

HEAD = (
    "requested_rate,request_throughput,achieved_concurrency,ttft_mean_s,ttft_p99_s,tpot_mean_s,itl_mean_s,itl_p99_s,"
    "e2e_mean_s,output_tokens_mean,num_requests,failed,replicas,speculation,model"
)


def at_rates(speculation, gap):
    """Six open-loop levels behind two replicas; a gap in the stream lasts `gap` tokens."""
    rows = [HEAD]
    for rate, ttft, tpot in ((1, 0.1, 0.010), (2, 0.11, 0.011), (4, 0.13, 0.0115), (8, 0.17, 0.0125), (16, 0.4, 0.015)):
        e2e = ttft + 200 * tpot
        times = (ttft, 2.5 * ttft, tpot, gap * tpot, 2 * gap * tpot, e2e)
        shown = ",".join(f"{value:.5g}" for value in (rate, rate, rate * e2e, *times))
        rows.append(f"{shown},201,2000,0,2,{speculation},org/model")
    return ("\n".join(rows) + "\n").encode()


def page_of(visit, data, **more):
    app = visit(t=["itl-p99-500ms", "ttft-p99-400ms"], **more)
    app.file_uploader[0].upload("rates.csv", data, "text/csv")
    return words(calm(app.run()))


def test_replicas_rate_and_pieces_are_said_under_the_number(visit):
    said = page_of(visit, at_rates("eagle3", 2.6))
    assert "for each of its 2 replicas · about" in said
    assert "requests/s at the safe number" in said
    assert "ITL is the gap between pieces and not between tokens" in said


def test_tokens_that_come_alone_need_no_such_sentence(visit):
    said = page_of(visit, at_rates("none", 0.99))
    assert "requests/s at the safe number" in said
    assert "gap between pieces" not in said


def test_what_a_demand_needs_is_said_with_its_range(visit):
    told = re.compile(r"Replicas for 400 concurrent requests: \d+ \(\d+(–\d+| or (more|fewer))\)")
    assert told.search(page_of(visit, at_rates("none", 0.99), demand="400-concurrency"))
    assert "Replicas for" not in page_of(visit, at_rates("none", 0.99))
