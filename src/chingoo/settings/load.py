"""Reading the environment: every wrong setting is found and said in one message, and nothing is started."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from chingoo.errors import SettingsError
from chingoo.settings.table import LATER, SETTINGS, Setting
from chingoo.settings.values import Provider, Settings, is_loopback
from chingoo.source.suggest import did_you_mean

PREFIX: Final = "CHINGOO_"
_POLICIES: Final = "policies"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, and what is odd about them without being wrong."""

    settings: Settings
    warnings: tuple[str, ...]


def load(environ: Mapping[str, str], *, repository: Path | None = None) -> Loaded:
    """The settings of an environment. SettingsError names all that is wrong, with the remedy, and no secret.

    `repository` is where the policies are when CHINGOO_POLICY_DIR is unset; None looks for it.
    """
    written = {name: value for name, value in environ.items() if name.startswith(PREFIX) and value.strip()}
    wrong: dict[str, str] = {}
    values: dict[str, Any] = {}
    for setting in SETTINGS:
        _read(setting, written, values, wrong)
    _policy_dir(values, wrong, repository)
    for check in _CHECKS:
        check(values, wrong)
    if wrong:
        raise SettingsError(_message(wrong))
    return Loaded(Settings(**values), tuple(_warnings(written, values)))


def find_repository() -> Path | None:
    """The checkout this package runs from, or the working directory, whichever holds policies."""
    places = (Path(__file__).resolve().parents[3], Path.cwd())
    return next((place for place in places if (place / _POLICIES).is_dir()), None)


def _read(setting: Setting, written: Mapping[str, str], values: dict[str, Any], wrong: dict[str, str]) -> None:
    text = written.get(setting.name, setting.default)
    if text is None:
        return
    try:
        values[setting.field] = setting.read(text if setting.secret else text.strip())
    except ValueError as error:
        wrong[setting.name] = str(error)


def _policy_dir(values: dict[str, Any], wrong: dict[str, str], repository: Path | None) -> None:
    name = "CHINGOO_POLICY_DIR"
    given = values.get("policy_dir")
    place = given or repository or find_repository()
    if place is None:
        wrong[name] = "no policies were found here; give the folder that holds `policies/`"
    elif not (place / _POLICIES).is_dir():
        wrong[name] = f"there is no folder `{place / _POLICIES}`; give the folder that holds `policies/`"
    else:
        values["policy_dir"] = place


def _check_shadow(values: Mapping[str, Any], wrong: dict[str, str]) -> None:
    place = values.get("shadow_policy_dir")
    if place is not None and not (place / _POLICIES).is_dir():
        wrong["CHINGOO_SHADOW_POLICY_DIR"] = f"there is no folder `{place / _POLICIES}`; unset it, or name its parent"


def _check_model_key(values: Mapping[str, Any], wrong: dict[str, str]) -> None:
    provider = values.get("llm_provider", Provider.OFFLINE)
    own_address = provider is Provider.OPENAI and "llm_base_url" in values
    if provider is not Provider.OFFLINE and not own_address and "llm_api_key" not in values:
        wrong.setdefault("CHINGOO_LLM_API_KEY", f"the provider `{provider}` needs a key; set it, or use `offline`")


def _check_webhook(values: Mapping[str, Any], wrong: dict[str, str]) -> None:
    if "crisis_url" in values and "webhook_secret" not in values:
        wrong.setdefault(
            "CHINGOO_WEBHOOK_SECRET", "events to CHINGOO_CRISIS_URL are signed with it; set it, the same as there"
        )


def _check_tokens(values: Mapping[str, Any], wrong: dict[str, str]) -> None:
    if "jwks" not in values and "CHINGOO_JWKS" not in wrong:
        return
    for field, claim in (("jwt_issuer", "iss"), ("jwt_audience", "aud")):
        if field not in values:
            name = PREFIX + field.upper()
            wrong.setdefault(name, f"with CHINGOO_JWKS it must say which `{claim}` tokens carry; set it")


def _check_exposure(values: Mapping[str, Any], wrong: dict[str, str]) -> None:
    host = values.get("host")
    if host is not None and not is_loopback(host) and "api_keys" not in values:
        wrong.setdefault(
            "CHINGOO_API_KEYS",
            f"listening on {host} needs keys; set app:KEY,editor:KEY,operator:KEY, or listen on 127.0.0.1",
        )


_CHECKS: Final[tuple[Callable[[Mapping[str, Any], dict[str, str]], None], ...]] = (
    _check_shadow,
    _check_model_key,
    _check_webhook,
    _check_tokens,
    _check_exposure,
)


def _message(wrong: Mapping[str, str]) -> str:
    head = "1 setting is wrong:" if len(wrong) == 1 else f"{len(wrong)} settings are wrong:"
    order = [setting.name for setting in SETTINGS]
    names = sorted(wrong, key=lambda name: (order.index(name) if name in order else len(order), name))
    return "\n".join([head, *(f"  {name}: {wrong[name]}" for name in names)])


def _warnings(written: Mapping[str, str], values: Mapping[str, Any]) -> list[str]:
    known = [setting.name for setting in SETTINGS]
    said = []
    for name in sorted(written):
        if name in LATER:
            said.append(f"{name} is set but not used: {LATER[name]}")
        elif name not in known:
            meant = did_you_mean(name, known)
            hint = f"did you mean {meant}?" if meant else "`chingoo settings` lists those there are"
            said.append(f"{name} is no setting and was ignored; {hint}")
    if values["llm_timeout_s"] > values["turn_deadline_s"]:
        said.append("CHINGOO_LLM_TIMEOUT_S is longer than CHINGOO_TURN_DEADLINE_S, which ends a call first")
    if not is_loopback(values["host"]) and any(len(key.key) < 16 for key in values.get("api_keys", ())):
        said.append(
            "CHINGOO_API_KEYS holds a key of fewer than 16 characters, and the service can be reached from afar"
        )
    return said
