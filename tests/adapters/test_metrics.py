"""The Prometheus adapter keeps what it can, counts what it cannot, and never raises."""

import re
import threading
from importlib.resources import files

import yaml

from chingoo.adapters.metrics import _HELP, PrometheusMetrics


def lines(metrics: PrometheusMetrics) -> list[str]:
    """The exposition without comments."""
    text, media_type = metrics.exposition()
    assert media_type.startswith("text/plain")
    return [line for line in text.decode().splitlines() if not line.startswith("#")]


def test_counters_and_durations() -> None:
    metrics = PrometheusMetrics()
    metrics.count("chingoo_jobs_total", {"job": "decay"})
    metrics.count("chingoo_jobs_total", {"job": "decay"}, 2)
    metrics.count("chingoo_leases_lost_total")
    metrics.observe("chingoo_turn_seconds", 0.02, {"step": "decide"})
    found = lines(metrics)
    assert 'chingoo_jobs_total{job="decay"} 3.0' in found
    assert "chingoo_leases_lost_total 1.0" in found
    assert 'chingoo_turn_seconds_count{step="decide"} 1.0' in found
    assert any(line.startswith("process_resident_memory_bytes") for line in found)


def test_the_order_of_labels_is_nothing() -> None:
    metrics = PrometheusMetrics()
    metrics.count("chingoo_x_total", {"a": "1", "b": "2"})
    metrics.count("chingoo_x_total", {"b": "2", "a": "1"})
    assert 'chingoo_x_total{a="1",b="2"} 2.0' in lines(metrics)


def test_what_does_not_fit_is_counted() -> None:
    metrics = PrometheusMetrics()
    metrics.count("chingoo_x_total", {"a": "1"})
    for misuse in (
        lambda: metrics.count("chingoo_x_total"),
        lambda: metrics.count("chingoo_x_total", {"b": "1"}),
        lambda: metrics.count("chingoo_x_total", {"a": "1"}, -1),
        lambda: metrics.observe("chingoo_x_total", 1.0, {"a": "1"}),
        lambda: metrics.count(""),
        lambda: metrics.observe("chingoo_y_seconds", 1.0, {"le": "1"}),
    ):
        misuse()
    assert "chingoo_metrics_dropped_total 6.0" in lines(metrics)


def test_series_do_not_grow_without_end() -> None:
    metrics = PrometheusMetrics()
    for number in range(5_100):
        metrics.count("chingoo_x_total", {"a": str(number)})
    assert "chingoo_metrics_dropped_total 100.0" in lines(metrics)


def test_two_registries_do_not_meet() -> None:
    one, other = PrometheusMetrics(), PrometheusMetrics()
    one.count("chingoo_x_total")
    assert "chingoo_x_total 1.0" not in lines(other)


def test_many_threads_at_once() -> None:
    metrics = PrometheusMetrics()

    def work() -> None:
        for number in range(200):
            metrics.count("chingoo_x_total", {"a": str(number % 7)})
            metrics.observe("chingoo_y_seconds", 0.1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "chingoo_y_seconds_count 800.0" in lines(metrics)


def test_the_alert_rules_name_metrics_that_there_are() -> None:
    rules = yaml.safe_load(files("chingoo.adapters").joinpath("alerts.yaml").read_text(encoding="utf-8"))
    alerts = [rule for group in rules["groups"] for rule in group["rules"]]
    assert {rule["labels"]["severity"] for rule in alerts} == {"page", "ticket"}
    for rule in alerts:
        named = re.findall(r"chingoo_\w+", rule["expr"])
        assert named
        assert set(named) <= set(_HELP), rule["alert"]
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["description"]
