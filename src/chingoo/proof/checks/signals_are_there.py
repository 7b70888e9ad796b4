"""The signals that decisions carry, and those that other signals name, are declared."""

from collections.abc import Iterator

from chingoo.engine.engine import CLAIMS_IN_DECISIONS, SIGNALS_IN_DECISIONS
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding
from chingoo.source.suggest import did_you_mean


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every signal that must be there and is not."""
    signals, safety = subject.bundle.signals, subject.bundle.safety
    for wanted, document in ((SIGNALS_IN_DECISIONS, signals), (CLAIMS_IN_DECISIONS, safety)):
        for name in wanted:
            if name not in document.signals:
                message = f"the signal `{name}` must be declared here; decisions carry it"
                yield Finding("signal-missing", message, document.place, about="signals")
    known = {**signals.signals, **safety.signals}
    for name in signals.fact_question.without:
        if name not in known:
            offer = did_you_mean(name, known)
            hint = f"did you mean `{offer}`?" if offer else None
            message = f"there is no signal `{name}`"
            yield Finding("signal-unknown", message, signals.fact_question.place, hint=hint, about=name)
