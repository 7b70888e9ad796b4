# cython: language_level=3, boundscheck=False, wraparound=False
"""One quick look at each character of a text: which words in it deserve a closer look for evasion?"""

from libc.stdlib cimport calloc, free

cdef enum:
    UNKNOWN = 0
    DIGIT = 251
    EDGE = 252
    APOSTROPHE = 253
    SPACE = 254

    NO_WORD = 0
    STANDS_ALONE = 1
    ODD = 2
    NOT_ODD = 3


cdef class Glance:
    """Knows the letters of some scripts, and the marks that stand at the edges of words.

    Words with anything else in them deserve a closer look.
    """

    cdef unsigned char* kinds  # of each character: the number of its script, or one of the above
    cdef Py_ssize_t last

    def __cinit__(self, scripts not None, str edges not None):
        """`scripts` are the letters of each script that does not mix with others inside a word."""
        cdef Py_UCS4 character
        cdef str letters
        cdef int number
        for letters in (*scripts, edges, "9"):
            for character in letters:
                self.last = max(self.last, <Py_ssize_t>character)
        self.kinds = <unsigned char*>calloc(self.last + 1, 1)
        if not self.kinds:
            raise MemoryError
        for number, letters in enumerate(scripts, 1):
            for character in letters:
                self.kinds[<Py_ssize_t>character] = number
        for character in edges:
            self.kinds[<Py_ssize_t>character] = EDGE
        for character in "0123456789":
            self.kinds[<Py_ssize_t>character] = DIGIT
        self.kinds[c"'"] = APOSTROPHE
        self.kinds[c" "] = SPACE

    def __dealloc__(self):
        free(self.kinds)

    def odd_words(self, str text not None, sign_of not None, int fewest_lone):
        """Which words of a text whose words stand between single spaces are odd, by their numbers.

        Plain are words of several letters of one script, none of them three times in a row, with apostrophes and with
        marks at their edges; and numbers of several digits. Letters and digits that stand alone are odd where there are
        so many in a row, between which no other word stands. `sign_of` tells of any other word whether it is no word,
        stands alone, is odd or is not (0 to 3).
        """
        cdef Py_UCS4 character, before = 0, earlier = 0, letter = 0
        cdef Py_ssize_t at = 0, begin = 0, number = 0, size = len(text)
        cdef int kind, script = 0, core = 0, sign
        cdef bint digits = False, inside = False, known = True
        cdef list found = [], lone = []
        while at <= size:
            character = text[at] if at < size else u" "
            kind = self.kinds[<Py_ssize_t>character] if <Py_ssize_t>character <= self.last else UNKNOWN
            if kind == SPACE:
                if not known:
                    sign = sign_of(text[begin:at])
                elif core > 1:
                    sign = NOT_ODD
                else:
                    sign = STANDS_ALONE if core and letter.isalnum() else NO_WORD
                if sign == STANDS_ALONE:
                    lone.append(number)
                elif sign != NO_WORD:
                    if lone:
                        if len(lone) >= fewest_lone:
                            found += lone
                        lone = []
                    if sign == ODD:
                        found.append(number)
                number += 1
                begin = at + 1
                script = core = 0
                digits = inside = False
                known = True
            elif kind == EDGE:
                inside = core > 0
            elif kind == APOSTROPHE:
                pass
            elif kind == UNKNOWN:
                known = False
            elif kind == DIGIT:
                if script:
                    known = False
                digits = True
                core += 1
                letter = character
            else:
                if digits or inside or script and script != kind or character == before and character == earlier:
                    known = False
                script = kind
                core += 1
                letter = character
            earlier, before = before, character
            at += 1
        return found + lone if len(lone) >= fewest_lone else found
