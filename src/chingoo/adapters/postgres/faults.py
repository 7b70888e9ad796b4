"""What an error of the driver means to us; never with what was to be written, which the driver's own text may hold."""

from dataclasses import dataclass

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout

from chingoo.adapters.postgres.address import unreachable
from chingoo.errors import ChingooError, InvalidInputError, StoreRefusedError, UnavailableError

REFUSED = "CH001"
"""The SQLSTATE of `chingoo_refuse`: a statement of ours undid itself."""

_AGAIN = {"40001", "40P01", "55P03"}  # serialization failure, deadlock, lock not had in time
_BROKEN = {"57P01", "57P02", "57P03", "57P05"}  # the server ends, crashed, starts, or ended an idle session
_AWAY = {"53", "57", "58", "XX"}  # resources, operator's intervention, the system, an internal error
_READ_ONLY = "25006"
_NO_TEXT = {None, "22021", "22P05"}  # refused by the driver itself, no such character, no translation


class StatementRefusedError(Exception):
    """A statement of ours undid itself; `reason` is a word of ours."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Fault:
    """What to raise, whether the same transaction may be tried again first, and whether connections broke."""

    meaning: Exception
    again: bool = False
    broken: bool = False


def fault_of(error: psycopg.Error, url: str) -> Fault:
    """Read an error of the driver."""
    state = error.sqlstate
    if state == REFUSED:
        return Fault(StatementRefusedError(error.diag.message_primary or ""))
    if state in _AGAIN:
        return Fault(UnavailableError("the database is too busy with this row; try again"), again=True)
    if isinstance(error, psycopg.OperationalError) and (state is None or state[:2] == "08" or state in _BROKEN):
        closed = isinstance(error, PoolTimeout | PoolClosed)
        return Fault(unreachable(url, error), again=not closed, broken=not closed)
    if state is not None and (state[:2] in _AWAY or state == _READ_ONLY):
        return Fault(UnavailableError(f"the database cannot do its work at the moment (SQLSTATE {state})"))
    if isinstance(error, psycopg.DataError) and state in _NO_TEXT:
        return Fault(unstorable())
    return Fault(_refused(error))


def unstorable() -> InvalidInputError:
    """The error for a text that is no text to PostgreSQL."""
    return InvalidInputError("a text holds characters that cannot be stored (U+0000 or half of a surrogate pair)")


def _refused(error: psycopg.Error) -> ChingooError:
    constraint = error.diag.constraint_name
    if constraint:
        return StoreRefusedError(f"what was to be written breaks {constraint}", constraint)
    return StoreRefusedError(f"a statement failed with SQLSTATE {error.sqlstate}", None)
