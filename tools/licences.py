"""Prints every locked package with its licence, and the data the project ships; fails on a licence we refuse."""

import re
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFUSED = re.compile(r"\b(A?GPL|GNU (Affero )?General Public)", re.IGNORECASE)
ALLOWED_ANYWAY = re.compile(r"\bLGPL|Lesser General Public", re.IGNORECASE)


def licence_of(distribution: metadata.Distribution) -> str:
    """The licence a package declares: its SPDX expression, its classifiers, or its free text's first line."""
    meta = distribution.metadata.json
    expression = meta.get("license_expression")
    if expression:
        return str(expression)
    classifiers = [c.split("::")[-1].strip() for c in meta.get("classifier", []) if c.startswith("License ::")]
    free_text = str(meta.get("license", "")).strip().splitlines()
    return ", ".join(classifiers) or (free_text[0] if free_text else "not declared")


def main() -> int:
    """List all; 1 if a refused licence is among them."""
    locked = sorted(re.findall(r"^([A-Za-z0-9_.-]+)==", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE))
    refused = []
    for name in locked:
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            print(f"{name:34} (not installed on this platform)")
            continue
        licence = licence_of(distribution)
        print(f"{name:34} {distribution.version:18} {licence}")
        if REFUSED.search(licence) and not ALLOWED_ANYWAY.search(licence):
            refused.append(name)
    print("\nThird-party data shipped with the project (see NOTICE):\n")
    print((ROOT / "NOTICE").read_text("utf-8"))
    if refused:
        print(f"licences: refused: {', '.join(refused)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
