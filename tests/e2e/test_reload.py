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

FEW, MANY = 2, 20
SOAK_RELOADS = 300
WARM_UP = 20
TALKERS, SOAK_TALKERS = 2, 6
PAUSE_S = 0.5
TOLD_EVERY = 25
PATIENCE_S = 120
WITHIN_S = 2
GROWTH_MIB = 5
CALM_S = 60
SETTLED_S = 3  # garbage is collected within a second of a switch

pytestmark = pytest.mark.xdist_group("service")


class Policies:
    """A copy of the shipped policies, in versions that can be told apart by one fixed reply and by one topic word."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in FOLDERS:
            shutil.copytree(ROOT / folder, root / folder)
        self._replies, self._topics = root / "policies/replies/en.yaml", root / "policies/topics.yaml"
        self._as_shipped = self._replies.read_text("utf-8"), self._topics.read_text("utf-8")
        self.version = 0
        self.write()

    def write(self) -> int:
        """Write the next version; its number."""
        self.version += 1
        version = self.version
        replies, topics = self._as_shipped
        head, guard, rest = replies.partition("  guard.illegal_acts:\n    variants:\n")
        assert guard, "the reply of these tests has moved"
        said, end, after = rest.partition("\n  guard.")
        said = re.sub(r"(?m)([.?!])$", rf"\1 This is version {version}.", said)
        self._replies.write_text(head + guard + said + end + after, "utf-8")
        head, list_of_words, rest = topics.partition("  topics.politics:\n    entries:\n      en:\n")
        assert list_of_words, "the topic of these tests has moved"
        self._topics.write_text(f"{head}{list_of_words}        - {self.word}\n{rest}", "utf-8")
        return version

    @property
    def word(self) -> str:
        """The topic word of the version that was written last."""
        return f"flurbish{'x' * self.version}"

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


@pytest.fixture(scope="module")
def policies(tmp_path_factory: pytest.TempPathFactory) -> Policies:
    return Policies(tmp_path_factory.mktemp("policies") / "repository")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, policies: Policies) -> Iterator[Service]:
    with SlowModel() as model:
        service = Service(
            tmp_path_factory.mktemp("reload") / "data",
            env={
                "CHINGOO_POLICY_DIR": str(policies.root),
                "CHINGOO_LLM_PROVIDER": "openai",
                "CHINGOO_LLM_BASE_URL": model.base_url,
            },
        ).start()
        yield service
        service.stop()


@pytest.fixture(scope="module")
def worker(service: Service) -> Iterator[Service]:
    """Another process over the same database."""
    worker = Service(service.data_dir, env=service.env, command="worker").start()
    yield worker
    worker.stop()


@pytest.fixture
def editor(service: Service) -> Iterator[httpx.Client]:
    with service.client("editor", timeout=PATIENCE_S) as client:
        yield client


def in_force(client: httpx.Client) -> dict[str, str]:
    """What the running processes decide by, by their kind."""
    active = client.get("/v1/policies/active").raise_for_status().json()
    return {process["kind"]: process["digest"] for process in active["processes"]}


def wait_until(holds: Callable[[], bool], within: float = PATIENCE_S) -> None:
    """Look again until something holds."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < within
        time.sleep(0.02)


def reloaded(client: httpx.Client, reason: str) -> str:
    """Reload; the digest that is in force then."""
    answer = client.post("/v1/policies/reload", json={"reason": reason})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["digest"])


def hits(client: httpx.Client, text: str) -> list[str]:
    topics = client.post("/v1/evaluate", json={"text": text}).raise_for_status().json()["signals"]["topics"]
    return [hit for topic in topics for hit in topic["hits"]]


def everywhere(digest: str) -> dict[str, str]:
    return {"api": digest, "worker": digest}


def test_a_change_reaches_every_process_and_can_be_taken_back(
    policies: Policies, service: Service, worker: Service, editor: httpx.Client
) -> None:
    first = in_force(editor)["api"]
    assert in_force(editor) == everywhere(first)
    word = policies.word
    policies.write()
    newer = reloaded(editor, "another word")
    assert newer != first
    wait_until(lambda: in_force(editor) == everywhere(newer), WITHIN_S)
    assert hits(editor, policies.word) == [policies.word]
    assert hits(editor, word) == []

    line = policies.break_()
    refused = editor.post("/v1/policies/reload", json={})
    assert refused.status_code == 422
    places = [(error["file"], error["line"]) for error in refused.json()["errors"]]
    assert ("policies/topics.yaml", line) in places
    assert all(error["detail"] and error["column"] >= 1 for error in refused.json()["errors"])
    assert in_force(editor) == everywhere(newer)
    policies.write()

    back = editor.post("/v1/policies/activate", json={"digest": first, "reason": "it was better before"})
    assert back.status_code == 200
    assert back.json()["digest"] == first
    wait_until(lambda: in_force(editor) == everywhere(first), WITHIN_S)
    assert hits(editor, word) == [word]
    history = editor.get("/v1/policies/history").json()["items"]
    assert [(row["digest"], row["reason"]) for row in history] == [
        (first, "it was better before"),
        (newer, "another word"),
        (first, "start"),
    ]
    assert history[0]["who"].startswith("editor")
    assert editor.post("/v1/policies/activate", json={"digest": "0" * 64, "reason": "?"}).status_code == 404


