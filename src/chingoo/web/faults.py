"""All that is wrong with a body or query, each with an RFC 6901 pointer: msgspec's decoder stops at the first.

Runs only after the decoder has refused, on the plain JSON value, along msgspec's own description of the type. Should it
find nothing where the decoder did, the decoder's one error is said.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from msgspec import inspect

from chingoo.errors import FieldError
from chingoo.source.suggest import did_you_mean
from chingoo.web.choices import not_one_of
from chingoo.web.texts import kind_of

_MOST: Final = 50  # faults that one answer names
_PLACE: Final = re.compile(r" - at `\$(.*)`\Z", re.DOTALL)
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")


def faults(kind: type[Any], value: object, *, lax: bool, refused: msgspec.ValidationError) -> tuple[FieldError, ...]:
    """What is wrong with `value` as a `kind`, at most fifty things, in the order of the fields.

    `lax` says that numbers and booleans come as text, as in a query. `refused` is the decoder's own error.
    """
    found: list[FieldError] = []
    for fault in _walk(inspect.type_info(kind), value, "", lax):
        found.append(fault)
        if len(found) == _MOST:
            break
    return tuple(found) or (_of_decoder(refused),)


def pointer(base: str, step: str | int) -> str:
    """`base` and one step more, escaped as RFC 6901 wants it."""
    return f"{base}/{str(step).replace('~', '~0').replace('/', '~1')}"


def _walk(node: inspect.Type, value: object, at: str, lax: bool) -> Iterator[FieldError]:
    match node:
        case inspect.Metadata(type=inner):
            yield from _walk(inner, value, at, lax)
        case inspect.StructType():
            yield from _struct(node, value, at, lax)
        case inspect.ListType() | inspect.VarTupleType():
            yield from _array(node, value, at, lax)
        case inspect.UnionType(types=types):
            yield from _union(types, value, at, lax)
        case _:
            detail = _leaf(node, value, lax)
            if detail is not None:
                yield FieldError(at, detail)


def _struct(node: inspect.StructType, value: object, at: str, lax: bool) -> Iterator[FieldError]:
    if not isinstance(value, Mapping):
        yield FieldError(at, f"expected an object, got {kind_of(value)}")
        return
    fields = {field.encode_name: field for field in node.fields}
    for name, field in fields.items():
        if name in value:
            yield from _walk(field.type, value[name], pointer(at, name), lax)
        elif field.required:
            yield FieldError(pointer(at, name), "is required")
    for name in value:
        if name not in fields:
            meant = did_you_mean(str(name)[:100], [known for known in fields if known not in value])
            yield FieldError(pointer(at, name), "unknown field" + (f"; did you mean `{meant}`?" if meant else ""))


def _array(node: inspect.ListType | inspect.VarTupleType, value: object, at: str, lax: bool) -> Iterator[FieldError]:
    if not isinstance(value, list):
        yield FieldError(at, f"expected an array, got {kind_of(value)}")
        return
    if node.max_length is not None and len(value) > node.max_length:
        yield FieldError(at, f"at most {node.max_length:,} items, got {len(value):,}")
        return
    for number, item in enumerate(value):
        yield from _walk(node.item_type, item, pointer(at, number), lax)


def _union(types: tuple[inspect.Type, ...], value: object, at: str, lax: bool) -> Iterator[FieldError]:
    if value is None and any(isinstance(node, inspect.NoneType) for node in types):
        return
    # The contract has no field of two kinds: beside null there is one.
    for node in types:
        if not isinstance(node, inspect.NoneType):
            yield from _walk(node, value, at, lax)
            return


def _leaf(node: inspect.Type, value: object, lax: bool) -> str | None:
    """What is wrong with a single value, or None; kinds without a reader of their own are left to the decoder."""
    reader = _READERS.get(type(node))
    if reader is None:
        return None
    try:
        reader(node, value, lax)
    except ValueError as error:
        return str(error)
    return None


def _custom(node: Any, value: object, _lax: bool) -> None:
    node.cls.parse(value)


def _enum(node: Any, value: object, _lax: bool) -> None:
    names = [str(member.value) for member in node.cls]
    if not isinstance(value, str):
        raise ValueError(f"expected one of {', '.join(names)}, got {kind_of(value)}")
    if value not in names:
        raise ValueError(not_one_of(value[:100], names))


def _uuid(_node: Any, value: object, _lax: bool) -> None:
    try:
        msgspec.convert(value, UUID)
    except msgspec.ValidationError:
        raise ValueError("not a UUID; for example `6f1c2c1e-0000-4000-8000-000000000001`") from None


def _boolean(_node: Any, value: object, lax: bool) -> None:
    try:
        msgspec.convert(value, bool, strict=not lax)
    except msgspec.ValidationError:
        raise ValueError(f"expected true or false, got {_got(value)}") from None


def _integer(node: Any, value: object, lax: bool) -> None:
    bounded = Annotated[int, msgspec.Meta(ge=node.ge, le=node.le)]
    try:
        msgspec.convert(value, bounded, strict=not lax)
    except msgspec.ValidationError:
        span = "" if node.ge is None or node.le is None else f" from {node.ge:,} to {node.le:,}"
        raise ValueError(f"expected a whole number{span}, got {_got(value)}") from None


_READERS: Final[Mapping[type[inspect.Type], Callable[[Any, object, bool], None]]] = {
    inspect.CustomType: _custom,
    inspect.EnumType: _enum,
    inspect.UUIDType: _uuid,
    inspect.BoolType: _boolean,
    inspect.IntType: _integer,
}


def _got(value: object) -> str:
    """A number as it is, anything else by its kind: the caller's text is not repeated at length."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)[:40]
    return f"`{value}`" if isinstance(value, str) and len(value) <= 40 else kind_of(value)


def _of_decoder(error: msgspec.ValidationError) -> FieldError:
    message = str(error)
    found = _PLACE.search(message)
    at = ""
    for name, index in _STEP.findall(found[1]) if found else ():
        at = pointer(at, name or index)
    return FieldError(at, _PLACE.sub("", message))
