"""Frozen values and enums that every layer shares; no behaviour beyond what a value knows of itself."""
