"""Reads policy files and schemas from disk; what they mean is the core's business."""

from importlib import resources
from pathlib import Path

from chingoo.errors import DataFolderError
from chingoo.policy.areas import FOLDERS
from chingoo.proof.promises import PRODUCT, Promises


def read_policy_files(root: Path) -> dict[str, str]:
    """All YAML files of the policy folders below `root`, by their path from it.

    Bytes that are no UTF-8 come as lone surrogates, which the reader reports with their place. DataFolderError: the
    folders are not there or cannot be read.
    """
    if not (root / FOLDERS[0]).is_dir():
        raise DataFolderError(f"no folder {FOLDERS[0]} in {root}; give the folder that holds {', '.join(FOLDERS)}")
    return {
        path.relative_to(root).as_posix(): _bytes(path).decode("utf-8", "surrogateescape")
        for folder in FOLDERS
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in (".yaml", ".yml") and path.is_file()
    }


def read_schemas(root: Path) -> dict[str, str]:
    """The JSON Schemas by file name, those of answers as `mechanics/…`. DataFolderError: there are none."""
    folder = root / "schemas"
    paths = sorted(folder.rglob("*.schema.json"))
    texts = {path.relative_to(folder).as_posix(): _bytes(path).decode() for path in paths}
    if not texts:
        raise DataFolderError(f"no schemas in {root / 'schemas'}; is the installation complete?")
    return texts


def read_code_pages() -> dict[str, str]:
    """The pages of finding codes that ship inside the package, by package name."""
    return {
        package: resources.files(f"chingoo.{package}").joinpath("codes.yaml").read_text("utf-8")
        for package in ("source", "policy", "proof")
    }


def read_promises(root: Path) -> Promises:
    """PRODUCT.md beside the policy folders, if there is one, and what the package says about it."""
    product = root / PRODUCT
    text = _bytes(product).decode("utf-8", "surrogateescape") if product.is_file() else None
    data = resources.files("chingoo.proof")
    return Promises(
        text, data.joinpath("mirror.yaml").read_text("utf-8"), data.joinpath("locked.yaml").read_text("utf-8")
    )


def read_ordinary_talk(root: Path) -> dict[str, str]:
    """The files of ordinary talk below the policies, by their path from `root`; none if there is no such folder."""
    return {
        path.relative_to(root).as_posix(): _bytes(path).decode("utf-8", "replace")
        for path in sorted((root / "policies" / "corpus").glob("*.txt"))
    }


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataFolderError(f"cannot read {path}: {error.strerror}") from error
