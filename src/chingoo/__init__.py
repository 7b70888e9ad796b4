"""Chingoo: a policy service for AI-friend chat."""

__version__ = "0.1.0"
