"""The command line: `chingoo serve`, `worker`, `detector`, `db`, `evaluate`, `policy`, `help`, `settings` and more."""
