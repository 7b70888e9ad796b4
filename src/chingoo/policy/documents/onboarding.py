"""policies/onboarding.yaml: the questions a user answers before the first message (ONB-05, PRODUCT.md §5.1)."""

from dataclasses import dataclass
from typing import Literal

from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class OnboardingAnswer:
    """One answer. `remember_as` is the memory key the answer is remembered under at activation, if any."""

    place: Place
    id: str
    kind: Literal["text", "choice", "country", "timezone", "switch", "topics"]
    required: bool
    choices: tuple[str, ...] = ()
    max_length: int | None = None
    default: str | None = None
    remember_as: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class OnboardingDocument:
    """All answers, in the order they are asked and named when missing."""

    place: Place
    answers: tuple[OnboardingAnswer, ...]

    @property
    def required(self) -> tuple[str, ...]:
        """Ids of the answers without which nobody becomes ACTIVE."""
        return tuple(answer.id for answer in self.answers if answer.required)