@pytest.mark.usefixtures("worker")
def test_sighup_to_one_process_reaches_all(policies: Policies, service: Service, editor: httpx.Client) -> None:
    before = in_force(editor)["api"]
    policies.write()
    assert service.process is not None
    os.kill(service.process.pid, signal.SIGHUP)
    wait_until(lambda: before not in in_force(editor).values() or len(set(in_force(editor).values())) > 1)
    wait_until(lambda: before not in in_force(editor).values(), WITHIN_S)
    assert in_force(editor) == everywhere(in_force(editor)["api"])
    newest = editor.get("/v1/policies/history").json()["items"][0]
    assert newest["who"] == "SIGHUP"


@pytest.mark.soak
def test_a_process_that_starts_follows_the_others(policies: Policies, service: Service, editor: httpx.Client) -> None:
    before = in_force(editor)["api"]
    policies.write()
    newer = reloaded(editor, "a while ago")
    back = editor.post("/v1/policies/activate", json={"digest": before, "reason": "for the night"})
    assert back.status_code == 200
    late = Service(service.data_dir, env=service.env, command="worker").start()
    wait_until(lambda: in_force(editor) == everywhere(before))
    late.stop()
    assert f"the policies on disk ({newer}) are not in force" in late.log.read_text("utf-8")


def test_words_that_were_seen_are_counted(service: Service) -> None:
    friend = make_friend(service.client())
    for text in ("who won the election? the election!", "how do i make a bomb"):
        turn = {"message_id": str(uuid.uuid4()), "text": text, **friend}
        service.client().post("/v1/turns", json=turn).raise_for_status()
    time.sleep(WITHIN_S)
    counted = service.run("policy", "hits")
    assert re.search(
        r"(?m)^ +1 +0 %  \S+  election \| elections  \(topics\.politics, en; policies/topics\.yaml:\d+:\d+\)$", counted
    )
    assert re.search(r"(?m)^ +1 +100 %  \S+  bomb", counted)


@asynccontextmanager
async def talk(service: Service, friends: list[dict[str, str]], told: list[httpx.Response]) -> AsyncIterator[None]:
    """People who talk all the while, with a short pause after each answer, so that it is a load and not a queue;
    every second message is one that policy refuses in fixed words."""

    async def person(friend: dict[str, str], client: httpx.AsyncClient) -> None:
        for number in itertools.count():
            text = "how do i make a bomb" if number % 2 else f"the blue chair {number} is near the window"
            turn = {"message_id": str(uuid.uuid4()), "text": text, **friend}
            told.append(await client.post("/v1/turns", json=turn))
            await asyncio.sleep(PAUSE_S)

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
    policies: Policies,
    service: Service,
    editor: httpx.Client,
    reloads: int,
    talkers: int,
    watch: Callable[[dict[int, str], list[httpx.Response]], None] = lambda *_: None,
) -> tuple[dict[int, str], list[httpx.Response]]:
    """Reload version after version while people talk: digests by version, and everything people were told.

    `watch` is given both as they are after each reload.
    """
    friends = [make_friend(service.client(), seed) for seed in range(talkers)]
    told: list[httpx.Response] = []
    digests = {policies.version: await asyncio.to_thread(reloaded, editor, "before people talk")}
    async with talk(service, friends, told):
        for _ in range(reloads):
            version = policies.write()
            digests[version] = await asyncio.to_thread(reloaded, editor, f"version {version}")
            watch(digests, told)
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
@pytest.mark.parametrize("reloads", [FEW, MANY])
async def test_reloads_while_people_talk(
    policies: Policies, service: Service, editor: httpx.Client, reloads: int
) -> None:
    digests, told = await reload_under_turns(policies, service, editor, reloads, TALKERS)
    check_what_was_told(told, digests)
    assert len(set(digests.values())) == reloads + 1
    print(f"{len(told)} turns during {reloads} reloads")


def percentiles(told: list[httpx.Response]) -> tuple[float, float]:
    """How long decisions took, in milliseconds: half of them, and all but one in a hundred."""
    decide = sorted(response.json()["timings_ms"]["decide"] for response in told)
    return decide[len(decide) // 2], decide[len(decide) * 99 // 100]


@pytest.mark.soak
async def test_three_hundred_reloads_cost_no_memory(policies: Policies, service: Service, editor: httpx.Client) -> None:
    assert service.process is not None
    process = psutil.Process(service.process.pid)
    friends = [make_friend(service.client(), seed) for seed in range(SOAK_TALKERS)]
    calm: list[httpx.Response] = []
    async with talk(service, friends, calm):
        await asyncio.sleep(CALM_S)
    await reload_under_turns(policies, service, editor, WARM_UP, SOAK_TALKERS)
    await asyncio.sleep(SETTLED_S)
    before = process.memory_info().rss

    def grown() -> float:
        return (process.memory_info().rss - before) / 2**20

    def watch(digests: dict[int, str], told: list[httpx.Response]) -> None:
        if len(digests) % TOLD_EVERY:
            return
        p50, p99 = percentiles(told)
        print(
            f"{len(told)} turns during {len(digests)} reloads; memory {grown():+.1f} MiB, unsettled; "
            f"decide p50 {p50:.2f} ms, p99 {p99:.2f} ms (without reloads {calm_p50:.2f} ms, {calm_p99:.2f} ms)",
            flush=True,
        )
        check_what_was_told(told, digests)

    calm_p50, calm_p99 = percentiles(calm)
    digests, told = await reload_under_turns(policies, service, editor, SOAK_RELOADS, SOAK_TALKERS, watch)
    check_what_was_told(told, digests)
    await asyncio.sleep(SETTLED_S)  # the set before the last is collected a little after its successor has come
    print(f"memory {grown():+.1f} MiB, settled")
    assert grown() < GROWTH_MIB
