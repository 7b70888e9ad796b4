"""Health, readiness and metrics."""

from collections.abc import Sequence

from chingoo.web.answers.operations import Alive, Ready
from chingoo.web.bodies import Nothing
from chingoo.web.credentials import Caller
from chingoo.web.endpoint import PUBLIC, Answer, AnyEndpoint, Call, Endpoint, as_json
from chingoo.web.services import Exposition, Health


def upkeep_routes(health: Health, metrics: Exposition, *, loopback: bool) -> Sequence[AnyEndpoint]:
    """`/healthz`, `/readyz`, `/metrics`; metrics want an operator unless only this machine can ask."""

    async def alive(_: Call[Nothing, Nothing]) -> Answer:
        return as_json({"status": "ok"})

    async def ready(_: Call[Nothing, Nothing]) -> Answer:
        return as_json({"degraded": list(await health.degraded())})

    async def expose(_: Call[Nothing, Nothing]) -> Answer:
        body, media_type = metrics.exposition()
        return Answer(body, media_type=media_type)

    return (
        Endpoint(
            method="GET",
            path="/healthz",
            name="alive",
            tag="upkeep",
            summary="Is the process up?",
            description="Looks at nothing else.",
            handle=alive,
            callers=PUBLIC,
            answers={200: Alive},
        ),
        Endpoint(
            method="GET",
            path="/readyz",
            name="ready",
            tag="upkeep",
            summary="Can the service work?",
            description="503 without database or policies; else 200, with the names of other parts that are away.",
            handle=ready,
            callers=PUBLIC,
            answers={200: Ready},
            problems=(503,),
        ),
        Endpoint(
            method="GET",
            path="/metrics",
            name="metrics",
            tag="upkeep",
            summary="Counters and timings for Prometheus",
            description="Needs an operator's key unless the service listens on this machine only.",
            handle=expose,
            callers=PUBLIC if loopback else frozenset({Caller.OPERATOR}),
            answers={200: None},
            media_type="text/plain",
        ),
    )
