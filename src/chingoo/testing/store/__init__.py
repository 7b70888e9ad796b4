"""The fake store, by rows, rules and pages."""

from chingoo.testing.store.fake import FakeStore

__all__ = ["FakeStore"]
