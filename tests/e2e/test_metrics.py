"""What `/metrics` of a running service says of its turns, and what its log keeps to itself (TEL-01…05, TEL-18)."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.e2e.service import Service, make_friend

from chingoo.testing.openai_server import Scripted, ScriptedModel

pytestmark = pytest.mark.xdist_group("service")


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as server:
        yield server


@pytest.fixture
def service(tmp_path: Path, model: ScriptedModel) -> Iterator[Service]:
    service = Service(
        tmp_path / "data",
        env={
            "CHINGOO_LLM_PROVIDER": "openai",
            "CHINGOO_LLM_BASE_URL": model.base_url,
            "CHINGOO_LLM_VOICE_MODEL": "gpt-4.1",
        },
    ).start()
    yield service
    service.stop()


def read(service: Service) -> dict[str, float]:
    """Every series with its value."""
    text = httpx.get(service.url + "/metrics").raise_for_status().text
    lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {series: float(value) for series, _, value in lines}


def test_turns_can_be_read_off_the_metrics(service: Service, model: ScriptedModel) -> None:
    with service.client() as client:
        friend = make_friend(client, seed=1)
        model.script.append(Scripted(status=500))
        for text in ("I live in Lisbon now", "there is a blue chair near the window", "I want to end my life"):
            body = {**friend, "message_id": str(uuid.uuid4()), "text": text}
            client.post("/v1/turns", json=body).raise_for_status()
    found = read(service)
    started = 'chingoo_llm_calls_started_total{model="gpt-4.1",operation="reply"}'
    assert found[started] == 3
    assert found['chingoo_llm_calls_total{model="gpt-4.1",operation="reply",outcome="status"}'] == 1
    assert found['chingoo_llm_calls_total{model="gpt-4.1",operation="reply",outcome="ok"}'] == 2
    assert found["chingoo_prompts_total"] == 2
    for part in ("system", "recent", "message"):
        assert found[f'chingoo_prompt_tokens_total{{part="{part}"}}'] > 0
    assert sum(value for series, value in found.items() if series.startswith("chingoo_turn_model_calls_total")) == 3
    assert sum(value for series, value in found.items() if series.startswith("chingoo_turn_cost_usd_total")) >= 0
    assert found['chingoo_model_choices_total{pipeline="ONBOARDING_CHAT",role="voice"}'] == 1
    assert found['chingoo_turn_seconds_count{step="total"}'] == 3
    assert found["chingoo_metrics_dropped_total"] == 0
    log = service.log.read_text(encoding="utf-8")
    assert not [said for said in ("Lisbon", "blue chair", "end my life") if said in log]
