"""From a text to a decision: matching, signals, rules, and the one pure function `evaluate`."""
