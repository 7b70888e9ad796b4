"""Small stand-ins of the use cases: they remember what they were asked and answer with bodies of the right shape."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

from chingoo.errors import FieldError, InvalidInputError, NotFoundError, PolicyRefusedError, UnavailableError
from chingoo.model.decision import EvaluationInput
from chingoo.model.policies import Verdict
from chingoo.model.reviews import ReviewVerdict
from chingoo.model.turn import TurnRequest
from chingoo.ports.people import AnswersPatch

OWNER = UUID("6f1c2c1e-0000-4000-8000-00000000000a")
STRANGER = UUID("6f1c2c1e-0000-4000-8000-00000000000b")
FRIEND = UUID("6f1c2c1e-0000-4000-8000-00000000000c")
CONVERSATION = UUID("6f1c2c1e-0000-4000-8000-00000000000d")
MESSAGE = UUID("6f1c2c1e-0000-4000-8000-00000000000e")
NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class FakeClock:
    """A clock that moves only when told."""

    def __init__(self) -> None:
        self.at, self.seconds = NOW, 1000.0

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.seconds

    def pass_(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)
        self.seconds += seconds


class FakeIds:
    """Always the same id."""

    def uuid(self) -> UUID:
        return UUID("6f1c2c1e-0000-4000-8000-0000000000ff")

    def seed(self) -> int:
        return 7


@dataclass
class FakeMetrics:
    """Keeps what was counted."""

    counted: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    observed: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def count(self, name: str, labels: Mapping[str, str] | None = None, value: float = 1.0) -> None:
        self.counted.append((name, dict(labels or {})))

    def observe(self, name: str, seconds: float, labels: Mapping[str, str] | None = None) -> None:
        self.observed.append((name, dict(labels or {})))

    def exposition(self) -> tuple[bytes, str]:
        return b"# HELP chingoo_x x\n# TYPE chingoo_x counter\n", "text/plain; version=0.0.4; charset=utf-8"


def turn_answer(request: TurnRequest) -> dict[str, Any]:
    return {
        "trace_id": str(MESSAGE),
        "message_id": str(request.message_id),
        "replayed": False,
        "user_state": "ACTIVE",
        "routing": {"pipeline": "FRIEND_CHAT", "safety_policy": "ALLOW", "notes": ["inner note"]},
        "reply": {"message_id": str(MESSAGE), "text": f"you said: {request.text}\nand more", "origin": "llm"},
    }


@dataclass
class FakeTurns:
    """Echoes; keeps the requests; raises `fails` when it is set."""

    requests: list[TurnRequest] = field(default_factory=list)
    fails: Exception | None = None
    pending: bool = False

    async def take_turn(self, request: TurnRequest) -> Mapping[str, Any]:
        self.requests.append(request)
        if self.fails is not None:
            raise self.fails
        return turn_answer(request)

    async def stored(self, user_id: UUID, message_id: UUID) -> tuple[int, Mapping[str, Any]]:
        if user_id != OWNER or message_id != MESSAGE:
            raise NotFoundError("no message with this id")
        if self.pending:
            return 202, {"message_id": str(message_id), "status": "PROCESSING"}
        return 200, {"message_id": str(message_id), "replayed": True}


@dataclass
class FakePeople:
    """One user, OWNER, with one friend."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)
    known: set[UUID] = field(default_factory=lambda: {OWNER})
    fails: Exception | None = None

    def _note(self, *call: Any) -> None:
        self.calls.append(call)
        if self.fails is not None:
            raise self.fails

    def _known(self, user_id: UUID) -> None:
        if user_id not in self.known:
            raise NotFoundError("no such user")

    async def create_user(self, user_id: UUID | None) -> tuple[Mapping[str, Any], bool]:
        self._note("create_user", user_id)
        user_id = user_id or MESSAGE
        new = user_id not in self.known
        return {"user_id": str(user_id), "user_state": "CREATED"}, new

    async def user(self, user_id: UUID) -> Mapping[str, Any]:
        self._note("user", user_id)
        self._known(user_id)
        return {"user_id": str(user_id), "user_state": "ACTIVE"}

    async def patch_onboarding(self, user_id: UUID, patch: AnswersPatch) -> Mapping[str, Any]:
        self._note("patch_onboarding", user_id, patch)
        self._known(user_id)
        return {"user_state": "ONBOARDING", "missing": []}

    async def create_friend(
        self,
        user_id: UUID,
        ai_friend_id: UUID | None,
        name: str | None,
        persona_seed: int | None,
        assigned_at: datetime | None,
    ) -> tuple[Mapping[str, Any], bool]:
        self._note("create_friend", user_id, ai_friend_id, name, persona_seed, assigned_at)
        self._known(user_id)
        return {"ai_friend_id": str(ai_friend_id or FRIEND)}, ai_friend_id != FRIEND

    async def friends(self, user_id: UUID) -> Mapping[str, Any]:
        self._known(user_id)
        return {"items": []}

    async def friend(self, user_id: UUID, ai_friend_id: UUID) -> Mapping[str, Any]:
        self._known(user_id)
        if ai_friend_id != FRIEND:
            raise NotFoundError("no such friend")
        return {"ai_friend_id": str(ai_friend_id)}

    async def controls(self, user_id: UUID) -> Mapping[str, Any]:
        self._known(user_id)
        return {"intimate_mode": False}

    async def export(self, user_id: UUID) -> Mapping[str, Any]:
        self._known(user_id)
        return {"user": {"user_id": str(user_id)}}

    async def erase(self, user_id: UUID, now: datetime | None) -> Mapping[str, Any]:
        self._note("erase", user_id, now)
        self._known(user_id)
        return {"users": 1}

    async def patch_controls(
        self, user_id: UUID, changes: Mapping[str, Any], now: datetime | None
    ) -> Mapping[str, Any]:
        self._note("patch_controls", user_id, changes, now)
        self._known(user_id)
        return {"intimate_mode": False}


