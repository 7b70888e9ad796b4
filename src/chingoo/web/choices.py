"""Age bands, countries, zones, languages and instants in a request, and how msgspec reads and describes such types."""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any, ClassVar, Final, Self

import msgspec

from chingoo.model.enums import AgeBand
from chingoo.source.suggest import did_you_mean
from chingoo.web.countries import places
from chingoo.web.texts import Schema, string

_LOCALE: Final = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,5}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_MONTH: Final = re.compile(r"(19[7-9][0-9]|2[0-9]{3})-(0[1-9]|1[0-2])")
_EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = datetime(3000, 1, 1, tzinfo=UTC)


class AgeAnswer(str):
    """An age band as answered; the dash may be a hyphen or an en dash (C-75). Under 13 there is none (S-14)."""

    __slots__ = ()
    bands: ClassVar[tuple[AgeBand, ...]] = tuple(band for band in AgeBand if band is not AgeBand.UNKNOWN)

    @classmethod
    def parse(cls, given: object) -> Self:
        """The canonical band, or ValueError."""
        band = string(given).replace("–", "-")
        if band not in cls.bands:
            raise ValueError(not_one_of(band, cls.bands))
        return cls(band)

    @classmethod
    def schema(cls) -> Schema:
        """JSON Schema of the band."""
        return {
            "type": "string",
            "enum": [str(band) for band in cls.bands],
            "description": "the dash may also be an en dash; there is no band under 13",
        }


class AgeGiven(AgeAnswer):
    """An age band as evaluation takes it: `unknown` as well."""

    __slots__ = ()
    bands = tuple(AgeBand)


class Country(str):
    """An ISO 3166-1 alpha-2 code, upper-case (ONB-05)."""

    __slots__ = ()

    @classmethod
    def parse(cls, given: object) -> Self:
        """The code, or ValueError."""
        code = string(given)
        known = places().countries
        if code in known:
            return cls(code)
        upper = code.strip().upper()
        hint = f", did you mean `{upper}`?" if upper in known else "; for example `KR` or `US`"
        raise ValueError(f"not an ISO 3166-1 alpha-2 country code{hint}")

    @classmethod
    def schema(cls) -> Schema:
        """JSON Schema of the code."""
        return {"type": "string", "pattern": "^[A-Z]{2}$", "description": "ISO 3166-1 alpha-2", "examples": ["KR"]}


class Zone(str):
    """An IANA time zone (S-22)."""

    __slots__ = ()

    @classmethod
    def parse(cls, given: object) -> Self:
        """The zone's name, or ValueError."""
        name = string(given)
        known = places().zones
        if name in known:
            return cls(name)
        folded = name.strip().casefold()
        meant = next((zone for zone in sorted(known) if zone.casefold() == folded), None)
        hint = f", did you mean `{meant}`?" if meant else "; for example `Asia/Seoul` or `UTC`"
        raise ValueError(f"not an IANA time zone{hint}")

    @classmethod
    def schema(cls) -> Schema:
        """JSON Schema of the name."""
        return {"type": "string", "description": "IANA time zone", "examples": ["Asia/Seoul"]}


class Locale(str):
    """A language tag."""

    __slots__ = ()

    @classmethod
    def parse(cls, given: object) -> Self:
        """The tag as sent, or ValueError."""
        tag = string(given)
        if not _LOCALE.fullmatch(tag):
            raise ValueError("not a language tag; for example `ko-KR` or `en`")
        return cls(tag)

    @classmethod
    def schema(cls) -> Schema:
        """JSON Schema of the tag."""
        return {"type": "string", "pattern": f"^{_LOCALE.pattern}$", "examples": ["ko-KR"]}


class Digest(str):
    """The digest of a bundle: 64 hexadecimal digits."""

    __slots__ = ()

    @classmethod
    def parse(cls, given: object) -> Self:
        """The digest as sent, or ValueError."""
        digest = string(given)
        if not _DIGEST.fullmatch(digest):
            raise ValueError("not the digest of a bundle (64 hexadecimal digits); `/v1/policies/history` lists them")
        return cls(digest)

    @classmethod
    def schema(cls) -> Schema:
        """JSON Schema of the digest."""
        return {"type": "string", "pattern": f"^{_DIGEST.pattern}$", "description": "the digest of a bundle"}


class Month:
    """A month of the calendar, by its first day."""

    __slots__ = ("first",)

    def __init__(self, first: date) -> None:
        self.first = first

    @classmethod
    def parse(cls, given: object) -> Self:
        """The month, or ValueError."""
        found = _MONTH.fullmatch(string(given))
        if found is None:
            raise ValueError("not a month; for example `2026-03`")
        return cls(date(int(found[1]), int(found[2]), 1))

    @classmethod
    def schema(cls) -> Schema:
        """JSON Schema of the month."""
        return {"type": "string", "pattern": f"^{_MONTH.pattern}$", "examples": ["2026-03"]}


class Instant:
    """A point in time with its offset, between 1970 and 3000."""

    __slots__ = ("at",)

    def __init__(self, at: datetime) -> None:
        self.at = at

    @classmethod
    def parse(cls, given: object) -> Self:
        """The instant, or ValueError."""
        # In a query, the plus of an offset that was not escaped arrives as a space.
        written = re.sub(r" (?=\d\d:?\d\d\Z)", "+", string(given))
        try:
            at = msgspec.convert(written, datetime)
        except msgspec.ValidationError:
            raise ValueError("not an RFC 3339 instant; for example `2026-03-02T12:00:00+00:00`") from None
        if at.tzinfo is None:
            raise ValueError("an instant needs an offset; for example `2026-03-02T12:00:00+00:00`")
        if not _EARLIEST <= at < _LATEST:
            raise ValueError("an instant lies between the years 1970 and 3000")
        return cls(at)

    @classmethod
    def schema(cls) -> Schema:
        """JSON Schema of the instant."""
        return {
            "type": "string",
            "format": "date-time",
            "description": "RFC 3339 with an offset",
            "examples": ["2026-03-02T12:00:00+00:00"],
        }


def read_custom(kind: type[Any], given: object) -> Any:
    """How msgspec reads the types of this module and of `texts` (its `dec_hook`)."""
    return kind.parse(given)


def describe_custom(kind: type[Any]) -> Schema:
    """What OpenAPI says of them (msgspec's `schema_hook`)."""
    schema: Schema = kind.schema()
    return schema


def not_one_of(given: str, known: Iterable[str]) -> str:
    """What is wrong with a value outside a closed list, and what was probably meant."""
    names = [str(name) for name in known]
    meant = did_you_mean(given, names)
    return f"not one of {', '.join(names)}" + (f"; did you mean `{meant}`?" if meant else "")
