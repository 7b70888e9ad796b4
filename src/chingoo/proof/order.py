"""Lists and groups of keys that a schema calls sorted (`x-sorted`) stand in order, so that a reader finds things."""

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from chingoo.policy.areas import area_of
from chingoo.source.findings import Finding, OtherPlace, sorted_findings
from chingoo.source.tree import ListNode, MapNode, Node, Scalar

KEYWORD = "x-sorted"


def order_findings(trees: Mapping[str, Node], schemas: Mapping[str, str]) -> tuple[Finding, ...]:
    """A finding for the first item or key of each such list or group that stands after one it should stand before."""
    found: list[Finding] = []
    for path, tree in trees.items():
        area = area_of(path)
        text = "" if area is None else schemas.get(area[0].schema, "")
        if f'"{KEYWORD}"' in text:
            schema = json.loads(text)
            found += _unsorted(tree, schema, schema)
    return sorted_findings(found)


def _unsorted(node: Node, schema: Any, root: Any) -> Iterator[Finding]:
    schema = _resolved(schema, root)
    if not isinstance(schema, Mapping):
        return
    if schema.get(KEYWORD) is True:
        yield from _first_out_of_order(node)
    if isinstance(node, ListNode):
        for item in node.items:
            yield from _unsorted(item, schema.get("items"), root)
    elif isinstance(node, MapNode):
        properties = schema.get("properties", {})
        for key, value in node.pairs:
            yield from _unsorted(value, properties.get(key.text, schema.get("additionalProperties")), root)


def _resolved(schema: Any, root: Any) -> Any:
    """The part of the same file that a schema refers to; parts of other files have no order."""
    reference = schema.get("$ref") if isinstance(schema, Mapping) else None
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return schema
    for step in reference[2:].split("/"):
        root = root[step]
    return root


def _first_out_of_order(node: Node) -> Iterator[Finding]:
    items: list[Scalar] = []
    if isinstance(node, ListNode):
        items = [item for item in node.items if isinstance(item, Scalar)]
    elif isinstance(node, MapNode):
        items = [key for key, _ in node.pairs]
    for before, after in pairwise(items):
        if after.text < before.text:
            first = next(item for item in items if item.text > after.text)
            message = f"`{after.text}` stands after `{before.text}`; these stand in the order of the alphabet"
            others = (OtherPlace(first.place, f"it belongs before `{first.text}`"),)
            hint = f"move it up, before `{first.text}`"
            yield Finding("list-unsorted", message, after.place, after.width, hint, others)
            return
