"""What makes a stated fact none: negation, doubt, questions, quotes, somebody else's words (S-32)."""

from typing import NamedTuple

from chingoo.engine.things import ThingWords
from chingoo.engine.utterance import PAUSE, SENTENCE, Utterance
from chingoo.engine.vocabulary import Vocabulary

_SHORTEST_QUESTION = 4  # fewer words after a pause are a tag (…, right?), which asks about what was said before


class Speech(NamedTuple):
    """The small words of one language, with those of the languages it is mixed with."""

    things: ThingWords
    negations: Vocabulary[str]
    doubts: Vocabulary[str]
    doubts_after: Vocabulary[str]
    others: Vocabulary[str]


def is_doubtful(said: Utterance, start: int, stop: int, speech: Speech, people: Vocabulary[str] | None = None) -> bool:
    """Whether what is said from `start` to `stop` is denied, doubted, asked, quoted, or said of somebody else.

    `people` are others of whom it may be said.
    """
    if said.is_quoted(start) or _is_asked(said, start, stop):
        return True
    breaks = speech.things.breaks
    sentence_start, sentence_stop = said.sentence(start)
    since = _last_break(said, sentence_start, start, breaks)
    if speech.doubts.has(said.texts, since, start):
        return True
    clause = max(since, said.clause(start)[0])
    if speech.negations.has(said.texts, clause, start) or _is_of_others(said, clause, start, speech, people):
        return True
    until = stop
    while until < sentence_stop and said.pauses[until] < PAUSE:
        until += 1
    until = next(
        (at for at in breaks.places(said.texts, stop, until) if breaks.at(said.texts, at, sentence_stop)), until
    )
    return speech.doubts_after.has(said.texts, stop, until) or _is_tagged(said, until, sentence_stop, speech)


def is_event_doubtful(said: Utterance, start: int, stop: int, speech: Speech, people: Vocabulary[str]) -> bool:
    """The same of an event, of which words in the whole sentence may say that it is over, or another's.

    `people` are those whose events one celebrates too.
    """
    if is_doubtful(said, start, stop, speech, people) or speech.doubts_after.has(said.texts, *said.sentence(start)):
        return True
    return _is_of_others(said, start, stop, speech, people)


def starts_clause(said: Utterance, index: int, words: ThingWords) -> bool:
    """Whether only small words (hello, and, please) stand between the last pause and a word."""
    begin = index
    while begin > 0 and said.pauses[begin] < PAUSE and words.breaks.at(said.texts, begin - 1, begin) is None:
        begin -= 1
    while begin < index:
        found = (
            words.leads.at(said.texts, begin, index)
            or words.fillers.at(said.texts, begin, index)
            or words.joins.at(said.texts, begin, index)
        )
        if found is None:
            return False
        begin = found[1]
    return True


def ends_clause(said: Utterance, index: int, words: ThingWords) -> bool:
    """Whether only fillers stand between `index` and the next pause."""
    while index < said.size and said.pauses[index] < PAUSE:
        if words.breaks.at(said.texts, index, said.size) or words.joins.at(said.texts, index, said.size):
            return True
        found = words.fillers.at(said.texts, index, said.size)
        if found is None:
            return False
        index = found[1]
    return True


def _is_of_others(said: Utterance, start: int, stop: int, speech: Speech, people: Vocabulary[str] | None) -> bool:
    """Whether anybody else is named between two words; `people` do not count."""
    return any(
        speech.others.at(said.texts, index, stop) is not None
        and (people is None or people.at(said.texts, index, stop) is None)
        for index in speech.others.places(said.texts, start, stop)
    )


def _is_asked(said: Utterance, start: int, stop: int) -> bool:
    """Whether the words are a question; a longer question after a pause asks about something else."""
    if not said.is_asked(start):
        return False
    begin, end = said.sentence(start)
    last = end - 1
    while last > begin and said.pauses[last] < PAUSE:
        last -= 1
    return not (begin < last and stop <= last and end - last >= _SHORTEST_QUESTION)


def _is_tagged(said: Utterance, until: int, stop: int, speech: Speech) -> bool:
    """Whether a doubt follows directly after a pause (`my size is M, I think`)."""
    if until >= stop or said.pauses[until] == SENTENCE:
        return False
    return speech.doubts_after.at(said.texts, until, stop) is not None


def _last_break(said: Utterance, start: int, index: int, breaks: Vocabulary[str]) -> int:
    """Where what `but` or `because` introduces begins, before a word."""
    since = start
    for position in breaks.places(said.texts, start, index):
        found = breaks.at(said.texts, position, index)
        since = found[1] if found is not None else since
    return since
