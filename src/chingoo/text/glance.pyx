# cython: language_level=3, boundscheck=False, wraparound=False
"""One quick look at each character of a text: is there any word in it that deserves a closer look for evasion?"""

from libc.stdlib cimport calloc, free

cdef enum:
    UNKNOWN = 0
    DIGIT = 251
    EDGE = 252
    APOSTROPHE = 253
    SPACE = 254
    LONE = 3  # so many letters standing alone in a row are spaced out


cdef class Glance:
    """Knows the letters of some scripts, and the marks that stand at the edges of words.

    What it does not know deserves a closer look, so that it may be wrong in that direction only.
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

    def is_plain(self, str text not None):
        """Whether no word can be odd.

        Plain words are letters of one script, none of them three times in a row, with apostrophes and with marks at
        their edges; or numbers, or signs alone. Fewer than three letters or digits stand alone in a row.
        """
        cdef Py_UCS4 character, before = 0, earlier = 0
        cdef int kind, script = 0, core = 0, lone = 0
        cdef bint signs = False, inside = False
        for character in text:
            kind = self.kinds[<Py_ssize_t>character] if <Py_ssize_t>character <= self.last else UNKNOWN
            if kind == SPACE:
                if core > 1:
                    lone = 0
                elif core and (script or signs):
                    lone += 1
                    if lone == LONE:
                        return False
                script = core = 0
                signs = inside = False
            elif kind == EDGE:
                inside = core > 0
            elif kind == APOSTROPHE:
                pass
            elif kind == DIGIT or kind == UNKNOWN:
                if script or kind == UNKNOWN and (character.isalnum() or character.isspace()):
                    return False
                signs = True
                core += 1
            else:
                if signs or inside or script and script != kind or character == before and character == earlier:
                    return False
                script = kind
                core += 1
            earlier, before = before, character
        return not (core == 1 and (script or signs) and lone == LONE - 1)
