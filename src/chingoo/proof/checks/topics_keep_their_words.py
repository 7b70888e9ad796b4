"""No topic loses a word of the product's minimum lists (TOPIC-10)."""

from collections.abc import Iterator

from chingoo.engine.entries import ANY_LANGUAGE
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, OtherPlace
from chingoo.text.normalise import normalise


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every minimum word that its topic's list does not have."""
    bundle = subject.bundle
    named = {rule.words for rule in bundle.topics.topics.values()}
    looked_at = (word for word in subject.words if word.list.id in named)
    there = {(word.list.id, word.language, form.text) for word in looked_at for form in word.forms}
    for topic, minimum in bundle.minimums.topics.items():
        rule = bundle.topics.topics.get(topic)
        declared = subject.by_id.get(rule.words) if rule else None
        if declared is None:
            continue  # unknown lists and missing topics are other laws' findings
        for language, words in minimum.words.items():
            for word in words:
                form = normalise(word).match
                if not {(declared.id, language, form), (declared.id, ANY_LANGUAGE, form)} & there:
                    message = f"the topic {topic} has lost its word `{word}` ({language})"
                    hint = f"add it to `{declared.id}`; minimum words may not be removed"
                    others = (OtherPlace(minimum.place, "the minimum list"),)
                    yield Finding("topic-word-missing", message, declared.place, len(declared.id), hint, others)
