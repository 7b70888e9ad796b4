# cython: language_level=3
from libc.stdint cimport int32_t


cdef struct Place:
    int32_t key  # of the automaton; of what was seen in another way its number, counted from -1 downwards
    int32_t held  # under which of the rules of the key, or -1: as a whole word
    int32_t start
    int32_t end


cdef struct Link:  # the places of a list, one after the other
    int32_t place
    int32_t next  # or -1


cdef struct Chain:
    int32_t first  # or -1
    int32_t last


cdef class Lists:
    cdef readonly tuple names
    cdef readonly dict numbers

    cdef int32_t number(self, str list_id) except -2


cdef class Numbered:
    cdef dict _numbers
    cdef dict _known
    cdef Lists _last
    cdef const int32_t* _own

    cdef const int32_t* own(self, Lists lists) except NULL
    cdef int forget(self) except -1


cdef class Group(Numbered):
    pass


cdef class Found:
    cdef readonly Lists lists
    cdef object _source
    cdef object _view
    cdef list _further
    cdef Place* places
    cdef Link* links
    cdef int32_t amount
    cdef int32_t linked
    cdef int32_t _room
    cdef int32_t _links_room
    cdef Chain* chains  # of each list
    cdef int32_t* order  # the lists of which something was seen, by their first places
    cdef int32_t touched
    cdef char* stands  # of each list, whether something of it was seen

    cdef int32_t place(self, int32_t key, int32_t held, int32_t start, int32_t end) except -1
    cdef int note(self, int32_t number, int32_t place) except -1
    cdef int number_places(self, list numbers, const int32_t* spaces, int32_t* told) except -1
    cpdef bint has(self, str list_id) except -1
    cpdef list sights(self, str list_id, Py_ssize_t most=*, frozenset languages=*)
    cdef Found only(self, list numbers, int32_t wanted, const int32_t* spaces)
