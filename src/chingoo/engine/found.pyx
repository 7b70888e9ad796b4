# cython: language_level=3, boundscheck=False, wraparound=False
"""What was found in one text, by the numbers of lists: cheap to note, and cheap to ask for all lists at once.

A message touches dozens of lists of which few readers ask what was seen. What keys stand for is therefore only looked up
for the lists that somebody asks about.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

cdef enum:
    LIST, ENTRY, NAME, LANGUAGE  # of a target
    FEW_PLACES = 64
    NONE = -1


cdef class Lists:
    """The lists of one matcher, and the numbers they go by in everything that is found by it."""

    def __init__(self, names):
        self.names = tuple(names)
        self.numbers = {name: number for number, name in enumerate(self.names)}

    cdef int32_t number(self, str list_id) except -2:
        """The number of a list, or -1."""
        number = self.numbers.get(list_id)
        return NONE if number is None else <int32_t>number


cdef class Numbered:
    """Somebody who asks about some lists, by numbers of their own.

    `_known` are these by the numbers that the lists have in a matcher, or -1 where nobody asks; `_own` those of the last
    matcher that was asked for, which mostly is the only one.
    """

    def __cinit__(self, *_, **__):
        self._numbers, self._known = {}, {}
        self._last, self._own = None, NULL

    cdef const int32_t* own(self, Lists lists) except NULL:
        """The numbers by those of a matcher."""
        cdef bytes known
        cdef int32_t* told
        cdef Py_ssize_t at
        if lists is not self._last:
            known = self._known.get(lists)
            if known is None:
                known = PyBytes_FromStringAndSize(NULL, (len(lists.names) + 1) * sizeof(int32_t))
                told = <int32_t*>PyBytes_AS_STRING(known)
                for at in range(len(lists.names)):
                    told[at] = self._numbers.get(lists.names[at], NONE)
                self._known[lists] = known
            self._last, self._own = lists, <const int32_t*>PyBytes_AS_STRING(known)
        return self._own

    cdef int forget(self) except -1:
        """Read the numbers anew, for there are others."""
        self._known, self._last, self._own = {}, None, NULL
        return 0


cdef class Group(Numbered):
    """Some lists, to be asked which of them were seen in a text."""

    def __init__(self, names):
        self._numbers = dict.fromkeys(names, 0)

    def any_in(self, Found found not None):
        """Whether something of any of them was found."""
        cdef const int32_t* own = self.own(found.lists)
        cdef int32_t one
        for one in range(found.touched):
            if own[found.order[one]] != NONE:
                return True
        return False

    def seen_in(self, Found found not None):
        """Those of which something was found, by their first places."""
        cdef const int32_t* own = self.own(found.lists)
        cdef int32_t one
        return [found.lists.names[found.order[one]] for one in range(found.touched) if own[found.order[one]] != NONE]


cdef class Found:
    """Where something of each list was found in one text: from where to where in its matching form, and in which view.

    `source` tells the targets of a key by its number (`Automaton.targets`); what it finds is of one view.
    """

    def __cinit__(self, Lists lists not None, source, view):
        cdef size_t amount = len(lists.names) + 1
        self.lists, self._source, self._view, self._further = lists, source, view, []
        self._room, self._links_room = FEW_PLACES, 2 * FEW_PLACES
        self.places = <Place*>malloc(self._room * sizeof(Place))
        self.links = <Link*>malloc(self._links_room * sizeof(Link))
        self.chains = <Chain*>malloc(amount * (sizeof(Chain) + sizeof(int32_t) + 1))
        if not (self.places and self.links and self.chains):
            raise MemoryError
        self.order = <int32_t*>(self.chains + amount)
        self.stands = <char*>(self.order + amount)
        memset(self.stands, 0, amount)

    def __dealloc__(self):
        free(self.places)
        free(self.links)
        free(self.chains)

    cdef int32_t place(self, int32_t key, int32_t held, int32_t start, int32_t end) except -1:
        """Note a place; its number."""
        cdef Place* more
        if self.amount == self._room:
            more = <Place*>realloc(self.places, 2 * self._room * sizeof(Place))
            if more == NULL:
                raise MemoryError
            self.places = more
            self._room *= 2
        self.places[self.amount] = Place(key, held, start, end)
        self.amount += 1
        return self.amount - 1

    cdef int note(self, int32_t number, int32_t place) except -1:
        """Note that something of a list stands at a place."""
        cdef Link* more
        cdef Chain* chain = &self.chains[number]
        if self.linked == self._links_room:
            more = <Link*>realloc(self.links, 2 * self._links_room * sizeof(Link))
            if more == NULL:
                raise MemoryError
            self.links = more
            self._links_room *= 2
        if not self.stands[number]:
            self.stands[number] = 1
            self.order[self.touched] = number
            self.touched += 1
            chain.first = NONE
        if chain.first == NONE:
            chain.first = self.linked
        else:
            self.links[chain.last].next = self.linked
        chain.last = self.linked
        self.links[self.linked] = Link(place, NONE)
        self.linked += 1
        return 0

    def add(self, target, int32_t start, int32_t end, view):
        """Note what was seen in another view."""
        self._further.append((target, start, end, view))
        self.note(self.lists.numbers[(<tuple>target)[LIST]], self.place(-<int32_t>len(self._further), NONE, start, end))

    def keep(self, str list_id not None, list sights not None):
        """Let only some of what was seen of a list have been seen."""
        cdef int32_t number = self.lists.numbers[list_id], one, left = 0
        self.chains[number].first = NONE
        for target, start, end, view in sights:
            self.add(target, start, end, view)
        if not sights:
            self.stands[number] = 0
            for one in range(self.touched):
                if self.order[one] != number:
                    self.order[left] = self.order[one]
                    left += 1
            self.touched = left

    cpdef bint has(self, str list_id) except -1:
        """Whether anything of a list was found."""
        cdef int32_t number = self.lists.number(list_id)
        return number != NONE and self.stands[number]

    @property
    def names(self):
        """The lists of which something was found, by their first places."""
        cdef int32_t one
        return tuple([self.lists.names[self.order[one]] for one in range(self.touched)])

    cpdef list sights(self, str list_id, Py_ssize_t most=-1, frozenset languages=None):
        """What was seen of a list: of each place the target, start, end and view.

        `most`: no more than so many. `languages`: only by words of these.
        """
        cdef list own = []
        cdef int32_t number = self.lists.number(list_id), link
        cdef Place* place
        if number == NONE or not self.stands[number]:
            return own
        link = self.chains[number].first
        while link != NONE:
            place = &self.places[self.links[link].place]
            link = self.links[link].next
            if place.key < 0:
                further = <tuple>self._further[-1 - place.key]
                if languages is None or (<tuple>further[0])[LANGUAGE] in languages:
                    own.append(further)
                    if len(own) == most:
                        return own
                continue
            start, end = place.start, place.end
            for target in <tuple>self._source.targets(place.key, place.held):
                if (<tuple>target)[LIST] == list_id and (languages is None or (<tuple>target)[LANGUAGE] in languages):
                    own.append((target, start, end, self._view))
                    if len(own) == most:
                        return own
        return own

    cdef int number_places(self, list numbers, const int32_t* spaces, int32_t* told) except -1:
        """Of each place the number that all its tokens have, or -1.

        `spaces`: how many of them stand before each character of the matching form.
        """
        cdef int32_t one, token, number
        cdef Place* place
        for one in range(self.amount):
            place = &self.places[one]
            number = numbers[spaces[place.start]]
            for token in range(spaces[place.start] + 1, spaces[place.end] + 1):
                if <int32_t>numbers[token] != number:
                    number = NONE
                    break
            told[one] = number
        return 0

    cdef Found only(self, list numbers, int32_t wanted, const int32_t* spaces):
        """What was found of which every token has the wanted number."""
        cdef Found kept = Found(self.lists, self._source, self._view)
        cdef int32_t one, link, place
        cdef int32_t* told = <int32_t*>malloc((self.amount + 1) * sizeof(int32_t))
        if told == NULL:
            raise MemoryError
        try:
            self.number_places(numbers, spaces, told)
            for one in range(self.amount):
                kept.place(self.places[one].key, self.places[one].held, self.places[one].start, self.places[one].end)
            kept._further = self._further
            for one in range(self.touched):
                link = self.chains[self.order[one]].first
                while link != NONE:
                    place = self.links[link].place
                    if told[place] == wanted:
                        kept.note(self.order[one], place)
                    link = self.links[link].next
        finally:
            free(told)
        return kept

    def none(self):
        """The same where nothing was found."""
        return Found(self.lists, self._source, self._view)
