"""`chingoo policy diff`: what changed between two folders of policies, and which decisions become others."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from chingoo.cli.parts import Parts
from chingoo.cli.policies import FINE, FOUND, sound
from chingoo.errors import InvalidInputError
from chingoo.flow.compiled import compile_policy
from chingoo.model.decision import EvaluationInput, Utterance
from chingoo.model.enums import AgeBand, Mode, Role, Source, UserState
from chingoo.policy.compile import FileReader
from chingoo.proof.corpus import REMARK, SPEAKERS
from chingoo.proof.diff import diff
from chingoo.proof.flips import FlipReport, flips, parse_budget

_AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
_SHOWN = 100


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An earlier message of a line of `--over`."""

    role: Role
    text: str


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of `--over`: a message, and who wrote it; all but `text` may be left out."""

    text: str
    age_band: AgeBand = AgeBand.B25_34
    mode: Mode = Mode.FRIEND
    user_state: UserState = UserState.ACTIVE
    source: Source = Source.CHAT
    country: str | None = None
    history: tuple[Said, ...] = ()


def compared(parts: Parts, before: Path, after: Path, over: Path | None, budgets: Sequence[str]) -> tuple[str, int]:
    """What changed and what flips, and the exit code: 1 when a budget is exceeded."""
    limits = [parse_budget(budget) for budget in budgets]
    reader = FileReader(parts.policy_sources(after).schemas)
    (_, old), (sources, new) = sound(parts, before, reader), sound(parts, after, reader)
    messages = list(_talk(sources.corpus) if over is None else _over(over))
    first, second = compile_policy(old), compile_policy(new)
    try:
        report = flips(first.engine, second.engine, messages)
    finally:
        first.close()
        second.close()
    exceeded = report.exceeded(limits)
    lines = [diff(old, new).told(), "", *_told(report)]
    lines += [f"over the budget: {one}" for one in exceeded]
    if limits and not exceeded:
        lines.append("within the budget")
    return "\n".join(lines), FOUND if exceeded else FINE


def _talk(corpus: Mapping[str, str]) -> Iterator[EvaluationInput]:
    """Ordinary talk, by everybody who may have said it."""
    for text in corpus.values():
        for line in text.splitlines():
            if line.strip() and not line.startswith(REMARK):
                yield from (replace(speaker, text=line.strip()) for speaker in SPEAKERS.values())


def _over(path: Path) -> Iterator[EvaluationInput]:
    """The messages of a file of JSON lines: a text alone, or an object. InvalidInputError names the line."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"--over: {path} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _input(_message(line, f"--over: {path}, line {number}"))


def _message(line: str, where: str) -> Message:
    try:
        read: Any = json.loads(line)
        return msgspec.convert({"text": read} if isinstance(read, str) else read, Message)
    except json.JSONDecodeError as error:
        raise InvalidInputError(f'{where}: this is no JSON; write "a text" or {{"text": "…"}}') from error
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"{where}: {error}") from error


def _input(message: Message) -> EvaluationInput:
    return EvaluationInput(
        text=message.text,
        received_at=_AT,
        user_state=message.user_state,
        age_band=message.age_band,
        mode=message.mode,
        source=message.source,
        country=message.country,
        history=tuple(Utterance(one.role, one.text) for one in message.history),
    )


def _told(report: FlipReport) -> Iterator[str]:
    share = 100 * report.flips / report.messages if report.messages else 0.0
    yield f"{report.flips} of {report.messages} messages are decided otherwise ({share:.2f} %)"
    if not report.flips:
        return
    for label, counts in (
        ("from what to what", report.by_way),
        ("by topic", report.by_topic),
        ("by language", report.by_language),
        ("by age band", report.by_age_band),
    ):
        yield f"{label}:"
        yield from _rows(counts.items())
    for metric in ("refusals", "crises"):
        was, now = report.shares[metric]
        yield f"{metric}: {was:.2f} % of all messages before, {now:.2f} % after"
    yield "for example:"
    for flip in report.samples:
        rules = f"{flip.before.rules[0]} → {flip.after.rules[0]}"
        text = flip.given.text if len(flip.given.text) <= _SHOWN else f"{flip.given.text[: _SHOWN - 1]}…"
        yield f"  {flip.way} ({rules}, {flip.given.age_band}): {text}"


def _rows(counts: Iterable[tuple[str, int]]) -> Iterator[str]:
    yield from (f"  {number:6}  {name}" for name, number in counts)
