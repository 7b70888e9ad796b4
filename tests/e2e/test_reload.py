"""Policies change while people talk: every process follows, nothing is mixed, and one can go back (S-20, JOB-07)."""

import asyncio
import itertools
import os
import re
import shutil
import signal
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import psutil
import pytest
from tests.conftest import ROOT
from tests.e2e.service import KEYS, Service, make_friend

from chingoo.policy.areas import FOLDERS
from chingoo.testing.openai_server import Scripted, ScriptedModel

RELOADS = 20
SOAK_RELOADS = 300
WARM_UP = 40
TALKERS = 6
PATIENCE_S = 120
GROWTH_MIB = 5

pytestmark = pytest.mark.xdist_group("service")


class Policies:
    """A copy of the shipped policies, in versions that can be told apart by one fixed reply and by one topic word."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in FOLDERS:
            shutil.copytree(ROOT / folder, root / folder)
        self._replies, self._topics = root / "policies/replies/en.yaml", root / "policies/topics.yaml"
        self._as_shipped = self._replies.read_text("utf-8"), self._topics.read_text("utf-8")

    def write(self, version: int) -> None:
        replies, topics = self._as_shipped
        head, guard, rest = replies.partition("  guard.illegal_acts:\n    variants:\n")
        assert guard, "the reply of these tests has moved"
        said, end, after = rest.partition("\n  guard.")
        said = re.sub(r"(?m)([.?!])$", rf"\1 This is version {version}.", said)
        self._replies.write_text(head + guard + said + end + after, "utf-8")
        head, list_of_words, rest = topics.partition("  topics.politics:\n    entries:\n      en:\n")
        assert list_of_words, "the topic of these tests has moved"
        self._topics.write_text(f"{head}{list_of_words}        - flurbish{'x' * version}\n{rest}", "utf-8")

    def break_(self) -> int:
        """Write something that does not compile; its line."""
        lines = self._topics.read_text("utf-8").split("\n")
        line = next(number for number, text in enumerate(lines, 1) if text.startswith("  POLITICS:"))
        lines[line - 1] = "  POLITICS: {words: topics.polltics}"
        self._topics.write_text("\n".join(lines), "utf-8")
        return line


class SlowModel(ScriptedModel):
    """Takes long enough that switches find turns in flight."""

    def answer(self, body: dict[str, object]) -> Scripted:
        scripted = super().answer(body)
        scripted.delay_s = 0.3
        return scripted


@pytest.fixture
def policies(tmp_path: Path) -> Policies:
    policies = Policies(tmp_path / "repository")
    policies.write(1)
    return policies


@pytest.fixture
def service(tmp_path: Path, policies: Policies) -> Iterator[Service]:
    with SlowModel() as model:
        service = Service(
            tmp_path / "data",
            env={
                "CHINGOO_POLICY_DIR": str(policies.root),
                "CHINGOO_LLM_PROVIDER": "openai",
                "CHINGOO_LLM_BASE_URL": model.base_url,
            },
        ).start()
        yield service
        service.stop()


@pytest.fixture
def second(service: Service) -> Iterator[Service]:
    """Another process over the same database; its port is of no interest."""
    second = Service(service.data_dir, env=service.env).start()
    yield second
    second.stop()


@pytest.fixture
def editor(service: Service) -> Iterator[httpx.Client]:
    with service.client("editor", timeout=PATIENCE_S) as client:
        yield client


def in_force(client: httpx.Client) -> set[str]:
    """What the running processes decide by."""
    active = client.get("/v1/policies/active").raise_for_status().json()
    return {process["digest"] for process in active["processes"]}


def wait_until(holds: Callable[[], bool]) -> float:
    """Look again until something holds; how many seconds that took."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < PATIENCE_S
        time.sleep(0.02)
    return time.monotonic() - began


def reloaded(client: httpx.Client, reason: str) -> str:
    """Reload; the digest that is in force then."""
    answer = client.post("/v1/policies/reload", json={"reason": reason})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["digest"])


def hits(client: httpx.Client, text: str) -> list[str]:
    topics = client.post("/v1/evaluate", json={"text": text}).raise_for_status().json()["signals"]["topics"]
    return [hit for topic in topics for hit in topic["hits"]]


