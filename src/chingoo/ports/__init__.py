"""What the use cases need from the outside, as protocols; adapters implement them, `wiring` chooses which."""
