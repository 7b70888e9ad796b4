"""The one table of settings: name, meaning, default, and how each is read; README and `chingoo settings` print it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from chingoo.settings import readers


@dataclass(frozen=True, slots=True)
class Setting:
    """One environment variable.

    `field` is its name in Settings. `default` is written as one would write it in the environment; None is "unset", and
    `unset` says what that does. `secret` values are never shown.
    """

    name: str
    field: str
    meaning: str
    read: Callable[[str], Any]
    default: str | None = None
    unset: str | None = None
    secret: bool = False

    @property
    def shown_default(self) -> str:
        """The default as the tables show it."""
        return f"`{self.default}`" if self.default is not None else f"unset: {self.unset}"


SETTINGS: Final[tuple[Setting, ...]] = (
    Setting("CHINGOO_HOST", "host", "The address to listen on.", readers.host, "127.0.0.1"),
    Setting("CHINGOO_PORT", "port", "The port to listen on; 0 takes any free one.", readers.port, "8000"),
    Setting(
        "CHINGOO_DATA_DIR",
        "data_dir",
        "The data folder: the embedded database, and the API keys made on first start.",
        readers.folder,
        ".chingoo",
    ),
    Setting(
        "CHINGOO_POLICY_DIR",
        "policy_dir",
        "The folder that holds `policies/`, `persona_library/` and `patterns/`.",
        readers.folder,
        unset="the repository's",
    ),
    Setting(
        "CHINGOO_SHADOW_POLICY_DIR",
        "shadow_policy_dir",
        "A second such folder, read at start: its policies decide beside those in force without effect, and the log "
        "and the metrics tell where they differ.",
        readers.folder,
        unset="none",
    ),
    Setting(
        "CHINGOO_DATABASE_URL",
        "database_url",
        "A PostgreSQL server (14 or newer), as `postgresql://user:password@host:5432/database`.",
        readers.database_url,
        unset="an embedded PostgreSQL under the data folder",
        secret=True,
    ),
    Setting(
        "CHINGOO_DATA_KEY",
        "data_key",
        "Encrypts guaranteed facts at rest: 32 random bytes in base64, as `openssl rand -base64 32` makes them. Of "
        "several, with commas between, the first seals and all open; `chingoo keys rotate` moves all to the first.",
        readers.data_keys,
        unset="guaranteed facts are stored as plain text",
        secret=True,
    ),
    Setting("CHINGOO_POOL_SIZE", "pool_size", "Connections to the database per process.", readers.count, "10"),
    Setting(
        "CHINGOO_LLM_PROVIDER",
        "llm_provider",
        "Who answers where policy fixes no words: `offline` (no model), `openai` (and whatever speaks its protocol), "
        "`anthropic` or `bedrock`.",
        readers.provider,
        "offline",
    ),
    Setting(
        "CHINGOO_LLM_BASE_URL",
        "llm_base_url",
        "Where the provider's API is, up to and without `/chat/completions`.",
        readers.http_url,
        unset="the provider's own",
    ),
    Setting(
        "CHINGOO_LLM_API_KEY",
        "llm_api_key",
        "The provider's key; not needed for `offline`, nor for `openai` at an address of your own.",
        readers.secret,
        unset="none",
        secret=True,
    ),
    Setting(
        "CHINGOO_LLM_VOICE_MODEL",
        "llm_voice_model",
        "The model that speaks as the friend.",
        readers.text,
        unset="as in `policies/models.yaml`",
    ),
    Setting(
        "CHINGOO_LLM_MECHANICS_MODEL",
        "llm_mechanics_model",
        "The smaller model for everything that is not the friend's voice.",
        readers.text,
        unset="as in `policies/models.yaml`",
    ),
    Setting(
        "CHINGOO_DETECTOR_URL",
        "detector_url",
        "A model that is asked for a second opinion of each message, which is sent there: where its API is, up to and "
        "without `/moderations` (OpenAI's moderation protocol); `chingoo detector` is one beside the service, at "
        "`http://127.0.0.1:8091/v1`. It can only make a decision stricter; how its answer is read, and how long a "
        "reply waits for it, is in `policies/detector.yaml`.",
        readers.http_url,
        unset="none is asked",
    ),
    Setting("CHINGOO_DETECTOR_API_KEY", "detector_api_key", "Its key.", readers.secret, unset="none", secret=True),
    Setting("CHINGOO_DETECTOR_MODEL", "detector_model", "Its model.", readers.text, unset="the endpoint's own"),
    Setting(
        "CHINGOO_SPACY_MODELS",
        "spacy_models",
        "Grammar parsers that look for relations beside the patterns, as `en=en_core_web_sm,fr=fr_core_news_sm`; the "
        "extra `spacy` and the models must be installed.",
        readers.spacy_models,
        unset="patterns alone",
    ),
    Setting(
        "CHINGOO_CRISIS_URL",
        "crisis_url",
        "Where a human is called: each crisis is posted there as an event, signed, without a word of what was said, "
        "again until it is taken (2xx).",
        readers.http_url,
        unset="nobody is told; read `/v1/audit?kind=crisis`",
        secret=True,
    ),
    Setting(
        "CHINGOO_WEBHOOK_SECRET",
        "webhook_secret",
        "What events are signed with: header `chingoo-signature: t=SECONDS,v1=HEX`, the HMAC-SHA256 of `SECONDS.BODY`.",
        readers.secret,
        unset="none",
        secret=True,
    ),
    Setting("CHINGOO_LLM_TIMEOUT_S", "llm_timeout_s", "The longest one model call may take.", readers.seconds, "15"),
    Setting(
        "CHINGOO_TURN_DEADLINE_S",
        "turn_deadline_s",
        "The longest one turn may take, all its model calls together.",
        readers.seconds,
        "45",
    ),
    Setting(
        "CHINGOO_LEASE_MARGIN_S",
        "lease_margin_s",
        "How much longer than the deadline a turn holds its conversation; after that another may take it over.",
        readers.seconds,
        "15",
    ),
    Setting(
        "CHINGOO_WAIT_MARGIN_S",
        "wait_margin_s",
        "How much longer than the deadline a duplicate waits for the answer before it gets 409.",
        readers.seconds_or_none,
        "5",
    ),
    Setting(
        "CHINGOO_REAP_AFTER_S",
        "reap_after_s",
        "After how long an abandoned turn is settled with a safe reply.",
        readers.seconds,
        "600",
    ),
    Setting("CHINGOO_WORKER", "worker", "Whether `chingoo serve` also runs the jobs.", readers.switch, "on"),
    Setting(
        "CHINGOO_RATE_LIMIT",
        "rate_limit",
        "`off`, or how many requests one credential may send for one user, like `120/minute`.",
        readers.rate,
        "600/minute",
    ),
    Setting(
        "CHINGOO_API_KEYS",
        "api_keys",
        "The service keys, as `app:KEY,editor:KEY,operator:KEY`; a role may have several.",
        readers.api_keys,
        unset="made on first start and kept in the data folder (loopback only)",
        secret=True,
    ),
    Setting(
        "CHINGOO_JWKS",
        "jwks",
        "The key set, address or file, that users' RS256 tokens are checked against.",
        readers.key_set,
        unset="no user tokens",
    ),
    Setting("CHINGOO_JWT_ISSUER", "jwt_issuer", "The `iss` that tokens must carry.", readers.text, unset="none"),
    Setting("CHINGOO_JWT_AUDIENCE", "jwt_audience", "The `aud` that tokens must carry.", readers.text, unset="none"),
    Setting(
        "CHINGOO_JWKS_REFRESH_S",
        "jwks_refresh_s",
        "How long to wait at least between two readings of the key set.",
        readers.seconds,
        "60",
    ),
    Setting("CHINGOO_LOG_LEVEL", "log_level", "`debug`, `info`, `warning` or `error`.", readers.log_level, "info"),
)

LATER: Final[dict[str, str]] = {
    "CHINGOO_QDRANT_URL": "there is no vector search in this release",
    "CHINGOO_DELIVERY_URL": "there are no proactive messages in this release",
}
"""Settings of the contract that this release does not use yet, and why setting them changes nothing."""


def markdown_table() -> str:
    """The table as README shows it."""
    rows = [f"| `{s.name}` | {s.meaning} | {s.shown_default} |" for s in SETTINGS]
    return "\n".join(("| setting | meaning | default |", "|---|---|---|", *rows))
