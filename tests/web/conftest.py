"""A web application over fakes, asked over ASGI without a socket."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar
from tests.web.fakes import FakeServices

from chingoo.settings.values import ApiKey, ServiceRole, Settings
from chingoo.web.app import create_app

KEYS = tuple(ApiKey(role, f"{role}-key") for role in ServiceRole)


@pytest.fixture
def services() -> FakeServices:
    """Fresh fakes."""
    return FakeServices()


@pytest.fixture
def settings() -> Settings:
    """A loopback service without tokens or limits."""
    return Settings(data_dir=Path("/nowhere"), policy_dir=Path("/nowhere"))


@pytest.fixture
def app_with(services: FakeServices, settings: Settings) -> Callable[..., Litestar]:
    """An application with some settings changed."""

    def make(http: httpx.AsyncClient | None = None, **changes: Any) -> Litestar:
        return create_app(services, replace(settings, **changes), KEYS, http=http)

    return make


@pytest.fixture
async def client(app_with: Callable[..., Litestar]) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the plain application, with no credentials of its own."""
    async with client_of(app_with()) as found:
        yield found


def client_of(app: Litestar) -> httpx.AsyncClient:
    """A client of an application."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://chingoo.test")
