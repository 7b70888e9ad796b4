# cython: language_level=3, boundscheck=False, wraparound=False
"""Spells forms out, and gathers the keys under which they are looked up: what is done hundreds of thousands of times.

A spelling is a text, the form that it is one of, and the target for which it stands. Forms, rules and targets are tuples
(see entries.py, keys.py, hits.py), whose items are taken by their places.
"""

from chingoo.engine.automata import Held
from chingoo.engine.automaton import Automaton
from chingoo.engine.keys import RULES, elided_rule
from chingoo.text.language import ARABIZI, ENGLISH
from chingoo.text.letters import rewritten, skeleton, unaccented

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef enum:
    SHORTEST_COMPACT = 7
    SHORTEST_REVERSED = 7
    SHORTEST_SPACED_OUT = 5
    SHORTEST_SOUNDED = 5
    FINALS_PER_VOWEL = 28
    VOWELS_PER_FIRST = 21
    FIRST_SYLLABLE = 0xac00  # 가
    LAST_SYLLABLE = 0xd7a3  # 힣

cdef frozenset VOWELS = frozenset("aeiouhyàâäéèêëîïìíôöòóùûúüœæ")
cdef tuple VERB_FINALS = (0, 4, 8, 16, 17, 20)  # none, ㄴ, ㄹ, ㅁ, ㅂ, ㅆ: what endings put under an open syllable
cdef tuple PAST_FINALS = (0, 20)  # none, ㅆ: all that stems which hold their ending already take
cdef tuple CONTRACTED = (9, 14)  # ㅘ, ㅝ: 봐, 줘
cdef str HA = "하", HAE = "해"
cdef tuple RULES_BY_NUMBER = RULES
cdef object WHOLE_WORD = RULES[0]


cdef inline bint is_hangul(Py_UCS4 letter) noexcept:
    return FIRST_SYLLABLE <= letter <= LAST_SYLLABLE


cdef inline bint is_arabic(Py_UCS4 letter) noexcept:
    return 0x620 <= letter <= 0x64a or 0x671 <= letter <= 0x6d3


cdef inline Py_UCS4 last_of(str text):
    return text[len(text) - 1]


def spell(list spelled not None, form, target, dict typed=None, tuple letters=()):
    """Add a form as people write it: in chat, without accents or the apostrophe, as a possessive, verbs fused.

    `typed`: the small words of its language, and how they are typed in chat. `letters`: tables of what is written for
    letters beyond ASCII.
    """
    cdef str text = <str>(<tuple>form)[0]
    cdef bint is_open = (<tuple>form)[2], exact = (<tuple>form)[3], is_ascii = PyUnicode_IS_ASCII(text)
    cdef bint phrase = u" " in text
    cdef list found
    cdef str one
    if not is_ascii and is_hangul(last_of(text)):
        found = list(dict.fromkeys(fused(text))) if is_open else [text]
    else:
        found = [text]
        if phrase and typed is not None:
            add_as_typed(found, text, typed)
        if not is_ascii:
            for table in letters:
                found += [rewritten(one, table) for one in found]
            found += [unaccented(one) for one in found]
        if phrase and u"'" in text:
            found += [one.replace(u"'", u"") for one in found]
        if not (phrase or is_open or exact) and (<tuple>target)[3] == ENGLISH and text.isalpha():
            found.append(text + u"'s")
        if len(found) > 1:
            found = list(dict.fromkeys(found))
    for one in found:
        spelled.append((one, form, target))


cdef add_as_typed(list found, str text, dict typed):
    """Add a phrase with one of its small words as it is typed in chat, everywhere; and with all of them."""
    cdef list words = text.split(u" ")
    cdef list small = [word for word in dict.fromkeys(words) if word in typed]
    for word in small:
        for short in typed[word]:
            found.append(u" ".join([short if other == word else other for other in words]))
    if len(small) > 1:
        found.append(u" ".join([typed[word][0] if word in typed else word for word in words]))


