"""`chingoo policy fmt` and `chingoo policy new`: what is written into policy files on disk."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from chingoo.cli.parts import Parts
from chingoo.cli.policies import FINE, FOUND
from chingoo.errors import InvalidInputError
from chingoo.model.enums import TopicID
from chingoo.proof.scaffold import new_persona, new_reply, new_rule, new_topic
from chingoo.source.format import format_text
from chingoo.source.reader import read
from chingoo.source.suggest import did_you_mean

_NEXT = {
    "rule": "say when it holds, what it decides and why; then write the two messages of its cases",
    "reply": "write the words in every language; a rule names them with `reply: NAME`",
    "persona": "change it until it is somebody of its own; PRODUCT.md §6.1 says how many there are",
    "topic": "write the two messages; words are added in policies/topics.yaml, in the list of the topic",
}


def formatted(parts: Parts, root: Path, files: Sequence[str], *, only_check: bool) -> tuple[str, int]:
    """Lay files out anew, or say which are not; all policy files when none is named. Exit code 1: something is left."""
    texts = _named(files) if files else parts.policy_sources(root).files
    lines, status = [], FINE
    for path, text in sorted(texts.items()):
        result = read(text, path)
        made = format_text(text)
        if result.tree is None or result.findings:
            lines.append(f"{path} cannot be read, and is left alone; `chingoo policy check` says why")
            status = FOUND
        elif made != text and only_check:
            lines.append(f"{path} would change")
            status = FOUND
        elif made != text:
            _write(Path(path) if files else root / path, made)
            lines.append(f"{path} was laid out anew")
    done = f"{len(texts)} files, all laid out well" if not lines else None
    return done or "\n".join(lines), status


def scaffolded(parts: Parts, root: Path, kind: str, name: str, like: str) -> str:
    """Write the beginnings of something new, and say what is left to do. ScaffoldError: there is no room for it."""
    files = parts.policy_sources(root).files
    lines = written(root, files, _made(files, kind, name, like))
    return "\n".join([*lines, f"next: {_NEXT[kind]};", "then `chingoo policy check`"])


def written(root: Path, files: Mapping[str, str], changed: Mapping[str, str]) -> list[str]:
    """Write changed texts to disk, and say where they are new."""
    for path, text in sorted(changed.items()):
        _write(root / path, text)
    new = {path: _first_difference(files.get(path, ""), text) for path, text in sorted(changed.items())}
    return ["written:", *(f"  {path}:{line}" for path, line in new.items())]


def _made(files: Mapping[str, str], kind: str, name: str, like: str) -> Mapping[str, str]:
    if kind == "rule":
        return new_rule(files, name)
    if kind == "reply":
        return new_reply(files, name)
    if kind == "persona":
        return new_persona(files, name, like)
    topics = [topic.value for topic in TopicID]
    if name not in topics:
        offer = did_you_mean(name, topics)
        hint = f"did you mean {offer}?" if offer else f"they are {', '.join(topics)}"
        raise InvalidInputError(f"the nineteen topics are fixed, and `{name}` is none of them; {hint}")
    return new_topic(files, TopicID(name))


def _named(files: Sequence[str]) -> Mapping[str, str]:
    texts = {}
    for name in files:
        try:
            texts[name] = Path(name).read_bytes().decode("utf-8", "surrogateescape")
        except OSError as error:
            raise InvalidInputError(f"{name} cannot be read: {error.strerror}") from error
    return texts


def _write(path: Path, text: str) -> None:
    try:
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be written: {error.strerror}") from error


def _first_difference(before: str, after: str) -> int:
    """The first line that is new, 1-based."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next((number for number, (one, other) in enumerate(pairs, 1) if one != other), len(before.splitlines()) + 1)
