"""`chingoo evaluate`: one message through the policies on disk, by the same reading and function as over HTTP."""

import json
from argparse import Namespace
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from chingoo.cli.parts import Parts
from chingoo.errors import InvalidInputError
from chingoo.settings.values import Settings
from chingoo.web.bodies import Evaluation
from chingoo.web.endpoint import LARGE_BODY
from chingoo.web.reading import BodyReader
from chingoo.web.routes.policies import evaluation_input

_WIDTH: Final = 10
_OPTIONS: Final = {
    "text": "TEXT",
    "persona_template_id": "--persona",
    "suppressed_topics": "--suppress",
    "received_at": "--at",
}


def evaluate(parts: Parts, settings: Settings, given: Namespace, now: datetime | None = None) -> str:
    """What a turn would be decided to be, for reading or as the JSON of `POST /v1/evaluate`."""
    body = _body(given)
    instant = body.received_at.at if body.received_at is not None else now or _now()
    template = None if body.persona_template_id is None else str(body.persona_template_id)
    with parts.offline_policies(settings) as policies:
        answer = policies.evaluate(evaluation_input(body, instant), template, body.explain)
    plain = msgspec.to_builtins(answer)
    return json.dumps(plain, ensure_ascii=False, indent=2) if given.json else "\n".join(_readable(plain))


def _body(given: Namespace) -> Evaluation:
    named = {
        "text": given.text,
        "age_band": given.age_band,
        "mode": given.mode,
        "country": given.country,
        "user_state": given.user_state,
        "persona_template_id": given.persona,
        "suppressed_topics": given.suppress,
        "received_at": given.at,
        "explain": given.explain,
    }
    written = msgspec.json.encode({name: value for name, value in named.items() if value is not None})
    try:
        body = BodyReader(Evaluation, LARGE_BODY).decode(written)
    except InvalidInputError as error:
        faults = [f"{_option(fault.pointer)}: {fault.detail}" for fault in error.errors]
        raise InvalidInputError("\n".join(faults) or error.detail) from error
    if not isinstance(body, Evaluation):
        raise TypeError(type(body))
    return body


def _option(pointer: str) -> str:
    """What the fault is about, as it is written on the command line."""
    name = pointer.split("/")[1] if "/" in pointer else pointer
    return _OPTIONS.get(name, "--" + name.replace("_", "-"))


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the command line is its own caller


def _readable(answer: Mapping[str, Any]) -> Iterable[str]:
    routing, signals = answer["routing"], answer["signals"]
    yield _line("pipeline", f"{routing['pipeline']}, {routing['safety_policy']}")
    yield _line(
        "memory",
        f"read {routing['memory_read_policy']}, search {routing['vector_search_policy']}, "
        f"write {routing['memory_write_policy']}; relationship {routing['relationship_update_policy']}",
    )
    yield from (_line("note", note) for note in routing["notes"])
    yield _line("rules", ", ".join(answer["policy"]["rules"]) or "none")
    yield _line("language", f"{signals['language']}, valence {signals['valence']:g}")
    for topic in signals["topics"]:
        words = ", ".join(topic["hits"])
        initiated = ", user-initiated" if topic["user_initiated"] else ""
        yield _line("topic", f"{topic['topic']} {topic['confidence']:g} ({words}){initiated}")
    flags = [name for name, up in {**signals["flags"], **signals["heuristics"]}.items() if up]
    if flags:
        yield _line("flags", ", ".join(flags))
    if signals["crisis"]["detected"]:
        yield _line("crisis", f"{signals['crisis']['level']} ({', '.join(signals['crisis']['phrases'])})")
    if signals["guard"]["blocked"]:
        yield _line("guard", signals["guard"]["category"])
    for fact in answer["facts"]:
        yield _line("fact", f"{fact['memory_key']} = {fact['memory_value']} ({fact['confidence']:g})")
    if answer["reply"] is not None:
        yield _line("reply", answer["reply"])
    yield from _trace(answer.get("trace", ()))


def _trace(trace: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    for entry in trace:
        yield _line("because", f"{entry['rule']} ({entry['file']}:{entry['line']}): {entry['because']}")
        for match in entry["matched"]:
            start, end = match["span"]
            yield _line("", f"  “{match['entry']}” at {start}–{end} ({match['file']}:{match['line']})")


def _line(label: str, text: str) -> str:
    return f"{label:{_WIDTH}}{text}".rstrip()
