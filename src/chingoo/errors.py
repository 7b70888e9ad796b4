"""The exception tree. Each class says which HTTP status the web layer gives it; services never raise HTTP errors."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing wrong with the input: an RFC 6901 pointer and what is wrong, in the caller's words."""

    pointer: str
    detail: str


class ChingooError(Exception):
    """Base of everything Chingoo raises on purpose. `detail` is for the caller and names the remedy."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class InvalidInputError(ChingooError):
    """The input breaks the contract (400). Nothing was changed."""

    def __init__(self, detail: str, errors: Sequence[FieldError] = ()) -> None:
        super().__init__(detail)
        self.errors = tuple(errors)


class UnauthenticatedError(ChingooError):
    """No or bad credentials (401)."""


class ForbiddenError(ChingooError):
    """The role, age band or control does not allow it (403)."""


class NotFoundError(ChingooError):
    """No such resource, or somebody else's (404); the two are not told apart (S-13)."""


class ConflictError(ChingooError):
    """The state of things does not allow it (409)."""

    def __init__(self, detail: str, errors: Sequence[FieldError] = (), retry_after_s: float | None = None) -> None:
        super().__init__(detail)
        self.errors = tuple(errors)
        self.retry_after_s = retry_after_s


class RateLimitedError(ChingooError):
    """Too many requests (429)."""

    def __init__(self, detail: str, retry_after_s: float) -> None:
        super().__init__(detail)
        self.retry_after_s = retry_after_s


class UnavailableError(ChingooError):
    """The database or the bundle is away (503)."""


class SettingsError(ChingooError):
    """A setting is missing or wrong; start-up ends with one message naming the setting and the remedy."""


class DataFolderError(SettingsError):
    """The data folder cannot be used; names the path and the remedy."""


class DatabaseUnreachableError(UnavailableError):
    """The database does not answer; names the setting, never the password."""


class StoreRefusedError(ChingooError):
    """The store refuses what was to be written: a defect of the caller. Names the constraint, never the content."""

    def __init__(self, detail: str, constraint: str | None) -> None:
        super().__init__(detail)
        self.constraint = constraint


class LlmError(ChingooError):
    """A model call failed: `kind` is timeout, status, malformed, empty, transport or deadline."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class DetectorError(ChingooError):
    """A detector gave no answer: `kind` is timeout, transport, status or malformed."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class HeadError(ChingooError):
    """What a detector of one's own has learnt cannot be used: damaged, or not what was learnt; names the remedy."""


class DeliveryError(ChingooError):
    """An event was not taken by whoever should have it: `kind` is timeout, transport or status."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class RuleEngineError(ChingooError):
    """durable-rules raised, gave no outcome, or a state exception; the caller takes the strictest outcome."""


class PolicyRefusedError(ChingooError):
    """The policies on disk do not compile (422); `findings` say where and why, and the old ones stay in force."""

    def __init__(self, detail: str, findings: Sequence[object]) -> None:
        super().__init__(detail)
        self.findings = tuple(findings)
