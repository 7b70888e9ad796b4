"""YAML text to a tree in which every key and value has a place; schemas, findings and how they are shown."""
