# cython: language_level=3, boundscheck=False, wraparound=False
"""How words sound whose language has no spelling (Arabizi): groups of signs become sounds, and doubled ones are one."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc

cdef extern from "Python.h":
    object PyUnicode_FromKindAndData(int kind, const void* characters, Py_ssize_t size)
    int PyUnicode_4BYTE_KIND

cdef enum:
    KNOWN = 0x250  # characters of which is known at a look whether they begin any sign

_START, _END = "^", "$"


cdef class Sounds:
    """A table of sounds. What it makes of a text has as many spaces as the text, so that words can be counted off."""

    cdef dict groups  # by their first sign the groups, those first that go before others
    cdef Py_ssize_t most  # characters that a sign becomes at most
    cdef bint[KNOWN] begins

    def __init__(self, table not None):
        """Keys are signs, or groups of signs; `^` before a group is the beginning of a word, `$` after it the end.

        Longer groups go first, and those that only stand at an edge of a word before the same signs anywhere.
        """
        cdef str signs, sound, bare
        single = str.maketrans({signs: sound for signs, sound in table.items() if len(signs) == 1})
        self.groups, self.most = {}, 1
        for signs in sorted(table, key=_by_length, reverse=True):
            bare, sound = signs.strip(_START + _END), table[signs]
            if len(signs) > 1:
                sound = sound.translate(single)
            group = (bare, sound, signs.startswith(_START), signs.endswith(_END))
            self.groups.setdefault(bare[0], []).append(group)
            self.most = max(self.most, len(sound))
            if ord(bare[0]) < KNOWN:
                self.begins[<Py_ssize_t>ord(bare[0])] = True

    def __call__(self, str text not None):
        """The sounds of a text in matching form, word by word."""
        cdef Py_ssize_t size = len(text), at = 0, written = 0
        cdef Py_UCS4 sign, last = 0
        cdef Py_UCS4* heard = <Py_UCS4*>PyMem_Malloc((size * self.most + 1) * sizeof(Py_UCS4))
        cdef tuple group
        if not heard:
            raise MemoryError
        try:
            while at < size:
                sign = text[at]
                group = None
                if sign >= KNOWN or self.begins[<Py_ssize_t>sign]:
                    group = self.group_at(text, size, at)
                if group is None:
                    put(heard, &written, &last, sign)
                    at += 1
                    continue
                for sign in <str>group[1]:
                    put(heard, &written, &last, sign)
                at += len(<str>group[0])
            return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, heard, written)
        finally:
            PyMem_Free(heard)

    cdef tuple group_at(self, str text, Py_ssize_t size, Py_ssize_t at):
        """The group that stands at a place, or None."""
        cdef Py_ssize_t end
        cdef str signs
        cdef tuple group
        for group in self.groups.get(text[at], ()):
            signs = <str>group[0]
            end = at + len(signs)
            if end > size or group[2] and at and text[at - 1] != u" " or group[3] and end < size and text[end] != u" ":
                continue
            if all_stand(signs, text, at):
                return group
        return None


cdef inline bint all_stand(str signs, str text, Py_ssize_t at):
    """Whether signs stand at a place."""
    cdef Py_ssize_t place
    for place in range(1, len(signs)):
        if signs[place] != text[at + place]:
            return False
    return True


cdef inline void put(Py_UCS4* heard, Py_ssize_t* written, Py_UCS4* last, Py_UCS4 sign):
    """Write a sound, unless it is a letter that was written just before."""
    if sign == last[0] and sign.isalnum() and not sign.isdecimal():
        return
    heard[written[0]] = sign
    written[0] += 1
    last[0] = sign


def _by_length(str signs not None):
    return len(signs.strip(_START + _END)), len(signs)
