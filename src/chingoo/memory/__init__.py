"""What is remembered of a person: keys, extraction, the life of a memory, corrections, surfacing."""
