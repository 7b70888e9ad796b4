# cython: language_level=3, boundscheck=False, wraparound=False, embedsignature=False
"""Finds every key that stands in a text, in one pass: an Aho-Corasick automaton in few blocks of memory.

Most of the time of a scan goes into waiting for memory. Therefore a node is sixteen bytes, the nodes stand in the order
of their depth, so that those near the root, which every text visits, lie side by side, and the children of a node follow
each other, so that the look for a child fetches the child. Several walks go through a text side by side, and what is
needed next is fetched ahead of its use. Nodes are made from the sorted keys without the interpreter's
lock: other threads go on meanwhile, and all of it is freed at once.
"""

from types import GenericAlias

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint16_t
from libc.string cimport memcpy

from chingoo.engine.found cimport Found, Lists

from posix.mman cimport MAP_ANONYMOUS, MAP_FAILED, MAP_PRIVATE, PROT_READ, PROT_WRITE, mmap, munmap

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define SOON(at) __builtin_prefetch(at)
    #else
    #define SOON(at) ((void)(at))
    #endif
    """
    void SOON(const void* at) nogil
    PyObject** PySequence_Fast_ITEMS(object held)
    PyObject* PyTuple_GET_ITEM(PyObject* held, Py_ssize_t place)
    Py_ssize_t PyTuple_GET_SIZE(PyObject* held)

cdef enum:
    HEADER = 64  # bytes before each block, of which the first say how large it is
    FEW = 8  # children that are looked through one by one
    WALKERS = 8  # that go through a text side by side at most
    SHORTEST_WALK = 16  # letters for each of them
    LAST_OF_THREE = 40  # bytes from the beginning of a tuple to its third item
    WHOLE = -1  # under no rule
    LEFT = 0  # the places of what rules say
    RIGHT = 1
    HEAD = 2
    TAIL = 3
    OPEN = 4
    ELIDED = 5
    LANGUAGES = 32  # what a rule says as a number: a bit for each of its first places, above them the number of a language
    FIRST_SYLLABLE = 0xAC00  # 가
    LAST_SYLLABLE = 0xD7A3  # 힣
    MOST_LETTERS = 65_535
    SOME_KEYS = 1_000  # after which other threads may go on
    MOST_NODES = 2_000_000_000


cdef struct Node:
    int32_t first  # its first child
    int32_t fail  # the node of the longest suffix that begins a key too
    int32_t key  # the longest key that ends here, or -1
    uint16_t letter  # by which its parent leads here
    uint16_t size  # how many children it has


cdef struct Known:
    int32_t shorter  # of a key: the next shorter one that ends where it ends, or -1
    int32_t size  # how many letters it has
    int32_t told  # where it is told of which lists it is (see `tell`)


cdef struct Sight:
    int32_t end  # where a key ends in a text
    int32_t key


cdef struct Sizes:  # how an image begins
    int64_t nodes
    int64_t characters
    int64_t told
    int32_t keys
    int32_t letters
    int32_t deepest
    int32_t widest


cdef struct Keys:
    uint16_t* letters  # of all keys, one after the other
    int64_t* begin  # where each key's letters begin; one more at the end
    int32_t* order  # the keys, sorted
    int32_t* common  # how many letters each sorted key has in common with the one before it


cdef void* taken(size_t amount, size_t each) noexcept nogil:
    """Zeroed memory for so many things, from the system itself, or NULL.

    The blocks are large and come and go with policy sets: among everything else that is kept they would leave holes.
    """
    cdef size_t size = amount * each + HEADER
    cdef void* block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    if block == MAP_FAILED:
        return NULL
    (<size_t*>block)[0] = size
    return <char*>block + HEADER


cdef void given_back(void* at) noexcept nogil:
    """Give back what was taken, if anything was."""
    cdef char* block = <char*>at - HEADER
    if at:
        munmap(block, (<size_t*>block)[0])


cdef int64_t image_size(Sizes* sizes) noexcept nogil:
    """How many bytes an image has."""
    return (
        <int64_t>sizeof(Sizes)
        + sizes.nodes * <int64_t>sizeof(Node)
        + sizes.keys * <int64_t>(sizeof(Known) + sizeof(int32_t))
        + sizes.told * <int64_t>sizeof(int32_t)
        + (sizes.deepest + 1) * <int64_t>sizeof(int32_t)
        + sizes.letters * <int64_t>(2 * sizeof(int32_t))
        + sizes.characters * <int64_t>sizeof(uint16_t)
    )


cdef inline char* put(char* at, void* block, size_t size) noexcept nogil:
    """Copy a block to a place; the place after it."""
    memcpy(at, block, size)
    return at + size


cdef inline char* get(char* at, void* block, size_t size) noexcept nogil:
    """Copy a block from a place; the place after it."""
    memcpy(block, at, size)
    return at + size


cdef inline int32_t letter_at(Keys* keys, int32_t key, int64_t depth) noexcept nogil:
    """A letter of a key, or 0 at its end."""
    cdef int64_t place = keys.begin[key] + depth
    return keys.letters[place] if place < keys.begin[key + 1] else 0


cdef void sort_keys(Keys* keys, int64_t low, int64_t high, int64_t depth) noexcept nogil:
    """Sort `order[low:high]`, whose keys are the same in their first letters: by the next one, in three parts."""
    cdef int64_t below, above, here
    cdef int32_t pivot, letter, key
    while high - low > 1:
        pivot = letter_at(keys, keys.order[low + (high - low) // 2], depth)
        below, above, here = low, high, low
        while here < above:
            key = keys.order[here]
            letter = letter_at(keys, key, depth)
            if letter < pivot:
                keys.order[here] = keys.order[below]
                keys.order[below] = key
                below += 1
                here += 1
            elif letter > pivot:
                above -= 1
                keys.order[here] = keys.order[above]
                keys.order[above] = key
            else:
                here += 1
        sort_keys(keys, low, below, depth)
        sort_keys(keys, above, high, depth)
        if pivot == 0:
            return
        low, high, depth = below, above, depth + 1


cdef int64_t compare_keys(Keys* keys, int32_t amount) noexcept nogil:
    """Note what sorted keys have in common, and count the nodes they need."""
    cdef int64_t nodes = 1, index, depth, most, own
    cdef uint16_t* one
    cdef uint16_t* other
    for index in range(amount):
        own = keys.begin[keys.order[index] + 1] - keys.begin[keys.order[index]]
        depth = 0
        if index:
            one, other = keys.letters + keys.begin[keys.order[index - 1]], keys.letters + keys.begin[keys.order[index]]
            most = min(own, keys.begin[keys.order[index - 1] + 1] - keys.begin[keys.order[index - 1]])
            while depth < most and one[depth] == other[depth]:
                depth += 1
        keys.common[index] = <int32_t>depth
        nodes += own - depth
    return nodes


cdef inline int32_t child(Node* nodes, int32_t node, int32_t letter) noexcept nogil:
    """The child to which a letter leads, or 0."""
    cdef int32_t low = nodes[node].first, size = nodes[node].size, half, one
    if size > FEW:
        while size > 1:
            half = size // 2
            if nodes[low + half].letter <= letter:
                low += half
            size -= half
        return low if nodes[low].letter == letter else 0
    for one in range(low, low + size):
        if nodes[one].letter == letter:
            return one
    return 0


cdef class Edges:
    """What may stand around keys that are not padded on both sides: `Rule`s by their places (see keys.py).

    `heads` stand before Arabic words, `tails` after Hangul ones, behind which `sounds` of chat may stand too; `elisions`
    are the short words before an apostrophe, by language.
    """

    cdef frozenset heads
    cdef frozenset tails
    cdef Py_ssize_t longest_head
    cdef Py_ssize_t longest_tail
    cdef list elisions  # by the numbers of their languages
    cdef dict languages
    cdef str sounds

    def __init__(self, *, frozenset heads not None, frozenset tails not None, elisions not None, str sounds not None):
        self.heads, self.tails, self.sounds = heads, tails, sounds
        self.languages = {language: number for number, language in enumerate(sorted(elisions), start=1)}
        self.elisions = [frozenset(), *[frozenset(elisions[language]) for language in self.languages]]
        self.longest_head = max([len(head) for head in heads.union(*self.elisions)], default=0)
        self.longest_tail = max([len(tail) for tail in tails], default=0)

    def end(self, str padded not None, Py_ssize_t start, Py_ssize_t end, rule):
        """Where a hit ends in a text between two spaces (after open endings), or -1 when what is around it does not fit.

        KeyError: nothing is known of elisions in the language of the rule.
        """
        cdef Py_ssize_t word_stop = -1
        return self.end_under(padded, start, end, self.number(rule), &word_stop)

    cdef int32_t number(self, rule) except -1:
        """What a rule says, as a number."""
        cdef int32_t number = 0, place
        for place in range(ELIDED):
            if (<tuple>rule)[place]:
                number |= 1 << place
        if (<tuple>rule)[ELIDED]:
            number |= LANGUAGES * <int32_t>self.languages[(<tuple>rule)[ELIDED]]
        return number

    cdef Py_ssize_t end_under(
        self, str padded, Py_ssize_t start, Py_ssize_t end, int32_t rule, Py_ssize_t* word_stop
    ) except -2:
        """The same under a rule as a number.

        `word_stop`: where the word ends in which the last hit did, or -1; among hits in order each word's end is looked
        for once, however long it is.
        """
        if not 0 < start <= end < len(padded):
            return -1
        if rule & 1 << HEAD and padded[start - 1] != u" " and self.before(padded, start) not in self.heads:
            return -1
        if rule >= LANGUAGES and self.before(padded, start) not in <frozenset>self.elisions[rule // LANGUAGES]:
            return -1
        if rule & (1 << OPEN | 1 << TAIL) and end > word_stop[0]:
            word_stop[0] = word_end(padded, end)
        if rule & 1 << OPEN:
            return word_stop[0]
        if rule & 1 << TAIL and padded[end] != u" " and not self.may_follow(padded, end, word_stop[0]):
            return -1
        return end

    cdef str before(self, str padded, Py_ssize_t start):
        """What stands before a place in its word, or so much of it that it is no head."""
        cdef Py_ssize_t at = start
        while at > 0 and padded[at - 1] != u" " and start - at <= self.longest_head:
            at -= 1
        return padded[at:start]

    cdef bint may_follow(self, str text, Py_ssize_t end, Py_ssize_t word_stop) except -1:
        """Whether what a word ends with may follow a Hangul word."""
        if word_stop - end > self.longest_tail and not self.sounds_at_end(text, end + self.longest_tail, word_stop):
            return False
        return self.is_tail(text[end:word_stop])

    cdef bint sounds_at_end(self, str text, Py_ssize_t start, Py_ssize_t word_stop) except -1:
        """Whether there may be nothing but sounds of chat between two places, by the first and the last of it."""
        return text[start] in self.sounds and text[word_stop - 1] in self.sounds

    cdef bint is_tail(self, str tail) except -1:
        """Whether something may follow a Hangul word, once the ㅋㅋ and ㅠㅠ at its end are off."""
        cdef Py_UCS4 last = tail[len(tail) - 1]
        if tail in self.tails:
            return True
        if FIRST_SYLLABLE <= last <= LAST_SYLLABLE:
            return False
        tail = tail.rstrip(self.sounds)
        return not tail or tail in self.tails


cdef inline Py_ssize_t word_start(str text, Py_ssize_t at):
    """Where the word begins in which a place lies."""
    while at > 0 and text[at - 1] != u" ":
        at -= 1
    return at


cdef inline Py_ssize_t word_end(str text, Py_ssize_t at):
    """Where it ends."""
    cdef Py_ssize_t size = len(text)
    while at < size and text[at] != u" ":
        at += 1
    return at


cdef class Automaton:
    """Finds keys in texts; each stands for a value. Immutable.

    ValueError: there is an empty key, or the keys have more different letters than are needed by any language.
    """

    cdef Node* nodes
    cdef Known* known  # the keys, those first that stand nearest to the root
    cdef uint16_t* codes  # of each character its number among the letters of keys, or 0
    cdef int32_t* from_root  # where each letter leads from the root
    cdef int32_t* from_widest  # and from the node with most children: mostly that of the space before words
    cdef int32_t widest
    cdef int64_t amount  # of nodes
    cdef Py_ssize_t last_character
    cdef int32_t* levels  # the first node of each depth
    cdef int32_t deepest
    cdef list held
    cdef PyObject** items  # of that list
    cdef int32_t letters  # how many different ones keys have, and one
    cdef int32_t* told  # of which lists keys are
    cdef int64_t told_size
    cdef int32_t* numbers  # of each key that of its value, where values are made as they are found
    cdef object make  # a value by its number

    __class_getitem__ = classmethod(GenericAlias)

    def __cinit__(self, dict held not None):
        cdef Keys keys
        cdef int32_t amount = <int32_t>len(held)
        cdef int64_t total = 0, place = 0
        cdef int32_t letters = 1, index = 0
        cdef Py_UCS4 character
        cdef str key
        cdef bint made
        for key in held:
            index += 1
            if index % SOME_KEYS == 0:
                with nogil:
                    pass
            if not key:
                raise ValueError("an empty key stands everywhere")
            total += len(key)
            self.deepest = max(self.deepest, <int32_t>len(key))
            for character in key:
                if <Py_ssize_t>character > self.last_character:
                    self.last_character = character
        if total > MOST_NODES:
            raise MemoryError
        self.codes = <uint16_t*>taken(self.last_character + 1, sizeof(uint16_t))
        self.known = <Known*>taken(amount + 1, sizeof(Known))
        self.levels = <int32_t*>taken(self.deepest + 1, sizeof(int32_t))
        keys.letters = <uint16_t*>taken(total + 1, sizeof(uint16_t))
        keys.begin = <int64_t*>taken(amount + 1, sizeof(int64_t))
        keys.order = <int32_t*>taken(amount + 1, sizeof(int32_t))
        keys.common = <int32_t*>taken(amount + 1, sizeof(int32_t))
        try:
            if not (self.codes and self.known and self.levels and keys.letters and keys.begin and keys.order and keys.common):
                raise MemoryError
            index = 0
            for key in held:
                if index % SOME_KEYS == 0:
                    with nogil:
                        pass
                keys.begin[index] = place
                keys.order[index] = index
                for character in key:
                    if not self.codes[character]:
                        if letters > MOST_LETTERS:
                            raise ValueError("the keys have too many different letters")
                        self.codes[character] = <uint16_t>letters
                        letters += 1
                    keys.letters[place] = self.codes[character]
                    place += 1
                index += 1
            keys.begin[amount] = place
            self.letters = letters
            self.from_root = <int32_t*>taken(letters, sizeof(int32_t))
            self.from_widest = <int32_t*>taken(letters, sizeof(int32_t))
            if not (self.from_root and self.from_widest):
                raise MemoryError
            with nogil:
                sort_keys(&keys, 0, amount, 0)
                self.amount = compare_keys(&keys, amount)
                made = self.make_nodes(&keys, amount)
            if not made:
                raise MemoryError
            values = list(held.values())
            self.held = [values[keys.order[index]] for index in range(amount)]
            self.items = PySequence_Fast_ITEMS(self.held)
        finally:
            given_back(keys.letters)
            given_back(keys.begin)
            given_back(keys.order)
            given_back(keys.common)

    def __dealloc__(self):
        self.give_back()

    cdef void give_back(self) noexcept nogil:
        given_back(self.nodes)
        given_back(self.known)
        given_back(self.levels)
        given_back(self.codes)
        given_back(self.from_root)
        given_back(self.from_widest)
        given_back(self.numbers)
        given_back(self.told)
        self.nodes, self.known, self.codes, self.told = NULL, NULL, NULL, NULL
        self.levels, self.from_root, self.from_widest, self.numbers = NULL, NULL, NULL, NULL

    def image(self, list numbers not None):
        """The automaton as bytes, with a number for each of `values`."""
        cdef Sizes sizes
        cdef int32_t key, number
        cdef bytes image
        cdef char* at
        sizes.nodes, sizes.characters, sizes.keys = self.amount, self.last_character + 1, <int32_t>len(self.held)
        sizes.letters, sizes.deepest, sizes.widest = self.letters, self.deepest, self.widest
        sizes.told = self.told_size
        image = PyBytes_FromStringAndSize(NULL, image_size(&sizes))
        at = put(PyBytes_AS_STRING(image), &sizes, sizeof(Sizes))
        at = put(at, self.nodes, sizes.nodes * sizeof(Node))
        at = put(at, self.known, sizes.keys * sizeof(Known))
        for key in range(sizes.keys):
            number = numbers[key]
            at = put(at, &number, sizeof(int32_t))
        at = put(at, self.told, sizes.told * sizeof(int32_t))
        at = put(at, self.levels, (sizes.deepest + 1) * sizeof(int32_t))
        at = put(at, self.from_root, sizes.letters * sizeof(int32_t))
        at = put(at, self.from_widest, sizes.letters * sizeof(int32_t))
        put(at, self.codes, sizes.characters * sizeof(uint16_t))
        return image

    @staticmethod
    def of_image(image, make not None):
        """An automaton from its image; `make` gives a value by its number when a key is found that stands for it.

        ValueError: it is no image. Beyond its size nothing about it is looked at.
        """
        cdef Automaton made = Automaton({})
        cdef Py_buffer view
        PyObject_GetBuffer(image, &view, PyBUF_SIMPLE)
        try:
            made.take_image(<char*>view.buf, view.len)
        finally:
            PyBuffer_Release(&view)
        made.make = make
        return made

    cdef int take_image(self, char* at, Py_ssize_t size) except -1:
        """Become what an image says. Its bytes are copied without the interpreter's lock."""
        cdef Sizes sizes
        cdef bint enough
        if size < <Py_ssize_t>sizeof(Sizes):
            raise ValueError("this is no image of an automaton")
        at = get(at, &sizes, sizeof(Sizes))
        if (
            min(sizes.nodes, sizes.characters, sizes.told, sizes.keys, sizes.letters, sizes.deepest) < 0
            or max(sizes.nodes, sizes.characters, sizes.told) > MOST_NODES
            or size != image_size(&sizes)
        ):
            raise ValueError("this is no image of an automaton")
        with nogil:
            self.give_back()
            self.nodes = <Node*>taken(sizes.nodes, sizeof(Node))
            self.known = <Known*>taken(sizes.keys, sizeof(Known))
            self.numbers = <int32_t*>taken(sizes.keys, sizeof(int32_t))
            self.told = <int32_t*>taken(sizes.told, sizeof(int32_t))
            self.levels = <int32_t*>taken(sizes.deepest + 1, sizeof(int32_t))
            self.from_root = <int32_t*>taken(sizes.letters, sizeof(int32_t))
            self.from_widest = <int32_t*>taken(sizes.letters, sizeof(int32_t))
            self.codes = <uint16_t*>taken(sizes.characters, sizeof(uint16_t))
            enough = self.nodes and self.known and self.numbers and self.told and self.levels and self.codes
            enough = enough and self.from_root and self.from_widest
            if enough:
                at = get(at, self.nodes, sizes.nodes * sizeof(Node))
                at = get(at, self.known, sizes.keys * sizeof(Known))
                at = get(at, self.numbers, sizes.keys * sizeof(int32_t))
                at = get(at, self.told, sizes.told * sizeof(int32_t))
                at = get(at, self.levels, (sizes.deepest + 1) * sizeof(int32_t))
                at = get(at, self.from_root, sizes.letters * sizeof(int32_t))
                at = get(at, self.from_widest, sizes.letters * sizeof(int32_t))
                get(at, self.codes, sizes.characters * sizeof(uint16_t))
        if not enough:
            raise MemoryError
        self.amount, self.last_character, self.told_size = sizes.nodes, sizes.characters - 1, sizes.told
        self.letters, self.deepest, self.widest = sizes.letters, sizes.deepest, sizes.widest
        self.held = [None] * sizes.keys
        self.items = PySequence_Fast_ITEMS(self.held)
        return 0

    cdef inline int fill(self, int32_t key) except -1:
        """Make what a key stands for, unless it is there."""
        if self.numbers and self.items[key] == <PyObject*>None:
            self.held[key] = self.make(self.numbers[key])
        return 0

    def tell(self, Lists lists not None, Edges edges not None):
        """Write down of which lists each key is, so that `gather` need not look at what keys stand for.

        That is how many lists a key is of as a whole word, and under how many rules, then these lists, and of each rule
        its number, how many lists those are, and these. Most keys say the same as many others.
        """
        cdef dict rows = {}, whole = {}, by_rule = {}, known
        cdef list told = []
        cdef int32_t key
        cdef Py_ssize_t at
        cdef tuple meaning, held, under
        for key in range(<int32_t>len(self.held)):
            if key % SOME_KEYS == 0:
                with nogil:
                    pass
            meaning = <tuple>self.held[key]
            held = <tuple>meaning[2]
            if len(held) == 0:
                known, same = whole, <size_t><PyObject*>meaning[0]
            elif len(held) == 1 and len(<tuple>meaning[0]) == 0:
                under = <tuple>held[0]
                known, same = by_rule.get(<size_t><PyObject*>under[0]), <size_t><PyObject*>under[1]
                if known is None:
                    known = by_rule[<size_t><PyObject*>under[0]] = {}
            else:
                known, same = {}, None
            row = known.get(same)
            if row is None:
                row = known[same] = self.tell_row(meaning, lists, edges, rows, told)
            self.known[key].told = row
        given_back(self.told)
        self.told = <int32_t*>taken(len(told), sizeof(int32_t))
        if not self.told:
            raise MemoryError
        self.told_size = len(told)
        for at in range(len(told)):
            self.told[at] = told[at]

    cdef int32_t tell_row(self, tuple meaning, Lists lists, Edges edges, dict rows, list told) except -1:
        """Where it is told of which lists a meaning is, which is written down unless the same was before."""
        cdef list row = [len(<tuple>meaning[0]), len(<tuple>meaning[2]), *[lists.numbers[one] for one in meaning[0]]]
        for rule, some, _ in <tuple>meaning[2]:
            row += [edges.number(rule), len(some), *[lists.numbers[one] for one in some]]
        at = rows.setdefault(tuple(row), len(told))
        if at == len(told):
            told += row
        return at

    @property
    def is_told(self):
        """Whether it was written down of which lists the keys are."""
        return self.told != NULL

    def targets(self, int32_t key, int32_t held):
        """What a key that was gathered stands for: as a whole word (-1), or under one of its rules."""
        cdef tuple meaning
        self.fill(key)
        meaning = <tuple>self.held[key]
        return meaning[1] if held == WHOLE else (<tuple>(<tuple>meaning[2])[held])[2]

    cdef bint make_nodes(self, Keys* keys, int32_t amount) noexcept nogil:
        """Make the nodes level by level; false when there is no memory for them."""
        cdef Node* nodes = <Node*>taken(self.amount, sizeof(Node))
        cdef int32_t* low = <int32_t*>taken(self.amount, sizeof(int32_t))  # the first of the sorted keys of a node
        cdef int32_t* high = <int32_t*>taken(self.amount, sizeof(int32_t))  # and the one after the last
        cdef int32_t* nearest = <int32_t*>taken(amount + 1, sizeof(int32_t))  # the keys in the order of their nodes
        cdef int64_t depth = 0, level_end = 1
        cdef int32_t node, one, end, made = 1, number = 0
        if not (nodes and low and high and nearest):
            given_back(nearest)
            given_back(nodes)
            given_back(low)
            given_back(high)
            return False
        self.nodes = nodes
        low[0], high[0] = 0, amount
        self.widest = 0
        for node in range(<int32_t>self.amount):
            if node == level_end:
                depth += 1
                self.levels[depth] = node
                level_end = made
            one, end = low[node], high[node]
            nodes[node].key = -1
            if one < end and keys.begin[keys.order[one]] + depth == keys.begin[keys.order[one] + 1]:
                nodes[node].key = number
                self.known[number].size = <int32_t>depth
                nearest[number] = keys.order[one]
                number += 1
                one += 1
            nodes[node].first = made
            while one < end:
                nodes[made].letter = keys.letters[keys.begin[keys.order[one]] + depth]
                low[made] = one
                one += 1
                while one < end and keys.common[one] > depth:
                    one += 1
                high[made] = one
                made += 1
            nodes[node].size = <uint16_t>(made - nodes[node].first)
            if node and (self.widest == 0 or nodes[node].size > nodes[self.widest].size):
                self.widest = node
        given_back(low)
        given_back(high)
        memcpy(keys.order, nearest, amount * sizeof(int32_t))
        given_back(nearest)
        self.lead(nodes)
        return True

    cdef void lead(self, Node* nodes) noexcept nogil:
        """Lead every node to where its longest suffix stands, and every key to the shorter ones inside it."""
        cdef int32_t node, one, to, fail, key
        for one in range(nodes[0].first, nodes[0].first + nodes[0].size):
            self.from_root[nodes[one].letter] = one
        for one in range(nodes[self.widest].first, nodes[self.widest].first + nodes[self.widest].size):
            self.from_widest[nodes[one].letter] = one
        for node in range(<int32_t>self.amount):
            for one in range(nodes[node].first, nodes[node].first + nodes[node].size):
                fail = 0
                if node:
                    to = nodes[node].fail
                    fail = self.after(nodes, to, nodes[one].letter)
                nodes[one].fail = fail
                key = nodes[one].key
                if key >= 0:
                    self.known[key].shorter = nodes[fail].key
                else:
                    nodes[one].key = nodes[fail].key

    cdef inline int32_t after(self, Node* nodes, int32_t node, int32_t letter) noexcept nogil:
        """The node after one more letter."""
        cdef int32_t to
        while node:
            to = self.from_widest[letter] if node == self.widest else child(nodes, node, letter)
            if to:
                return to
            node = nodes[node].fail
        return self.from_root[letter]

    cdef void walk(self, const uint16_t* codes, int32_t size, int32_t* longest) noexcept nogil:
        """Note which key ends at each place, the longest one, or -1.

        A walk waits for memory at each letter. Therefore several walk side by side, each through a part of the text, and
        what one will need is fetched while the others go on. Each goes on beyond its part until the longest suffix it
        is at begins after it: from there the next one has seen the same. What it notes until then replaces what the next
        one noted, for it knows what stood before, and comes by later, having set out farther away.
        """
        cdef Node* nodes = self.nodes
        cdef int32_t[WALKERS] node
        cdef int32_t[WALKERS] place
        cdef int32_t[WALKERS] stop
        cdef int32_t walkers = min(<int32_t>WALKERS, size // SHORTEST_WALK + 1), one, at, to, key, beyond
        if size == 0:
            return
        for one in range(walkers):
            node[one] = 0
            place[one] = <int32_t>(<int64_t>size * one // walkers)
            stop[one] = <int32_t>(<int64_t>size * (one + 1) // walkers)
        while walkers:
            one = 0
            while one < walkers:
                at = place[one]
                to = self.after(nodes, node[one], codes[at]) if codes[at] else 0
                at += 1
                beyond = at - stop[one]
                if beyond <= 0 or (beyond < self.deepest and to >= self.levels[beyond + 1]):
                    key = nodes[to].key
                    longest[at - 1] = key
                    if at < size:
                        SOON(nodes + nodes[to].first)
                        if key >= 0:
                            SOON(self.known + key)
                        node[one], place[one] = to, at
                        one += 1
                        continue
                walkers -= 1
                node[one], place[one], stop[one] = node[walkers], place[walkers], stop[walkers]

    cdef Sight* sights(self, str text, Py_ssize_t* amount, int32_t* compact=NULL, bint told=False) except NULL:
        """Where each key ends in a text, in order, and of those that end together the longest first; to be freed.

        `told`: only what is told of their lists will be looked at, and not what they stand for.
        `compact`: the text without its spaces is looked through, and noted where each character of it stands.
        """
        cdef int32_t size = <int32_t>len(text), at = 0, key, place = 0
        cdef Py_ssize_t room = size // 4 + 16
        cdef uint16_t* codes = <uint16_t*>PyMem_Malloc((size + 1) * sizeof(uint16_t))
        cdef int32_t* longest = <int32_t*>PyMem_Malloc((size + 1) * sizeof(int32_t))
        cdef Sight* seen = <Sight*>PyMem_Malloc(room * sizeof(Sight))
        cdef Sight* more
        cdef Py_UCS4 character
        amount[0] = 0
        try:
            if not (codes and longest and seen):
                raise MemoryError
            for character in text:
                if compact:
                    compact[at] = place
                    place += 1
                    if character == u" ":
                        continue
                codes[at] = self.codes[character] if <Py_ssize_t>character <= self.last_character else 0
                at += 1
            size = at
            self.walk(codes, size, longest)
            for at in range(size):
                key = longest[at]
                while key >= 0:
                    if amount[0] == room:
                        room *= 2
                        more = <Sight*>PyMem_Realloc(seen, room * sizeof(Sight))
                        if not more:
                            raise MemoryError
                        seen = more
                    if told:
                        SOON(self.told + self.known[key].told)
                    else:
                        self.fill(key)
                        SOON(self.items[key])
                        SOON(<char*>self.items[key] + LAST_OF_THREE)
                    seen[amount[0]].end, seen[amount[0]].key = at + 1, key
                    amount[0] += 1
                    key = self.known[key].shorter
            return seen
        except:
            PyMem_Free(seen)
            raise
        finally:
            PyMem_Free(codes)
            PyMem_Free(longest)

    def hits(self, str text not None):
        """Everywhere a key stands: start, end and value; by their ends, and of those that end together the longest first."""
        cdef list found = []
        cdef Py_ssize_t amount, one
        cdef Sight* seen = self.sights(text, &amount)
        try:
            for one in range(amount):
                found.append(
                    (seen[one].end - self.known[seen[one].key].size, seen[one].end, <object>self.items[seen[one].key])
                )
        finally:
            PyMem_Free(seen)
        return found

    def ruled(self, str text not None):
        """The same for meanings (see automata.py) that are all held by rules: start, end, rule and targets of each."""
        cdef list found = []
        cdef Py_ssize_t amount, one
        cdef Sight* seen = self.sights(text, &amount)
        try:
            fetch(self.items, seen, amount)
            for one in range(amount):
                for rule, _, targets in <tuple>(<tuple><object>self.items[seen[one].key])[2]:
                    found.append((seen[one].end - self.known[seen[one].key].size, seen[one].end, rule, targets))
        finally:
            PyMem_Free(seen)
        return found

    def is_in(self, str text not None):
        """Whether any key stands in a text."""
        cdef Node* nodes = self.nodes
        cdef int32_t node = 0, code
        cdef Py_UCS4 character
        for character in text:
            code = self.codes[character] if <Py_ssize_t>character <= self.last_character else 0
            node = self.after(nodes, node, code) if code else 0
            if nodes[node].key >= 0:
                return True
        return False

    def gather(self, str padded not None, Found found not None, Edges edges not None):
        """Note in `found`, by list, what stands in a text between two spaces; values are meanings (see automata.py).

        Places are those of the text without these two. `edges` are looked at where a key has a letter beside it.
        """
        cdef Py_ssize_t amount, one, length = len(padded), start, end
        cdef Py_ssize_t word_stop = -1
        cdef int32_t after, size, place, listed, held, rules, rule
        cdef int32_t* told
        cdef Sight* seen
        if not self.told:
            raise ValueError("nobody told of which lists the keys are")
        seen = self.sights(padded, &amount, NULL, True)
        try:
            for one in range(amount):
                told = self.told + self.known[seen[one].key].told
                size, after = self.known[seen[one].key].size, seen[one].end
                listed, rules = told[0], told[1]
                told += 2
                if listed:
                    place = found.place(seen[one].key, WHOLE, after - size, after - 2)
                    told = note(found, place, told, listed)
                for held in range(rules):
                    rule, listed = told[0], told[1]
                    told += 2
                    end = after - (rule >> RIGHT & 1)
                    start = after - size + (rule & 1 << LEFT or rule >= LANGUAGES)
                    if end >= length or start < 1 or padded[end] != u" " or padded[start - 1] != u" ":
                        end = edges.end_under(padded, start, end, rule, &word_stop)
                        if end < 0:
                            told += listed
                            continue
                        if rule >= LANGUAGES:
                            start = word_start(padded, start)
                    place = found.place(seen[one].key, held, <int32_t>start - 1, <int32_t>end - 1)
                    told = note(found, place, told, listed)
        finally:
            PyMem_Free(seen)

    def gather_compact(self, str text not None, Edges edges not None):
        """What stands in a Hangul text whatever spaces there are: targets, start and end of each.

        Values are meanings that are all held by rules. A hit starts where a word starts, unless its rule says that it
        may be glued to another one; its tail ends where a word ends.
        """
        cdef list found = []
        cdef Py_ssize_t amount, one, start, end, stop = -1
        cdef int32_t* places = <int32_t*>PyMem_Malloc((len(text) + 1) * sizeof(int32_t))
        cdef Sight* seen
        cdef bint glued, is_open, tailed
        if not places:
            raise MemoryError
        try:
            seen = self.sights(text, &amount, places)
        except:
            PyMem_Free(places)
            raise
        try:
            fetch(self.items, seen, amount)
            for one in range(amount):
                start = places[seen[one].end - self.known[seen[one].key].size]
                end = places[seen[one].end - 1] + 1
                if end > stop:
                    stop = word_end(text, end)
                for rule, _, targets in <tuple>(<tuple><object>self.items[seen[one].key])[2]:
                    glued = not ((<tuple>rule)[LEFT] or (<tuple>rule)[HEAD])
                    is_open, tailed = (<tuple>rule)[OPEN], (<tuple>rule)[TAIL]
                    if start and text[start - 1] != u" " and not glued:
                        continue
                    if is_open:
                        found.append((targets, start, stop))
                    elif end == stop or tailed and stop - end <= edges.longest_tail and text[end:stop] in edges.tails:
                        found.append((targets, start, end))
        finally:
            PyMem_Free(seen)
            PyMem_Free(places)
        return found

    def values(self):
        """What the keys stand for."""
        cdef int32_t key
        for key in range(<int32_t>len(self.held)):
            self.fill(key)
        return tuple(self.held)

    @property
    def size(self):
        """How many nodes there are."""
        return self.amount


cdef void fetch(PyObject** items, Sight* seen, Py_ssize_t amount) noexcept:
    """Have what the meanings of some keys hold brought from memory, all at once instead of one after the other."""
    cdef Py_ssize_t one
    cdef PyObject* meaning
    cdef PyObject* held
    for one in range(amount):
        meaning = items[seen[one].key]
        SOON(PyTuple_GET_ITEM(meaning, 1))
        SOON(PyTuple_GET_ITEM(meaning, 2))
    for one in range(amount):
        meaning = items[seen[one].key]
        if PyTuple_GET_SIZE(PyTuple_GET_ITEM(meaning, 1)):
            SOON(PyTuple_GET_ITEM(PyTuple_GET_ITEM(meaning, 1), 0))
        if PyTuple_GET_SIZE(PyTuple_GET_ITEM(meaning, 2)):
            held = PyTuple_GET_ITEM(PyTuple_GET_ITEM(meaning, 2), 0)
            SOON(held)
            SOON(<char*>held + LAST_OF_THREE)
    for one in range(amount):
        meaning = items[seen[one].key]
        if PyTuple_GET_SIZE(PyTuple_GET_ITEM(meaning, 2)):
            held = PyTuple_GET_ITEM(PyTuple_GET_ITEM(meaning, 2), 0)
            SOON(PyTuple_GET_ITEM(held, 2))


cdef inline int32_t* note(Found found, int32_t place, int32_t* lists, int32_t amount) except NULL:
    """Note a place under each of some lists; where these end."""
    cdef int32_t one
    for one in range(amount):
        found.note(lists[one], place)
    return lists + amount
