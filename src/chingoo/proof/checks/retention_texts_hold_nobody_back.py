"""No words of a proactive message use guilt, fear of missing out, neediness, pressure or coaxing to stay."""

from collections.abc import Iterator

from chingoo.engine.engine import match_tables
from chingoo.engine.matcher import Matcher, compile_matcher
from chingoo.engine.scan import Scan
from chingoo.engine.sights import seen
from chingoo.policy.documents.gates import SeenAs
from chingoo.proof.retention import RungText, rung_texts
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, OtherPlace
from chingoo.text.normalise import normalise


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every text in which the words of the `dependency` gate are seen, also those for goodbyes only."""
    tactics = subject.bundle.gates.dependency
    matcher = _matcher(subject, tactics)
    for text in rung_texts(subject.bundle.retention):
        scan = matcher.scan(normalise(text.text))
        for tactic in tactics:
            yield from _told(tactic, scan, text)


def _matcher(subject: Subject, tactics: tuple[SeenAs, ...]) -> Matcher:
    """Looks for the words of these tactics alone."""
    sights = [tactic.seen for tactic in tactics if tactic.seen is not None]
    names = {name for sight in sights for near in sight.any for name in (*near.lists, *near.unless)}
    names |= {name for sight in sights for name in sight.none}
    known = {name: declared.words for name, declared in subject.by_id.items()}
    chosen = {name: known[name] for name in sorted(names & known.keys())}
    return compile_matcher(chosen, match_tables(subject.bundle.lexicons), known)


def _told(tactic: SeenAs, scan: Scan, text: RungText) -> Iterator[Finding]:
    hits = seen(tactic.seen, scan) if tactic.seen is not None else None
    if hits:
        words = ", ".join(dict.fromkeys(f"`{hit.entry.text.split('|')[0].strip()}`" for hit in hits))
        message = f"a text that is sent unasked ({text.language}) uses {tactic.id.replace('_', ' ')}: {words}"
        others = tuple(OtherPlace(hit.entry.place, "the words are listed here") for hit in hits)
        hint = "say it so that nothing is asked for and nobody is missed"
        yield Finding("retention-coaxing", message, text.place, 1, hint, others, about=text.text)
