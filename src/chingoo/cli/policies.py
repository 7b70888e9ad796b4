"""`chingoo policy check` and `chingoo help`: what is wrong with the files on disk, and what a finding means."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from chingoo.cli.parts import Parts, PolicySources
from chingoo.errors import InvalidInputError, PolicyRefusedError
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import FileReader, load
from chingoo.proof.whole import Whole, check_whole
from chingoo.source.codes import closest_code, code_pages, page_text
from chingoo.source.findings import has_errors
from chingoo.source.render import render_annotations, render_json, render_text, summary

FINE, FOUND = 0, 1


@dataclass(frozen=True, slots=True)
class Checked:
    """A folder of policies, and what the checks say of it."""

    sources: PolicySources
    whole: Whole


def checked(parts: Parts, root: Path, today: date | None = None) -> Checked:
    """Read, check, and prove the invariants. `today` is the day against which reviews are due."""
    sources = parts.policy_sources(root)
    return Checked(sources, check_whole(sources.files, sources.schemas, promises=sources.promises, today=today))


def sound(parts: Parts, root: Path, reader: FileReader | None = None) -> tuple[PolicySources, Bundle]:
    """The compiled policies of a folder, whether or not they keep all laws. PolicyRefusedError: they do not compile.

    A `reader` spares what two folders have in common from being read twice.
    """
    sources = parts.policy_sources(root)
    result = load(sources.files, sources.schemas, reader=reader)
    if result.bundle is None:
        raise PolicyRefusedError(f"the policies in {root} have errors", result.findings)
    return sources, result.bundle


def check(parts: Parts, root: Path, form: str, today: date | None = None) -> tuple[str, int]:
    """The findings in the wanted form, and the exit code: 0 without errors, 1 with."""
    found = checked(parts, root, today)
    findings = found.whole.findings
    status = FOUND if has_errors(findings) else FINE
    match form:
        case "json":
            return render_json(findings), status
        case "github":
            return render_annotations(findings), status
    shown = render_text(findings, found.sources.texts)
    counted = f"{_counted(found)}: {summary(findings)}"
    return f"{shown}\n\n{counted}" if shown else counted, status


def explain(parts: Parts, code: str | None) -> str:
    """The page of a code, or the list of all codes without one."""
    pages = code_pages(parts.code_pages())
    if code is None:
        widest = max((len(name) for name in pages), default=0)
        return "\n".join(f"{name:{widest}}  {page.title}" for name, page in pages.items())
    page = pages.get(code.strip("[]"))
    if page is None:
        meant = closest_code(code, pages)
        hint = f"did you mean `{meant}`?" if meant else "`chingoo help` lists those there are"
        raise InvalidInputError(f"no finding has the code `{code}`; {hint}")
    return page_text(page)


def _counted(found: Checked) -> str:
    """What was looked at, in one line."""
    parts = [f"{len(found.sources.files)} files"]
    if found.whole.bundle is not None:
        counts = found.whole.bundle.counts
        parts += [f"{counts['keywords']} words", f"{len(found.whole.bundle.routing.rules)} rules"]
    if found.whole.judging is not None:
        cases = sum(len(document.cases) for document in found.whole.judging.cases.values())
        parts += [f"{len(found.whole.judging.invariants.invariants)} invariants", f"{cases} cases"]
    return ", ".join(parts)
