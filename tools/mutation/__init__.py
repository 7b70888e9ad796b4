"""Changes of the policies as a typo would make them, and whether anything notices."""
