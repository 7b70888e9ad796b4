"""Reading the environment: what is taken, and that everything wrong is said at once, without secrets."""

from pathlib import Path

import pytest

from chingoo.errors import SettingsError
from chingoo.settings.load import Loaded, load
from chingoo.settings.table import LATER, SETTINGS
from chingoo.settings.values import ApiKey, Provider, Rate, ServiceRole, Settings, is_loopback

SECRET = "s3cret-which-nobody-may-see"
KEY = "7hY2m0QxkZ1v3r8c5n9b4f6g0j2l4p6s8u0w2y4A6C8="


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with policies."""
    (tmp_path / "policies").mkdir()
    return tmp_path


def loaded(repository: Path, **environ: str) -> Loaded:
    """The settings of an environment, names without their prefix."""
    return load({f"CHINGOO_{name}": value for name, value in environ.items()}, repository=repository)


def refused(repository: Path, **environ: str) -> str:
    """The message of a refusal."""
    with pytest.raises(SettingsError) as error:
        loaded(repository, **environ)
    return error.value.detail


def test_data_keys_are_read_in_both_spellings(repository: Path) -> None:
    """UK-17: the first seals, all open."""
    other = bytes(range(32))
    keys = loaded(repository, DATA_KEY=f"{KEY}, {other.hex()}").settings.data_key
    assert [len(key) for key in keys] == [32, 32]
    assert keys[1] == other
    assert loaded(repository, DATA_KEY=KEY.rstrip("=")).settings.data_key == keys[:1]


def test_an_empty_environment_will_do(repository: Path) -> None:
    found = loaded(repository)
    assert found.warnings == ()
    settings = found.settings
    assert (settings.host, settings.port, settings.llm_provider) == ("127.0.0.1", 8000, Provider.OFFLINE)
    assert (settings.llm_timeout_s, settings.turn_deadline_s) == (15, 45)
    assert settings.policy_dir == repository
    assert settings.data_dir == Path.cwd() / ".chingoo"
    assert settings.database_url is None
    assert settings.worker
    assert settings.rate_limit == Rate(600)


def test_the_defaults_of_the_table_are_those_of_the_value(repository: Path) -> None:
    plain = Settings(data_dir=Path.cwd() / ".chingoo", policy_dir=repository, rate_limit=Rate(600))
    assert loaded(repository).settings == plain


def test_empty_is_unset(repository: Path) -> None:
    assert loaded(repository, PORT="", DATABASE_URL=" ", API_KEYS="").settings == loaded(repository).settings


TAKEN = [
    ("HOST", "0.0.0.0", "host", "0.0.0.0"),
    ("HOST", "::1", "host", "::1"),
    ("HOST", "[::1]", "host", "::1"),
    ("HOST", "localhost", "host", "localhost"),
    ("PORT", " 8080 ", "port", 8080),
    ("PORT", "0", "port", 0),
    ("DATA_DIR", "/var/lib/chingoo data", "data_dir", Path("/var/lib/chingoo data")),
    ("DATABASE_URL", "postgresql://u:p%40ss@db:5432/chingoo", "database_url", "postgresql://u:p%40ss@db:5432/chingoo"),
    ("DATABASE_URL", "postgres:///x?host=/run", None, None),
    ("POOL_SIZE", "3", "pool_size", 3),
    ("LLM_TIMEOUT_S", "0.5", "llm_timeout_s", 0.5),
    ("WAIT_MARGIN_S", "0", "wait_margin_s", 0.0),
    ("WORKER", "off", "worker", False),
    ("WORKER", "True", "worker", True),
    ("RATE_LIMIT", "off", "rate_limit", None),
    ("RATE_LIMIT", "120/minute", "rate_limit", Rate(120)),
    ("LOG_LEVEL", "WARNING", "log_level", "warning"),
    ("API_KEYS", "app:a:b, editor:c", "api_keys", (ApiKey(ServiceRole.APP, "a:b"), ApiKey(ServiceRole.EDITOR, "c"))),
    ("API_KEYS", "app:a,app:b", "api_keys", (ApiKey(ServiceRole.APP, "a"), ApiKey(ServiceRole.APP, "b"))),
]


@pytest.mark.parametrize(("name", "written", "field", "value"), TAKEN)
def test_taken(repository: Path, name: str, written: str, field: str | None, value: object) -> None:
    environ = {name: written} | ({"API_KEYS": "app:long-enough-key-for-this"} if written == "0.0.0.0" else {})
    if field is None:
        refused(repository, **environ)
    else:
        assert getattr(loaded(repository, **environ).settings, field) == value


# what is written, and what the message must hold
REFUSED: list[tuple[dict[str, str], list[str]]] = [
    ({"PORT": "80a"}, ["CHINGOO_PORT", "`80a`", "1 to 65535"]),
    ({"PORT": "70000"}, ["CHINGOO_PORT"]),
    ({"PORT": "-1"}, ["CHINGOO_PORT"]),
    ({"PORT": "８０"}, ["CHINGOO_PORT"]),
    ({"HOST": "not a host"}, ["CHINGOO_HOST", "127.0.0.1"]),
    ({"HOST": "300.1.1.1"}, ["CHINGOO_HOST"]),
    ({"DATABASE_URL": f"mysql://u:{SECRET}@db/x"}, ["CHINGOO_DATABASE_URL", "postgresql://"]),
    ({"DATABASE_URL": f"postgresql://u:{SECRET}@db:port/x"}, ["CHINGOO_DATABASE_URL"]),
    ({"DATABASE_URL": f"postgresql://u:{SECRET}@db"}, ["CHINGOO_DATABASE_URL", "database"]),
    ({"POOL_SIZE": "0"}, ["CHINGOO_POOL_SIZE"]),
    ({"POOL_SIZE": "ten"}, ["CHINGOO_POOL_SIZE"]),
    ({"LLM_PROVIDER": "opnai"}, ["CHINGOO_LLM_PROVIDER", "did you mean `openai`?", "bedrock"]),
    ({"LLM_PROVIDER": "openai"}, ["CHINGOO_LLM_API_KEY", "`openai`"]),
    ({"LLM_PROVIDER": "anthropic", "LLM_BASE_URL": "https://x.test"}, ["CHINGOO_LLM_API_KEY"]),
    ({"LLM_BASE_URL": "ftp://x"}, ["CHINGOO_LLM_BASE_URL", "https://"]),
    ({"LLM_BASE_URL": "localhost:11434"}, ["CHINGOO_LLM_BASE_URL"]),
    ({"LLM_API_KEY": f"{SECRET}\n"}, ["CHINGOO_LLM_API_KEY"]),
    ({"LLM_TIMEOUT_S": "0"}, ["CHINGOO_LLM_TIMEOUT_S"]),
    ({"LLM_TIMEOUT_S": "nan"}, ["CHINGOO_LLM_TIMEOUT_S"]),
    ({"TURN_DEADLINE_S": "1e9"}, ["CHINGOO_TURN_DEADLINE_S"]),
    ({"RATE_LIMIT": "100"}, ["CHINGOO_RATE_LIMIT", "120/minute"]),
    ({"RATE_LIMIT": "0/minute"}, ["CHINGOO_RATE_LIMIT"]),
    ({"WORKER": "maybe"}, ["CHINGOO_WORKER", "`on`"]),
    ({"LOG_LEVEL": "loud"}, ["CHINGOO_LOG_LEVEL", "warning"]),
    ({"API_KEYS": SECRET}, ["CHINGOO_API_KEYS", "pair 1", "app:KEY"]),
    ({"API_KEYS": f"app:x,{SECRET}:y"}, ["CHINGOO_API_KEYS", "pair 2"]),
    ({"API_KEYS": f"admin:{SECRET}"}, ["CHINGOO_API_KEYS", "`admin`", "app, editor, operator"]),
    ({"API_KEYS": f"app:{SECRET},editor:{SECRET}"}, ["CHINGOO_API_KEYS", "twice"]),
    ({"API_KEYS": f"app:{SECRET} x"}, ["CHINGOO_API_KEYS", "header"]),
    ({"JWKS": "https://i.test/jwks"}, ["CHINGOO_JWT_ISSUER", "CHINGOO_JWT_AUDIENCE"]),
    ({"JWKS": "https://i.test/jwks", "JWT_ISSUER": "i"}, ["CHINGOO_JWT_AUDIENCE"]),
    ({"JWKS": "/no/such/file"}, ["CHINGOO_JWKS", "/no/such/file"]),
    ({"HOST": "0.0.0.0"}, ["CHINGOO_API_KEYS", "0.0.0.0"]),
    ({"POLICY_DIR": "/nowhere/at/all"}, ["CHINGOO_POLICY_DIR", "policies"]),
    ({"DATA_KEY": SECRET}, ["CHINGOO_DATA_KEY", "openssl rand -base64 32"]),
    ({"DATA_KEY": "00" * 32}, ["CHINGOO_DATA_KEY", "not random"]),
    ({"DATA_KEY": f"{KEY},{KEY}"}, ["CHINGOO_DATA_KEY", "twice"]),
]


@pytest.mark.parametrize(("environ", "said"), REFUSED, ids=lambda value: str(value)[:50])
def test_refused(repository: Path, environ: dict[str, str], said: list[str]) -> None:
    message = refused(repository, **environ)
    assert all(part in message for part in said), message
    assert SECRET not in message


def test_everything_wrong_is_said_at_once_in_the_order_of_the_table(repository: Path) -> None:
    message = refused(repository, PORT="x", LLM_PROVIDER="x", RATE_LIMIT="x", HOST="0.0.0.0", JWKS="http://x.test/j")
    lines = message.splitlines()
    assert lines[0] == "6 settings are wrong:"
    names = [line.split(":")[0].strip() for line in lines[1:]]
    table = [setting.name for setting in SETTINGS]
    assert names == sorted(names, key=table.index)
    assert len(names) == 6


def test_a_typo_is_a_warning_with_a_hint(repository: Path) -> None:
    found = loaded(repository, PROT="9000", COMPLETELY_ELSE="1")
    assert found.settings.port == 8000
    assert "CHINGOO_PROT is no setting and was ignored; did you mean CHINGOO_PORT?" in found.warnings
    assert any("CHINGOO_COMPLETELY_ELSE" in line and "chingoo settings" in line for line in found.warnings)


def test_other_programs_variables_are_none_of_ours(repository: Path) -> None:
    assert load({"PORT": "x", "DATABASE_URL": "x"}, repository=repository).warnings == ()


@pytest.mark.parametrize("name", LATER)
def test_a_setting_of_later_releases_says_that_it_does_nothing(repository: Path, name: str) -> None:
    found = load({name: "http://x.test"}, repository=repository)
    assert found.warnings[0].startswith(f"{name} is set but not used")


def test_other_odd_things_are_warned_of(repository: Path) -> None:
    assert "LLM_TIMEOUT_S" in loaded(repository, LLM_TIMEOUT_S="60").warnings[0]
    assert "16 characters" in loaded(repository, HOST="0.0.0.0", API_KEYS="app:short").warnings[0]
    assert loaded(repository, HOST="127.0.0.1", API_KEYS="app:short").warnings == ()


def test_a_model_server_of_one_s_own_needs_no_key(repository: Path) -> None:
    settings = loaded(repository, LLM_PROVIDER="openai", LLM_BASE_URL="http://127.0.0.1:11434/v1").settings
    assert settings.llm_api_key is None


def test_no_secret_is_shown_by_accident(repository: Path) -> None:
    settings = loaded(
        repository,
        API_KEYS=f"app:{SECRET}",
        LLM_API_KEY=SECRET,
        DATABASE_URL=f"postgresql://u:{SECRET}@db/x",
    ).settings
    assert SECRET not in repr(settings)
    assert SECRET not in repr(settings.api_keys)


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.5", False),
        ("localhost.evil.test", False),
        ("example.org", False),
    ],
)
def test_loopback(host: str, own: bool) -> None:
    assert is_loopback(host) is own
