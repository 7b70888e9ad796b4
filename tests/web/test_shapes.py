"""The shapes that OpenAPI shows are those of the bodies that are sent."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest

from chingoo.flow import answers as built
from chingoo.model.decision import (
    CrisisSignal,
    Decision,
    ExtractedFact,
    Flags,
    GuardSignal,
    Heuristics,
    MatchedEntry,
    RoutingDecision,
    Signals,
    TopicMatch,
    TraceEntry,
)
from chingoo.model.enums import (
    AgeBand,
    CoreArchetype,
    Directness,
    EmojiFreq,
    ExtractedFrom,
    FollowupRate,
    FriendEnergy,
    HumorMode,
    Length,
    LexiconBias,
    MemoryReadPolicy,
    MemoryStatus,
    MemoryWritePolicy,
    Mode,
    Pipeline,
    Role,
    SafetyPolicy,
    Switch,
    TopicID,
    UserState,
    VectorSearchPolicy,
)
from chingoo.model.people import (
    Answers,
    Assignment,
    ComboKey,
    Controls,
    Friend,
    Memory,
    Relationship,
    StableStyleParams,
    StoredMessage,
    User,
)
from chingoo.web.answers import engine, people

ID = UUID("6f1c2c1e-0000-4000-8000-000000000001")
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)

ROUTING = RoutingDecision(
    Pipeline.FRIEND_CHAT,
    SafetyPolicy.ALLOW,
    MemoryReadPolicy.FULL,
    VectorSearchPolicy.ON_DEMAND,
    MemoryWritePolicy.SELECTIVE,
    Switch.ON,
)
SIGNALS = Signals(
    user_text_norm="a",
    norm_no_punct="a",
    token_estimate=1,
    language="en",
    reply_language="en",
    topics=(TopicMatch(TopicID.TRAVEL, 0.65, ("hotel",), False),),
    flags=Flags(False, False, False, False, False),
    heuristics=Heuristics(False, False, False, False),
    valence=0.0,
    emotion_tags=(),
    crisis=CrisisSignal(None),
    guard=GuardSignal(None),
)
DECISION = Decision(
    routing=ROUTING,
    signals=SIGNALS,
    taboo_guard=(TopicID.POLITICS,),
    facts=(ExtractedFact("budget", "budget:general", "2000 AED", 0.9, "instant_pattern"),),
    reply_id=None,
    reply=None,
    digest="abc",
    rules=("routing.default",),
    facts_record={},
    trace=(TraceEntry("routing.default", "policies/routing.yaml", 1, "why", (MatchedEntry("a", "f", 1, (0, 1)),)),),
)
STYLE = StableStyleParams(
    Length.SHORT,
    EmojiFreq.NONE,
    HumorMode.NONE,
    Directness.SOFT,
    FollowupRate.LOW,
    LexiconBias.CLEAN,
    1,
)
COMBO = ComboKey(CoreArchetype.SOFT_NERD, HumorMode.NONE, FriendEnergy.BALANCED)
FRIEND = Friend(ID, ID, ID, "Nabi", Assignment("PT01", 7, STYLE, COMBO, False), AT)
USER = User(ID, UserState.ACTIVE, Answers("Mina", AgeBand.B25_34), AgeBand.B25_34, 3)
MEMORY = Memory(ID, ID, ID, "FACT", "fact:city", "Busan", 0.9, MemoryStatus.ACTIVE, ExtractedFrom.HEURISTIC, AT, AT)

SHAPES: list[tuple[Mapping[str, Any], type[Any]]] = [
    (built.evaluate_body(DECISION, explain=True), engine.EvaluationAnswer),
    (built.evaluate_body(DECISION, explain=False), engine.EvaluationAnswer),
    (built.user_body(USER, Controls(), ["client_timezone"]), people.UserNow),
    (built.controls_body(Controls(mute_until=AT)), people.ControlsNow),
    (built.friend_body(FRIEND), people.FriendMade),
    (built.friend_body(FRIEND) | {"relationship": built.relationship_body(Relationship())}, people.FriendNow),
    (built.message_body(StoredMessage(ID, Role.USER, Mode.FRIEND, None, AT)), people.Message),
    (built.memory_body(MEMORY), people.MemoryRecord),
    (built.brief_memory_body(MEMORY), people.MemoryNamed),
]


@pytest.mark.parametrize(("body", "shape"), SHAPES, ids=lambda value: getattr(value, "__name__", ""))
def test_a_body_has_the_shape_that_is_shown(body: Mapping[str, Any], shape: type[Any]) -> None:
    plain = msgspec.json.decode(msgspec.json.encode(body))
    read = msgspec.convert(plain, shape)
    assert names(plain) == names(msgspec.json.decode(msgspec.json.encode(read)))


def names(value: Any) -> Any:
    """The field names of a body, all the way down."""
    if isinstance(value, dict):
        return {name: names(inner) for name, inner in value.items()}
    return [names(inner) for inner in value] if isinstance(value, list) else None
