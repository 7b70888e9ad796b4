"""`python -m chingoo` and the `chingoo` command."""

from chingoo.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