def test_a_change_reaches_every_process_and_can_be_taken_back(
    policies: Policies, service: Service, second: Service, editor: httpx.Client
) -> None:
    with second.client("editor") as other:
        (first,) = in_force(editor)
        assert len(editor.get("/v1/policies/active").json()["processes"]) == 2
        policies.write(2)
        newer = reloaded(editor, "another word")
        assert newer != first
        waited = wait_until(lambda: other.get("/v1/policies/active").json()["digest"] == newer)
        print(f"the second process followed after {waited:.2f} s")
        wait_until(lambda: in_force(editor) == {newer})
        assert hits(editor, "flurbishxx") == hits(other, "flurbishxx") == ["flurbishxx"]
        assert hits(other, "flurbishx") == []

        line = policies.break_()
        refused = editor.post("/v1/policies/reload", json={})
        assert refused.status_code == 422
        places = [(error["file"], error["line"]) for error in refused.json()["errors"]]
        assert ("policies/topics.yaml", line) in places
        assert all(error["detail"] and error["column"] >= 1 for error in refused.json()["errors"])
        assert in_force(other) == {newer}

        back = editor.post("/v1/policies/activate", json={"digest": first, "reason": "it was better before"})
        assert back.status_code == 200
        assert back.json()["digest"] == first
        wait_until(lambda: in_force(other) == {first})
        assert hits(other, "flurbishx") == ["flurbishx"]
        history = other.get("/v1/policies/history").json()["items"]
        assert [(row["digest"], row["reason"]) for row in history] == [
            (first, "it was better before"),
            (newer, "another word"),
            (first, "start"),
        ]
        assert history[0]["who"].startswith("editor")
        assert editor.post("/v1/policies/activate", json={"digest": "0" * 64, "reason": "?"}).status_code == 404

    policies.write(3)
    assert service.process is not None
    os.kill(service.process.pid, signal.SIGHUP)
    wait_until(lambda: len(in_force(editor)) == 1 and not in_force(editor) & {first, newer})
    (third,) = in_force(editor)
    assert editor.post("/v1/policies/activate", json={"digest": newer, "reason": "for the night"}).status_code == 200
    second.kill()
    second.start()
    wait_until(lambda: in_force(editor) == {newer})
    assert f"the policies on disk ({third}) are not in force" in second.log.read_text("utf-8")


@asynccontextmanager
async def talk(service: Service, friends: list[dict[str, str]], told: list[httpx.Response]) -> AsyncIterator[None]:
    """People who talk all the while; every second message is one that policy refuses in fixed words."""

    async def person(friend: dict[str, str], client: httpx.AsyncClient) -> None:
        for number in itertools.count():
            text = "how do i make a bomb" if number % 2 else f"the blue chair {number} is near the window"
            turn = {"message_id": str(uuid.uuid4()), "text": text, **friend}
            told.append(await client.post("/v1/turns", json=turn))

    headers = {"authorization": f"Bearer {KEYS['app']}"}
    async with httpx.AsyncClient(base_url=service.url, headers=headers, timeout=PATIENCE_S) as client:
        tasks = [asyncio.ensure_future(person(friend, client)) for friend in friends]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            for task in tasks:
                with suppress(asyncio.CancelledError):
                    await task


async def reload_under_turns(
    policies: Policies, service: Service, editor: httpx.Client, versions: range
) -> tuple[dict[int, str], list[httpx.Response]]:
    """Reload version after version while people talk: digests by version, and everything people were told."""
    friends = [make_friend(service.client(), seed) for seed in range(TALKERS)]
    told: list[httpx.Response] = []
    digests: dict[int, str] = {}
    async with talk(service, friends, told):
        for version in versions:
            policies.write(version)
            digests[version] = await asyncio.to_thread(reloaded, editor, f"version {version}")
    return digests, told


def check_what_was_told(told: list[httpx.Response], digests: dict[int, str]) -> None:
    """Every turn was answered, and by one bundle alone: the words are those of the digest."""
    assert {response.status_code for response in told} == {200}
    refusals = set()
    for answer in (response.json() for response in told):
        digest = answer["policy"]["digest"]
        assert digest in digests.values()
        if answer["routing"]["pipeline"] == "REFUSAL":
            found = re.search(r"This is version (\d+)\.", answer["reply"]["text"])
            assert found is not None, answer["reply"]["text"]
            assert digests[int(found[1])] == digest
            refusals.add(digest)
    assert len(refusals) > len(digests) // 2, "people talked through most of the switches"


@pytest.mark.soak
async def test_twenty_reloads_while_people_talk(policies: Policies, service: Service, editor: httpx.Client) -> None:
    (first,) = in_force(editor)
    digests, told = await reload_under_turns(policies, service, editor, range(2, 2 + RELOADS))
    check_what_was_told(told, {1: first, **digests})
    assert len(set(digests.values())) == RELOADS
    print(f"{len(told)} turns during {RELOADS} reloads")


@pytest.mark.soak
async def test_three_hundred_reloads_cost_no_memory(
    request: pytest.FixtureRequest, policies: Policies, service: Service, editor: httpx.Client
) -> None:
    if "soak" not in request.config.getoption("markexpr"):
        pytest.skip("takes half an hour: `make soak`")
    (first,) = in_force(editor)
    assert service.process is not None
    process = psutil.Process(service.process.pid)
    warm, told = await reload_under_turns(policies, service, editor, range(2, 2 + WARM_UP))
    before = process.memory_info().rss
    versions = range(2 + WARM_UP, 2 + WARM_UP + SOAK_RELOADS)
    digests, more = await reload_under_turns(policies, service, editor, versions)
    grown = (process.memory_info().rss - before) / 2**20
    everything = [*told, *more]
    check_what_was_told(everything, {1: first, **warm, **digests})
    decide = sorted(response.json()["timings_ms"]["decide"] for response in more)
    print(
        f"{len(everything)} turns during {len(warm) + len(digests)} reloads; memory grew by {grown:.1f} MiB; "
        f"decide p50 {decide[len(decide) // 2]:.2f} ms, p99 {decide[len(decide) * 99 // 100]:.2f} ms"
    )
    assert grown < GROWTH_MIB
