"""Metrics for Prometheus: counters and histograms made when they are first used, read as text at `/metrics`."""

import threading
from collections.abc import Mapping
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

_MOST_SERIES: Final = 5000  # labels are of closed sets; this bounds what a mistake could cost
_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_HELP: Final[Mapping[str, str]] = {
    "chingoo_http_requests_total": "HTTP requests by method, route and status",
    "chingoo_http_request_seconds": "How long HTTP requests took",
    "chingoo_turns_total": "Turns by pipeline, safety policy, who spoke, and whether they were replays",
    "chingoo_turn_seconds": "How long the steps of a turn took",
    "chingoo_turn_model_calls_total": "Turns by how many model calls they took",
    "chingoo_turn_cost_usd_total": "What the model calls of turns cost, by the price table",
    "chingoo_prompts_total": "Prompts made for replies",
    "chingoo_prompt_tokens_total": "Estimated tokens of these prompts by part",
    "chingoo_model_choices_total": "Which role answers, voice or mechanics, by pipeline",
    "chingoo_hints_total": "Memories that the model of a sent reply was shown, by type and whether the reply uses them",
    "chingoo_llm_calls_started_total": "Model calls that began; those without an outcome are under way",
    "chingoo_llm_unpriced_calls_total": "Model calls that count as free because the price table lacks the model",
    "chingoo_llm_calls_total": "Model calls by operation, model and outcome",
    "chingoo_llm_call_seconds": "How long model calls took",
    "chingoo_llm_input_tokens_total": "Tokens sent to models",
    "chingoo_llm_cached_tokens_total": "Those of the tokens sent to models that the provider had read before",
    "chingoo_llm_output_tokens_total": "Tokens received from models",
    "chingoo_llm_cost_usd_total": "What model calls cost, by the price table",
    "chingoo_cost_ceiling_total": "Turns that were put off because the person's models had cost enough for a day",
    "chingoo_gate_violations_total": "Gates that a model's first answer did not pass",
    "chingoo_leases_lost_total": "Turns whose lease somebody else had taken when they settled",
    "chingoo_log_writes_failed_total": "Rows of the guard and crisis logs that could not be written, by log",
    "chingoo_crisis_events_total": "Posts that tell a human of a crisis, by outcome",
    "chingoo_detector_calls_total": "Questions to the detector by outcome",
    "chingoo_detector_seconds": "How long turns waited for the detector",
    "chingoo_extractions_total": "Turns in which a model was asked what to remember, by outcome",
    "chingoo_extraction_deltas_total": "What models proposed to remember: accepted, or rejected by reason",
    "chingoo_extraction_batches_total": "Batches of messages that a model was asked about, by outcome",
    "chingoo_memories_learned_total": "What turns learned, by source, type and language",
    "chingoo_memories_superseded_total": "Memories that a newer one took the place of, by type and language",
    "chingoo_memories_shown_total": "Memories that replies spoke of, by language",
    "chingoo_forgotten_messages_total": "Messages that people had forgotten",
    "chingoo_forgotten_memories_total": "Memories that went with forgotten messages",
    "chingoo_extraction_reviews_total": "Samples of what batches learned that somebody judged, by verdict and language",
    "chingoo_memory_corrections_total": "Corrections that people made, by type and language",
    "chingoo_memory_corrections_deactivated_total": "Memories that corrections put out of use",
    "chingoo_memory_corrections_disputed_total": "Memories that corrections cast doubt on",
    "chingoo_jobs_total": "Jobs run",
    "chingoo_policy_switches_total": "Reloads that were good, refused or failed; switches made, and not followed",
    "chingoo_policy_compile_seconds": "How long the child took to compile the policies on disk",
    "chingoo_policy_build_seconds": "How long this process took to read and build a set of policies",
    "chingoo_policy_swap_seconds": "How long the event loop stood still to swap one set for another",
    "chingoo_policy_hits_dropped_total": "Hits of entries that were not counted because the database was away for long",
    "chingoo_policy_shadow_decisions_total": "What the shadow decided: the same, otherwise, or dropped",
    "chingoo_policy_shadow_flips_total": "Decisions that the shadow would have made otherwise, by both pipelines",
}

Key = tuple[str, tuple[tuple[str, str], ...]]


class PrometheusMetrics:
    """A `ports.machine.Metrics` in a registry of its own. Safe from every thread; never raises.

    A name keeps the label names of its first use; a later use with others, or beyond 5,000 series, is dropped and
    counted in `chingoo_metrics_dropped_total`.
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)
        self._lock = threading.Lock()
        self._families: dict[str, tuple[Counter | Histogram, frozenset[str]]] = {}
        self._series: dict[Key, Counter | Histogram] = {}
        self._dropped = Counter(
            "chingoo_metrics_dropped_total", "Measurements that could not be kept", registry=self._registry
        )

    def count(self, name: str, labels: Mapping[str, str] | None = None, value: float = 1.0) -> None:
        """Add to a counter."""
        series = self._of(Counter, name, labels)
        if isinstance(series, Counter) and value >= 0:
            series.inc(value)
        else:
            self._dropped.inc()

    def observe(self, name: str, seconds: float, labels: Mapping[str, str] | None = None) -> None:
        """Observe a duration."""
        series = self._of(Histogram, name, labels)
        if isinstance(series, Histogram):
            series.observe(seconds)
        else:
            self._dropped.inc()

    def exposition(self) -> tuple[bytes, str]:
        """The text of `/metrics`, and its content type."""
        return generate_latest(self._registry), CONTENT_TYPE_LATEST

    def _of(
        self, kind: type[Counter] | type[Histogram], name: str, labels: Mapping[str, str] | None
    ) -> Counter | Histogram | None:
        key = (name, tuple(labels.items()) if labels else ())
        series = self._series.get(key)
        return series if series is not None else self._new(kind, key)

    def _new(self, kind: type[Counter] | type[Histogram], key: Key) -> Counter | Histogram | None:
        name, labels = key
        with self._lock:
            try:
                family, known = self._families.get(name) or self._family(kind, name, [label for label, _ in labels])
                if known != {label for label, _ in labels} or len(self._series) >= _MOST_SERIES:
                    return None
                series = family.labels(**dict(labels)) if labels else family
            except ValueError:
                return None
            self._series[key] = series
            return series

    def _family(
        self, kind: type[Counter] | type[Histogram], name: str, names: list[str]
    ) -> tuple[Counter | Histogram, frozenset[str]]:
        text = _HELP.get(name, name.replace("_", " "))
        family: Counter | Histogram
        if kind is Histogram:
            family = Histogram(name, text, names, registry=self._registry, buckets=_BUCKETS)
        else:
            family = Counter(name, text, names, registry=self._registry)
        self._families[name] = (family, frozenset(names))
        return self._families[name]
