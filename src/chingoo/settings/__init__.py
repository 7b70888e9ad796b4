"""What the service is started with: one table of settings, read once from the environment into one value."""
