"""What stands beside a phrase about oneself: a place, a job, a school, a subject, read with the speaker's casing."""

import re
from typing import NamedTuple

from chingoo.engine.hits import Hit
from chingoo.memory.parsed import Named
from chingoo.memory.standing import Head, Judge
from chingoo.memory.things import Things, without_tail
from chingoo.policy.documents.listening import RelationSlot, Slot

CITY, HOME_CITY, HOME_COUNTRY = "fact:current_city", "fact:home_city", "fact:home_country"
OCCUPATION, SCHOOL, MAJOR = "fact:occupation", "fact:school", "fact:major"
LANGUAGE, TIMEZONE = "fact:language_primary", "fact:timezone"
_ZONE = re.compile(r"\W*(?:\w+\s+){0,2}?((?:UTC|GMT)(?:\s?[+-]\d{1,2}(?::\d{2})?)?|[A-Z]{1,3}[SD]?T)\b")
_CLOCK = re.compile(r"(?:[01]?\d|2[0-3])(?:[:.h][0-5]\d)?\s?(?:[ap]\.?m\b\.?|h\b)?(?!\w)", re.IGNORECASE)
_MOST_CAPITALS, _MOST_MODIFIERS, _NEAR = 5, 2, 3


class Value(NamedTuple):
    """What was read: the key it belongs to, the words as said, and the last token of it."""

    key: str
    text: str
    last: int


