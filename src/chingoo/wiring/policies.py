"""Policies as they are on disk: their texts, what is compared with them, and what they compile to."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from chingoo.adapters.clock import SystemClock
from chingoo.adapters.policy_files import (
    read_code_pages,
    read_ordinary_talk,
    read_policy_files,
    read_promises,
    read_schemas,
)
from chingoo.adapters.spacy_parser import load_spacy
from chingoo.engine.entries import forget_forms
from chingoo.errors import PolicyRefusedError
from chingoo.flow.compiled import CompiledPolicy, compile_policy
from chingoo.model.grammar import GrammarParser
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import LoadResult, load
from chingoo.proof.promises import Promises
from chingoo.proof.run import check_files
from chingoo.service.garbage import without_collections
from chingoo.service.policies import PolicyHolder
from chingoo.service.policy_service import PolicyService
from chingoo.settings.values import Settings

SCHEMA_ROOT = Path(__file__).resolve().parents[3]
"""The repository: schemas come with the code that reads them, whatever folder the policies are in."""


def policy_sources(root: Path) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Policy texts by path and schema texts by file name, as they are on disk."""
    return read_policy_files(root), read_schemas(SCHEMA_ROOT)


def policy_promises(root: Path) -> Promises:
    """PRODUCT.md beside the policies, and what is compared with it."""
    return read_promises(root)


def ordinary_talk(root: Path) -> Mapping[str, str]:
    """The files of ordinary talk that no refusal may touch, by path."""
    return read_ordinary_talk(root)


def code_pages() -> Mapping[str, str]:
    """The pages that explain the codes of findings."""
    return read_code_pages()


@contextmanager
def offline_policies(settings: Settings) -> Iterator[PolicyService]:
    """The policies on disk, compiled, without a database."""
    clock = SystemClock()
    _, compiled = compiled_policies(settings.policy_dir)
    service = PolicyService(PolicyHolder(compiled, clock.now()), clock)
    try:
        yield service
    finally:
        service.close()


def compiled_policies(root: Path, parser: GrammarParser | None = None) -> tuple[Mapping[str, str], CompiledPolicy]:
    """The texts in a folder, and what they compile to. PolicyRefusedError with all findings."""
    files, schemas = policy_sources(root)
    with without_collections():
        result = check_files(files, schemas, promises=policy_promises(root))
        if result.bundle is None:
            raise _refused(root, result)
        try:
            return files, compile_policy(result.bundle, parser)
        finally:
            forget_forms()


def loaded_bundle(root: Path) -> Bundle:
    """The bundle of a folder, understood but not checked. PolicyRefusedError with all findings."""
    files, schemas = policy_sources(root)
    result = load(files, schemas)
    if result.bundle is None:
        raise _refused(root, result)
    return result.bundle


def grammar_parser(settings: Settings) -> GrammarParser | None:
    """The grammar parser, where models are named."""
    return load_spacy(dict(settings.spacy_models)) if settings.spacy_models else None


def _refused(root: Path, result: LoadResult) -> PolicyRefusedError:
    return PolicyRefusedError(f"the policies in {root} have errors", result.findings)
