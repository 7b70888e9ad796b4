"""The web application: routes, door and error handling put together; what it serves is in `routes`."""

from collections.abc import Callable, Sequence

import httpx
import structlog
from litestar import Litestar, Response
from structlog.typing import FilteringBoundLogger

import chingoo
from chingoo.ports.machine import Ids, RateLimit
from chingoo.settings.values import ApiKey, Settings
from chingoo.web.access import AccessLog
from chingoo.web.bodies import Nothing
from chingoo.web.credentials import Credentials
from chingoo.web.door import AnyRequest, Door
from chingoo.web.endpoint import PUBLIC, Answer, AnyEndpoint, Call, Endpoint, as_json
from chingoo.web.limiter import TokenBuckets, Unlimited
from chingoo.web.openapi import describe
from chingoo.web.problems import MEDIA_TYPE, Problem, problem_of, unexpected
from chingoo.web.routes.context import context_routes
from chingoo.web.routes.conversations import conversation_routes
from chingoo.web.routes.jobs import job_routes
from chingoo.web.routes.logs import log_routes
from chingoo.web.routes.memories import memory_routes
from chingoo.web.routes.people import people_routes
from chingoo.web.routes.policies import policy_routes
from chingoo.web.routes.reviews import review_routes
from chingoo.web.routes.turns import turn_routes
from chingoo.web.routes.upkeep import upkeep_routes
from chingoo.web.services import Services
from chingoo.web.tokens import KeySet, UserTokens, key_set_reader


def create_app(
    services: Services,
    settings: Settings,
    keys: Sequence[ApiKey],
    *,
    log: FilteringBoundLogger | None = None,
    http: httpx.AsyncClient | None = None,
) -> Litestar:
    """The application over `services`. `keys` are the service keys in force; `http` reads the key set of CHINGOO_JWKS.

    The client is closed with the application if it is not given.
    """
    logger: FilteringBoundLogger = log if log is not None else structlog.get_logger("chingoo.web").bind()
    client = http or httpx.AsyncClient(trust_env=False)
    rate: RateLimit = Unlimited()
    if settings.rate_limit is not None:
        rate = TokenBuckets(settings.rate_limit.per_minute, services.clock)
    door = Door(Credentials(keys, _tokens(services, settings, client)), rate, services.clock)
    app = Litestar(
        route_handlers=door.handlers(endpoints(services, settings)),
        exception_handlers={Exception: _error_handler(logger, services.ids)},
        on_shutdown=[client.aclose] if http is None else [],
        openapi_config=None,
        logging_config=None,
    )
    # Around the router, so that paths without a route are counted as well.
    app.asgi_handler = AccessLog(app.asgi_handler, services.metrics, services.clock, logger)
    return app


def endpoints(services: Services, settings: Settings) -> tuple[AnyEndpoint, ...]:
    """All routes there are."""
    contract = (
        *turn_routes(services.turns),
        *people_routes(services.people),
        *conversation_routes(services.conversations),
        *memory_routes(services.memories),
        *context_routes(services.context),
        *policy_routes(services.policies),
        *log_routes(services.logs, services.policies),
        *review_routes(services.reviews),
        *job_routes(services.jobs),
        *upkeep_routes(services.health, services.metrics, loopback=settings.loopback),
    )
    return (*contract, _description(contract))


def _description(contract: Sequence[AnyEndpoint]) -> AnyEndpoint:
    document = as_json(describe(contract, chingoo.__version__))

    async def read_description(_: Call[Nothing, Nothing]) -> Answer:
        return document

    return Endpoint(
        method="GET",
        path="/schema/openapi.json",
        name="openapi",
        tag="upkeep",
        summary="This description",
        description="OpenAPI 3.1.",
        handle=read_description,
        callers=PUBLIC,
        answers={200: None},
        media_type="application/json",
    )


def _tokens(services: Services, settings: Settings, client: httpx.AsyncClient) -> UserTokens | None:
    if settings.jwks is None or settings.jwt_issuer is None or settings.jwt_audience is None:
        return None
    key_set = KeySet(key_set_reader(settings.jwks, client), services.clock, settings.jwks_refresh_s)
    return UserTokens(key_set, services.clock, settings.jwt_issuer, settings.jwt_audience)


def _error_handler(log: FilteringBoundLogger, ids: Ids) -> Callable[[AnyRequest, Exception], Response[bytes]]:
    """The web layer's one handler of everything, foreseen or not."""

    def handle(_request: AnyRequest, error: Exception) -> Response[bytes]:
        problem = problem_of(error)
        if problem is None:
            trace_id = str(ids.uuid())
            problem = unexpected(trace_id)
            # The message of an unforeseen error may hold what a person wrote: the log has its type and where it rose.
            log.error("internal error", trace_id=trace_id, error=type(error).__name__, at=_frames(error))
        return _response(problem)

    return handle


def _response(problem: Problem) -> Response[bytes]:
    return Response(
        content=problem.body(),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers={"cache-control": "no-store", **problem.headers},
    )


def _frames(error: BaseException) -> list[str]:
    frames: list[str] = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append(f"{code.co_filename.rpartition('/src/')[2]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return frames[-12:]
