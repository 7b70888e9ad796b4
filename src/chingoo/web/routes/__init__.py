"""The routes of api.md, one module per part of it: each handler turns a call into one use case and back."""
