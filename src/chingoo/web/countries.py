"""The two closed lists that answers are checked against: ISO 3166-1 alpha-2 codes and IANA time zones."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Places:
    """Both lists as the tz database publishes them, so that every machine knows the same ones."""

    countries: frozenset[str]
    zones: frozenset[str]


@cache
def places() -> Places:
    """The lists of the installed `tzdata` package (`iso3166.tab` and `zones`)."""
    data = files("tzdata")
    table = data.joinpath("zoneinfo", "iso3166.tab").read_text("utf-8").splitlines()
    countries = frozenset(line.split("\t")[0] for line in table if line and not line.startswith("#"))
    zones = frozenset(data.joinpath("zones").read_text("utf-8").split())
    # `Factory` stands for "not set up"; it is nobody's zone.
    return Places(countries, zones - {"Factory"})
