"""Pure composition of the domain: one turn from what is known to what is settled."""
