"""Everything that says whether a bundle is good."""
