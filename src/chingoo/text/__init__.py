"""Plain text work without tables of its own: what is language data comes in as typed arguments."""
