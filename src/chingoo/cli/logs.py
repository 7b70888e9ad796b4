"""Logs as JSON lines on standard error, ours and those of libraries; no message text, e-mail address or phone."""

import logging
import sys
from typing import Any, BinaryIO, Final

import msgspec
import structlog

from chingoo.cli.redact import redact_event

_QUIET: Final = ("uvicorn", "uvicorn.error", "httpx", "httpcore", "alembic", "procrastinate", "asyncio")


def configure_logs(level: str, out: BinaryIO | None = None) -> None:
    """Write everything from `level` on as JSON lines. Called once, when a long-running command starts.

    The libraries in `_QUIET` speak from WARNING on: what they say of every step is nobody's business in a log.
    """
    stream = out if out is not None else sys.stderr.buffer
    shared: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, redact_event, structlog.processors.JSONRenderer(serializer=_json)],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.BytesLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
    handler = _BytesHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                redact_event,
                structlog.processors.JSONRenderer(serializer=_text),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))


class _BytesHandler(logging.Handler):
    """Writes a line at a time, whole, beside structlog's own lines."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream

    def emit(self, record: logging.LogRecord) -> None:
        """One line."""
        self._stream.write(self.format(record).encode("utf-8", "backslashreplace") + b"\n")
        self._stream.flush()


def _json(event: Any, **_: Any) -> bytes:
    return msgspec.json.encode(event, enc_hook=repr)


def _text(event: Any, **_: Any) -> str:
    return _json(event).decode()
