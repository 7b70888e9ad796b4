"""The composition root, the only package that imports adapters: what entry points need, made from settings."""
