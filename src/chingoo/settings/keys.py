"""The service keys: those of the setting, else those kept in the data folder, made on first start."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from chingoo.errors import DataFolderError, SettingsError
from chingoo.settings import readers
from chingoo.settings.values import ApiKey, ServiceRole, Settings

FILE_NAME: Final = "api-keys"
_OWNER_ONLY: Final = 0o600


@dataclass(frozen=True, slots=True)
class ServiceKeys:
    """The keys in force. `kept_in` is the file they are in, None when they came from the setting."""

    keys: tuple[ApiKey, ...]
    kept_in: Path | None = None
    made: bool = False


def service_keys(settings: Settings) -> ServiceKeys:
    """The keys in force, made and kept for the owner alone if there are none yet.

    SettingsError: not on a loopback bind, or the file is broken. DataFolderError: the folder cannot be written.
    """
    if settings.api_keys:
        return ServiceKeys(settings.api_keys)
    if not settings.loopback:
        raise SettingsError(f"CHINGOO_API_KEYS: listening on {settings.host} needs keys; set app:KEY,editor:KEY,…")
    path = settings.data_dir / FILE_NAME
    try:
        made = not path.exists() and _make(path)
        os.chmod(path, _OWNER_ONLY)
        text = path.read_text("utf-8")
    except OSError as error:
        raise DataFolderError(
            f"CHINGOO_DATA_DIR: the keys in {path} cannot be kept ({error.strerror}); "
            "make the folder writable, choose another, or set CHINGOO_API_KEYS"
        ) from error
    return ServiceKeys(_parse(path, text), path, made)


def _make(path: Path) -> bool:
    """Write fresh keys, whole or not at all; False when another process was first."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lines = "".join(f"{role}:{secrets.token_urlsafe(32)}\n" for role in ServiceRole)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(lines)
        os.link(draft, path)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    return True


def _parse(path: Path, text: str) -> tuple[ApiKey, ...]:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    try:
        return readers.api_keys(",".join(lines))
    except ValueError as error:
        raise SettingsError(
            f"the keys in {path} are broken: {error}; mend the file, or delete it for new keys"
        ) from error
