"""What every table shares: the metadata, and how columns and checks are written.

A table's rows lead with `user_id`, and so does its primary key, so that a user's rows can live on one node. Look-up
tables and those of no user are the exceptions and say so. There are no foreign keys between the tables of a turn:
each would lock and read a row that the statement has already locked; what they would guarantee, the statement does.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, Column, DateTime, Enum, MetaData, Text, Uuid, text
from sqlalchemy.dialects.postgresql import ARRAY

METADATA = MetaData(
    naming_convention={
        "ix": "%(table_name)s_%(column_0_name)s_idx",
        "pk": "%(table_name)s_pkey",
        "fk": "%(table_name)s_%(column_0_name)s_fkey",
        "uq": "%(table_name)s_%(column_0_name)s_key",
        "ck": "%(table_name)s_%(constraint_name)s_check",
    }
)

TEXTS = ARRAY(Text)
IDS = ARRAY(Uuid)
INSTANT = DateTime(timezone=True)
NO_TEXTS = text("'{}'")
NO = text("false")
NOW = text("now()")


def key(name: str) -> Column[Any]:
    """A column of the primary key."""
    return Column(name, Uuid, primary_key=True, nullable=False)


def word(name: str, vocabulary: type[StrEnum], *, default: StrEnum | None = None, null: bool = False) -> Column[Any]:
    """A column that holds a word of a closed vocabulary, as a type of its own.

    A CHECK would say the same, but PostgreSQL reads every CHECK of a table anew for every statement that writes to it,
    which for the tables of a turn was a sixth of the whole cost.
    """
    kind = Enum(
        *map(str, vocabulary),
        name=re.sub(r"(?<!^)(?=[A-Z])", "_", vocabulary.__name__).lower() + "_word",
        metadata=METADATA,
    )
    return Column(name, kind, nullable=null, server_default=default)


def all_of(column: str, members: Iterable[str]) -> CheckConstraint:
    """The array holds nothing but these words."""
    listed = ", ".join("'" + str(member).replace("'", "''") + "'" for member in members)
    return CheckConstraint(f"{column} <@ array[{listed}]::text[]", name=column)
