"""Compiles policy files into a bundle, or says everything that is wrong with them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from chingoo.policy.areas import AREAS, Area, area_of, judges, named
from chingoo.policy.bundle import Bundle, bundle_files, digest_of
from chingoo.policy.documents.base import WordList
from chingoo.policy.parse import Parser
from chingoo.source.findings import Finding, has_errors, sorted_findings
from chingoo.source.places import Place
from chingoo.source.reader import Limits, read
from chingoo.source.schema import Schemas
from chingoo.source.suggest import did_you_mean
from chingoo.source.tree import Node


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The bundle, or None when an error refuses the set; and all findings of the run, sorted by place.

    `trees` are the files as they were read, by path, for whoever looks for the place of something.
    """

    bundle: Bundle | None
    findings: tuple[Finding, ...]
    trees: Mapping[str, Node] = field(default_factory=dict, repr=False)


def load(files: Mapping[str, str], schemas: Mapping[str, str], limits: Limits | None = None) -> LoadResult:
    """Compile. `files` maps a path from the root to its text (`adapters.policy_files.read_policy_files`), `schemas`
    a schema's file name to its text (`read_schemas`). BrokenSchemaError: a schema itself is at fault.

    The bundle is well-formed but not yet judged: `proof.run.check_files` also runs the checks over it.
    """
    run = _Run(Schemas(schemas), limits or Limits())
    for path, text in sorted(files.items()):
        run.take(path, text)
    run.missing(files)
    findings = sorted_findings(run.findings)
    if has_errors(findings):
        return LoadResult(None, findings, run.trees)
    listed = bundle_files(files)
    documents: dict[str, Any] = {
        area.field: run.documents[area.field] if area.keyed else run.documents[area.field][""] for area in AREAS
    }
    counts = {"files": len(listed), **_counts(documents)}
    bundle = Bundle(digest=digest_of(listed), files=listed, counts=counts, **documents)
    return LoadResult(bundle, findings, run.trees)


@dataclass(slots=True)
class _Run:
    """One compilation: what was understood so far, by area and key, and what was found."""

    schemas: Schemas
    limits: Limits
    parser: Parser = field(default_factory=Parser)
    findings: list[Finding] = field(default_factory=list)
    trees: dict[str, Node] = field(default_factory=dict)
    documents: dict[str, dict[Any, Any]] = field(default_factory=lambda: {area.field: {} for area in AREAS})

    def take(self, path: str, text: str) -> None:
        """Read, check and parse one file."""
        if judges(path):
            return
        found = area_of(path)
        if found is None:
            self.findings.append(_unknown_file(path))
            return
        area, key = found
        name = named(area, key)
        if name is None:
            known = [member.value for member in area.keys or ()]
            self.findings.append(_unknown_key_file(path, key, known))
            return
        result = read(text, path, self.limits)
        self.findings += result.findings
        if result.tree is None:
            return
        self.trees[path] = result.tree
        self.schema_line(path, text, area)
        told = self.schemas.check(area.schema, result.tree)
        self.findings += told
        if told:
            return
        parsed = self.parser.parse(area.document, result.tree)
        if parsed.finding is not None:
            self.findings.append(parsed.finding)
        else:
            self.documents[area.field][name] = parsed.document

    def schema_line(self, path: str, text: str, area: Area) -> None:
        """Say when the first line does not point editors at the schema."""
        wanted = f"# yaml-language-server: $schema={'../' * path.count('/')}schemas/{area.schema}"
        if not text.removeprefix("\ufeff").startswith((f"{wanted}\n", f"{wanted}\r\n")):
            message = "the first line does not tell editors which schema the file follows"
            hint = f"write as the first line: {wanted}"
            self.findings.append(Finding("policy-schema-line", message, Place(path, 1, 1), hint=hint))

    def missing(self, files: Mapping[str, str]) -> None:
        """Say which required files are not there."""
        for area in AREAS:
            wanted = area.required or (() if _any_of(area, files) else (area.pattern,))
            for path in wanted:
                if path not in files:
                    message = f"the file {path} is missing"
                    self.findings.append(Finding("policy-missing-file", message, Place(path, 1, 1)))


def _any_of(area: Area, files: Mapping[str, str]) -> bool:
    return any(area.key(path) is not None for path in files)


def _unknown_file(path: str) -> Finding:
    known = [path for area in AREAS for path in area.required]
    offer = did_you_mean(path, known)
    hint = f"did you mean {offer}?" if offer else "move it out of the policy folders, or give it a name that is known"
    return Finding("policy-unknown-file", f"the file {path} belongs to no policy area", Place(path, 1, 1), hint=hint)


def _unknown_key_file(path: str, key: str, known: list[str]) -> Finding:
    offer = did_you_mean(key, known)
    hint = f"did you mean `{offer}`?" if offer else None
    message = f"the file {path} has a name that is none of: {', '.join(known)}"
    return Finding("policy-unknown-file", message, Place(path, 1, 1), hint=hint)


def _counts(documents: Mapping[str, Any]) -> dict[str, int]:
    """How many word lists and entries there are, and how many items each area's own collections have."""
    lists = list(word_lists(documents))
    counts = {"lists": len(lists), "keywords": sum(len(es) for _, words in lists for es in words.entries.values())}
    for area in AREAS:
        document = documents[area.field]
        if area.keyed:
            counts[area.field] = len(document)
            continue
        for part in fields(document):
            value = getattr(document, part.name)
            if part.name == area.field and isinstance(value, tuple | Mapping):
                counts[part.name] = len(value)
            elif part.name == "rules" and isinstance(value, tuple | Mapping):
                counts[f"{area.field}_rules"] = len(value)
    return counts


def word_lists(documents: Mapping[str, Any]) -> Iterator[tuple[str, WordList]]:
    """Every declared word list with its id, area after area, in the order of the files."""
    for value in documents.values():
        for document in value.values() if isinstance(value, Mapping) else (value,):
            if is_dataclass(document):
                for part in fields(document):
                    if part.name == "lists":
                        yield from getattr(document, part.name).items()
