# cython: language_level=3, boundscheck=False, wraparound=False
"""What was seen in one text: hits of word lists, made only for the lists that somebody asks about.

Targets and hits are tuples (see hits.py), whose items are taken by their places.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc

from chingoo.engine.found cimport Found

from operator import attrgetter

from chingoo.engine.hits import Hit
from chingoo.text.offsets import Offsets

cdef enum:
    LIST, ENTRY, NAME, LANGUAGE  # of a target

cdef object first_token = attrgetter("first_token")
cdef object new = tuple.__new__
cdef object HIT = Hit


cdef class Row:
    """Some hits of one list in order of appearance, and by their first tokens with where these and the last ones are.

    `languages` are those of the hits, each once, in order of appearance. `spoken` is for those who ask for the hits of
    some of them: what they made of the row, by a name of theirs.
    """

    def __init__(self, tuple hits not None):
        self.hits = hits
        self.languages = tuple(dict.fromkeys([(<tuple>hit)[8] for hit in hits]))
        self.by_token = sorted(hits, key=first_token) if len(hits) > 1 else list(hits)
        self.firsts = [(<tuple>hit)[2] for hit in self.by_token]
        self.lasts = [(<tuple>hit)[3] for hit in self.by_token]
        self.spoken = {}


cdef class Scan:
    """What was seen in one text: hits of each list in order of appearance.

    `offsets` are those of the text, if somebody asked for them before. `met` is for what those who ask about many lists
    found of theirs, `sentences` for the numbers of those that the tokens stand in (see apart.py).
    """

    def __init__(self, text, Found found not None, offsets=None):
        self.text = text
        self.found = found
        self._offsets = offsets
        self._hits, self._own, self._rows, self.met = {}, {}, {}, {}

    def __dealloc__(self):
        free(self._spaces)

    @property
    def lists(self):
        """The lists of which something was seen, by their first places."""
        return self.found.names

    @property
    def seen(self):
        """The same, for comparing them with others."""
        if self._seen is None:
            self._seen = frozenset(self.found.names)
        return self._seen

    cpdef bint has(self, str list_id) except -1:
        """Whether an entry of the list was seen."""
        return self.found.has(list_id)

    cpdef tuple hits(self, str list_id):
        """All hits of a list, in order of appearance."""
        hits = self._hits.get(list_id)
        if hits is None:
            hits = self._hits[list_id] = tuple(self._made(self._sights(list_id)))
        return <tuple>hits

    cpdef Row row(self, str list_id):
        """All hits of a list, also by their first tokens."""
        row = self._rows.get(list_id)
        if row is None:
            row = self._rows[list_id] = Row(self.hits(list_id))
        return <Row>row

    def leading(self, str list_id, Py_ssize_t most):
        """The first hits of a list, so many at most: what a text repeats without end costs no more than that."""
        if list_id in self._hits:
            return (<tuple>self._hits[list_id])[:most]
        return tuple(self._made(self.found.sights(list_id, most)))

    def first(self, str list_id):
        """The first hit of a list of which something was seen."""
        cdef list sights
        hits = self._hits.get(list_id)
        if hits is not None:
            return (<tuple>hits)[0]
        sights = self.found.sights(list_id, 1)
        if not sights:
            raise KeyError(list_id)
        return self._hit(<tuple>(<tuple>sights[0])[0], <tuple>sights[0])

    def first_spoken(self, str list_id, frozenset languages not None):
        """The first hit of a list by a word of one of some languages."""
        cdef list sights = self.found.sights(list_id, 1, languages)
        return self._hit(<tuple>(<tuple>sights[0])[0], <tuple>sights[0]) if sights else None

    def spots(self, str list_id):
        """First token, last token and language of each hit of a list: the cheap way to ask."""
        cdef int32_t* spaces = self.counted()
        cdef list spots = []
        for sight in self._sights(list_id):
            target, start, end, _ = <tuple>sight
            spots.append((spaces[<Py_ssize_t>start], spaces[<Py_ssize_t>end], (<tuple>target)[LANGUAGE]))
        return spots

    def distinct(self, str list_id):
        """The names of the entries seen, each once, in order of appearance (TOPIC-04).

        Entries of two languages for the same words of the text (jesus, jésus) count once, by the first.
        """
        cdef list sights = self._sights(list_id)
        cdef dict names = {}, spoken = {}
        for sight in sights:
            target, start, end, _ = <tuple>sight
            if spoken.setdefault((start, end), (<tuple>target)[LANGUAGE]) == (<tuple>target)[LANGUAGE]:
                names[(<tuple>target)[NAME]] = None
        return tuple(names)

    def firsts(self, str list_id):
        """Of each entry of a list that was seen the first place, in order of appearance; entries go by their names."""
        cdef dict first = {}
        for sight in self._sights(list_id):
            target, start, end, _ = <tuple>sight
            name = (<tuple>target)[NAME]
            if name not in first:
                first[name] = ((<tuple>target)[ENTRY], start, end)
        return list(first.values())

    def only(self, list numbers not None, int32_t wanted):
        """What was seen of which every token has the wanted number; `numbers` are those of the matching form's tokens."""
        return Scan(self.text, self.found.only(numbers, wanted, self.counted()), self._offsets)

    def none(self):
        """The same text where nothing was seen."""
        return Scan(self.text, self.found.none(), self._offsets)

    def span(self, hit):
        """Where a hit stands in the raw text, in code points."""
        return self.offsets.from_match((<tuple>hit)[4], (<tuple>hit)[5])

    @property
    def offsets(self):
        """The way back to the raw text."""
        if self._offsets is None:
            self._offsets = Offsets(self.text)
        return self._offsets

    cdef list _sights(self, str list_id):
        """What was seen of one list: of each place the target, start, end and view."""
        cdef list own
        known = self._own.get(list_id)
        if known is not None:
            return <list>known
        own = self.found.sights(list_id)
        self._own[list_id] = own
        return own

    cdef list _made(self, list sights):
        """Hits of what was seen."""
        return [self._hit(<tuple>(<tuple>sight)[0], <tuple>sight) for sight in sights]

    cdef object _hit(self, tuple target, tuple place):
        """The hit of a target at a place, whose start, end and view stand behind whatever is first in it."""
        cdef int32_t* spaces = self.counted()
        cdef object start = place[1], end = place[2]
        return new(
            HIT,
            (
                target[LIST],
                target[ENTRY],
                spaces[<Py_ssize_t>start],
                spaces[<Py_ssize_t>end],
                start,
                end,
                place[3],
                target[NAME],
                target[LANGUAGE],
            ),
        )

    cdef int32_t* counted(self) except NULL:
        """How many spaces stand before each place of the matching form, counted when it is first asked for."""
        cdef str match
        cdef Py_ssize_t at, size
        cdef int32_t count = 0
        cdef int32_t* spaces
        if self._spaces == NULL:
            match = self.text.match
            size = len(match)
            spaces = <int32_t*>malloc((size + 1) * sizeof(int32_t))
            if spaces == NULL:
                raise MemoryError
            for at in range(size):
                spaces[at] = count
                count += match[at] == u" "
            spaces[size] = count
            self._spaces = spaces
        return self._spaces
