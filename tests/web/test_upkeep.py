"""Health, readiness, metrics, the rate limit, reload, and what is logged of a request."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import structlog
from litestar import Litestar
from tests.web.asking import assert_problem, key, pointers, turn
from tests.web.conftest import KEYS, client_of
from tests.web.fakes import MESSAGE, OWNER, STRANGER, FakeClock, FakeServices

from chingoo.model.policies import Verdict
from chingoo.settings.values import Rate, Settings
from chingoo.source.findings import Finding
from chingoo.source.places import Place
from chingoo.web.app import create_app
from chingoo.web.limiter import TokenBuckets


async def test_health_asks_nobody(client: httpx.AsyncClient, services: FakeServices) -> None:
    services.health.down = True
    assert (await client.get("/healthz")).json() == {"status": "ok"}


async def test_readiness_names_what_is_away(client: httpx.AsyncClient, services: FakeServices) -> None:
    assert (await client.get("/readyz")).json() == {"degraded": []}
    services.health.away = ("llm",)
    assert (await client.get("/readyz")).json() == {"degraded": ["llm"]}
    services.health.down = True
    assert "CHINGOO_DATABASE_URL" in assert_problem(await client.get("/readyz"), 503)["detail"]


async def test_metrics_are_text(client: httpx.AsyncClient) -> None:
    response = await client.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    assert "# TYPE chingoo_x counter" in response.text


async def test_away_from_loopback_metrics_want_an_operator(app_with: Callable[..., Litestar]) -> None:
    async with client_of(app_with(host="0.0.0.0")) as client:
        assert_problem(await client.get("/metrics"), 401)
        assert_problem(await client.get("/metrics", headers=key("app")), 403)
        assert (await client.get("/metrics", headers=key("operator"))).status_code == 200
        for open_path in ("/healthz", "/readyz", "/schema/openapi.json"):
            assert (await client.get(open_path)).status_code == 200


async def test_a_reload_is_in_the_editor_s_name(client: httpx.AsyncClient, services: FakeServices) -> None:
    assert (await client.post("/v1/policies/reload", json={}, headers=key("editor"))).status_code == 200
    assert services.policies.reloaded_by == ["editor (key 1)"]
    await client.post("/v1/policies/reload", json={"reason": " new words "}, headers=key("editor"))
    assert services.policies.reasons == [None, "new words"]


async def test_going_back_names_the_bundle_and_the_reason(client: httpx.AsyncClient, services: FakeServices) -> None:
    body = {"digest": "ab" * 32, "reason": "it refused jokes"}
    assert (await client.post("/v1/policies/activate", json=body, headers=key("editor"))).status_code == 200
    assert services.policies.activated == [("ab" * 32, "it refused jokes", "editor (key 1)")]
    for wrong in ({"digest": "ab"}, {"reason": " "}, {"reason": "x" * 501}):
        answer = await client.post("/v1/policies/activate", json=body | wrong, headers=key("editor"))
        assert_problem(answer, 400)
        assert pointers(answer) == [f"/{next(iter(wrong))}"]


async def test_a_verdict_goes_to_its_decision(client: httpx.AsyncClient, services: FakeServices) -> None:
    path = f"/v1/decisions/{MESSAGE}/verdict"
    assert (await client.post(path, json={"verdict": "missed"}, headers=key("editor"))).status_code == 200
    assert services.policies.verdicts == [(MESSAGE, Verdict.MISSED, None, "editor (key 1)")]
    assert_problem(await client.post(path, json={"verdict": "wrong"}, headers=key("editor")), 400)


async def test_broken_policies_are_422_with_their_places(client: httpx.AsyncClient, services: FakeServices) -> None:
    place = Place("policies/safety.yaml", 12, 5)
    services.policies.findings = [Finding("yaml-alias", "a reference to another place", place, hint="write it out")]
    problem = assert_problem(await client.post("/v1/policies/reload", json={}, headers=key("editor")), 422)
    error = problem["errors"][0]
    assert (error["file"], error["line"], error["column"]) == ("policies/safety.yaml", 12, 5)
    assert error["detail"] == "a reference to another place"


async def test_an_unknown_job_is_404(client: httpx.AsyncClient, services: FakeServices) -> None:
    assert_problem(await client.post("/v1/jobs/make-coffee/run", json={}, headers=key("operator")), 404)
    body = {"now": "2026-03-02T12:00:00Z", "user_ids": [str(OWNER)]}
    await client.post("/v1/jobs/decay/run", json=body, headers=key("operator"))
    assert services.jobs.calls[0][0] == "decay"
    assert services.jobs.calls[0][2] == (OWNER,)


async def test_a_job_that_would_do_nothing_says_why(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/jobs/extract/run", json={}, headers=key("operator"))
    assert response.json() == {"name": "extract", "processed": 0, "reason": "no model"}
    assert "reason" not in (await client.post("/v1/jobs/decay/run", json={}, headers=key("operator"))).json()


async def test_the_rate_is_per_credential_and_user(app_with: Callable[..., Litestar], services: FakeServices) -> None:
    async with client_of(app_with(rate_limit=Rate(2))) as client:
        for _ in range(2):
            assert (await client.post("/v1/turns", json=turn(), headers=key("app"))).status_code == 200
        response = await client.post("/v1/turns", json=turn(), headers=key("app"))
        assert_problem(response, 429)
        assert response.headers["retry-after"] == "30"
        assert len(services.turns.requests) == 2
        assert_problem(await client.get(f"/v1/users/{OWNER}", headers=key("app")), 429)
        other = turn(user_id=str(STRANGER))
        assert (await client.post("/v1/turns", json=other, headers=key("app"))).status_code == 200
        assert (await client.get(f"/v1/users/{OWNER}", headers=key("editor"))).status_code == 200
        for _ in range(5):
            assert (await client.get("/healthz")).status_code == 200
        services.clock.pass_(30)
        assert (await client.post("/v1/turns", json=turn(), headers=key("app"))).status_code == 200
        assert_problem(await client.post("/v1/turns", json=turn(), headers=key("app")), 429)


def test_full_buckets_are_forgotten() -> None:
    clock = FakeClock()
    buckets = TokenBuckets(60, clock)
    for user in range(9_000):
        buckets.check(str(user))
    clock.pass_(3600)
    for _ in range(2_000):
        buckets.check("one")
    assert len(buckets._buckets) < 10


def test_a_bucket_never_holds_more_than_a_minute_s_worth() -> None:
    clock = FakeClock()
    buckets = TokenBuckets(3, clock)
    clock.pass_(10_000)
    assert [buckets.check("one") for _ in range(3)] == [None] * 3
    assert buckets.check("one") == 20


async def test_a_request_leaves_one_line_without_text_or_ids(services: FakeServices, settings: Settings) -> None:
    lines: list[dict[str, Any]] = []

    def keep(_logger: Any, _name: str, event: Any) -> Any:
        lines.append(dict(event))
        raise structlog.DropEvent

    log = structlog.wrap_logger(None, processors=[keep], wrapper_class=structlog.make_filtering_bound_logger("info"))
    app = create_app(services, replace(settings, data_dir=Path("/nowhere")), KEYS, log=log)
    async with client_of(app) as client:
        await client.post("/v1/turns", json=turn(text="the xylophone"), headers=key("app"))
        await client.get("/nothing/here")
        services.turns.fails = RuntimeError("the xylophone")
        await client.post("/v1/turns", json=turn(), headers=key("app"))
    assert [(line["event"], line.get("route"), line.get("status")) for line in lines] == [
        ("request", "/v1/turns", 200),
        ("request", "unmatched", 404),
        ("internal error", None, None),
        ("request", "/v1/turns", 500),
    ]
    assert lines[2]["error"] == "RuntimeError"
    assert any("take_turn" in frame for frame in lines[2]["at"])
    assert "xylophone" not in str(lines)
    assert str(OWNER) not in str(lines)


async def test_requests_are_measured_by_route(client: httpx.AsyncClient, services: FakeServices) -> None:
    await client.get(f"/v1/users/{OWNER}", headers=key("app"))
    await client.get("/made/up/path")
    await client.request("BREW", "/made/up/path")
    assert services.metrics.counted == [
        ("chingoo_http_requests_total", {"method": "GET", "route": "/v1/users/{user_id}", "status": "200"}),
        ("chingoo_http_requests_total", {"method": "-", "route": "unmatched", "status": "404"}),
        ("chingoo_http_requests_total", {"method": "-", "route": "unmatched", "status": "404"}),
    ]


async def test_a_cursor_may_be_empty(client: httpx.AsyncClient, services: FakeServices) -> None:
    await client.get("/v1/decisions?before=&limit=5", headers=key("editor"))
    await client.get("/v1/decisions?before=abc", headers=key("editor"))
    assert [call[-2:] for call in services.logs.calls] == [(5, None), (50, "abc")]
