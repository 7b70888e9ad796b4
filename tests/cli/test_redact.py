"""Logs hold no e-mail address and no telephone number (TEL-18)."""

import io
import json
import logging

import pytest
import structlog

from chingoo.cli.logs import configure_logs
from chingoo.cli.redact import EMAIL, PHONE, without_contacts


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("write to jo.b+x@mail.example.org now", f"write to {EMAIL} now"),
        ("Key (email)=(jo@b.co) already exists", f"Key (email)=({EMAIL}) already exists"),
        ("call +44 20 7946 0018", f"call {PHONE}"),
        ("call (010) 1234-5678 or 0151-23456789.", f"call {PHONE} or {PHONE}."),
    ],
)
def test_contacts_go(text: str, shown: str) -> None:
    assert without_contacts(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "550e8400-e29b-41d4-a716-446655440000",
        "2026-03-02T09:00:00.123456Z",
        "2026-03-02 09:00:00",
        "http://192.168.100.200:8080/v1/users",
        "bundle 326976c8bd0efded1f5ed63a226d5427c19417f4",
        "policies/topics.yaml:31:11 took 1234.567890123 ms",
        "12345678 rows",
        "@decorated at line 12",
    ],
)
def test_what_operators_need_stays(text: str) -> None:
    assert without_contacts(text) == text


def test_every_line_is_redacted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours, those of libraries, and what an exception says."""
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    stream = io.BytesIO()
    configure_logs("info", stream)
    try:
        structlog.get_logger().warning("failed", about={"who": ["jo@b.co"]}, count=123456789)
        logging.getLogger("some.library").warning("no answer from %s", "+49 151 2345 6789")
        try:
            raise ValueError("jo@b.co is taken")
        except ValueError:
            structlog.get_logger().error("failed", exc_info=True)
    finally:
        structlog.reset_defaults()
    said = stream.getvalue().decode()
    first = json.loads(said.splitlines()[0])
    assert first["about"] == {"who": [EMAIL]}
    assert first["count"] == 123456789
    assert "jo@b.co" not in said
    assert "2345 6789" not in said
    assert PHONE in said