cdef list fused(str text):
    """A Hangul stem with what its last open syllable becomes before endings (하- is 하, 한, 할, … and 해, 했, …)."""
    cdef str last = text[len(text) - 1:]
    cdef int number = ord(last) - FIRST_SYLLABLE, vowel = number // FINALS_PER_VOWEL % VOWELS_PER_FIRST
    cdef list found = [text]
    if number % FINALS_PER_VOWEL:
        return found
    finals = PAST_FINALS if vowel in CONTRACTED else VERB_FINALS
    for syllable in [last, HAE] if last == HA else [last]:
        found += [text[:len(text) - 1] + chr(ord(syllable) + final) for final in finals]
    return found


def with_elisions(list spelled not None, dict elisions not None):
    """The same, and each with every word that is elided before it: for views that hold nothing of the apostrophe.

    Phrases that are run together or written backwards stand without one.
    """
    cdef list found = []
    cdef str text
    for spelling in spelled:
        found.append(spelling)
        text, form, target = <tuple>spelling
        if text[0] in VOWELS and not (<tuple>form)[3]:
            for head in elisions.get((<tuple>target)[3], ()):
                found.append((head + text, form, target))
    return found


def skeletons(list spelled not None, str spaces=u" "):
    """The same with skeletons for texts, where anything is left of them, and with other spaces than they have."""
    cdef list found = []
    cdef str text, folded
    for spelling in spelled:
        text, form, target = <tuple>spelling
        folded = skeleton(text.replace(u" ", spaces))
        if folded:
            found.append((folded, form, target))
    return found


def long_enough(list together not None):
    """Of the skeletons without spaces those that may be looked for anywhere inside letters that were written apart."""
    return [spelling for spelling in together if len(<str>(<tuple>spelling)[0]) >= SHORTEST_SPACED_OUT]


cdef inline object rule_of(str text, form):
    """The rule of a spelling: Hangul may take tails, Arabic heads; a glued or open form asks for nothing there."""
    cdef bint glued = (<tuple>form)[1], is_open = (<tuple>form)[2], exact = (<tuple>form)[3]
    cdef int number = glued + 2 * is_open
    if not (exact or PyUnicode_IS_ASCII(text)):
        number += 4 * (not glued and is_arabic(text[0])) + 8 * (not is_open and is_hangul(last_of(text)))
    return RULES_BY_NUMBER[number]


