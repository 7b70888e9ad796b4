"""How often each word was seen, in how many refusals, and which words never are."""

from datetime import UTC, datetime, timedelta

from chingoo.policy.bundle import Bundle
from chingoo.proof.hits import Recorded, Tally, tallied, word_hits

AT = datetime(2026, 1, 1, tzinfo=UTC)


def test_messages_are_counted_once_for_each_line() -> None:
    recorded = [
        Recorded(("a:1", "a:1", "b:2"), "REFUSAL", AT + timedelta(days=1)),
        Recorded(("a:1",), "FRIEND_CHAT", AT),
    ]
    tallies = tallied(recorded)
    assert tallies == {"a:1": Tally(2, 1, AT + timedelta(days=1)), "b:2": Tally(1, 1, AT + timedelta(days=1))}
    assert tallies["a:1"].share_refused == 0.5


def test_the_most_seen_come_first_and_the_dead_last(bundle: Bundle) -> None:
    travel = bundle.topics.lists["topics.travel"].entries["en"]
    seen = [f"{entry.place.file}:{entry.place.line}" for entry in travel[:2]]
    found = word_hits(bundle, tallied([Recorded((seen[1],), "REFUSAL", AT), *[Recorded((seen[0],), "x", AT)] * 3]))
    assert [one.where for one in found[:2]] == seen
    assert [one.tally.hits for one in found[:2] if one.tally is not None] == [3, 1]
    assert found[-1].tally is None
    assert sum(one.tally is not None for one in found) == 2


def test_counts_of_lines_that_hold_no_entry_are_left_out(bundle: Bundle) -> None:
    found = word_hits(bundle, tallied([Recorded(("policies/gone.yaml:3",), "x", AT)]))
    assert all(one.tally is None for one in found)
