"""What people write counts once in a list: no two of its entries are seen in the same words."""

from collections.abc import Iterator

from chingoo.engine.entries import Form
from chingoo.policy.documents.base import Place
from chingoo.policy.documents.crisis import CrisisContext
from chingoo.policy.documents.safety import CountRule
from chingoo.policy.documents.topics import TopicRule
from chingoo.proof.walk import Subject, Word
from chingoo.source.findings import Finding, OtherPlace


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every entry with a form that its list already has in its language.

    In lists whose words are counted also for one that the list has in another language, unless both are called the
    same (`hotel`): entries of one name count once.
    """
    counted = _counted(subject)
    first: dict[tuple[Place, str], dict[Form, Word]] = {}
    for word in subject.words:
        language = "" if word.list.id in counted else word.language
        spoken = first.setdefault((word.list.place, language), {})
        for form in word.forms:
            before = spoken.setdefault(form, word)
            if before is word or (before.name == word.name and before.language != word.language):
                continue
            yield _twice(word, before, form)
            break


def _counted(subject: Subject) -> set[str]:
    """The lists of which it matters how many different words are seen."""
    counted: set[str] = set()
    for part in subject.parts:
        if isinstance(part, CountRule):
            counted |= set(part.lists)
        elif isinstance(part, TopicRule | CrisisContext):
            counted.add(part.words)
    return counted


def _twice(word: Word, before: Word, form: Form) -> Finding:
    same = "" if before.name == form.text else f", as a form of `{before.name}`"
    spoken = "" if before.language == word.language else f" ({before.language})"
    line = before.entry.place.line
    message = f"`{form.text}` is in `{word.list.id}` twice; the first is in line {line}{spoken}{same}"
    others = (OtherPlace(before.entry.place, "first written here"),)
    hint = "delete one, or give both the same first form"
    return Finding("keyword-twice", message, word.entry.place, 1, hint, others, about=word.entry.text)
