"""policies/models.yaml: model roles, output limits, prices, and the score that chooses a tier (MODEL-01, TEL-02)."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class ModelRole:
    """One of the two roles (MODEL-02). `default_model` is by provider; the settings win over it."""

    place: Place
    default_model: Mapping[str, str]
    max_output_tokens: int


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per 1,000 tokens (TEL-02). `cached`: input read from the provider's cache, as `input` if None."""

    place: Place
    input: float
    output: float
    cached: float | None = None


@dataclass(frozen=True, slots=True)
class RouterScores:
    """Weights of MODEL-01, in points; a turn at or above `large_from` uses the voice model."""

    place: Place
    always_voice: tuple[str, ...]
    emotional_support: int
    high_intensity: int
    high_intensity_from: int
    ambiguous: int
    long_message: int
    long_message_over_characters: int
    mechanical: int
    large_from: int


@dataclass(frozen=True, slots=True)
class ModelsDocument:
    """Models, prices, router, and how often a failed call is tried again within the turn's deadline.

    A user whose calls of the last 24 hours cost `daily_ceiling_usd` is asked to come back later; empty: no ceiling.
    """

    place: Place
    voice: ModelRole
    mechanics: ModelRole
    prices: Mapping[str, Price]
    router: RouterScores
    retries: int
    rewrite_reserve_seconds: float
    daily_ceiling_usd: float | None = None
