"""New rules, replies, personas and cases, written into the policy files where they belong, ready to be filled in."""

import re
from collections.abc import Mapping, Sequence

from chingoo.errors import ChingooError
from chingoo.model.decision import Decision, EvaluationInput
from chingoo.model.enums import Language, TopicID
from chingoo.source.reader import read
from chingoo.source.tree import ListNode, MapNode, Node, Scalar

ROUTING = "policies/routing.yaml"
ROUTING_CASES = "policies/routing.cases.yaml"
TOPIC_CASES = "policies/topics.cases.yaml"
UNWRITTEN = (
    "write the words here",
    "write here why",
    "write a message that it decides",
    "write a message that it nearly decides",
    "write a message that is about it",
    "write a message that only looks as if it were",
)
"""What stands where a writer has to write; nothing of it may be left."""
_WORDS, _WHY, _DECIDED, _NEARLY, _ABOUT, _ALIKE = UNWRITTEN

_PERSONA = re.compile(r"PT\d{2}")


class ScaffoldError(ChingooError):
    """What is asked for cannot be written: it exists, has no room, or the file is not as it should be."""


def new_rule(files: Mapping[str, str], name: str) -> dict[str, str]:
    """The changed texts by path: a rule just before the last one, a case that it decides, and a near miss.

    `name` is the id without `routing.`. ScaffoldError: there is such a rule.
    """
    rules = _list(_tree(files, ROUTING), "rules", ROUTING)
    identity = f"routing.{name.removeprefix('routing.')}"
    if identity in [_text(item, "id") for item in rules.items]:
        raise ScaffoldError(f"there is a rule `{identity}` already")
    rule = [
        f"  - id: {identity}",
        "    when: {fact: is_question, is: true}",
        "    then: {pipeline: FRIEND_CHAT, safety_policy: ALLOW}",
        f"    because: {_WHY}",
        "",
    ]
    cases = [
        f"  - id: {identity}",
        f"    text: {_DECIDED}",
        f"    expect: {{rule: {identity}}}",
        f"  - id: {identity}-near",
        f"    text: {_NEARLY}",
        f"    near_miss_of: {identity}",
    ]
    return {
        ROUTING: _inserted(files[ROUTING], rules.items[-1].place.line, rule),
        ROUTING_CASES: _appended(files, ROUTING_CASES, cases),
    }


def new_reply(files: Mapping[str, str], name: str) -> dict[str, str]:
    """The changed texts by path: a fixed reply of that id in every language. ScaffoldError: there is such a reply."""
    changed = {}
    for language in Language:
        path = f"policies/replies/{language.value}.yaml"
        tree = _tree(files, path)
        replies = tree.get("replies")
        if not isinstance(replies, MapNode) or not replies.pairs:
            raise ScaffoldError(f"{path} has no `replies`")
        if replies.get(name) is not None:
            raise ScaffoldError(f"there is a reply `{name}` already in {path}")
        lines = [f"{' ' * (replies.pairs[0][0].place.column - 1)}{line}" for line in _reply(name, language)]
        after = [key.place.line for key, _ in tree.pairs if key.place > replies.place]
        end = min(after, default=files[path].count("\n") + 2)
        changed[path] = _inserted(files[path], end, lines)
    return changed


def new_persona(files: Mapping[str, str], name: str, like: str) -> dict[str, str]:
    """The text of a new persona template by its path: a copy of another one, to be changed.

    ScaffoldError: it is not named as templates are, there is one of that name, or none to copy.
    """
    if not _PERSONA.fullmatch(name):
        raise ScaffoldError(f"personas are named PT01, PT02 and so on, not `{name}`; name the one that it replaces")
    path, model = f"persona_library/{name}.yaml", f"persona_library/{like}.yaml"
    if path in files:
        raise ScaffoldError(f"there is a file {path} already")
    if model not in files:
        raise ScaffoldError(f"there is no file {model} to start from")
    remark = re.compile(f"(?m)^# {re.escape(like)}\\b.*$")
    text = remark.sub(f"# {name}: say here who this is; so far a copy of {like}.", files[model], count=1)
    return {path: text.replace(f"id: {like}", f"id: {name}", 1)}