cdef class Collected:
    """Keys of one automaton while they are gathered. `ruled`: whole words too are held by their rule.

    Most keys stand for one target under one of few rules, so that these share what they hold.
    """

    cdef dict meanings
    cdef dict same
    cdef bint ruled
    cdef object target  # of the last key that was taken
    cdef tuple lists, targets, whole
    cdef dict under

    def __init__(self, *, bint ruled=False):
        self.ruled = ruled
        self.meanings, self.same = {}, {}

    cpdef take(self, str text, rule, target, bint padded=True):
        """Take a key, with its word boundaries or without; the same again changes nothing."""
        cdef str key = text
        cdef tuple meaning
        if target is not self.target:
            self.turn_to(target)
        if rule is WHOLE_WORD and not self.ruled:
            key, meaning = f" {text} ", self.whole
        else:
            if padded:
                key = f"{u"'" if (<tuple>rule)[5] else u' ' if (<tuple>rule)[0] else u''}{text}{u' ' if (<tuple>rule)[1] else u''}"
            meaning = self.under.get(rule)
            if meaning is None:
                meaning = self.under[rule] = ((), (), (Held(rule, self.lists, self.targets),))
        before = self.meanings.setdefault(key, meaning)
        if before is not meaning:
            self.meanings[key] = self.joined(<tuple>before, meaning)

    def take_plain(self, list spelled not None, dict elisions not None):
        """Take the keys for the matching form; once more after an apostrophe, where short words are elided before it."""
        cdef str text
        for spelling in spelled:
            text, form, target = <tuple>spelling
            rule = rule_of(text, form)
            self.take(text, rule, target)
            if (<tuple>target)[3] in elisions and text[0] in VOWELS and (<tuple>rule)[0] and not (<tuple>form)[3]:
                self.take(text, elided_rule(rule, (<tuple>target)[3]), target)

    def take_compact(self, list spelled not None):
        """Take the keys for the copy of Hangul without spaces, where no boundary is left to look for."""
        cdef str text, whole
        for spelling in spelled:
            text, form, target = <tuple>spelling
            whole = <str>(<tuple>form)[0]
            if len(text) > 1 and not PyUnicode_IS_ASCII(text) and is_hangul(whole[0]) and is_hangul(last_of(whole)):
                self.take(text.replace(u" ", u""), rule_of(text, form), target, padded=False)

    def take_disguised(self, list spelled not None):
        """Take further keys for the matching form: phrases written as one word, and backwards."""
        cdef str text, together
        for spelling in spelled:
            text, form, target = <tuple>spelling
            if (<tuple>form)[1] or (<tuple>form)[2] or is_hangul(last_of(text)) or is_arabic(text[0]):
                continue
            together = text.replace(u" ", u"")
            if not together.replace(u"'", u"").isalpha():
                continue
            if len(together) >= SHORTEST_COMPACT and len(together) < len(text):
                self.take(together, WHOLE_WORD, target)
            if len(together) >= SHORTEST_REVERSED:
                self.take(text[::-1], WHOLE_WORD, target)

    def take_folded(self, list skeletons not None, list together not None):
        """Take the keys for folded views: skeletons of spellings, also those of phrases written as one word."""
        cdef str folded
        for spelling in skeletons:
            folded, form, target = <tuple>spelling
            self.take(folded, rule_of(folded, form), target)
        for spelling in together:
            folded, form, target = <tuple>spelling
            if len(folded) >= SHORTEST_SPACED_OUT and u" " in <str>(<tuple>form)[0]:
                self.take(folded, rule_of(folded, form), target)

    def take_sounded(self, list spelled not None, sounds):
        """Take the keys of Arabizi for the copy that is made of sounds; few sounds would be heard everywhere."""
        cdef str text, heard
        for spelling in spelled:
            text, form, target = <tuple>spelling
            if (<tuple>target)[3] == ARABIZI:
                heard = sounds(text)
                if len(heard.replace(u" ", u"")) >= SHORTEST_SOUNDED and u"  " not in f" {heard} ":
                    self.take(heard, rule_of(heard, form), target)

    @property
    def texts(self):
        """The keys as they are looked for."""
        return self.meanings.keys()

    def automaton(self):
        """The automaton, or None when there is nothing to look for."""
        return Automaton(self.meanings) if self.meanings else None

    cdef turn_to(self, target):
        """Make ready what the keys of a target hold. Threads that wait get their turn: a list has thousands of keys."""
        with nogil:
            pass
        self.target, self.targets, self.under = target, (target,), {}
        self.lists = self.shared(((<tuple>target)[0],))
        self.whole = (self.lists, self.targets, ())

    cdef tuple joined(self, tuple one, tuple other):
        """What a key stands for that stands for two things, the other one of them a single target's."""
        cdef tuple lists, whole, held, both
        lists, whole, held = one
        if other[1]:
            both = joined_targets(whole, other[1])
            return one if both is whole else (self.also(lists, other[0]), both, held)
        (more,) = <tuple>other[2]
        for place, known in enumerate(held):
            if known.rule == more.rule:
                both = joined_targets(known.targets, more.targets)
                if both is known.targets:
                    return one
                both_held = Held(more.rule, self.also(known.lists, more.lists), both)
                return lists, whole, (*held[:place], both_held, *held[place + 1:])
        return lists, whole, (*held, more)

    cdef tuple also(self, tuple lists, tuple more):
        """Lists with one more, or the same if it is among them."""
        return lists if more[0] in lists else self.shared(lists + more)

    cdef tuple shared(self, tuple lists):
        """One and the same tuple for all keys of the same lists, so that a scan finds it in a cache."""
        return <tuple>self.same.setdefault(lists, lists)


cdef tuple joined_targets(tuple some, tuple more):
    """Targets with one more, or the same if it is among them; an entry has but one."""
    target = more[0]
    for one in some:
        if one is target:
            return some
    return some + more