@dataclass
class FakeConversations:
    """One conversation, of OWNER."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)

    async def owner(self, conversation_id: UUID) -> UUID:
        if conversation_id != CONVERSATION:
            raise NotFoundError("no conversation with this id")
        return OWNER

    async def messages(self, user_id: UUID, conversation_id: UUID, limit: int, before: str | None) -> Mapping[str, Any]:
        self.calls.append((user_id, conversation_id, limit, before))
        return {"items": [], "next": None}


@dataclass
class FakeMemories:
    """One memory, MESSAGE, of OWNER."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)

    async def memories(
        self, user_id: UUID, include_inactive: bool, status: str | None, kind: str | None
    ) -> Mapping[str, Any]:
        self.calls.append((user_id, include_inactive, status, kind))
        return {"items": []}

    async def history(self, user_id: UUID, memory_id: UUID) -> Mapping[str, Any]:
        return self._known("history", user_id, memory_id)

    async def evidence(self, user_id: UUID, memory_id: UUID) -> Mapping[str, Any]:
        return self._known("evidence", user_id, memory_id)

    async def delete(self, user_id: UUID, memory_id: UUID, now: datetime | None) -> Mapping[str, Any]:
        return self._known("delete", user_id, memory_id, now)

    async def correct(self, user_id: UUID, memory_id: UUID, value: str, now: datetime | None) -> Mapping[str, Any]:
        return self._known("correct", user_id, memory_id, value, now)

    async def unsuppress(self, user_id: UUID, memory_key: str) -> Mapping[str, Any]:
        self.calls.append(("unsuppress", user_id, memory_key))
        return {"suppressed_memory_keys": []}

    async def forget(self, user_id: UUID, message_id: UUID, now: datetime | None) -> Mapping[str, Any]:
        return self._known("forget", user_id, message_id, now)

    async def unforget(self, user_id: UUID, message_id: UUID, now: datetime | None) -> Mapping[str, Any]:
        return self._known("unforget", user_id, message_id, now)

    def _known(self, name: str, user_id: UUID, one: UUID, *more: Any) -> Mapping[str, Any]:
        self.calls.append((name, user_id, one, *more))
        if one != MESSAGE:
            raise NotFoundError("no such memory or message")
        return {"memory_id": str(one)}


