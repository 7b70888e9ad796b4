"""How closeness grows and fades: evidence of one message, the score it earns, stages and decay."""
