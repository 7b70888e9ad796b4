"""patterns/corrections/<lang>.yaml: how people take back, forbid, correct and ask about what is remembered (§19)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from chingoo.policy.documents.base import Place


class Command(StrEnum):
    """What a phrase asks for. Those with `_named` and `forget`, `replace`, `remember`, `allow` have slots.

    DENY, OUTDATED, WRONG_SUBJECT: the last thing shown is not so. BARE_NO: only as the whole message. DISPUTE: the
    person doubts it. CONFIRM: it is right. FORGET_THAT, FORGET, EVERYTHING: no longer remember. REPLACE: x, not y.
    DENY_NAMED: my {name} is wrong. CLOSE_TOPIC: do not bring it up again. CONSENT, REMEMBER, ALLOW: it may be
    remembered. KNOWN, SOURCE: what is known, and how. TALK: only looks like one of these (`don't forget {x}`).
    """

    DENY = "deny"
    OUTDATED = "outdated"
    WRONG_SUBJECT = "wrong_subject"
    BARE_NO = "bare_no"
    DISPUTE = "dispute"
    CONFIRM = "confirm"
    FORGET_THAT = "forget_that"
    FORGET = "forget"
    EVERYTHING = "everything"
    REPLACE = "replace"
    DENY_NAMED = "deny_named"
    CLOSE_TOPIC = "close_topic"
    CLOSE_TOPIC_NAMED = "close_topic_named"
    CONSENT = "consent"
    REMEMBER = "remember"
    ALLOW = "allow"
    KNOWN = "known"
    SOURCE = "source"
    TALK = "talk"


SLOTS: Mapping[Command, tuple[str, ...]] = {
    Command.FORGET: ("x",),
    Command.REPLACE: ("x", "y"),
    Command.DENY_NAMED: ("name",),
    Command.CLOSE_TOPIC_NAMED: ("x",),
    Command.REMEMBER: ("x",),
    Command.ALLOW: ("x",),
}
"""The slots that a command's phrases have; those of the others have none."""


@dataclass(frozen=True, slots=True)
class CorrectionsDocument:
    """One language's closed grammar (C-70).

    A phrase counts as a whole clause at the beginning of a sentence; words of `lead` may stand before it. Forms of one
    phrase stand between bars. Words of `trail` may stand behind it, `fillers` within one without slots, and the letters
    of `glued` at the end of its last word (아닌데ㅋㅋ). `spelling` writes out what people shorten (u: you). `negation`
    says how a statement reads without its denial, `names` what keys are called.
    """

    place: Place
    lead: tuple[str, ...] = ()
    trail: tuple[str, ...] = ()
    fillers: tuple[str, ...] = ()
    glued: str = ""
    spelling: Mapping[str, str] = field(default_factory=dict)
    negation: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    phrases: Mapping[Command, tuple[str, ...]] = field(default_factory=dict)
