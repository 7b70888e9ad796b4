"""How engines are built: alike in every process, or refused with a finding, whether or not a law knows why (S-20)."""

from dataclasses import replace

import pytest

from chingoo.engine.engine import Engine, lists_of
from chingoo.errors import PolicyRefusedError
from chingoo.flow.compiled import compile_policy
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Entry
from chingoo.source.findings import Finding
from chingoo.source.places import Place


def refusal(bundle: Bundle) -> Finding:
    with pytest.raises(PolicyRefusedError) as refused:
        compile_policy(bundle)
    (finding,) = refused.value.findings
    assert isinstance(finding, Finding)
    assert finding.code == "policy-cannot-be-built"
    assert finding.message in refused.value.detail
    return finding


def test_a_word_that_cannot_be_looked_for(bundle: Bundle) -> None:
    name, words = next(iter(bundle.topics.lists.items()))
    place = Place("policies/topics.yaml", 7, 9)
    emptied = replace(words, entries={**words.entries, "en": (Entry("!!", place),)})
    finding = refusal(replace(bundle, topics=replace(bundle.topics, lists={**bundle.topics.lists, name: emptied})))
    assert finding.place == place
    assert finding.message == "nothing is left of `!!` to look for"


def test_a_table_without_a_default(bundle: Bundle) -> None:
    finding = refusal(replace(bundle, routing=replace(bundle.routing, rules=bundle.routing.rules[:-1])))
    assert finding.place == bundle.routing.place


def test_what_no_law_knows_of(bundle: Bundle) -> None:
    lexicons = {name: lexicon for name, lexicon in bundle.lexicons.items() if name != "korean"}
    finding = refusal(replace(bundle, lexicons=lexicons))
    assert finding.message == "KeyError: 'korean'"
    assert finding.hint is not None


def test_lists_are_gone_through_in_the_order_of_the_policies(bundle: Bundle, engine: Engine) -> None:
    """Which of two equal hits is shown must not depend on the process: sets have another order in each."""
    order = {list_id: number for number, list_id in enumerate(lists_of(bundle))}
    assert engine.matcher.plain_automaton is not None
    for of_words, _, held in engine.matcher.plain_automaton.values():
        for lists in (of_words, *(one.lists for one in held)):
            places = [order.get(list_id, len(order)) for list_id in lists]
            assert places == sorted(places)
