"""What is proved is what runs: formula, reference evaluator and rule engine agree, and all shipped invariants hold."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.proof import small

from chingoo.engine.engine import Engine
from chingoo.engine.reference import first_rule
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.invariants import InvariantsDocument
from chingoo.policy.documents.routing import Condition
from chingoo.proof.agreement import agreement
from chingoo.proof.invariants import prove
from chingoo.proof.judging import load_judging
from chingoo.proof.records import domains, neighbours, neutral_record, random_records

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def invariants(policy_files: dict[str, str], policy_schemas: dict[str, str]) -> InvariantsDocument:
    judging = load_judging(policy_files, policy_schemas).judging
    assert judging is not None
    return judging.invariants


def test_the_shipped_invariants_are_proved_in_time(bundle: Bundle, invariants: InvariantsDocument) -> None:
    before = perf_counter()
    verdicts = prove(invariants, bundle.facts, bundle.routing, bundle.pipelines)
    assert perf_counter() - before < 5
    assert [verdict.invariant.id for verdict in verdicts if not verdict.holds] == []
    assert len(verdicts) >= 40


def test_three_evaluators_agree(engine: Engine, bundle: Bundle, invariants: InvariantsDocument) -> None:
    found = agreement(engine, bundle, invariants, seed=20, amount=10_000)
    assert found.disagreements == ()
    assert found.witnesses == len(bundle.routing.rules)
    assert found.neighbours > 20 * found.witnesses


def test_a_disagreement_is_found(engine: Engine, bundle: Bundle, invariants: InvariantsDocument) -> None:
    """The formula is made of other rules than those that run."""
    *rules, default = bundle.routing.rules
    one = rules[-1]
    flipped = replace(one, when=Condition(one.place, not_=one.when))
    other = replace(bundle, routing=replace(bundle.routing, rules=(*rules[:-1], flipped, default)))
    found = agreement(engine, other, invariants, seed=20, amount=50)
    assert not found.holds
    assert found.disagreements[0].engine == found.disagreements[0].reference != found.disagreements[0].formula[0]


def test_random_records_reach_every_rule(engine: Engine, bundle: Bundle, invariants: InvariantsDocument) -> None:
    values = shipped_domains(bundle, invariants)
    fired = Counter(first_rule(engine.table, record).id for record in random_records(values, 20, 10_000))
    assert set(fired) == {rule.id for rule in bundle.routing.rules}


def shipped_domains(bundle: Bundle, invariants: InvariantsDocument) -> dict[str, tuple[bool | int | str, ...]]:
    conditions = [rule.when for rule in bundle.routing.rules if rule.when is not None]
    facts = bundle.facts.facts
    return dict(domains(facts, conditions, neutral_record(facts, invariants.neutral)))


def test_values_worth_trying_stand_around_every_bound() -> None:
    conditions = [rule.when for rule in small.routing().rules if rule.when is not None]
    facts = small.facts().facts
    values = domains(facts, conditions, neutral_record(facts, {"age": "adult"}))
    assert values == {
        "age": ("adult", "minor", "unknown"),
        "crisis": (False, True),
        "sexual": (0, 1, 2, 3),
        "question": (False, True),
    }


@given(st.integers(0, 2**64 - 1))
def test_random_records_are_those_of_their_seed_and_have_every_fact(seed: int) -> None:
    facts = small.facts().facts
    values = domains(facts, [], neutral_record(facts, {}))
    records = list(random_records(values, seed, 20))
    assert records == list(random_records(values, seed, 20))
    assert all(record[name] in values[name] for record in records for name in facts)


def test_neighbours_differ_in_one_fact_each() -> None:
    facts = small.facts().facts
    neutral = neutral_record(facts, {"age": "adult"})
    near = list(neighbours(neutral, domains(facts, [], neutral)))
    assert len(near) == 2 + 1 + 2 + 1
    assert all(sum(one[name] != neutral[name] for name in facts) == 1 for one in near)


@pytest.mark.soak
def test_every_change_of_a_safety_rule_is_caught() -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "mutate_policies.py")], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
