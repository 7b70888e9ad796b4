"""E-mail addresses and telephone numbers are taken out of what is logged, wherever they come from (TEL-18)."""

import re
from collections.abc import Mapping
from typing import Any, Final

EMAIL: Final = "[e-mail]"
PHONE: Final = "[phone]"

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w./:-])\+?\(?\d(?:[ ()-]{0,2}\d){8,14}(?![\w:]|[.-]\w)")
"""Nine to fifteen digits, in groups or not; no part of an id, a date with its time, an address of a machine."""


def without_contacts(text: str) -> str:
    """A text without e-mail addresses and telephone numbers."""
    return _PHONE.sub(PHONE, _EMAIL.sub(EMAIL, text))


def redacted(value: Any) -> Any:
    """A value of a log line, texts within it redacted; what is no text, list or mapping stays."""
    if isinstance(value, str):
        return without_contacts(value)
    if isinstance(value, Mapping):
        return {key: redacted(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(inner) for inner in value]
    return value


def redact_event(_logger: Any, _method: str, event: Mapping[str, Any]) -> dict[str, Any]:
    """A processor of structlog: the whole line redacted but for its time."""
    return {key: value if key == "timestamp" else redacted(value) for key, value in event.items()}
