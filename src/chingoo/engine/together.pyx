# cython: language_level=3, boundscheck=False, wraparound=False
"""Looks at all lists that were seen in a text at once: which combinations of lists are among them, and what they weigh."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc, realloc

from chingoo.engine.found cimport Found, Numbered
from chingoo.engine.scan cimport Scan

from collections import Counter

cdef enum:
    MOST_PARTS = 8


cdef struct Wanted:  # a combination, apart from the list under which it is kept
    int32_t second
    int32_t others  # where those beyond the second begin
    int32_t others_end
    int32_t owner
    int32_t number


cdef class Asked(Numbered):
    """What the combinations of several readers ask for, so that the lists seen in a text are looked through once.

    Each near is kept under that of its lists which fewest of its kind name: words that stand in many combinations are
    common, and every message would have all of them looked at.
    """

    cdef list _by_list  # of each list the combinations kept under it: second list, others, owner, number
    cdef int32_t _owners
    cdef Wanted* _wanted
    cdef int32_t* _begins  # of each list where its combinations begin among all, and where the last ones end
    cdef int32_t* _others

    def __init__(self):
        self._by_list = []

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
        self.forget()
        return owner

    def met(self, Scan scan not None):
        """By owner, the numbers of the nears whose lists were all seen; found out once for a text."""
        known = scan.met.get(self)
        if known is None:
            known = scan.met[self] = self._met(scan.found)
        return known

    cdef dict _met(self, Found seen):
        cdef dict found = {}
        cdef const int32_t* own_number = self.own(seen.lists)
        cdef int32_t at, one, place, other
        cdef Wanted* wanted
        cdef char* stands = <char*>calloc(len(self._by_list) + 1, 1)
        if stands == NULL:
            raise MemoryError
        try:
            for at in range(seen.touched):
                one = own_number[seen.order[at]]
                if one >= 0:
                    stands[one] = 1
            for at in range(seen.touched):
                one = own_number[seen.order[at]]
                if one < 0:
                    continue
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


cdef class Weights(Numbered):
    """What lists weigh for each of some parts, in whole hundredths."""

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

    def sums(self, Scan scan not None, list numbers not None, int32_t amount):
        """What the lists that were seen weigh together, for each part; then those seen in each sentence below `amount`.

        `numbers`: of each token that of its sentence. A list is seen in one if all tokens of a place of it are.
        """
        cdef Found seen = scan.found
        cdef const int32_t* own = self.own(seen.lists)
        cdef int64_t* totals = <int64_t*>calloc((<size_t>amount + 1) * MOST_PARTS, sizeof(int64_t))
        cdef int32_t* counted = <int32_t*>malloc((amount + 1) * sizeof(int32_t))  # of each sentence the last list
        cdef int32_t* told = <int32_t*>malloc((seen.amount + 1) * sizeof(int32_t))  # of each place its sentence
        cdef int32_t at, link, number
        try:
            if not (totals and counted and told):
                raise MemoryError
            for at in range(seen.touched):
                self.add(totals, own[seen.order[at]])
            if amount:
                for number in range(amount):
                    counted[number] = -1
                seen.number_places(numbers, scan.counted(), told)
                for at in range(seen.touched):
                    link = seen.chains[seen.order[at]].first if own[seen.order[at]] >= 0 else -1
                    while link >= 0:
                        number = told[seen.links[link].place]
                        if 0 <= number < amount and counted[number] != at:
                            counted[number] = at
                            self.add(&totals[(number + 1) * MOST_PARTS], own[seen.order[at]])
                        link = seen.links[link].next
            return [self.told(&totals[number * MOST_PARTS]) for number in range(amount + 1)]
        finally:
            free(totals)
            free(counted)
            free(told)

    cdef inline void add(self, int64_t* total, int32_t number) noexcept:
        cdef int32_t part
        if number >= 0:
            for part in range(self._parts):
                total[part] += self._weights[number * self._parts + part]

    cdef tuple told(self, int64_t* total):
        cdef int32_t part
        return tuple([total[part] for part in range(self._parts)])


cdef void* grown(void* block, size_t size) except NULL:
    """A block of so many bytes in place of another; never of none."""
    cdef void* new = realloc(block, size + 1)
    if new == NULL:
        raise MemoryError
    return new
