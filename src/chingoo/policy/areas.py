"""The table of areas: which files there are, what document each is, and where it stands in the bundle."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from chingoo.model.enums import IntimatePersona, Language
from chingoo.policy.documents.context import ContextDocument
from chingoo.policy.documents.corrections import CorrectionsDocument
from chingoo.policy.documents.crisis import CrisisDocument
from chingoo.policy.documents.detector import DetectorDocument
from chingoo.policy.documents.disclosure import DisclosureDocument
from chingoo.policy.documents.evidence import EvidenceDocument
from chingoo.policy.documents.extraction import ExtractionDocument
from chingoo.policy.documents.facts import FactsDocument
from chingoo.policy.documents.gates import GatesDocument
from chingoo.policy.documents.instant import AnchorsDocument, InstantDocument, SynonymsDocument
from chingoo.policy.documents.lexicons import HeuristicsDocument, LexiconDocument
from chingoo.policy.documents.listening import ItemsDocument, ListeningDocument, RelationsDocument
from chingoo.policy.documents.memory import MemoryDocument
from chingoo.policy.documents.minimums import MinimumsDocument
from chingoo.policy.documents.models import ModelsDocument
from chingoo.policy.documents.onboarding import OnboardingDocument
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.policy.documents.pipelines import PipelinesDocument
from chingoo.policy.documents.planning import PlanningDocument
from chingoo.policy.documents.recall import RecallDocument
from chingoo.policy.documents.relationship import RelationshipDocument
from chingoo.policy.documents.replies import RepliesDocument
from chingoo.policy.documents.retention import RetentionDocument
from chingoo.policy.documents.routing import RoutingDocument
from chingoo.policy.documents.safety import SafetyDocument
from chingoo.policy.documents.signals import SignalsDocument
from chingoo.policy.documents.topics import TopicsDocument
from chingoo.policy.documents.voices import Voice
from chingoo.policy.documents.weighing import WeighingDocument


@dataclass(frozen=True, slots=True)
class Area:
    """One kind of file. `pattern` is its path, with one `*` where there are several, keyed by what `*` stands for.

    `keys` closes the set of files of a keyed area: each member must have its file. `needs` are files that must be there
    beside whatever others there are. `field` is the bundle's.
    """

    field: str
    pattern: str
    document: type
    schema: str
    keys: type[StrEnum] | None = None
    needs: tuple[str, ...] = ()

    @property
    def keyed(self) -> bool:
        """True when there is one document for each file."""
        return "*" in self.pattern

    def key(self, path: str) -> str | None:
        """What a path is in this area: its key ("" in an area of one file), or None when it does not belong to it."""
        before, star, after = self.pattern.partition("*")
        if not star:
            return "" if path == self.pattern else None
        match = re.fullmatch(f"{re.escape(before)}([^/]+){re.escape(after)}", path)
        return match.group(1) if match else None

    @property
    def required(self) -> tuple[str, ...]:
        """The paths that must be there."""
        if not self.keyed:
            return (self.pattern,)
        members = tuple(member.value for member in self.keys) if self.keys else self.needs
        return tuple(self.pattern.replace("*", member) for member in members)


LEXICONS = ("abbreviations", "arabic", "arabizi", "elisions", "evasion", "korean", "languages", "letters")
"""The lexicons that the engine and the gates cannot do without."""

INSTANT_LANGUAGES = ("en",)
"""The patterns that the engine cannot do without: small words of English stand in for those of other languages."""

AREAS: tuple[Area, ...] = (
    Area("facts", "policies/facts.yaml", FactsDocument, "facts.schema.json"),
    Area("topics", "policies/topics.yaml", TopicsDocument, "topics.schema.json"),
    Area("minimums", "policies/minimums.yaml", MinimumsDocument, "minimums.schema.json"),
    Area("signals", "policies/signals.yaml", SignalsDocument, "signals.schema.json"),
    Area("safety", "policies/safety.yaml", SafetyDocument, "safety.schema.json"),
    Area("crisis", "policies/crisis.yaml", CrisisDocument, "crisis.schema.json"),
    Area("weighing", "policies/weighing.yaml", WeighingDocument, "weighing.schema.json"),
    Area("detector", "policies/detector.yaml", DetectorDocument, "detector.schema.json"),
    Area("routing", "policies/routing.yaml", RoutingDocument, "routing.schema.json"),
    Area("pipelines", "policies/pipelines.yaml", PipelinesDocument, "pipelines.schema.json"),
    Area("onboarding", "policies/onboarding.yaml", OnboardingDocument, "onboarding.schema.json"),
    Area("memory", "policies/memory.yaml", MemoryDocument, "memory.schema.json"),
    Area("extraction", "policies/extraction.yaml", ExtractionDocument, "extraction.schema.json"),
    Area("models", "policies/models.yaml", ModelsDocument, "models.schema.json"),
    Area("relationship", "policies/relationship.yaml", RelationshipDocument, "relationship.schema.json"),
    Area("recall", "policies/recall.yaml", RecallDocument, "recall.schema.json"),
    Area("context", "policies/context.yaml", ContextDocument, "context.schema.json"),
    Area("planning", "policies/planning.yaml", PlanningDocument, "planning.schema.json"),
    Area("gates", "policies/gates.yaml", GatesDocument, "gates.schema.json"),
    Area("disclosure", "policies/disclosure.yaml", DisclosureDocument, "disclosure.schema.json"),
    Area("retention", "policies/retention.yaml", RetentionDocument, "retention.schema.json"),
    Area("replies", "policies/replies/*.yaml", RepliesDocument, "replies.schema.json", Language),
    Area("personas", "persona_library/*.yaml", PersonaTemplate, "persona.schema.json"),
    Area("voices", "persona_library/voices/*.yaml", Voice, "voice.schema.json", IntimatePersona),
    Area("lexicons", "patterns/lexicons/*.yaml", LexiconDocument, "lexicon.schema.json", needs=LEXICONS),
    Area("instant", "patterns/instant/*.yaml", InstantDocument, "instant.schema.json", needs=INSTANT_LANGUAGES),
    Area("synonyms", "patterns/synonyms.yaml", SynonymsDocument, "synonyms.schema.json"),
    Area("evidence", "patterns/evidence.yaml", EvidenceDocument, "evidence.schema.json"),
    Area("anchors", "patterns/anchors.yaml", AnchorsDocument, "anchors.schema.json"),
    Area("heuristics", "patterns/heuristics/*.yaml", HeuristicsDocument, "heuristics.schema.json"),
    Area("listening", "patterns/listening/*.yaml", ListeningDocument, "listening.schema.json"),
    Area("items", "patterns/items/*.yaml", ItemsDocument, "items.schema.json"),
    Area("relations", "patterns/relations/*.yaml", RelationsDocument, "relations.schema.json"),
    Area("corrections", "patterns/corrections/*.yaml", CorrectionsDocument, "corrections.schema.json"),
)

FOLDERS: tuple[str, ...] = ("policies", "persona_library", "patterns")
"""The folders that hold policy files; every YAML file in them must belong to an area."""

CASES = ".cases.yaml"
"""How the files of cases end, which stand beside the area they are about."""


JUDGING: tuple[str, ...] = ("policies/invariants.yaml", "policies/corpus/exceptions.yaml")
"""Files that judge policies and, like cases, are no part of them (proof.judging)."""


def judges(path: str) -> bool:
    """Whether a file only judges policies."""
    return path.endswith(CASES) or path in JUDGING


def area_of(path: str) -> tuple[Area, str] | None:
    """The area a path belongs to, and its key there."""
    for area in AREAS:
        key = area.key(path)
        if key is not None:
            return area, key
    return None


def named(area: Area, key: str) -> str | StrEnum | None:
    """The key as the bundle's mapping wants it; None when the area does not know such a key."""
    if area.keys is None:
        return key
    members: Mapping[str, StrEnum] = {member.value: member for member in area.keys}
    return members.get(key)
