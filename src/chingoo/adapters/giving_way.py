"""Lets a process give way to all others; for its first line, before it imports anything large."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

NICENESS: Final = 10
"""It has a whole processor whenever one is free, and about a tenth of one where none ever is, so that policies can be
changed under any load: at 15, two seconds of work took more than two minutes beside seven busy processes."""

_OWN_GROUP: Final = Path("/proc/self/autogroup")


def give_way() -> None:
    """Leave the processors to whoever else wants them, from now on and for good.

    Linux weighs sessions against each other, and niceness counts only among the processes of one: a process that leads
    a session of its own must make the session nice too, or it takes as much as everybody else together.
    """
    os.nice(NICENESS)
    with suppress(OSError):  # not Linux, or a kernel that does not weigh sessions
        _OWN_GROUP.write_text(str(NICENESS))
