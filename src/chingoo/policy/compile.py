"""Compiles policy files into a bundle, or says everything that is wrong with them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from chingoo.policy.answers import answer_shapes, of_files
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


class FileReader:
    """Reads, checks and parses files one by one; a text that was read under its path before is not read again.

    One reader may serve many sets that have most files in common: two that are compared, or drafts of one. Its
    `schemas` and `parser` may also serve files that are part of no bundle.
    """

    def __init__(self, schemas: Mapping[str, str], limits: Limits | None = None) -> None:
        """`schemas` maps a schema's file name to its text. BrokenSchemaError: a schema itself is at fault."""
        self.schemas, self.parser, self._limits = Schemas(of_files(schemas)), Parser(), limits or Limits()
        self._read: dict[tuple[str, str], _Read] = {}

    def read(self, path: str, text: str) -> "_Read":
        """What the file holds."""
        found = self._read.get((path, text))
        if found is None:
            found = self._read[path, text] = self._afresh(path, text)
        return found

    def _afresh(self, path: str, text: str) -> "_Read":
        placed = area_of(path)
        if placed is None:
            return _Read((_unknown_file(path),))
        area, key = placed
        name = named(area, key)
        if name is None:
            known = [member.value for member in area.keys or ()]
            return _Read((_unknown_key_file(path, key, known),))
        result = read(text, path, self._limits)
        if result.tree is None:
            return _Read(tuple(result.findings))
        told = self.schemas.check(area.schema, result.tree)
        findings = (*result.findings, *_schema_line(path, text, area), *told)
        if told:
            return _Read(findings, result.tree)
        parsed = self.parser.parse(area.document, result.tree)
        if parsed.finding is not None:
            return _Read((*findings, parsed.finding), result.tree)
        return _Read(findings, result.tree, (area.field, name, parsed.document))

    def keep(self, files: Mapping[str, str]) -> None:
        """Forget all files but these, and the trees of these, which are the most of what is held."""
        self._read = {
            (path, text): replace(one, tree=None) for (path, text), one in self._read.items() if files.get(path) == text
        }


@dataclass(frozen=True, slots=True)
class _Read:
    """One file: what was found, its tree, and where its document belongs; None where it was not understood."""

    findings: tuple[Finding, ...]
    tree: Node | None = None
    document: tuple[str, Any, Any] | None = None


def load(
    files: Mapping[str, str],
    schemas: Mapping[str, str],
    limits: Limits | None = None,
    *,
    reader: FileReader | None = None,
) -> LoadResult:
    """Compile. `files` maps a path from the root to its text (`adapters.policy_files.read_policy_files`), `schemas`
    a schema's file name to its text (`read_schemas`). BrokenSchemaError: a schema itself is at fault.

    A `reader` of the same schemas and limits may be given that has read files of another set.
    The bundle is well-formed but not yet judged: `proof.run.check_files` also runs the checks over it.
    """
    known = reader or FileReader(schemas, limits)
    found: list[Finding] = []
    trees: dict[str, Node] = {}
    understood: dict[str, dict[Any, Any]] = {area.field: {} for area in AREAS}
    for path, text in sorted(files.items()):
        if judges(path):
            continue
        one = known.read(path, text)
        found += one.findings
        if one.tree is not None:
            trees[path] = one.tree
        if one.document is not None:
            field_name, name, document = one.document
            understood[field_name][name] = document
    findings = sorted_findings([*found, *_missing(files)])
    if has_errors(findings):
        return LoadResult(None, findings, trees)
    listed = bundle_files(files)
    documents: dict[str, Any] = {
        area.field: understood[area.field] if area.keyed else understood[area.field][""] for area in AREAS
    }
    counts = {"files": len(listed), **_counts(documents)}
    answers = answer_shapes(schemas)
    bundle = Bundle(digest=digest_of(listed), files=listed, counts=counts, answers=answers, **documents)
    return LoadResult(bundle, findings, trees)


class SetReader:
    """Understands one set after another, and reads of each those files alone that are not as in the one before.

    What two sets have in common is in memory once. No trees are kept or told.
    """

    def __init__(self, schemas: Mapping[str, str]) -> None:
        """`schemas` as for `load`. BrokenSchemaError: a schema itself is at fault."""
        self._schemas, self._reader = schemas, FileReader(schemas)

    def load(self, files: Mapping[str, str]) -> LoadResult:
        """What `load` says of the files."""
        result = load(files, self._schemas, reader=self._reader)
        self._reader.keep(files)
        return LoadResult(result.bundle, result.findings)


def _schema_line(path: str, text: str, area: Area) -> Iterator[Finding]:
    """Say when the first line does not point editors at the schema."""
    wanted = f"# yaml-language-server: $schema={'../' * path.count('/')}schemas/{area.schema}"
    if not text.removeprefix("\ufeff").startswith((f"{wanted}\n", f"{wanted}\r\n")):
        message = "the first line does not tell editors which schema the file follows"
        hint = f"write as the first line: {wanted}"
        yield Finding("policy-schema-line", message, Place(path, 1, 1), hint=hint)


def _missing(files: Mapping[str, str]) -> Iterator[Finding]:
    """Say which required files are not there."""
    for area in AREAS:
        wanted = area.required or (() if _any_of(area, files) else (area.pattern,))
        for path in wanted:
            if path not in files:
                yield Finding("policy-missing-file", f"the file {path} is missing", Place(path, 1, 1))


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
