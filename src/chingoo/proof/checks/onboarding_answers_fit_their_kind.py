"""Each onboarding answer has what its kind needs and nothing else; the age bands are those that rules know (ONB-05)."""

from collections.abc import Iterator

from chingoo.model.enums import AgeBand
from chingoo.policy.documents.onboarding import OnboardingAnswer
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding

_AGE = "age_band"


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for choices or lengths at the wrong kind, a default that is no choice, and unknown age bands."""
    for answer in subject.bundle.onboarding.answers:
        yield from _kind(answer)
        if answer.id == _AGE:
            known = [band.value for band in AgeBand if band is not AgeBand.UNKNOWN]
            for band in answer.choices:
                if band not in known:
                    message = f"there is no age band `{band}`; no rule would know it"
                    hint = f"known are {', '.join(known)}"
                    yield Finding("onboarding-answer", message, answer.place, hint=hint, about=band)
            lacking = [band for band in known if band not in answer.choices]
            if lacking and answer.choices:
                message = f"people of {', '.join(lacking)} could not answer"
                yield Finding("onboarding-answer", message, answer.place, hint="add the choice", about="choices")


def _kind(answer: OnboardingAnswer) -> Iterator[Finding]:
    if (answer.kind == "choice") != bool(answer.choices):
        message = f"`{answer.id}` is of kind {answer.kind}; " + (
            "it needs `choices`" if answer.kind == "choice" else "only a choice has `choices`"
        )
        yield Finding("onboarding-answer", message, answer.place, about="kind")
    if answer.max_length is not None and answer.kind != "text":
        message = f"`{answer.id}` is of kind {answer.kind}; only a text has a `max_length`"
        yield Finding("onboarding-answer", message, answer.place, hint="delete it", about="max_length")
    if answer.choices and answer.default is not None and answer.default not in answer.choices:
        message = f"the default `{answer.default}` is none of the choices"
        hint = f"write one of {', '.join(answer.choices)}"
        yield Finding("onboarding-answer", message, answer.place, hint=hint, about=answer.default)
    if answer.required and answer.default is not None:
        message = f"`{answer.id}` is required, so that its default never holds"
        yield Finding("onboarding-answer", message, answer.place, hint="delete one of the two", about="default")
