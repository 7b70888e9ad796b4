"""The labelled replies of `gold/`: what a person said, what a friend answered, and whether a gate has to object."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from tests.reply.situations import NOON

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.model.decision import EvaluationInput
from chingoo.model.enums import (
    AgeBand,
    EmojiFreq,
    FollowupRate,
    Length,
    LexiconBias,
    RelationshipStage,
    TopicID,
)
from chingoo.policy.documents.gates import GateID
from chingoo.reply.gates.given import gate_input
from chingoo.reply.gates.report import GateInput, Surfaced, Targets

FOLDER = Path(__file__).resolve().parent / "gold"
_KINDS = {
    "msg_length_pref": ("length", Length),
    "emoji_freq": ("emoji", EmojiFreq),
    "lexicon_bias": ("lexicon", LexiconBias),
    "followup_question_rate": ("followup", FollowupRate),
    "punctuation_quirks": ("quirks", int),
}


@dataclass(frozen=True, slots=True)
class GoldLine:
    """One labelled reply. `bad`: the gate has to object; otherwise no gate may."""

    gate: GateID
    kind: str
    language: str
    user_text: str
    reply: str
    bad: bool
    group: dict[str, Any]

    def given(self, engine: Engine) -> GateInput:
        """What the gates are asked, decided as a turn of an adult would be."""
        suppressed = frozenset(TopicID(topic) for topic in self.group.get("suppressed", ()))
        asked = EvaluationInput(self.user_text, NOON, age_band=AgeBand.B25_34, suppressed_topics=suppressed)
        targets = {_KINDS[name][0]: _KINDS[name][1](value) for name, value in self.group.get("friend", {}).items()}
        return gate_input(
            evaluate(engine, asked),
            reply=self.reply,
            user_text=self.user_text,
            targets=Targets(**targets),
            stage=RelationshipStage(self.group.get("stage", "FRIEND")),
            suppressed_topics=suppressed,
            previous_replies=self.group.get("before", ()),
            surfaced=[Surfaced(str(number), key) for number, key in enumerate(self.group.get("surfaced", ()))],
        )


def gold_lines() -> Iterator[GoldLine]:
    """Every labelled reply, file after file."""
    for path in sorted(FOLDER.glob("*.yaml")):
        for group in yaml.safe_load(path.read_text("utf-8")):
            gate = GateID(group["gate"])
            for label in ("bad", "good"):
                for language, pairs in group.get(label, {}).items():
                    for said, reply in pairs:
                        yield GoldLine(gate, group.get("kind", gate), language, said, reply, label == "bad", group)
