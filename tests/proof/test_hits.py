"""How often each word was seen and in how many refusals, through all editing, and which words never are."""

from datetime import date

import pytest

from chingoo.model.policies import EntryCount
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Entry
from chingoo.proof.hits import EntryUse, entry_uses

TOPICS = "policies/topics.yaml"
MARCH = date(2026, 3, 1)


def word(bundle: Bundle, text: str) -> Entry:
    lists = bundle.topics.lists.values()
    return next(one for words in lists for entries in words.entries.values() for one in entries if names(one) == text)


def names(one: Entry) -> str:
    return one.text.partition(" |")[0]


def seen(uses: tuple[EntryUse, ...]) -> list[tuple[str, int, int, date | None]]:
    return [(use.entry.partition(" |")[0], use.hits, use.refusals, use.last_hit) for use in uses if not use.is_dead]


def test_words_are_counted_each_for_itself_also_on_one_line(bundle: Bundle, policy_files: dict[str, str]) -> None:
    hotel, airport = word(bundle, "hotel"), word(bundle, "airport")
    on_one_line = policy_files[TOPICS].replace(
        "  topics.travel:\n    entries:\n", "  topics.travel:\n    entries:\n      eo: [hotelo, flughaveno]\n"
    )
    number = on_one_line.split("\n").index("      eo: [hotelo, flughaveno]") + 1
    counts = [
        EntryCount("earlier", f"{TOPICS}:{number}:20", MARCH, 7, 7),
        EntryCount(bundle.digest, str(hotel.place), MARCH, 2, 0),
        EntryCount(bundle.digest, str(airport.place), MARCH, 3, 1),
    ]
    uses = entry_uses(bundle, {"earlier": {TOPICS: on_one_line}}, counts)
    assert seen(uses) == [("airport", 3, 1, MARCH), ("hotel", 2, 0, MARCH)], "no entry reads `flughaveno` any more"
    assert uses[0].refused_share == pytest.approx(1 / 3)
    assert (uses[0].list_id, uses[0].language, uses[0].place) == ("topics.travel", "en", airport.place)
    assert len(uses) > 500
    assert len({use.place for use in uses}) == len(uses)


def test_counts_follow_a_word_through_editing(bundle: Bundle, policy_files: dict[str, str]) -> None:
    hotel = word(bundle, "hotel")
    before = "# a line that was deleted since\n" + policy_files[TOPICS]
    above = f"{TOPICS}:{hotel.place.line + 1}:{hotel.place.column}"
    counts = [
        EntryCount("earlier", above, MARCH, hits=4, refusals=1),
        EntryCount("earlier", f"{TOPICS}:1:1", MARCH, hits=9, refusals=9),
        EntryCount("forgotten", above, MARCH, hits=9, refusals=9),
        EntryCount(bundle.digest, str(hotel.place), date(2026, 3, 2), hits=2, refusals=1),
    ]
    assert seen(entry_uses(bundle, {"earlier": {TOPICS: before}}, counts)) == [("hotel", 6, 2, date(2026, 3, 2))]


def test_a_word_that_needed_another_beside_it_is_the_same_word(bundle: Bundle, policy_files: dict[str, str]) -> None:
    hotel = word(bundle, "hotel")
    needy = f"{{text: {hotel.text}, requires: topics.family}}"
    lines = policy_files[TOPICS].split("\n")
    lines[hotel.place.line - 1] = lines[hotel.place.line - 1].replace(hotel.text, needy)
    counts = [EntryCount("earlier", str(hotel.place), MARCH, 1, 0)]
    assert seen(entry_uses(bundle, {"earlier": {TOPICS: "\n".join(lines)}}, counts)) == [("hotel", 1, 0, MARCH)]


def test_patterns_of_facts_and_words_for_events_are_counted_too(bundle: Bundle, policy_files: dict[str, str]) -> None:
    """They also stay the same when lines above them come or go."""
    name = "patterns/instant/en.yaml"
    size = next(one for one in bundle.instant["en"].patterns if one.id == "instant.en.size")
    wedding = bundle.synonyms.values["event"]["wedding"]["en"][0]
    above = f"{name}:{size.place.line + 1}:{size.place.column}"
    counts = [
        EntryCount("earlier", above, MARCH, hits=4, refusals=0),
        EntryCount(bundle.digest, str(size.place), MARCH, hits=1, refusals=0),
        EntryCount(bundle.digest, str(wedding.place), MARCH, hits=2, refusals=0),
    ]
    uses = entry_uses(bundle, {"earlier": {name: "# a line\n" + policy_files[name]}}, counts)
    assert seen(uses) == [("instant.en.size", 5, 0, MARCH), (names(wedding), 2, 0, MARCH)]
