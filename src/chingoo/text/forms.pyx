# cython: language_level=3, boundscheck=False, wraparound=False
"""The forms of a text in one pass over its characters, and the way back from them, where each can be read by itself."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

cdef extern from "Python.h":
    object PyUnicode_FromKindAndData(int kind, const void* characters, Py_ssize_t size)
    int PyUnicode_4BYTE_KIND

cdef enum:
    LAST = 0x1FFFF  # what lies beyond is read the long way
    UNSEEN = 0  # nobody has asked for it yet
    HARD = 1  # what it becomes depends on what stands beside it
    BLANK = 2
    MARK = 3  # punctuation
    SIGN = 4  # parts words when they are matched, and is kept in the other forms
    LETTER = 5
    APOSTROPHE = 6
    PICTURE = 7  # a token of its own when words are matched
    UNMATCHED = 8  # is left out when words are matched
    INVISIBLE = 9  # is left out
    VARIATION = 10  # a sign, but depends on what stands before it if that is a letter
    VOWEL = 11  # a letter, but one syllable with a consonant before it
    POINT = 12  # is left out when words are matched, and is put in order with other points beside it

    FIRST_CONSONANT = 0x1100
    LAST_CONSONANT = 0x1112

KINDS = {
    "hard": HARD,
    "blank": BLANK,
    "mark": MARK,
    "sign": SIGN,
    "letter": LETTER,
    "apostrophe": APOSTROPHE,
    "picture": PICTURE,
    "unmatched": UNMATCHED,
    "invisible": INVISIBLE,
    "variation": VARIATION,
    "vowel": VOWEL,
    "point": POINT,
}


cdef struct Form:
    Py_UCS4* characters
    int32_t* origins  # where each of them stands in the text, or NULL if nobody asks
    Py_ssize_t size
    bint parted  # whether a blank is due before the next one


cdef inline void put(Form* form, Py_UCS4 character, Py_ssize_t at) noexcept nogil:
    """Write a character, and before it the blank that is due."""
    if form.parted:
        form.parted = False
        if form.size:
            write(form, u" ", at - 1)
    write(form, character, at)


cdef inline void write(Form* form, Py_UCS4 character, Py_ssize_t at) noexcept nogil:
    form.characters[form.size] = character
    if form.origins:
        form.origins[form.size] = <int32_t>at
    form.size += 1


cdef inline void part(Form* form) noexcept nogil:
    """End a word of the matching form: apostrophes stand only inside words."""
    if not form.parted:
        while form.size and form.characters[form.size - 1] == u"'":
            form.size -= 1
        form.parted = True


cdef class Way:
    """The way back to a text from the forms that are made of it. Immutable."""

    cdef int32_t* logged  # where each character of the log form stands in the text
    cdef int32_t* matched  # and each one of the matching form
    cdef Py_ssize_t logged_size
    cdef Py_ssize_t matched_size

    def __dealloc__(self):
        PyMem_Free(self.logged)
        PyMem_Free(self.matched)

    def from_match(self, Py_ssize_t start, Py_ssize_t end):
        """Where `match[start:end]` stands, which begins and ends with no blank. IndexError: it is outside."""
        return span(self.matched, self.matched_size, start, end)

    def from_norm(self, Py_ssize_t start, Py_ssize_t end):
        """Where `user_text_norm[start:end]` stands, which begins and ends with no blank. IndexError: it is outside."""
        return span(self.logged, self.logged_size, start, end)

    def parted(self, str match not None, list ends not None):
        """Of each token of the matching form the number of the part it begins in, from 0 on.

        `ends`: where in the text a part ends, in order. A part without a token of its own has no number.
        """
        cdef list numbers = []
        cdef Py_ssize_t at, passed = 0, before, size = len(match)
        cdef int32_t number = 0
        if size > self.matched_size:
            raise IndexError(f"there are no {size} characters among {self.matched_size}")
        for at in range(size):
            if at == 0 or match[at - 1] == u" ":
                before = passed
                while passed < len(ends) and <Py_ssize_t>ends[passed] <= self.matched[at]:
                    passed += 1
                number += passed > before and at > 0
                numbers.append(number)
        return numbers


cdef tuple span(const int32_t* origins, Py_ssize_t size, Py_ssize_t start, Py_ssize_t end):
    """From where to where in the text the characters from `start` to `end` stand, one at least."""
    cdef Py_ssize_t last = max(start, end - 1)
    if start < 0 or last >= size:
        raise IndexError(f"there are no characters {start} to {end} among {size}")
    return origins[start], origins[last] + 1


cdef class Forms:
    """Makes the forms of texts. What a character becomes is asked of `kind_of` when it is met first, and kept.

    `kind_of` gives the kind of a character, one of `KINDS`, and what it becomes in the log form and in the matching form
    (see normalise.py); a mark or sign that stays in the log form is the same there.
    """

    cdef unsigned char* kinds
    cdef Py_UCS4* logged
    cdef Py_UCS4* matched
    cdef object kind_of

    def __cinit__(self, kind_of not None):
        self.kind_of = kind_of
        # pages of these that nobody looks at take no memory
        self.kinds = <unsigned char*>calloc(LAST + 1, 1)
        self.logged = <Py_UCS4*>calloc(LAST + 1, sizeof(Py_UCS4))
        self.matched = <Py_UCS4*>calloc(LAST + 1, sizeof(Py_UCS4))
        if not (self.kinds and self.logged and self.matched):
            raise MemoryError

    def __dealloc__(self):
        free(self.kinds)
        free(self.logged)
        free(self.matched)

    cdef inline int kind(self, Py_UCS4 character) except -1:
        """The kind of a character."""
        if character > LAST:
            return HARD
        return self.kinds[character] or self.meet(character)

    cdef int meet(self, Py_UCS4 character) except -1:
        """The kind of a character met for the first time."""
        cdef str logged, matched
        kind, logged, matched = self.kind_of(chr(character))
        self.logged[character] = ord(logged)
        self.matched[character] = ord(matched)
        self.kinds[character] = KINDS[kind]
        return self.kinds[character]

    cdef bint write(self, str text, Form* norm, Form* spaced, Form* match) except -1:
        """Write all forms; false where some character cannot be read by itself."""
        cdef Py_UCS4 character, logged = 0
        cdef Py_ssize_t at = -1
        cdef int kind, before = BLANK
        for character in text:
            at += 1
            kind = self.kind(character)
            if kind == VOWEL:
                if before == LETTER and FIRST_CONSONANT <= logged <= LAST_CONSONANT:
                    return False
                kind = LETTER
            if kind == LETTER:
                logged = self.logged[character]
                put(norm, logged, at)
                put(spaced, logged, at)
                put(match, self.matched[character], at)
            elif kind == BLANK:
                norm.parted = spaced.parted = True
                part(match)
            elif kind == MARK:
                put(norm, self.logged[character], at)
                spaced.parted = True
                part(match)
            elif kind == HARD or kind == POINT == before:
                return False
            elif kind == VARIATION and before in (LETTER, UNMATCHED, APOSTROPHE):
                return False
            elif kind == INVISIBLE:
                continue
            else:
                logged = self.logged[character]
                put(norm, logged, at)
                put(spaced, logged, at)
                if kind == APOSTROPHE:
                    if match.size and not match.parted:
                        put(match, logged, at)
                elif kind == PICTURE:
                    part(match)
                    put(match, self.matched[character], at)
                    match.parted = True
                elif kind != UNMATCHED and kind != POINT:
                    part(match)
            before = kind
        part(match)
        return True

    def read(self, str text not None):
        """The log form, that without punctuation, and the matching form; None where they must be made the long way."""
        cdef Py_ssize_t size = len(text)
        # pictures may have a blank on either side that they do not have in the text
        cdef Py_UCS4* room = <Py_UCS4*>PyMem_Malloc((4 * size + 4) * sizeof(Py_UCS4))
        cdef Form norm = Form(room, NULL, 0, False)
        cdef Form spaced = Form(room + size + 1, NULL, 0, False)
        cdef Form match = Form(room + 2 * size + 2, NULL, 0, False)
        if not room:
            raise MemoryError
        try:
            if not self.write(text, &norm, &spaced, &match):
                return None
            logged = written(&norm)
            parted = same_or_written(&spaced, &norm, logged)
            return logged, parted, same_or_written(&match, &spaced, parted)
        finally:
            PyMem_Free(room)

    def way(self, str text not None):
        """The way back from the forms of a text; None where they must be made the long way."""
        cdef Py_ssize_t size = len(text)
        cdef Py_UCS4* room = <Py_UCS4*>PyMem_Malloc((4 * size + 4) * sizeof(Py_UCS4))
        cdef Way way = Way()
        way.logged = <int32_t*>PyMem_Malloc((size + 1) * sizeof(int32_t))
        way.matched = <int32_t*>PyMem_Malloc((2 * size + 2) * sizeof(int32_t))
        cdef Form norm = Form(room, way.logged, 0, False)
        cdef Form spaced = Form(room + size + 1, NULL, 0, False)
        cdef Form match = Form(room + 2 * size + 2, way.matched, 0, False)
        if not (room and way.logged and way.matched):
            PyMem_Free(room)
            raise MemoryError
        try:
            if not self.write(text, &norm, &spaced, &match):
                return None
            way.logged_size, way.matched_size = norm.size, match.size
            return way
        finally:
            PyMem_Free(room)

    def runs(self, str norm not None):
        """Where each token of the matching form stands in a log form; None where it must be found out the long way.

        A run goes from mark to mark: apostrophes at its edges and what is not matched belong to it.
        """
        cdef Py_UCS4 character
        cdef Py_ssize_t at = -1, begin = -1
        cdef int kind, before = BLANK
        cdef bint kept = False
        cdef list runs = []
        for character in norm:
            at += 1
            kind = self.kind(character)
            if kind == LETTER or kind == VOWEL or kind == APOSTROPHE or kind == UNMATCHED or kind == POINT:
                if begin < 0:
                    begin = at
                kept = kept or kind == LETTER or kind == VOWEL
            elif kind == HARD or kind == INVISIBLE or kind == VARIATION and before == LETTER:
                return None
            else:
                if kept:
                    runs.append((begin, at))
                begin, kept = -1, False
                if kind == PICTURE:
                    runs.append((at, at + 1))
            before = kind
        if kept:
            runs.append((begin, at + 1))
        return runs


cdef str written(Form* form):
    return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, form.characters, form.size)


cdef str same_or_written(Form* form, Form* other, str known):
    """A form as a string, the one of another form if that is the same."""
    if form.size == other.size and not memcmp(form.characters, other.characters, form.size * sizeof(Py_UCS4)):
        return known
    return written(form)
