"""Every language has every fixed reply, with the same placeholders."""

import re
from collections.abc import Iterator

from chingoo.model.enums import Language
from chingoo.policy.bundle import Bundle
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, OtherPlace

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every reply that one language lacks, and every variant with other placeholders than in English."""
    bundle = subject.bundle
    pattern = bundle.replies[Language.EN]
    for language, document in bundle.replies.items():
        for name in document.replies.keys() - pattern.replies.keys():
            reply = document.replies[name]
            message = f"the reply `{name}` is not written in English"
            yield Finding("reply-missing", message, reply.place, len(name), f"write it in {pattern.place.file}")
        for name, reply in pattern.replies.items():
            if name not in document.replies:
                message = f"the reply `{name}` is not written in this language ({language})"
                others = (OtherPlace(reply.place, "the English one"),)
                yield Finding("reply-missing", message, document.place, others=others)
        if pattern.composer is not None and document.composer is None:
            message = f"`composer` is not written in this language ({language})"
            others = (OtherPlace(pattern.composer.place, "the English one"),)
            yield Finding("reply-missing", message, document.place, others=others)
        yield from _placeholders(bundle, language)


def _placeholders(bundle: Bundle, language: Language) -> Iterator[Finding]:
    pattern, document = bundle.replies[Language.EN], bundle.replies[language]
    for name, reply in document.replies.items():
        if name not in pattern.replies:
            continue
        wanted = set(_PLACEHOLDER.findall(pattern.replies[name].variants[0]))
        for variant in reply.variants:
            found = set(_PLACEHOLDER.findall(variant))
            for lacking in sorted(wanted - found):
                message = f"`{name}` must contain {lacking}, as in English"
                yield Finding("reply-placeholder", message, reply.place, about=variant)
            for extra in sorted(found - wanted):
                message = f"`{name}` contains {extra}, which nothing fills"
                yield Finding("reply-placeholder", message, reply.place, about=variant)
