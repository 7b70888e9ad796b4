"""What the policy files mean: typed documents, parsing, and the immutable bundle with its digest."""
