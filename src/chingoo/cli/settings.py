"""`chingoo settings`: every setting, what it means, and what is in force; secrets are never shown."""

from collections.abc import Mapping

from chingoo.settings.table import SETTINGS


def shown(environ: Mapping[str, str]) -> str:
    """The table for a terminal."""
    blocks = []
    for setting in SETTINGS:
        written = environ.get(setting.name, "").strip()
        if not written:
            value = setting.default if setting.default is not None else f"(unset: {setting.unset})"
            origin = " (default)" if setting.default is not None else ""
        else:
            value, origin = ("(set, not shown)" if setting.secret else written), ""
        blocks.append(f"{setting.name}={value}{origin}\n    {setting.meaning}")
    return "\n".join(blocks)
