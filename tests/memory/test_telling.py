"""What is told of a memory's source is quoted as far as policy says (S-17)."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from chingoo.engine.engine import Engine
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.telling import Teller
from chingoo.memory.reader import build_reader
from chingoo.model.enums import ExtractedFrom, Language, MemoryStatus, Mode, Role
from chingoo.model.people import Memory, StoredMessage
from chingoo.policy.bundle import Bundle

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
ID = UUID(int=1)
HOME = Memory(
    memory_id=ID, user_id=ID, ai_friend_id=ID, type="FACT", memory_key="fact:home_city", memory_value="Porto",
    confidence=0.6, status=MemoryStatus.ACTIVE, extracted_from=ExtractedFrom.HEURISTIC, created_at=AT,
    last_confirmed_at=AT,
)  # fmt: skip


@pytest.mark.parametrize(
    ("most", "quoted"), [(160, "I live in Porto, near the harbour"), (15, "I live in Porto…"), (11, "I live in P…")]
)
def test_a_source_is_quoted_up_to_so_many_characters(most: int, quoted: str, bundle: Bundle, engine: Engine) -> None:
    surfacing = replace(bundle.memory.surfacing, quoted_characters=most)
    policies = replace(bundle, memory=replace(bundle.memory, surfacing=surfacing))
    teller = Teller(CompiledPolicy(policies, engine, build_reader(policies)), Language.EN, "seed")
    said = StoredMessage(ID, Role.USER, Mode.FRIEND, "I live in Porto, \n near the harbour", AT)
    told = teller.source(HOME, [said], Mode.FRIEND, UTC)
    assert quoted in told
    assert ("…" in told) == (most < len("I live in Porto, near the harbour"))
