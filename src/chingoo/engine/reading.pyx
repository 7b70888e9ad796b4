# cython: language_level=3, boundscheck=False, wraparound=False
"""Reads the words of a message one by one; most are words as they stand, and are taken without a second look."""

cdef enum:
    FIRST_SYLLABLE = 0xAC00  # 가
    LAST_SYLLABLE = 0xD7A3  # 힣


cdef inline bint is_syllable(Py_UCS4 letter) noexcept:
    return FIRST_SYLLABLE <= letter <= LAST_SYLLABLE


cdef inline bint is_arabic(Py_UCS4 letter) noexcept:
    return 0x0620 <= letter <= 0x064A or 0x0671 <= letter <= 0x06D3


cdef bint is_word(str token):
    """Whether a token is one word: of letters, with apostrophes, and Hangul written together with nothing else."""
    cdef Py_UCS4 letter
    cdef bint hangul = False, other = False
    for letter in token:
        if is_syllable(letter):
            hangul = True
        elif letter == u"'":
            other = other or hangul
        elif letter.isalpha():
            other = True
        else:
            return False
    return hangul != other


def read_words(
    said, str norm not None, list tokens not None, list runs not None, lines, compounds, bint priced, pause_of
):
    """Add the words of tokens to an utterance, where `runs` are the places of the tokens in `norm`.

    Those are looked at closely that are no plain words or are read as two (`compounds`), those behind them, those that
    begin `lines`, and in a text with prices (`priced`) those that do not stand behind a mere space. `pause_of` tells the
    pause that what stands before a word makes.
    """
    cdef list texts = said._texts, starts = said.starts, ends = said.ends, gaps = said.gaps, pauses = said.pauses
    cdef list first_of = said.first_of, last_of = said.last_of
    cdef Py_ssize_t number, start, end = 0, before = 0
    cdef bint plain, after_plain = True
    cdef str token, gap
    cdef tuple run
    pending = 0
    for number in range(len(tokens)):
        token, run = tokens[number], runs[number]
        start, end = run[0], run[1]
        gap = u" " if start == before + 1 and norm[before] == u" " else norm[before:start]
        plain = is_word(token) and token not in compounds
        if plain and after_plain and not (priced and gap != u" ") and not (lines and number in lines):
            first_of.append(len(texts))
            last_of.append(len(texts))
            texts.append(token)
            starts.append(start)
            ends.append(end)
            gaps.append(gap)
            pauses.append(0 if gap == u" " else pause_of(gap))
        else:
            pending = said.add(token, run, gap, pending, begins_line=number in lines)
        before, after_plain = end, plain


def places_of(list words not None, heads, firsts, Py_ssize_t longest_head, Py_ssize_t longest_tail):
    """The words that may be several written together, and all by which phrases may begin, with their places.

    Those are of `firsts`: a word, or what is left of it without one of `heads` before an Arabic word, what follows an
    apostrophe or stands before one at its end, or up to `longest_tail` Hangul syllables behind it.
    """
    cdef set glued = set()
    cdef list leading = []
    cdef Py_ssize_t place, length, cut
    cdef Py_UCS4 letter
    cdef bint marked, arabic, hangul
    cdef str word, stem
    for place in range(len(words)):
        word = words[place]
        if word in firsts:
            leading.append((place, word))
        marked = arabic = hangul = False
        for letter in word:
            if letter == u"'":
                marked = True
            elif is_syllable(letter):
                hangul = True
            elif is_arabic(letter):
                arabic = True
        if not (marked or arabic or hangul):
            continue
        glued.add(place)
        length = len(word)
        if arabic and is_arabic(word[0]):
            for cut in range(1, min(longest_head + 1, length)):
                stem = word[cut:]
                if stem in firsts and word[:cut] in heads:
                    leading.append((place, stem))
        if hangul and is_syllable(word[length - 1]):
            for cut in range(1, min(longest_tail + 1, length)):
                stem = word[: length - cut]
                if stem in firsts:
                    leading.append((place, stem))
        if marked:
            for stem in (word.partition(u"'")[2], word.removesuffix(u"'s"), word.removesuffix(u"'")):
                if stem in firsts and stem != word:
                    leading.append((place, stem))
    return glued, leading
