"""The service keys of the data folder: made once, for the owner alone, and never beyond loopback."""

import stat
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from chingoo.errors import DataFolderError, SettingsError
from chingoo.settings.keys import FILE_NAME, ServiceKeys, service_keys
from chingoo.settings.values import ApiKey, ServiceRole, Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A service that keeps its data in a folder that is not there yet."""
    return Settings(data_dir=tmp_path / "data", policy_dir=tmp_path)


def test_keys_are_made_on_first_start_and_kept(settings: Settings) -> None:
    first, second = service_keys(settings), service_keys(settings)
    assert (first.made, second.made) == (True, False)
    assert first.keys == second.keys
    assert [key.role for key in first.keys] == list(ServiceRole)
    assert all(len(key.key) >= 32 for key in first.keys)
    assert first.kept_in == settings.data_dir / FILE_NAME
    assert stat.S_IMODE(first.kept_in.stat().st_mode) == 0o600
    assert [path.name for path in settings.data_dir.iterdir()] == [FILE_NAME]


def test_the_setting_wins(settings: Settings) -> None:
    given = (ApiKey(ServiceRole.APP, "x"),)
    assert service_keys(replace(settings, api_keys=given)) == ServiceKeys(given)
    assert not settings.data_dir.exists()


def test_nothing_is_made_for_a_bind_that_others_reach(settings: Settings) -> None:
    with pytest.raises(SettingsError, match="CHINGOO_API_KEYS"):
        service_keys(replace(settings, host="0.0.0.0"))
    assert not settings.data_dir.exists()


def test_a_file_that_others_may_read_is_closed(settings: Settings) -> None:
    path = service_keys(settings).kept_in
    assert path is not None
    path.chmod(0o644)
    service_keys(settings)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_broken_file_is_said(settings: Settings) -> None:
    settings.data_dir.mkdir()
    (settings.data_dir / FILE_NAME).write_text("app:one\nnonsense\n")
    with pytest.raises(SettingsError, match="delete it for new keys"):
        service_keys(settings)


def test_a_folder_that_is_a_file_is_said(settings: Settings) -> None:
    settings.data_dir.write_text("not a folder")
    with pytest.raises(DataFolderError, match="CHINGOO_DATA_DIR"):
        service_keys(settings)


def test_processes_that_start_at_once_share_the_keys(settings: Settings) -> None:
    found: list[ServiceKeys] = []
    threads = [threading.Thread(target=lambda: found.append(service_keys(settings))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({keys.keys for keys in found}) == 1
    assert [path.name for path in settings.data_dir.iterdir()] == [FILE_NAME]
