"""What may be said of a database's address: enough to find the mistake, never the password."""

import re

import psycopg
from psycopg.conninfo import conninfo_to_dict

from chingoo.errors import DatabaseUnreachableError, SettingsError

_REASONS = {
    "password authentication failed": "it refuses the user or the password",
    "no password supplied": "it wants a password",
    "no pg_hba.conf entry": "it admits no such user from here",
    "does not exist": "it has no such database or user",
    "Connection refused": "nothing listens there",
    "No such file or directory": "there is no such socket",
    "could not translate host name": "there is no such host",
    "Name or service not known": "there is no such host",
    "timeout": "no answer came in time",
    "starting up": "it is starting up",
    "shutting down": "it is shutting down",
    "recovery mode": "it is recovering",
    "too many clients": "it has no connection left",
    "SSL": "the two do not agree on SSL",
}


def checked(url: str) -> str:
    """The address as psycopg takes it; SettingsError if it is none."""
    url = re.sub(r"^postgres(ql)?\+\w+://", "postgresql://", url)
    try:
        port = str(conninfo_to_dict(url).get("port") or "5432")
    except psycopg.ProgrammingError:
        port = ""
    if not all(part.isdigit() for part in port.split(",")):
        raise SettingsError(
            "CHINGOO_DATABASE_URL is no PostgreSQL address; write postgresql://user:password@host:port/database, "
            "with special characters of the password percent-encoded"
        )
    return url


def unreachable(url: str, error: BaseException | None) -> DatabaseUnreachableError:
    """The error for a database that does not answer: where it was looked for, and a known reason if there is one."""
    said = str(error)
    reason = next((reason for words, reason in _REASONS.items() if words in said), "the connection failed")
    return DatabaseUnreachableError(
        f"the database {_place(url)} does not answer: {reason}; "
        "see that it runs, and that CHINGOO_DATABASE_URL, where set, is right"
    )


def _place(url: str) -> str:
    parts = conninfo_to_dict(checked(url))
    host, port, name = (str(parts.get(part) or "") for part in ("host", "port", "dbname"))
    if "@" in host:  # part of a password that holds an unencoded @
        host = ""
    return f"{name or '(default)'} at {host or '(default host)'}{':' + port if port and '/' not in host else ''}"
