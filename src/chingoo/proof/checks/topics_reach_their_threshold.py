"""In each language that a topic has words in, a message can raise it: enough words to reach the threshold (C-03)."""

from collections.abc import Iterator
from fractions import Fraction

from chingoo.engine.entries import ANY_LANGUAGE
from chingoo.model.enums import Language
from chingoo.policy.bundle import Bundle
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding

ALWAYS = (Language.EN, Language.KO)
"""The languages of the product's own lists: these every topic must reach."""


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every topic and language with too few different words."""
    needed = words_needed(subject.bundle)
    topics = subject.bundle.topics.topics
    asked = {rule.words for rule in topics.values()}
    names: dict[tuple[str, str], set[str]] = {}
    for word in subject.words:
        if word.list.id in asked:
            names.setdefault((word.list.id, word.language), set()).add(word.name)
    for topic, rule in topics.items():
        declared = subject.by_id.get(rule.words)
        if declared is None:
            continue
        common = names.get((declared.id, ANY_LANGUAGE), set())
        short = []
        for language in sorted({*ALWAYS, *declared.words.entries} - {ANY_LANGUAGE}):
            different = len(common | names.get((declared.id, str(language)), set()))
            if different < needed:
                short.append(f"{language} ({different})")
        if short:
            message = f"{topic} has too few words in {', '.join(short)}; it takes {needed} to raise it"
            hint = "add words, so that people who write these languages can raise the topic"
            yield Finding("topic-unreachable", message, declared.place, len(declared.id), hint)


def words_needed(bundle: Bundle) -> int:
    """How many different words it takes until base + step × words reaches the threshold (TOPIC-03, TOPIC-07)."""
    rule = bundle.topics.confidence
    base, step, wanted = (Fraction(str(value)) for value in (rule.base, rule.step, rule.initiated))
    return max(1, -(-(wanted - base) // step)) if step > 0 else 1
