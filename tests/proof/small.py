"""Small policy documents written as YAML, for tests that need no more than a few facts and rules."""

from typing import Any

from chingoo.policy.documents.facts import FactsDocument
from chingoo.policy.documents.invariants import InvariantsDocument
from chingoo.policy.documents.pipelines import PipelinesDocument
from chingoo.policy.documents.routing import RoutingDocument
from chingoo.policy.parse import Parser
from chingoo.source.reader import read

FACTS = """
facts:
  age: {type: enum, description: age band, members: [minor, adult, unknown]}
  crisis: {type: boolean, description: a crisis}
  sexual: {type: integer, description: sexual words, at_most: 3}
  question: {type: boolean, description: a question}
"""

PIPELINES = """
pipelines:
  ONBOARDING_CHAT:
    {because: x, memory_read_policy: LIGHT, vector_search_policy: OFF, memory_write_policy: SELECTIVE,
     relationship_update_policy: ON}
  FRIEND_CHAT:
    {because: x, memory_read_policy: FULL, vector_search_policy: ON_DEMAND, memory_write_policy: SELECTIVE,
     relationship_update_policy: ON}
  EMOTIONAL_SUPPORT:
    {because: x, memory_read_policy: LIGHT, vector_search_policy: OFF, memory_write_policy: SELECTIVE,
     relationship_update_policy: ON}
  INFO_QA:
    {because: x, memory_read_policy: NONE, vector_search_policy: OFF, memory_write_policy: NONE,
     relationship_update_policy: ON}
  REFUSAL:
    {because: x, memory_read_policy: NONE, vector_search_policy: OFF, memory_write_policy: NONE,
     relationship_update_policy: OFF}
"""

ROUTING = """
rules:
  - id: crisis
    when: {fact: crisis, is: true}
    then: {pipeline: EMOTIONAL_SUPPORT, safety_policy: ALLOW, reply: help, memory_write_policy: NONE}
    because: help first
  - id: minor
    when: {all: [{fact: sexual, gte: 1}, {fact: age, in: [minor, unknown]}]}
    then: {pipeline: REFUSAL, safety_policy: HARD_REFUSE, reply: no}
    because: not for minors
  - id: question
    when: {all: [{fact: question, is: true}, {not: {fact: sexual, gte: 2}}]}
    then: {pipeline: INFO_QA, safety_policy: ALLOW}
    because: questions are answered
  - id: chat
    then: {pipeline: FRIEND_CHAT, safety_policy: ALLOW}
    because: all else
strictest:
  id: strictest
  then: {pipeline: REFUSAL, safety_policy: HARD_REFUSE, reply: no}
  because: nothing works
"""


def document(kind: type, text: str, file: str) -> Any:
    """A document from its YAML text."""
    result = read(text, file)
    assert result.tree is not None, result.findings
    assert result.findings == ()
    parsed = Parser().parse(kind, result.tree)
    assert parsed.finding is None, parsed.finding
    return parsed.document


def facts(text: str = FACTS) -> FactsDocument:
    made: FactsDocument = document(FactsDocument, text, "policies/facts.yaml")
    return made


def routing(text: str = ROUTING) -> RoutingDocument:
    made: RoutingDocument = document(RoutingDocument, text, "policies/routing.yaml")
    return made


def pipelines(text: str = PIPELINES) -> PipelinesDocument:
    made: PipelinesDocument = document(PipelinesDocument, text, "policies/pipelines.yaml")
    return made


def invariants(listed: str, neutral: str = "{age: adult}") -> InvariantsDocument:
    """Invariants from the YAML of their list."""
    text = f"neutral: {neutral}\ninvariants:\n{listed}"
    made: InvariantsDocument = document(InvariantsDocument, text, "policies/invariants.yaml")
    return made
