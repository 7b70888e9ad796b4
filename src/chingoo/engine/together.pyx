# cython: language_level=3, boundscheck=False, wraparound=False
"""Looks at all lists that were seen in a text at once: which combinations of lists are among them, and what they weigh."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, realloc

from collections import Counter

cdef enum:
    MOST_PARTS = 8


cdef struct Wanted:  # a combination, apart from the list under which it is kept
    int32_t second
    int32_t others  # where those beyond the second begin
    int32_t others_end
    int32_t owner
    int32_t number


cdef class Asked:
    """What the combinations of several readers ask for, so that the lists seen in a text are looked through once.

    Each near is kept under that of its lists which fewest of its kind name: words that stand in many combinations are
    common, and every message would have all of them looked at.
    """

    cdef dict _numbers  # of each list
    cdef list _by_list  # of each list the combinations kept under it: second list, others, owner, number
    cdef int32_t _owners
    cdef Wanted* _wanted
    cdef int32_t* _begins  # of each list where its combinations begin among all, and where the last ones end
    cdef int32_t* _others

    def __init__(self):
        self._numbers, self._by_list = {}, []

    def __dealloc__(self):
        free(self._wanted)
        free(self._begins)
        free(self._others)

    def take(self, nears):
        """Take the nears of a new owner, and give the number it goes by."""
        owner = self._owners
        self._owners += 1
        named = Counter([list_id for near in nears for list_id in set(near.lists)])
        for number, near in enumerate(nears):
            lists = [self._number(one) for one in sorted(set(near.lists), key=lambda one: (named[one], one))]
            second = lists[1] if len(lists) > 1 else lists[0]
            self._by_list[lists[0]].append((second, lists[2:], owner, number))
        self._lay_out()
        return owner

    def met(self, scan):
        """By owner, the numbers of the nears whose lists were all seen; found out once for a text."""
        cdef dict known = scan.met.get(self)
        if known is None:
            known = scan.met[self] = self._met(scan.seen)
        return known

    cdef dict _met(self, frozenset seen):
        cdef dict found = {}
        cdef int32_t one, place, other, lists
        cdef Wanted* wanted
        cdef list numbers = []
        lists = <int32_t>len(self._by_list)
        cdef char* stands = <char*>calloc(lists + 1, 1)
        if stands == NULL:
            raise MemoryError
        try:
            for list_id in seen:
                number = self._numbers.get(list_id)
                if number is not None:
                    stands[<int32_t>number] = 1
                    numbers.append(number)
            for number in numbers:
                one = number
                for place in range(self._begins[one], self._begins[one + 1]):
                    wanted = &self._wanted[place]
                    if not stands[wanted.second]:
                        continue
                    for other in range(wanted.others, wanted.others_end):
                        if not stands[self._others[other]]:
                            break
                    else:
                        own = found.get(wanted.owner)
                        if own is None:
                            found[wanted.owner] = [wanted.number]
                        else:
                            (<list>own).append(wanted.number)
        finally:
            free(stands)
        return found

    cdef int32_t _number(self, str list_id) except -1:
        number = self._numbers.get(list_id)
        if number is None:
            number = self._numbers[list_id] = len(self._by_list)
            self._by_list.append([])
        return number

    cdef int _lay_out(self) except -1:
        """Write what was taken one after the other, as it is read."""
        cdef int32_t place = 0, other = 0, list_number = 0
        self._wanted = <Wanted*>grown(self._wanted, sum([len(own) for own in self._by_list]) * sizeof(Wanted))
        self._others = <int32_t*>grown(
            self._others, sum([len(one[1]) for own in self._by_list for one in own]) * sizeof(int32_t)
        )
        self._begins = <int32_t*>grown(self._begins, (len(self._by_list) + 1) * sizeof(int32_t))
        for own in self._by_list:
            self._begins[list_number] = place
            list_number += 1
            for second, others, owner, number in own:
                self._wanted[place] = Wanted(second, other, other + <int32_t>len(others), owner, number)
                place += 1
                for one in others:
                    self._others[other] = one
                    other += 1
        self._begins[list_number] = place
        return 0


cdef class Weights:
    """What lists weigh for each of some parts, in whole hundredths."""

    cdef dict _numbers  # of each list
    cdef int64_t* _weights  # of each list those of all parts
    cdef int32_t _parts

    def __init__(self, parts):
        """`parts` are at most eight mappings from list to weight."""
        cdef int32_t part
        self._parts = <int32_t>len(parts)
        if self._parts > MOST_PARTS:
            raise ValueError(f"at most {MOST_PARTS} parts can be weighed together, and not {self._parts}")
        lists = dict.fromkeys([list_id for weights in parts for list_id in weights])
        self._numbers = {list_id: number for number, list_id in enumerate(lists)}
        self._weights = <int64_t*>grown(self._weights, len(lists) * self._parts * sizeof(int64_t))
        for list_id, number in self._numbers.items():
            for part in range(self._parts):
                self._weights[<int32_t>number * self._parts + part] = parts[part].get(list_id, 0)

    def __dealloc__(self):
        free(self._weights)

    def sums(self, seen):
        """What these lists weigh together, for each part."""
        cdef int64_t[MOST_PARTS] total
        cdef int64_t* weights
        cdef int32_t part
        for part in range(self._parts):
            total[part] = 0
        for list_id in seen:
            number = self._numbers.get(list_id)
            if number is not None:
                weights = &self._weights[<int32_t>number * self._parts]
                for part in range(self._parts):
                    total[part] += weights[part]
        return tuple([total[part] for part in range(self._parts)])


cdef void* grown(void* block, size_t size) except NULL:
    """A block of so many bytes in place of another; never of none."""
    cdef void* new = realloc(block, size + 1)
    if new == NULL:
        raise MemoryError
    return new