def new_topic(files: Mapping[str, str], topic: TopicID) -> dict[str, str]:
    """The changed text by path: one more case of a topic, and its near miss; topics themselves are a closed set."""
    known = files.get(TOPIC_CASES, "")
    stem = f"topics.{topic.value.lower().replace('_', '-')}"
    number = next(number for number in range(2, len(known) + 3) if f"id: {stem}-{number}\n" not in known)
    cases = [
        f"  - id: {stem}-{number}",
        f"    text: {_ABOUT}",
        f"    expect: {{topics: [{topic.value}]}}",
        f"  - id: {stem}-{number}-near",
        f"    text: {_ALIKE}",
        f"    near_miss_of: {stem}-{number}",
    ]
    return {TOPIC_CASES: _appended(files, TOPIC_CASES, cases)}


def new_case(
    files: Mapping[str, str], path: str, name: str, given: EvaluationInput, decision: Decision
) -> dict[str, str]:
    """The changed text by path: a case that holds a decision fast as it was made, at the end of a file of cases."""
    if not path.endswith(".cases.yaml"):
        raise ScaffoldError(f"{path} is no file of cases")
    who = {
        "user_state": given.user_state.value,
        "age_band": given.age_band.value,
        "mode": given.mode.value,
        "source": given.source.value,
    }
    lines = [f"  - id: {name}", f"    given: {{{', '.join(f'{key}: {value}' for key, value in who.items())}}}"]
    if given.history:
        lines[-1:] = ["    given:", *(f"      {key}: {value}" for key, value in who.items()), "      history:"]
        lines += [f"        - {{role: {one.role.value}, text: {_quoted(one.text)}}}" for one in given.history]
    crisis = decision.signals.crisis.level
    lines += [
        f"    text: {_quoted(given.text)}",
        "    expect:",
        f"      rule: {decision.rules[0]}",
        f"      pipeline: {decision.routing.pipeline.value}",
        f"      safety_policy: {decision.routing.safety_policy.value}",
        f"      crisis: {crisis.value if crisis is not None else 'none'}",
        f"      guard: {decision.signals.guard.category or 'none'}",
    ]
    return {path: _appended(files, path, lines)}


def _reply(name: str, language: Language) -> list[str]:
    note = [] if language is Language.EN else [f"  note: to be written in {language.value}"]
    return [f"{name}:", *note, "  variants:", f"    - {_WORDS}"]


def _tree(files: Mapping[str, str], path: str) -> MapNode:
    tree = read(files[path], path).tree if path in files else None
    if not isinstance(tree, MapNode):
        raise ScaffoldError(f"{path} is not there, or cannot be read; mend it first")
    return tree


def _list(tree: MapNode, key: str, path: str) -> ListNode:
    found = tree.get(key)
    if not isinstance(found, ListNode) or not found.items:
        raise ScaffoldError(f"{path} has no `{key}`")
    return found


def _text(node: Node, key: str) -> str | None:
    value = node.get(key) if isinstance(node, MapNode) else None
    return value.text if isinstance(value, Scalar) else None


def _inserted(text: str, line: int, lines: Sequence[str]) -> str:
    """Lines put before a line (1-based) and the remarks that stand right above it."""
    whole = text.rstrip("\n").split("\n")
    at = min(line - 1, len(whole))
    while at and whole[at - 1].lstrip(" ").startswith("#"):
        at -= 1
    while at and not whole[at - 1].strip() and lines[-1]:
        at -= 1
    return "\n".join([*whole[:at], *lines, *whole[at:]]) + "\n"


def _appended(files: Mapping[str, str], path: str, lines: Sequence[str]) -> str:
    """Lines put at the end of a file's cases, which may be followed by recorded ones."""
    if path not in files:
        return "\n".join(["# yaml-language-server: $schema=../schemas/cases.schema.json", "cases:", *lines]) + "\n"
    tree = _tree(files, path)
    cases = _list(tree, "cases", path)
    after = [key.place.line for key, _ in tree.pairs if key.place > cases.place]
    return _inserted(files[path], min(after, default=files[path].count("\n") + 2), lines)


def _quoted(text: str) -> str:
    """A text in double quotes, whatever it holds."""
    shown = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return '"' + "".join(one if one.isprintable() else f"\\U{ord(one):08x}" for one in shown) + '"'
