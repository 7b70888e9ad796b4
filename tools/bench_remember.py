"""How long the memory work of a turn takes: with `--memories` of them, over messages that tell, correct and chat.

.venv/bin/python tools/bench_remember.py --memories 300
"""

import argparse
import statistics
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid5

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.engine.evaluate import evaluate
from chingoo.flow.compiled import compile_policy
from chingoo.flow.records import evaluation_input
from chingoo.flow.remember import remember
from chingoo.model.enums import AgeBand, ExtractedFrom, MemoryStatus, UserState
from chingoo.model.people import Answers, Controls, Memory, User
from chingoo.model.turn import Known, TurnRequest
from chingoo.policy.compile import load

USER, FRIEND, TALK = UUID(int=1), UUID(int=2), UUID(int=3)
START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
MESSAGES = (
    "I like ramen and I live in Porto.",
    "there is a blue chair near the window",
    "Forget thing 17.",
    "I don't live in Lisbon.",
    "That's not true.",
    "мой размер теперь M",
    "오늘은 날씨가 좋아서 산책을 했어",
)


def memory(number: int) -> Memory:
    """One of many preferences."""
    return Memory(
        memory_id=uuid5(USER, str(number)),
        user_id=USER,
        ai_friend_id=FRIEND,
        type="PREFERENCE",
        memory_key=f"pref:food:thing_{number}",
        memory_value=f"like|thing {number}",
        confidence=0.6,
        status=MemoryStatus.ACTIVE,
        extracted_from=ExtractedFrom.HEURISTIC,
        created_at=START - timedelta(days=number),
        last_confirmed_at=START - timedelta(days=number),
        evidence_message_ids=(uuid5(FRIEND, str(number)),),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=200)
    arguments = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    bundle = load(read_policy_files(root), read_schemas(root)).bundle
    if bundle is None:
        raise SystemExit("the policies do not compile")
    compiled = compile_policy(bundle)
    city = replace(memory(0), type="FACT", memory_key="fact:current_city", memory_value="Lisbon")
    known = Known(
        user=User(USER, UserState.ACTIVE, Answers(), AgeBand.B25_34, 0),
        controls=Controls(),
        missing=(),
        received_at=START,
        memories=(city, *(memory(number) for number in range(1, arguments.memories))),
    )
    for text in MESSAGES:
        request = TurnRequest(UUID(int=9), USER, FRIEND, TALK, text, START)
        decision = evaluate(compiled.engine, evaluation_input(compiled, request, known))
        took = []
        for _ in range(arguments.rounds):
            begun = time.perf_counter()
            reading = compiled.memory.corrections.read(text)
            remember(compiled, request, known, decision, reading, None)
            took.append((time.perf_counter() - begun) * 1000)
        print(f"{statistics.median(took):7.3f} ms p50  {statistics.quantiles(took, n=20)[-1]:7.3f} ms p95  {text}")
    compiled.close()


if __name__ == "__main__":
    main()
