"""The command line: `chingoo serve`, `worker`, `db`, `evaluate`, `policy`, `help`, `settings`, `version`."""