class Slots:
    """Reads what stands beside phrases of one message."""

    def __init__(self, judge: Judge, things: Things, languages: frozenset[str]) -> None:
        self._saying, self._around, self._things = judge.saying, judge.around, things
        self._known: dict[str, dict[int, Hit]] = {}
        for name in ("cities", "countries", "jobs", "subjects", "workplaces"):
            longest: dict[int, Hit] = {}
            for hit in judge.saying.scan.hits(f"thing.{name}"):
                known = longest.get(hit.first_token)
                if hit.language in languages and (known is None or known.last_token < hit.last_token):
                    longest[hit.first_token] = hit
            self._known[name] = longest

    def read(self, slot: RelationSlot, at: int, last: int, *, free: bool) -> list[Value]:
        """The values from a token on. `free` takes words of no list where nothing else can be meant."""
        if at > last or (self._saying.breaks(at) and self._saying.gaps[at].strip(" :—–-")):
            return []
        match slot:
            case "city" | "origin":
                found = self._place(slot, at, last)
            case "role" | "job":
                found = self._job(at, last, free=free)
            case "employer":
                found = self._employer(at, last, free=free)
            case "school":
                found = self._school(at, last, free=free)
            case "study" | "major":
                return self._study(at, last, free=free)
            case "timezone":
                found = self._timezone(at)
            case "number":
                found = Value("", self._saying.tokens[at], at) if self._saying.tokens[at].isdecimal() else None
            case "language":
                found = self._open(LANGUAGE, at, last, 2)
            case _:
                found = self._open("", at, last, _NEAR)
        return [found] if found is not None else []

    def counted(
        self, numbers: frozenset[str], units: frozenset[str] | None, at: int, last: int, *, clock: bool
    ) -> Value | None:
        """A time of day, or a number with what is counted: one of some units where given, else a word or two."""
        saying = self._saying
        if clock:
            start = saying.starts[at]
            found = _CLOCK.match(saying.scan.text.raw, saying.scan.offsets.from_match(start, start + 1)[0])
            return Value("", found.group(), at) if found else None
        token = saying.tokens[at]
        is_number = token.isdecimal() or (
            token in numbers and (units is not None or token not in self._around.articles)
        )
        if not is_number or at == last or saying.breaks(at + 1):
            return None
        if units is not None:
            return Value("", saying.raw(at, at + 1), at + 1) if saying.tokens[at + 1] in units else None
        end = self._things.words_to_end(at + 1, last, _MOST_MODIFIERS)
        return None if end is None else Value("", saying.raw(at, end), end)

    def named(self, slot: RelationSlot | None, name: Named) -> Value | None:
        """A name that a parser found: a proper one of a place, a proper one or one of many of an employer."""
        tokens = self._saying.tokens[name.first : name.last + 1]
        unfit = self._around.refused | self._around.stops
        if not unfit.isdisjoint(tokens) or any(map(self._is_place, range(name.first, name.last + 1))):
            return None
        text = self._unelided(self._saying.raw(name.first, name.last))
        if slot == "city" and name.proper:
            return Value(CITY, text, name.last)
        if slot == "employer" and (name.proper or name.one_of_many):
            return Value(OCCUPATION, text, name.last)
        return None

    def before(self, slot: Slot, head: Head, first: int, *, free: bool) -> list[Value]:
        """The value that stands just before a phrase, or in the same word."""
        hit, saying = head.hit, self._saying
        at, end = hit.first_token, hit.start
        if end <= saying.starts[at]:
            at -= 1
            while at >= first and saying.tokens[at] in self._around.fillers and not saying.breaks(at):
                at -= 1
            if at < first:
                return []
            end = saying.starts[at] + len(saying.tokens[at])
        begin = at
        while begin > first and begin > at - _NEAR and not saying.breaks(begin):
            begin -= 1
        for start in range(at, begin - 1, -1):
            found = [value for value in self.read(slot, start, at, free=False) if value.last == at]
            if found:
                return found
        word = saying.tokens[at]
        if not free or word in self._around.refused or word in self._around.stops or self._is_place(at):
            return []
        text = without_tail(saying.raw(at, at, None, end), self._around.copulas)
        key = {"employer": OCCUPATION, "school": SCHOOL, "city": CITY, "job": OCCUPATION, "major": MAJOR}.get(slot)
        return [Value(key, text, at)] if key is not None and without_tail(word, self._around.copulas) == word else []

    def _is_place(self, at: int) -> bool:
        return at in self._known["cities"] or at in self._known["countries"]

    def _place(self, slot: Slot, at: int, last: int) -> Value | None:
        """A city, or where one may come from a country."""
        bare = self._past_articles(at, last)
        country = self._known["countries"].get(bare)
        if country is not None:
            return self._listed(HOME_COUNTRY, country) if slot == "origin" else None
        key = HOME_CITY if slot == "origin" else CITY
        city = self._known["cities"].get(bare)
        if city is not None:
            return self._listed(key, city)
        return self._capitals(key, at, last) if bare == at or self._saying.tokens[at].endswith("'") else None

    def _past_articles(self, at: int, last: int) -> int:
        while at < last and self._saying.tokens[at] in self._around.articles and not self._saying.breaks(at + 1):
            at += 1
        return at

    def _listed(self, key: str, hit: Hit) -> Value:
        text = self._saying.raw(hit.first_token, hit.last_token, hit.start, hit.end)
        return Value(key, self._unelided(text), hit.last_token)

    def _unelided(self, text: str) -> str:
        """`text` without an elided article or preposition (dall'Albania)."""
        text = text.replace("\u2019", "'")
        for elided in self._around.elisions:
            if text.lower().startswith(elided) and len(text) > len(elided):
                return text[len(elided) :]
        return text

    def _is_capital(self, at: int) -> bool:
        text = self._unelided(self._saying.raw(at, at))
        return text[:1].isupper() and self._saying.tokens[at] not in self._around.refused

    def _capitals(self, key: str, at: int, last: int) -> Value | None:
        """A name in capitals, with small words inside it."""
        around, saying = self._around, self._saying
        if not around.cased or not self._is_capital(at) or saying.tokens[at] in around.stops:
            return None
        end = at
        for index in range(at + 1, min(last, at + _MOST_CAPITALS) + 1):
            if saying.breaks(index):
                break
            if self._is_capital(index) and saying.tokens[index] not in around.stops:
                end = index
            elif saying.tokens[index] not in around.binders and saying.tokens[index] not in around.articles:
                break
        return Value(key, self._unelided(saying.raw(at, end)), end)

    def _job(self, at: int, last: int, *, free: bool) -> Value | None:
        """A job of the list, with a word or two before it."""
        around, saying = self._around, self._saying
        bare = self._past_articles(at, last)
        for head in range(bare, min(last, bare + _MOST_MODIFIERS) + 1):
            if head > bare and (saying.breaks(head) or not self._is_modifier(head - 1)):
                break
            job = self._known["jobs"].get(head)
            if job is None:
                continue
            if not self._has_copula(job) or (around.strict and not self._things.stands_alone(job.last_token + 1)):
                return None
            text = saying.raw(bare, job.last_token, None, job.end)
            return Value(OCCUPATION, self._unelided(text), job.last_token)
        return self._open(OCCUPATION, bare, last, _NEAR) if free and (bare > at or not around.articles) else None

    def _has_copula(self, hit: Hit) -> bool:
        """Whether what is glued to a word says *is*, in languages that say it so."""
        if not self._around.copulas:
            return True
        token = self._saying.tokens[hit.last_token]
        rest = token[hit.end - self._saying.starts[hit.last_token] :]
        return not rest or rest in self._around.copulas

    def _is_modifier(self, at: int) -> bool:
        token = self._saying.tokens[at]
        around = self._around
        return self._saying.words[at] and token not in around.refused and token not in around.stops

    def _employer(self, at: int, last: int, *, free: bool) -> Value | None:
        bare = self._past_articles(at, last)
        workplace = self._known["workplaces"].get(bare)
        if workplace is not None and self._things.stands_alone(workplace.last_token + 1):
            return self._listed(OCCUPATION, workplace)
        if self._is_place(bare):
            return None
        return self._capitals(OCCUPATION, bare if free else at, last)

    def _school(self, at: int, last: int, *, free: bool) -> Value | None:
        """A name of a school: one with a word like *university* in it, or any name where nothing else is meant."""
        bare = self._past_articles(at, last)
        around, saying = self._around, self._saying
        if not around.cased:
            for index in range(bare, min(last, bare + _NEAR) + 1):
                word = without_tail(saying.tokens[index], around.tails)
                if any(word.endswith(school) for school in around.schools) and word not in around.schools:
                    return Value(SCHOOL, without_tail(saying.raw(bare, index), around.tails), index)
                if index == bare and word in around.schools and index < last and not saying.breaks(index + 1):
                    return Value(SCHOOL, saying.raw(bare, index + 1), index + 1)
            return None
        name = self._capitals(SCHOOL, bare, last) or self._school_of(bare, last)
        if name is None or (name.last == bare and self._is_place(bare)):
            return None
        words = self._saying.tokens[bare : name.last + 1]
        return name if free or any(self._unelided(word) in around.schools for word in words) else None

    def _school_of(self, at: int, last: int) -> Value | None:
        """A school named by its place (`universidad de Chile`)."""
        if self._unelided(self._saying.tokens[at]) not in self._around.schools:
            return None
        for index in range(at + 1, min(last, at + _NEAR) + 1):
            name = self._capitals(SCHOOL, index, last)
            if name is not None:
                return Value(SCHOOL, self._unelided(self._saying.raw(at, name.last)), name.last)
            if self._saying.breaks(index) or self._saying.tokens[index] not in self._around.binders:
                return None
        return None

    def _study(self, at: int, last: int, *, free: bool) -> list[Value]:
        """A subject of the list (or any, where `free`), and the school that may follow it."""
        bare = self._past_articles(at, last)
        subject = self._known["subjects"].get(bare)
        if subject is not None:
            found = self._listed(MAJOR, subject)
        elif free:
            named = self._open(MAJOR, bare, last, _NEAR)
            if named is None:
                return []
            found = named
        else:
            school = self._school(at, last, free=False)
            return [school] if school is not None else []
        for index in range(found.last + 1, min(last, found.last + _NEAR) + 1):
            if self._saying.breaks(index):
                break
            school = self._school(index, last, free=True)
            if school is not None:
                return [found, school]
        return [found]

    def _timezone(self, at: int) -> Value | None:
        start = self._saying.starts[at]
        span = self._saying.scan.offsets.from_match(start, start + 1)
        found = _ZONE.match(self._saying.scan.text.raw, span[0])
        return Value(TIMEZONE, found.group(1), at) if found else None

    def _open(self, key: str, at: int, last: int, most: int) -> Value | None:
        """Words up to the end of the clause, as they are said."""
        bare = self._past_articles(at, last)
        end = self._things.words_to_end(bare, last, most) if bare <= last else None
        if end is None:
            return None
        text = self._unelided(self._saying.raw(bare, end))
        return Value(key, without_tail(text, self._around.copulas), end)
