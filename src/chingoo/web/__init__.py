"""The HTTP contract: strict bodies in, problem details out, and nothing decided here."""
