"""The outside world behind the ports; imported by `wiring` alone."""