@dataclass
class FakeContext:
    """Knows OWNER."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)

    async def context(
        self, user_id: UUID, ai_friend_id: UUID | None, text: str, at: datetime | None
    ) -> Mapping[str, Any]:
        self.calls.append((user_id, ai_friend_id, text, at))
        if user_id != OWNER:
            raise NotFoundError("no such user")
        return {"memories": []}


@dataclass
class FakePolicies:
    """Decides nothing; knows the templates PT01 to PT24."""

    evaluated: list[tuple[EvaluationInput, str | None, bool]] = field(default_factory=list)
    checked: list[Mapping[str, Any]] = field(default_factory=list)
    findings: Sequence[object] = ()
    reloaded_by: list[str] = field(default_factory=list)
    reasons: list[str | None] = field(default_factory=list)
    activated: list[tuple[str, str, str]] = field(default_factory=list)
    verdicts: list[tuple[UUID, Verdict, str | None, str]] = field(default_factory=list)

    def evaluate(self, given: EvaluationInput, persona_template_id: str | None, explain: bool) -> Mapping[str, Any]:
        self.evaluated.append((given, persona_template_id, explain))
        if persona_template_id == "PT99":
            raise InvalidInputError("no such template", [FieldError("/persona_template_id", "no such template")])
        return {"routing": {"pipeline": "FRIEND_CHAT"}}

    def check_reply(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        self.checked.append(body)
        return {"passed": True, "violations": []}

    async def active(self) -> Mapping[str, Any]:
        return {"digest": "0123456789"}

    async def history(self, limit: int) -> Mapping[str, Any]:
        return {"items": [limit]}

    async def reload(self, who: str, reason: str | None = None) -> Mapping[str, Any]:
        self.reloaded_by.append(who)
        self.reasons.append(reason)
        if self.findings:
            raise PolicyRefusedError("the policies on disk have errors; the ones in force stay", self.findings)
        return await self.active()

    async def activate(self, digest: str, reason: str, who: str) -> Mapping[str, Any]:
        self.activated.append((digest, reason, who))
        return await self.active()

    async def give_verdict(self, decision_id: UUID, verdict: Verdict, note: str | None, who: str) -> Mapping[str, Any]:
        self.verdicts.append((decision_id, verdict, note, who))
        return {"decision_id": str(decision_id), "verdict": {"verdict": verdict, "note": note}}


@dataclass
class FakeReviews:
    """Keeps what was asked and said."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)

    async def samples(self, judged: bool, limit: int) -> Mapping[str, Any]:
        self.calls.append((judged, limit))
        return {"items": []}

    async def review(
        self, memory_id: UUID, verdict: ReviewVerdict, note: str | None, example: str | None, who: str
    ) -> Mapping[str, Any]:
        self.calls.append((memory_id, verdict, note, example, who))
        return {"memory_id": str(memory_id), "review": {"verdict": verdict}}


@dataclass
class FakeLogs:
    """Keeps the questions."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)

    async def decisions(
        self, user_id: UUID | None, pipeline: str | None, since: datetime | None, limit: int, before: str | None
    ) -> Mapping[str, Any]:
        self.calls.append(("decisions", user_id, pipeline, since, limit, before))
        return {"items": [], "next": None}

    async def audit(
        self, kind: str, user_id: UUID | None, since: datetime | None, limit: int, before: str | None
    ) -> Mapping[str, Any]:
        self.calls.append(("audit", kind, user_id, since, limit, before))
        return {"items": [], "next": None}

    async def counts(self, first: date | None, last: date | None) -> Mapping[str, Any]:
        self.calls.append(("counts", first, last))
        return {"items": []}


@dataclass
class FakeJobs:
    """Knows `decay`."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)

    async def run(self, name: str, now: datetime | None, user_ids: Sequence[UUID] | None) -> Mapping[str, Any]:
        if name not in ("decay", "extract"):
            raise NotFoundError("no such job; there are decay, extract")
        self.calls.append((name, now, user_ids))
        if name == "extract":
            return {"name": name, "processed": 0, "reason": "no model"}
        return {"name": name, "processed": 0}


@dataclass
class FakeHealth:
    """Well, unless told."""

    away: Sequence[str] = ()
    down: bool = False

    async def degraded(self) -> Sequence[str]:
        if self.down:
            raise UnavailableError("the database does not answer (CHINGOO_DATABASE_URL)")
        return self.away


@dataclass
class FakeServices:
    """All of them."""

    turns: FakeTurns = field(default_factory=FakeTurns)
    people: FakePeople = field(default_factory=FakePeople)
    conversations: FakeConversations = field(default_factory=FakeConversations)
    memories: FakeMemories = field(default_factory=FakeMemories)
    context: FakeContext = field(default_factory=FakeContext)
    policies: FakePolicies = field(default_factory=FakePolicies)
    logs: FakeLogs = field(default_factory=FakeLogs)
    reviews: FakeReviews = field(default_factory=FakeReviews)
    jobs: FakeJobs = field(default_factory=FakeJobs)
    health: FakeHealth = field(default_factory=FakeHealth)
    metrics: FakeMetrics = field(default_factory=FakeMetrics)
    clock: FakeClock = field(default_factory=FakeClock)
    ids: FakeIds = field(default_factory=FakeIds)
