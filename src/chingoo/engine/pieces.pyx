# cython: language_level=3, boundscheck=False, wraparound=False
"""Finds the pieces of words that weigh something in a text, and adds them up: each once, however often it stands there.

A piece is two to six letters of a word, among which `_` stands for its beginning or end. What pieces begin with is kept
beside them, so that letters with which none begins are looked at no further.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

cdef enum:
    SHORTEST = 2
    LONGEST = 6
    MOST_PARTS = 4
    EDGE = 0x5F  # _
    SPARSE = 3  # times as many places as are taken: most letters are no piece, and are seen to be none at the first place

cdef uint64_t SEED = 0xcbf29ce484222325
cdef uint64_t STEP = 0x100000001b3


cdef inline uint64_t mixed(uint64_t sum, Py_UCS4 letter) noexcept:
    sum = (sum ^ <uint64_t>letter) * STEP
    return sum ^ (sum >> 29)


cdef struct Piece:
    uint32_t text  # that it was seen in last
    int32_t sentence
    int32_t[MOST_PARTS] weights


cdef class Pieces:
    """What pieces weigh for each of some parts, in whole hundredths."""

    cdef uint64_t* _keys  # of each place the sum over a piece, or over what pieces begin with, or 0
    cdef Piece* _pieces  # at the same places
    cdef uint32_t _texts  # that were looked at
    cdef uint64_t _mask
    cdef int32_t _parts

    def __init__(self, parts):
        """`parts` are at most four mappings from piece to weight. ValueError: a piece is too short or too long."""
        cdef int32_t part
        cdef uint64_t size = 8, place
        self._parts = <int32_t>len(parts)
        if self._parts > MOST_PARTS:
            raise ValueError(f"at most {MOST_PARTS} parts can be weighed together, and not {self._parts}")
        pieces = list(dict.fromkeys([piece for weights in parts for piece in weights]))
        for piece in pieces:
            if not SHORTEST <= len(piece) <= LONGEST:
                raise ValueError(f"a piece has {SHORTEST} to {LONGEST} letters: {piece!r}")
        beginnings = {piece[:length] for piece in pieces for length in range(SHORTEST, len(piece) + 1)}
        while size < SPARSE * <uint64_t>len(beginnings):
            size *= 2
        self._mask = size - 1
        self._keys = <uint64_t*>calloc(size, sizeof(uint64_t))
        self._pieces = <Piece*>calloc(size, sizeof(Piece))
        if not (self._keys and self._pieces):
            raise MemoryError
        for piece in sorted(beginnings):
            place = self._place(sum_of(piece))
            if self._keys[place]:
                raise ValueError(f"two pieces cannot be told apart, and one must go: {piece!r}")
            self._keys[place] = sum_of(piece)
            for part in range(self._parts):
                self._pieces[place].weights[part] = parts[part].get(piece, 0)

    def __dealloc__(self):
        free(self._keys)
        free(self._pieces)

    def sums(self, str match not None, list numbers not None, list others not None):
        """What the pieces of a text weigh together, for each part, and what those of each of its first sentences do.

        `others`: what else weighs in the text and in each of these sentences, which is added. `numbers`: of each token
        that of its sentence, in order; those less than 0 are left out.
        """
        cdef int32_t amount = <int32_t>len(others) - 1
        cdef int32_t* totals = <int32_t*>calloc((<size_t>amount + 1) * MOST_PARTS, sizeof(int32_t))
        cdef int32_t token = 0, number
        cdef Py_ssize_t begin = 0, end, size = len(match)
        if totals == NULL:
            raise MemoryError
        try:
            self._turn()
            while begin <= size:
                end = begin
                while end < size and match[end] != u" ":
                    end += 1
                number = numbers[token]
                if number >= 0:
                    self._add(match, begin, end, number, totals, totals + (number + 1 if number < amount else 0) * MOST_PARTS)
                begin = end + 1
                token += 1
            return [self._told(totals + number * MOST_PARTS, <tuple>others[number]) for number in range(amount + 1)]
        finally:
            free(totals)

    cdef void _turn(self) noexcept:
        """Turn to another text."""
        cdef uint64_t place
        self._texts += 1
        if self._texts == 0:  # after four thousand million of them
            for place in range(self._mask + 1):
                self._pieces[place].text = 0
            self._texts = 1

    cdef void _add(
        self, str match, Py_ssize_t begin, Py_ssize_t end, int32_t number, int32_t* whole, int32_t* apart
    ) noexcept:
        """Add what one word holds, with its edges: each piece once to the whole, and once to what stands apart of it."""
        cdef const uint64_t* keys = self._keys
        cdef uint64_t mask = self._mask, sum, place
        cdef uint32_t text = self._texts
        cdef Py_ssize_t start, at
        cdef int32_t part
        cdef Piece* piece
        for start in range(begin - 1, end):
            sum = mixed(SEED, <Py_UCS4>EDGE if start < begin else match[start])
            for at in range(start + 1, min(start + LONGEST, end + 1)):
                sum = mixed(sum, <Py_UCS4>EDGE if at == end else match[at])
                place = sum & mask
                while keys[place] != sum and keys[place] != 0:
                    place = (place + 1) & mask
                if keys[place] == 0:
                    break
                piece = &self._pieces[place]
                if piece.text != text:
                    for part in range(MOST_PARTS):
                        whole[part] += piece.weights[part]
                elif piece.sentence == number:
                    continue
                piece.text, piece.sentence = text, number
                if apart != whole:
                    for part in range(MOST_PARTS):
                        apart[part] += piece.weights[part]

    cdef tuple _told(self, int32_t* total, tuple other):
        cdef int32_t part
        return tuple([total[part] + <int64_t>other[part] for part in range(self._parts)])

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
