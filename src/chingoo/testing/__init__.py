"""Fakes of every port, shipped with the package and held to the same contract suites as the real ones."""
