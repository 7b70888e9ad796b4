"""The laws that a bundle must keep, one in each module: `check(subject)` yields a finding for every breach."""
