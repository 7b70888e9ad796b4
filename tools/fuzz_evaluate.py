"""Coverage-guided fuzzing of the decision: it never raises, is deterministic, and its spans lie inside the text.

`python tools/fuzz_evaluate.py [seconds]`, with the package of tools/soak.lock; `make soak` does both. What is found is
written to a file, whose name is printed, and shown with its input.
"""

import random
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

try:
    import atheris
except ImportError:
    print("fuzz: there is no atheris for this machine; the properties of tests/engine have to do")
    sys.exit(0)

with atheris.instrument_imports(include=["chingoo.text", "chingoo.engine"]):
    from chingoo.engine.engine import Engine, build_engine, lists_of
    from chingoo.engine.entries import entry_name
    from chingoo.engine.evaluate import evaluate, route

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.model.decision import EvaluationInput, Utterance
from chingoo.model.enums import AgeBand, Mode, Role, Source, TopicID, UserState
from chingoo.policy.compile import load

ROOT = Path(__file__).resolve().parent.parent
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
LONGEST = 600
WORDS = 4000
"""How many listed words a run may put into its texts, chosen by chance."""


class Target:
    """The shipped policies, asked about whatever the fuzzer makes up."""

    def __init__(self) -> None:
        result = load(read_policy_files(ROOT), read_schemas(ROOT))
        if result.bundle is None:
            sys.exit("the policies do not compile; see `chingoo policy check`")
        self._engine: Engine = build_engine(result.bundle)
        entries = {
            entry_name(e) for words in lists_of(result.bundle).values() for own in words.entries.values() for e in own
        }
        self._words = random.Random(20260302).sample(sorted(entries), min(WORDS, len(entries)))
        self._detected = result.bundle.facts.facts["detector"].members

    def __call__(self, data: bytes) -> None:
        """One input: AssertionError, or whatever was raised, is a find."""
        source = atheris.FuzzedDataProvider(data)
        given = EvaluationInput(
            text=self._text(source),
            received_at=AT,
            user_state=source.PickValueInList(list(UserState)),
            age_band=source.PickValueInList(list(AgeBand)),
            mode=source.PickValueInList(list(Mode)),
            source=source.PickValueInList(list(Source)),
            country=source.PickValueInList([None, "US", "xx"]),
            client_locale=source.PickValueInList([None, "ko-KR", "pt", ""]),
            history=tuple(
                Utterance(source.PickValueInList(list(Role)), self._text(source))
                for _ in range(source.ConsumeIntInRange(0, 2))
            ),
            suppressed_topics=frozenset(source.PickValueInList([(), (TopicID.POLITICS,), tuple(TopicID)])),
            claimed_under_13=source.ConsumeBool(),
            detector=source.PickValueInList(list(self._detected)),
        )
        decision = evaluate(self._engine, given, explain=True)
        assert evaluate(self._engine, given, explain=True) == decision, "another decision for the same input"
        size = len(given.text)
        spans = [*((start, end) for _, start, end in decision.spans)]
        spans += [one.span for entry in decision.trace for one in entry.matched]
        assert all(0 <= start < end <= size for start, end in spans), "a span outside the text"
        rule, routing = route(self._engine, decision.facts_record)
        assert (rule.id, routing) == (decision.rules[0], decision.routing), "the record decides otherwise"
        without = evaluate(self._engine, replace(given, detector="off"))
        assert decision.signals.crisis.detected or not without.signals.crisis.detected, "a crisis was lost"

    def _text(self, source: "atheris.FuzzedDataProvider") -> str:
        """Any characters, halves of surrogate pairs too, and listed words between them."""
        parts: list[str] = []
        while source.remaining_bytes() and sum(map(len, parts)) < LONGEST and source.ConsumeIntInRange(0, 9):
            if source.ConsumeBool():
                parts.append(self._words[source.ConsumeIntInRange(0, len(self._words) - 1)])
            else:
                parts.append(source.ConsumeUnicode(source.ConsumeIntInRange(0, 40)))
            parts.append(source.PickValueInList([" ", "", ".", "\u200b"]))
        return "".join(parts)


def main(seconds: int) -> None:
    """Fuzz for so long; the process ends with 0 if nothing was found."""
    atheris.Setup(
        [sys.argv[0], f"-max_total_time={seconds}", "-max_len=4096", "-timeout=60", "-print_final_stats=1"], Target()
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 600)
