"""The words that policy fixes: by id and language, the variant by the message alone, crisis lines by country."""

from collections.abc import Mapping
from zlib import crc32

from chingoo.model.enums import CrisisLevel, Language
from chingoo.policy.documents.crisis import CrisisDocument
from chingoo.policy.documents.replies import FixedReply, RepliesDocument

_DEFAULT = "default"
_FALLBACK = Language.EN


class FixedWords:
    """All fixed replies, and the lines that crisis replies name."""

    def __init__(self, replies: Mapping[Language, RepliesDocument], crisis: CrisisDocument) -> None:
        self._replies = replies
        self._crisis = crisis

    def knows(self, reply_id: str) -> bool:
        """Whether a reply, or the default of its family, is written at least in English."""
        return self._find(reply_id, _FALLBACK) is not None

    def say(self, reply_id: str, language: Language, seed: str, country: str | None) -> str:
        """A reply's words. `seed` is the message's `user_text_norm`; `country` is for crisis lines.

        KeyError: there is no such reply, which building the engine has ruled out for every id of the policies.
        """
        reply = self._find(reply_id, language) or self._find(reply_id, _FALLBACK)
        if reply is None:
            raise KeyError(reply_id)
        text = reply.variants[crc32(seed.encode("utf-8", "surrogatepass")) % len(reply.variants)]
        return text.replace("{lines}", self._lines(language, seed, country)) if "{lines}" in text else text

    def crisis_reply(self, level: CrisisLevel) -> str:
        """The id of the reply for a level of crisis."""
        replies = self._crisis.replies
        return {
            CrisisLevel.HIGH_RISK: replies.HIGH_RISK,
            CrisisLevel.CONTEXT: replies.CONTEXT,
            CrisisLevel.THIRD_PARTY: replies.THIRD_PARTY,
        }[level]

    def _lines(self, language: Language, seed: str, country: str | None) -> str:
        """The lines of a country, one a row, those in the language first; general advice where there is none."""
        known = self._crisis.lines.get((country or "").upper(), ())
        if not known:
            return self.say(self._crisis.replies.no_line, language, seed, None)
        spoken_first = sorted(known, key=lambda line: language.value not in line.languages)
        rows = [
            self.say(self._crisis.replies.line, language, seed, None)
            .replace("{name}", line.name)
            .replace("{contact}", line.contact)
            for line in spoken_first[: self._crisis.most_lines]
        ]
        return "\n".join(rows)

    def _find(self, reply_id: str, language: Language) -> FixedReply | None:
        """A reply in a language, or the default of its family (`guard.default` for `guard.x`)."""
        document = self._replies.get(language)
        if document is None:
            return None
        family = f"{reply_id.rpartition('.')[0]}.{_DEFAULT}"
        return document.replies.get(reply_id) or document.replies.get(family)
