"""The detector says so when it was learnt beside other weights than those it is run with."""

from structlog.testing import capture_logs

from chingoo.wiring.detector import warn_of_other_weights


def test_other_weights_are_told() -> None:
    with capture_logs() as told:
        warn_of_other_weights("9dfc90da39b7", "918edf7e862a")
    (line,) = told
    assert (line["log_level"], line["learnt_beside"], line["weights"]) == ("warning", "9dfc90da39b7", "918edf7e862a")
    assert "make detector" in line["event"]


def test_the_same_weights_are_not() -> None:
    with capture_logs() as told:
        warn_of_other_weights("918edf7e862a", "918edf7e862a")
    assert told == []
