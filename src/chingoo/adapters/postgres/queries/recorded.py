"""One recorded decision with its verdict, to be made a case of: facts and rules, never the message."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.statements import Statement

DECISION = Statement("""
select d.rules, d.facts_record, d.received_at, v.verdict, v.note
from decisions d
left join decision_verdicts v on v.user_id = d.user_id and v.decision_id = d.decision_id
where d.decision_id = %(decision_id)s
""")


class RecordedDecision(msgspec.Struct, frozen=True):
    """What is kept of a decision. `verdict` is an editor's, None where nobody gave one."""

    rules: list[str]
    facts_record: dict[str, bool | int | str]
    received_at: datetime
    verdict: str | None = None
    note: str | None = None


async def recorded_decision(database: Database, decision_id: UUID) -> RecordedDecision | None:
    """The decision, or None if there is none of that id."""
    row: Any = await database.row(DECISION, {"decision_id": decision_id})
    if row is None:
        return None
    facts = row["facts_record"]  # JSON comes as the text it is
    plain = {**row, "facts_record": msgspec.json.decode(facts) if isinstance(facts, str) else facts}
    return msgspec.convert(plain, RecordedDecision)
