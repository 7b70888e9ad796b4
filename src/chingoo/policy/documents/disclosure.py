"""policies/disclosure.yaml: when the service says that the friend is an AI, and reminds minors of a break."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class Intervals:
    """Minutes of continuing use after which the disclosure comes again; `minor` holds for unknown age too."""

    place: Place
    adult_minutes: int
    minor_minutes: int


@dataclass(frozen=True, slots=True)
class DisclosureDocument:
    """The rules. `countries` (ISO 3166-1 alpha-2) may only shorten what `everywhere` says.

    `again_after_hours` without a turn starts use afresh: the disclosure comes as on the first day, without the break
    reminder. `break_reminder` goes with the recurring disclosures of minors.
    """

    place: Place
    again_after_hours: int
    everywhere: Intervals
    countries: Mapping[str, Intervals]
    break_reminder: bool
