"""From a setting's text to its value; each reader raises ValueError with what is wrong and what would be right."""

import base64
import re
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from chingoo.settings.values import ApiKey, Provider, Rate, ServiceRole
from chingoo.source.suggest import did_you_mean

LOG_LEVELS: Final = ("debug", "info", "warning", "error")

_NUMBER: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?")
_RATE: Final = re.compile(r"([0-9]{1,9})/minute")
_HOST_NAME: Final = re.compile(
    r"(?=.{1,253}\Z)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}))*\.?"
)


def text(written: str) -> str:
    """Any text that can be printed."""
    if not written.isprintable():
        raise ValueError("holds a line break or another control character; take it out")
    return written


def secret(written: str) -> str:
    """A text that is never repeated in a message."""
    if not written.isprintable() or written != written.strip():
        raise ValueError("holds spaces around it or a control character; take them out")
    return written


def spacy_models(written: str) -> tuple[tuple[str, str], ...]:
    """Languages with the names of models, as `en=en_core_web_sm,fr=fr_core_news_sm`."""
    pairs = [tuple(map(str.strip, part.split("="))) for part in written.split(",")]
    found = {pair[0]: pair[1] for pair in pairs if len(pair) == 2 and all(pair)}
    if len(found) < len(pairs):
        raise ValueError("is no list like en=en_core_web_sm,fr=fr_core_news_sm, each language once")
    return tuple(found.items())


def data_keys(written: str) -> tuple[bytes, ...]:
    """Keys of 32 bytes, in base64 or hexadecimal, with commas between; no key is repeated in a message."""
    keys = tuple(_data_key(number, part.strip()) for number, part in enumerate(written.split(","), 1))
    if len(set(keys)) < len(keys):
        raise ValueError("holds the same key twice; take one out")
    return keys


def _data_key(number: int, written: str) -> bytes:
    try:
        if len(written) == 64:
            key = bytes.fromhex(written)
        else:
            standard = written.replace("-", "+").replace("_", "/").rstrip("=")
            key = base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)
    except ValueError:
        key = b""
    if len(key) != 32:
        raise ValueError(f"key {number} is not 32 bytes in base64 or hexadecimal; `openssl rand -base64 32` makes one")
    if len(set(key)) < 8:
        raise ValueError(f"key {number} is not random; `openssl rand -base64 32` makes one")
    return key


def host(written: str) -> str:
    """A host name or an address to listen on."""
    bare = written[1:-1] if written.startswith("[") and written.endswith("]") else written
    try:
        return str(ip_address(bare))
    except ValueError:
        pass
    if not _HOST_NAME.fullmatch(written) or written.replace(".", "").isdigit():
        raise ValueError(f"`{written}` is no host name and no address; for example 127.0.0.1 or 0.0.0.0")
    return written


def port(written: str) -> int:
    """A port, 0 for any free one."""
    if not written.isascii() or not written.isdigit() or len(written) > 5 or int(written) > 65535:
        raise ValueError(f"`{written}` is no port; give a number from 1 to 65535, or 0 for any free one")
    return int(written)


def count(written: str) -> int:
    """A whole number from 1."""
    if not written.isascii() or not written.isdigit() or not 1 <= len(written) <= 4 or int(written) < 1:
        raise ValueError(f"`{written}` is no whole number from 1 to 9999")
    return int(written)


def seconds(written: str) -> float:
    """A positive number of seconds."""
    if not _NUMBER.fullmatch(written) or float(written) <= 0:
        raise ValueError(f"`{written}` is no number of seconds above 0; for example 15 or 0.5")
    return float(written)


def seconds_or_none(written: str) -> float:
    """A number of seconds from 0."""
    if not _NUMBER.fullmatch(written):
        raise ValueError(f"`{written}` is no number of seconds from 0; for example 15 or 0.5")
    return float(written)


def switch(written: str) -> bool:
    """`on` or `off`."""
    known = {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False, "1": True, "0": False}
    if written.lower() not in known:
        raise ValueError(f"`{written}` is neither `on` nor `off`")
    return known[written.lower()]


def folder(written: str) -> Path:
    """A path; `~` is the home folder."""
    if "\0" in written:
        raise ValueError("holds a null character; take it out")
    return Path(written).expanduser().absolute()


def provider(written: str) -> Provider:
    """The name of a provider."""
    names = [str(member) for member in Provider]
    if written in names:
        return Provider(written)
    raise ValueError(f"`{written}` is no provider{_meant(written, names)}; there are {', '.join(names)}")


def log_level(written: str) -> str:
    """The name of a log level."""
    if written.lower() in LOG_LEVELS:
        return written.lower()
    raise ValueError(f"`{written}` is no log level{_meant(written, LOG_LEVELS)}; there are {', '.join(LOG_LEVELS)}")


def rate(written: str) -> Rate | None:
    """`off`, or so many requests a minute."""
    if written.lower() == "off":
        return None
    found = _RATE.fullmatch(written)
    if found is None or int(found[1]) < 1:
        raise ValueError(f"`{written}` is no rate; write `off`, or a number of requests like `120/minute`")
    return Rate(int(found[1]))


def database_url(written: str) -> str:
    """The address of a PostgreSQL server. It may hold a password, so no message repeats it."""
    _url(written, ("postgresql", "postgres"), "postgresql://user:password@host:5432/database")
    if not urlsplit(written).path.strip("/"):
        raise ValueError("names no database; for example postgresql://user:password@host:5432/chingoo")
    return written


def http_url(written: str) -> str:
    """An http or https address."""
    _url(written, ("http", "https"), "https://host/path")
    return written


def key_set(written: str) -> str:
    """A JWKS: an http or https address, or a file."""
    if "://" in written:
        return http_url(written)
    path = Path(written).expanduser()
    if not path.is_file():
        raise ValueError(f"there is no file `{written}`; give a JWKS file, or an address like https://issuer/jwks.json")
    return str(path.absolute())


def api_keys(written: str) -> tuple[ApiKey, ...]:
    """`role:key` pairs with commas between. Keys are secret: messages count the pairs and name roles only."""
    keys: list[ApiKey] = []
    roles = [str(role) for role in ServiceRole]
    for number, pair in enumerate(written.split(","), 1):
        role, colon, key = pair.strip().partition(":")
        if not colon or not key:
            raise ValueError(f"pair {number} is not of the form role:key; for example app:KEY,editor:KEY,operator:KEY")
        if role not in roles:
            # What stands before the colon is shown only if it is plainly a word: it might be a key with a colon in it.
            named = f" `{role}`" if role.isalpha() and len(role) <= 16 else ""
            raise ValueError(f"pair {number} names an unknown role{named}; there are {', '.join(roles)}")
        if not key.isascii() or not key.isprintable() or " " in key:
            raise ValueError(f"the key of pair {number} ({role}) holds a character that no header may hold")
        keys.append(ApiKey(ServiceRole(role), key))
    if len({key.key for key in keys}) < len(keys):
        raise ValueError("the same key is given twice; give every role its own")
    return tuple(keys)


def _url(written: str, schemes: tuple[str, ...], example: str) -> None:
    try:
        parts = urlsplit(written)
        good = parts.scheme in schemes and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        good = False
    if not good or not written.isprintable() or " " in written:
        raise ValueError(f"is no address of the form {example}")


def _meant(written: str, known: tuple[str, ...] | list[str]) -> str:
    meant = did_you_mean(written, known)
    return f", did you mean `{meant}`?" if meant else ""
