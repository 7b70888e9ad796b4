"""The settings as one typed value, and the small types it is made of."""

from dataclasses import dataclass, field
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path


class ServiceRole(StrEnum):
    """Whose key it is: the companion app's back end, trust and safety, or whoever runs the service."""

    APP = "app"
    EDITOR = "editor"
    OPERATOR = "operator"


class Provider(StrEnum):
    """Who answers where policy fixes no words; `offline` needs no model."""

    OFFLINE = "offline"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    BEDROCK = "bedrock"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A service key. The key itself is never shown."""

    role: ServiceRole
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `per_minute` requests in a minute, of one credential for one user."""

    per_minute: int


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the service is started with. Seconds are `_s`; None means what the table of settings says of "unset".

    Whatever may hold a secret is left out of `repr`.
    """

    data_dir: Path
    policy_dir: Path
    shadow_policy_dir: Path | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    database_url: str | None = field(default=None, repr=False)
    data_key: tuple[bytes, ...] = field(default=(), repr=False)
    pool_size: int = 10
    llm_provider: Provider = Provider.OFFLINE
    llm_base_url: str | None = None
    llm_api_key: str | None = field(default=None, repr=False)
    llm_voice_model: str | None = None
    llm_mechanics_model: str | None = None
    detector_url: str | None = None
    detector_api_key: str | None = field(default=None, repr=False)
    detector_model: str | None = None
    spacy_models: tuple[tuple[str, str], ...] = ()
    crisis_url: str | None = field(default=None, repr=False)
    webhook_secret: str | None = field(default=None, repr=False)
    llm_timeout_s: float = 15.0
    turn_deadline_s: float = 45.0
    lease_margin_s: float = 15.0
    wait_margin_s: float = 5.0
    reap_after_s: float = 600.0
    worker: bool = True
    rate_limit: Rate | None = None
    api_keys: tuple[ApiKey, ...] = field(default=(), repr=False)
    jwks: str | None = None
    jwt_issuer: str | None = None
    jwt_audience: str | None = None
    jwks_refresh_s: float = 60.0
    log_level: str = "info"

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own; names other than `localhost` are not looked up."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
