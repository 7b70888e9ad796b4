"""The bundle: everything the policies say, typed and immutable, named by a digest of the files it was made from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from chingoo.model.enums import IntimatePersona, Language
from chingoo.policy.answers import AnswerShape
from chingoo.policy.areas import judges
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


@dataclass(frozen=True, slots=True, order=True)
class BundleFile:
    """One file of a bundle: its path from the root, and the SHA-256 of its bytes in hexadecimal."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """A compiled policy set; two bundles with the same digest say the same.

    `files` is sorted by path. `counts` says how many things of a kind there are (files, lists, keywords, rules …).
    `answers` are what the mechanics model may answer, by the name of the schema: they come with the release.
    """

    digest: str
    files: tuple[BundleFile, ...]
    counts: Mapping[str, int]
    answers: Mapping[str, AnswerShape]
    facts: FactsDocument
    topics: TopicsDocument
    minimums: MinimumsDocument
    signals: SignalsDocument
    safety: SafetyDocument
    crisis: CrisisDocument
    weighing: WeighingDocument
    detector: DetectorDocument
    routing: RoutingDocument
    pipelines: PipelinesDocument
    onboarding: OnboardingDocument
    memory: MemoryDocument
    extraction: ExtractionDocument
    models: ModelsDocument
    relationship: RelationshipDocument
    recall: RecallDocument
    context: ContextDocument
    planning: PlanningDocument
    gates: GatesDocument
    disclosure: DisclosureDocument
    retention: RetentionDocument
    replies: Mapping[Language, RepliesDocument]
    personas: Mapping[str, PersonaTemplate]
    voices: Mapping[IntimatePersona, Voice]
    lexicons: Mapping[str, LexiconDocument]
    instant: Mapping[str, InstantDocument]
    synonyms: SynonymsDocument
    anchors: AnchorsDocument
    evidence: EvidenceDocument
    heuristics: Mapping[str, HeuristicsDocument]
    listening: Mapping[str, ListeningDocument]
    items: Mapping[str, ItemsDocument]
    relations: Mapping[str, RelationsDocument]
    corrections: Mapping[str, CorrectionsDocument]


def bundle_files(texts: Mapping[str, str]) -> tuple[BundleFile, ...]:
    """The files with their digests, sorted by path; the order they came in does not matter.

    Files that judge (cases, invariants) are left out: no decision depends on them, and a new case is no new policy.
    """
    return tuple(
        BundleFile(path, sha256(text.encode("utf-8", "surrogateescape")).hexdigest())
        for path, text in sorted(texts.items())
        if not judges(path)
    )


def digest_of(files: Iterable[BundleFile]) -> str:
    """SHA-256 over the sorted (path, digest) pairs: the same on every machine, for any order of files."""
    whole = "".join(f"{file.path}\0{file.sha256}\n" for file in sorted(files))
    return sha256(whole.encode()).hexdigest()
