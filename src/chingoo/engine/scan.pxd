# cython: language_level=3
from libc.stdint cimport int32_t

from chingoo.engine.found cimport Found


cdef class Row:
    cdef readonly tuple hits
    cdef readonly tuple languages
    cdef readonly list by_token
    cdef readonly list firsts
    cdef readonly list lasts
    cdef readonly dict spoken


cdef class Scan:
    cdef readonly object text
    cdef public list sentences
    cdef readonly Found found
    cdef readonly dict met
    cdef frozenset _seen
    cdef dict _hits
    cdef dict _own
    cdef dict _rows
    cdef object _offsets
    cdef int32_t* _spaces  # before each character of the matching form, and before its end: how many

    cpdef bint has(self, str list_id) except -1
    cpdef tuple hits(self, str list_id)
    cpdef Row row(self, str list_id)
    cdef list _sights(self, str list_id)
    cdef list _made(self, list sights)
    cdef object _hit(self, tuple target, tuple place)
    cdef int32_t* counted(self) except NULL
