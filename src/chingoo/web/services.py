"""What the handlers call: the use cases as protocols, so that tests bring small fakes and `wiring` the real ones."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Protocol
from uuid import UUID

from chingoo.model.decision import EvaluationInput
from chingoo.model.policies import Verdict
from chingoo.model.reviews import ReviewVerdict
from chingoo.model.turn import TurnRequest
from chingoo.ports.machine import Clock, Ids, Metrics
from chingoo.ports.people import AnswersPatch

Json = Mapping[str, Any]


class Turns(Protocol):
    """`service.turn.TurnService`."""

    async def take_turn(self, request: TurnRequest) -> Json:
        """The body of `POST /v1/turns`."""
        ...

    async def stored(self, user_id: UUID, message_id: UUID) -> tuple[int, Json]:
        """200 and the stored answer, or 202 while it is being answered."""
        ...


class People(Protocol):
    """`service.people.PeopleService`."""

    async def create_user(self, user_id: UUID | None) -> tuple[Json, bool]:
        """The user, and whether it is new."""
        ...

    async def user(self, user_id: UUID) -> Json:
        """The user with answers, what is missing, and controls."""
        ...

    async def patch_onboarding(self, user_id: UUID, patch: AnswersPatch) -> Json:
        """`{user_state, missing}`."""
        ...

    async def create_friend(
        self,
        user_id: UUID,
        ai_friend_id: UUID | None,
        name: str | None,
        persona_seed: int | None,
        assigned_at: datetime | None,
    ) -> tuple[Json, bool]:
        """The friend, and whether it is new."""
        ...

    async def friends(self, user_id: UUID) -> Json:
        """`{items}`."""
        ...

    async def friend(self, user_id: UUID, ai_friend_id: UUID) -> Json:
        """One friend and the relationship."""
        ...

    async def controls(self, user_id: UUID) -> Json:
        """The controls in force."""
        ...

    async def patch_controls(self, user_id: UUID, changes: Mapping[str, Any], now: datetime | None) -> Json:
        """Change the named controls."""
        ...

    async def export(self, user_id: UUID) -> Json:
        """Everything that is stored of a person."""
        ...

    async def erase(self, user_id: UUID, now: datetime | None) -> Json:
        """Erase a person; what was erased where."""
        ...


class Conversations(Protocol):
    """`service.conversations.ConversationService`."""

    async def owner(self, conversation_id: UUID) -> UUID:
        """Whose conversation this is."""
        ...

    async def messages(self, user_id: UUID, conversation_id: UUID, limit: int, before: str | None) -> Json:
        """A page of the history."""
        ...


class Memories(Protocol):
    """`service.memories.MemoryService`."""

    async def memories(self, user_id: UUID, include_inactive: bool, status: str | None, kind: str | None) -> Json:
        """The memories."""
        ...

    async def history(self, user_id: UUID, memory_id: UUID) -> Json:
        """All that was remembered under the key of a memory."""
        ...

    async def evidence(self, user_id: UUID, memory_id: UUID) -> Json:
        """The messages that a memory rests on."""
        ...

    async def delete(self, user_id: UUID, memory_id: UUID, now: datetime | None) -> Json:
        """Delete a memory and suppress its key."""
        ...

    async def correct(self, user_id: UUID, memory_id: UUID, value: str, now: datetime | None) -> Json:
        """Give a memory another value."""
        ...

    async def unsuppress(self, user_id: UUID, memory_key: str) -> Json:
        """Let a key be remembered again."""
        ...

    async def forget(self, user_id: UUID, message_id: UUID, now: datetime | None) -> Json:
        """Forget a message."""
        ...

    async def unforget(self, user_id: UUID, message_id: UUID, now: datetime | None) -> Json:
        """Take that back."""
        ...


class Context(Protocol):
    """`service.context.ContextService`."""

    async def context(self, user_id: UUID, ai_friend_id: UUID | None, text: str, at: datetime | None) -> Json:
        """What a turn would be given."""
        ...


class Policies(Protocol):
    """`service.policy_service.PolicyService`."""

    def evaluate(self, given: EvaluationInput, persona_template_id: str | None, explain: bool) -> Json:
        """What a turn would be decided to be."""
        ...

    def check_reply(self, body: Mapping[str, Any]) -> Json:
        """The gates alone. `body` holds every field of `bodies.ReplyCheck`, as plain JSON values."""
        ...

    async def active(self) -> Json:
        """Which bundle is in force, here and in the other processes."""
        ...

    async def history(self, limit: int) -> Json:
        """The switches, newest first."""
        ...

    async def reload(self, who: str, reason: str | None = None) -> Json:
        """Compile what is on disk and switch to it."""
        ...

    async def activate(self, digest: str, reason: str, who: str) -> Json:
        """Go back to a stored bundle."""
        ...

    async def give_verdict(self, decision_id: UUID, verdict: Verdict, note: str | None, who: str) -> Json:
        """Note what an editor says of a decision."""
        ...


class Logs(Protocol):
    """`service.logs.LogService`."""

    async def decisions(
        self, user_id: UUID | None, pipeline: str | None, since: datetime | None, limit: int, before: str | None
    ) -> Json:
        """Decision records, newest first."""
        ...

    async def audit(
        self, kind: str, user_id: UUID | None, since: datetime | None, limit: int, before: str | None
    ) -> Json:
        """Rows of one log, newest first."""
        ...

    async def counts(self, first: date | None, last: date | None) -> Json:
        """Guard hits and crises by month."""
        ...


class Reviews(Protocol):
    """`service.reviews.ReviewService`."""

    async def samples(self, judged: bool, limit: int) -> Json:
        """Samples of what batches made."""
        ...

    async def review(
        self, memory_id: UUID, verdict: ReviewVerdict, note: str | None, example: str | None, who: str
    ) -> Json:
        """Note what somebody says of one."""
        ...


class Jobs(Protocol):
    """`service.jobs.JobService`."""

    async def run(self, name: str, now: datetime | None, user_ids: Sequence[UUID] | None) -> Json:
        """Run one job."""
        ...


class Health(Protocol):
    """Whether the parts answer."""

    async def degraded(self) -> Sequence[str]:
        """The names of the parts that are away but not needed; UnavailableError without database or bundle."""
        ...


class Exposition(Metrics, Protocol):
    """Metrics that can be read."""

    def exposition(self) -> tuple[bytes, str]:
        """The text of `/metrics`, and its content type."""
        ...


class Services(Protocol):
    """Everything the web layer needs, as `wiring` builds it."""

    @property
    def turns(self) -> Turns:
        """Turns."""
        ...

    @property
    def people(self) -> People:
        """Users, onboarding, friends, controls."""
        ...

    @property
    def conversations(self) -> Conversations:
        """Histories."""
        ...

    @property
    def memories(self) -> Memories:
        """What is remembered, and forgetting."""
        ...

    @property
    def context(self) -> Context:
        """What a turn would be given."""
        ...

    @property
    def policies(self) -> Policies:
        """Evaluation, gates, and the bundle in force."""
        ...

    @property
    def logs(self) -> Logs:
        """Decisions and audits."""
        ...

    @property
    def reviews(self) -> Reviews:
        """Samples of what batches made, for people to look at."""
        ...

    @property
    def jobs(self) -> Jobs:
        """Background work."""
        ...

    @property
    def health(self) -> Health:
        """Readiness."""
        ...

    @property
    def metrics(self) -> Exposition:
        """Counters and timings."""
        ...

    @property
    def clock(self) -> Clock:
        """The server's clock."""
        ...

    @property
    def ids(self) -> Ids:
        """Fresh ids."""
        ...
