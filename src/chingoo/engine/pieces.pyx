# cython: language_level=3, boundscheck=False, wraparound=False
"""Finds the pieces of words that weigh something in a text, and adds them up: each once, however often it stands there.

A piece is two to six letters of a word, among which `_` stands for its beginning or end.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef enum:
    SHORTEST = 2
    LONGEST = 6
    MOST_PARTS = 8
    EDGE = 0x5F  # _
    SPARSE = 3  # times as many places as pieces: most letters are no piece, and are seen to be none at the first place

cdef uint64_t SEED = 0xcbf29ce484222325
cdef uint64_t STEP = 0x100000001b3


cdef inline uint64_t mixed(uint64_t sum, Py_UCS4 letter) noexcept:
    sum = (sum ^ <uint64_t>letter) * STEP
    return sum ^ (sum >> 29)


cdef class Pieces:
    """What pieces weigh for each of some parts, in whole hundredths."""

    cdef uint64_t* _keys  # of each place the sum over a piece, or 0
    cdef int32_t* _weights  # of each place those of all parts
    cdef uint32_t* _turn  # of each place the last text that its piece was seen in
    cdef uint32_t _turns
    cdef uint64_t _mask
    cdef int32_t _parts

    def __init__(self, parts):
        """`parts` are at most eight mappings from piece to weight. ValueError: a piece is too short or too long."""
        cdef int32_t part
        cdef uint64_t size = 8, place
        self._parts = <int32_t>len(parts)
        if self._parts > MOST_PARTS:
            raise ValueError(f"at most {MOST_PARTS} parts can be weighed together, and not {self._parts}")
        pieces = list(dict.fromkeys([piece for weights in parts for piece in weights]))
        while size < SPARSE * <uint64_t>len(pieces):
            size *= 2
        self._mask = size - 1
        self._keys = <uint64_t*>calloc(size, sizeof(uint64_t))
        self._weights = <int32_t*>calloc(size * self._parts, sizeof(int32_t))
        self._turn = <uint32_t*>calloc(size, sizeof(uint32_t))
        if not (self._keys and self._weights and self._turn):
            raise MemoryError
        for piece in pieces:
            if not SHORTEST <= len(piece) <= LONGEST:
                raise ValueError(f"a piece has {SHORTEST} to {LONGEST} letters: {piece!r}")
            place = self._place(sum_of(piece))
            if self._keys[place]:
                raise ValueError(f"two pieces cannot be told apart, and one must go: {piece!r}")
            self._keys[place] = sum_of(piece)
            for part in range(self._parts):
                self._weights[place * self._parts + part] = parts[part].get(piece, 0)

    def __dealloc__(self):
        free(self._keys)
        free(self._weights)
        free(self._turn)

    def sums(self, str match not None, list numbers=None, int32_t wanted=-1):
        """What the pieces of a text weigh together, for each part.

        `numbers`: of each token its number, of which those at least 0 are looked at, or only the wanted one.
        """
        cdef int64_t[MOST_PARTS] total
        cdef int32_t part, token = 0
        cdef Py_ssize_t begin = 0, end, size = len(match)
        for part in range(self._parts):
            total[part] = 0
        self._turns += 1
        if self._turns == 0:  # after four thousand million texts
            memset(self._turn, 0, (self._mask + 1) * sizeof(uint32_t))
            self._turns = 1
        while begin <= size:
            end = begin
            while end < size and match[end] != u" ":
                end += 1
            if numbers is None or (numbers[token] >= 0 if wanted < 0 else numbers[token] == wanted):
                self._add(match, begin, end, total)
            begin = end + 1
            token += 1
        return tuple([total[part] for part in range(self._parts)])

    cdef void _add(self, str match, Py_ssize_t begin, Py_ssize_t end, int64_t* total) noexcept:
        """Add what one word holds, with its edges."""
        cdef Py_ssize_t start, at
        cdef uint64_t sum, place
        cdef int32_t part, length
        cdef int32_t* weights
        cdef Py_UCS4 letter
        for start in range(begin - 1, end + 1):
            sum = SEED
            for length in range(1, LONGEST + 1):
                at = start + length - 1
                if at > end:
                    break
                letter = <Py_UCS4>EDGE if at < begin or at == end else match[at]
                sum = mixed(sum, letter)
                if length < SHORTEST:
                    continue
                place = self._place(sum)
                if self._keys[place] == 0 or self._turn[place] == self._turns:
                    continue
                self._turn[place] = self._turns
                weights = &self._weights[place * self._parts]
                for part in range(self._parts):
                    total[part] += weights[part]

    cdef inline uint64_t _place(self, uint64_t sum) noexcept:
        """Where a piece stands, or the place that is free for it."""
        cdef uint64_t place = sum & self._mask
        while self._keys[place] != 0 and self._keys[place] != sum:
            place = (place + 1) & self._mask
        return place


def pieces_of(str match not None, list numbers=None, int32_t wanted=-1):
    """Every piece that a text holds, in order of appearance, each once; `numbers` and `wanted` as for `Pieces.sums`."""
    cdef dict found = {}
    cdef Py_ssize_t start, length
    for token, word in enumerate(match.split(" ")):
        if numbers is None or (numbers[token] >= 0 if wanted < 0 else numbers[token] == wanted):
            written = f"_{word}_"
            for start in range(len(written)):
                for length in range(SHORTEST, LONGEST + 1):
                    if start + length <= len(written):
                        found[written[start:start + length]] = None
    return list(found)


cdef uint64_t sum_of(str piece):
    cdef uint64_t sum = SEED
    cdef Py_UCS4 letter
    for letter in piece:
        sum = mixed(sum, letter)
    return sum
