"""Guaranteed memories are sealed wherever they are stored, key and value both, and keys can be changed (UK-17)."""

import json
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import UUID

import psycopg
import pytest
from tests.store.conftest import EmbeddedPostgres
from tests.store.test_forgetting_contract import LATE, edited, everything, forget, tell, unforget
from tests.store.test_migrations import database

from chingoo.adapters.cipher import AesCipher
from chingoo.adapters.clock import RandomIds
from chingoo.adapters.postgres.migrations import upgrade
from chingoo.adapters.postgres.queries import data_keys
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.adapters.postgres.vault import Vault
from chingoo.errors import SettingsError, StoreRefusedError
from chingoo.memory.forgetting import delete_memory
from chingoo.model.enums import MemoryStatus
from chingoo.model.forgetting import MemoryEdit
from chingoo.model.people import MemoryChange
from chingoo.model.turn import AdmitOutcome
from chingoo.policy.bundle import Bundle
from chingoo.testing.scenes import START, Scene, meet

OLD, NEW = bytes(range(32)), bytes(range(1, 33))
HEADS = frozenset({"allergy", "body_params"})


@pytest.fixture(scope="module")
def url(server: EmbeddedPostgres) -> object:
    """A database of this module's own: data keys are of a database."""
    with database(server.url, f"sealed_{os.getpid()}") as made:
        upgrade(made)
        yield made


async def opened(url: str, *keys: bytes, heads: frozenset[str] = HEADS) -> PostgresStore:
    """The store with these keys, as the service opens it."""
    vault = Vault(AesCipher(keys) if keys else None, lambda: heads)
    store = await PostgresStore.open(url, connections=2, wait_s=20.0, vault=vault)
    try:
        await data_keys.check_keys(store._database, START)
    except SettingsError:
        await store.aclose()
        raise
    return store


@pytest.fixture
async def sealed(url: str) -> AsyncIterator[PostgresStore]:
    """A store with one key."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("truncate data_keys")
    store = await opened(url, OLD)
    yield store
    await store.aclose()


def dump(url: str, *, without: tuple[str, ...] = ()) -> str:
    """Every row of every table as text, but the raw words of messages: those are not sealed."""
    with psycopg.connect(url) as connection:
        tables = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
        rows = [
            str(row[0])
            for (table,) in tables
            if table not in without
            for row in connection.execute(f"select to_jsonb(t) - 'text' from {table} t").fetchall()
        ]
    return "\n".join(rows)


async def nickel(store: PostgresStore, value: str = "nickel") -> tuple[Scene, UUID]:
    """Somebody with a guaranteed memory, and its id."""
    scene = await meet(store, RandomIds())
    memory = scene.memory(f"allergy:{value}", value, type="allergy")
    await tell(scene, f"I am allergic to {value}", memory, reply="Good to know.")
    return scene, memory.memory_id


async def test_what_is_written_tells_nothing_and_what_is_read_all(url: str, sealed: PostgresStore) -> None:
    scene, memory_id = await nickel(sealed, "zirconium")
    city = scene.memory("fact:current_city", "Lisbon")
    told = await tell(scene, "I live in Lisbon", city)
    one, two = sorted(await everything(scene), key=lambda memory: memory.memory_key)
    assert (one.memory_id, one.memory_key, one.memory_value) == (memory_id, "allergy:zirconium", "zirconium")
    assert two.memory_value == "Lisbon"
    admitted, _ = await scene.admit(scene.request("and?"))
    assert admitted.known is not None
    assert {memory.memory_key for memory in admitted.known.memories} == {"allergy:zirconium", "fact:current_city"}
    exported = await sealed.export_user(scene.user_id)
    assert "zirconium" in json.dumps(exported["memories"])
    first = one.evidence_message_ids[0]
    found = await sealed.answer_of(scene.user_id, first)
    assert found is not None
    assert found[1] is not None
    assert found[1]["memory"]["created"][0]["memory_key"] == "allergy:zirconium"
    replayed, _ = await scene.admit(told)
    assert replayed.outcome is AdmitOutcome.REPLAY
    written = dump(url)
    assert "Lisbon" in written
    assert "zirconium" not in written.replace("I am allergic to zirconium", "")


async def test_one_active_record_a_key_also_when_sealed(sealed: PostgresStore) -> None:
    """DATA-07: the index sees that two keys are the same."""
    scene, _ = await nickel(sealed)
    again = scene.memory("allergy:nickel", "nickel", type="allergy")
    with pytest.raises(StoreRefusedError) as refused:
        await scene.say("again", memory_changes=(MemoryChange("insert", again),))
    assert refused.value.constraint == "memories_one_active"


async def test_suppressed_keys_are_sealed_too(url: str, sealed: PostgresStore, bundle: Bundle) -> None:
    scene, memory_id = await nickel(sealed, "palladium")
    await edited(scene, None, lambda known: delete_memory(bundle.memory.forgetting, known, memory_id, START))
    keys = ("allergy:palladium",)
    assert (await sealed.user(scene.user_id))[1].suppressed_memory_keys == keys
    assert "palladium" not in dump(url).replace("I am allergic to palladium", "")
    await edited(scene, None, lambda _: MemoryEdit(suppress=keys))
    assert (await sealed.user(scene.user_id))[1].suppressed_memory_keys == keys
    assert (await sealed.export_user(scene.user_id))["controls"]["suppressed_memory_keys"] == list(keys)
    await edited(scene, None, lambda _: MemoryEdit(unsuppress=keys))
    assert (await sealed.user(scene.user_id))[1].suppressed_memory_keys == ()
    await sealed.patch_controls(scene.user_id, {"suppressed_memory_keys": keys}, START)
    assert (await sealed.user(scene.user_id))[1].suppressed_memory_keys == keys
    assert (await sealed.purge_forgotten(LATE, [scene.user_id])).memories == 1


async def test_forgetting_and_back_under_a_key(sealed: PostgresStore, bundle: Bundle) -> None:
    scene, _ = await nickel(sealed)
    before = await everything(scene)
    message_id = before[0].evidence_message_ids[0]
    await forget(scene, bundle.memory.forgetting, message_id)
    assert [memory.status for memory in await everything(scene)] == [MemoryStatus.INVALID]
    await unforget(scene, message_id)
    assert await everything(scene) == before


async def test_keys_are_changed(url: str, sealed: PostgresStore, bundle: Bundle) -> None:
    """Old and new together, then everything under the new one, then the old one is not needed any more."""
    scene, memory_id = await nickel(sealed, "osmium")
    await edited(scene, None, lambda known: delete_memory(bundle.memory.forgetting, known, memory_id, START))
    both = await opened(url, NEW, OLD)
    moved = replace(scene, store=both)
    assert [memory.memory_value for memory in await everything(moved)] == ["osmium"]
    done = await data_keys.rotate(both._database, START)
    assert done["memories"] >= 1
    assert done["suppressed keys"] >= 1
    assert done["answers"] >= 1
    again = await data_keys.rotate(both._database, START)
    assert (again["memories"], again["suppressed keys"]) == (0, 0)
    await both.aclose()
    alone = await opened(url, NEW)
    moved = replace(scene, store=alone)
    assert [memory.memory_key for memory in await everything(moved)] == ["allergy:osmium"]
    assert (await alone.user(scene.user_id))[1].suppressed_memory_keys == ("allergy:osmium",)
    assert "osmium" in json.dumps(
        await alone.answer_of(scene.user_id, (await everything(moved))[0].evidence_message_ids[0])
    )
    await alone.aclose()
    for keys in ((OLD,), ()):
        with pytest.raises(SettingsError, match="CHINGOO_DATA_KEY"):
            await opened(url, *keys)


async def test_what_was_plain_is_sealed_by_a_rotation(url: str, sealed: PostgresStore) -> None:
    """A key for a database that had none; and a family that policy makes a guaranteed one."""
    del sealed
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("truncate data_keys")
    plain = await PostgresStore.open(url, connections=2, wait_s=20.0)
    scene, _ = await nickel(plain, "rhodium")
    await plain.patch_controls(scene.user_id, {"suppressed_memory_keys": ("allergy:rhodium",)}, START)
    assert "rhodium" in dump(url).replace("I am allergic to rhodium", "")
    await plain.aclose()
    store = await opened(url, OLD)
    moved = replace(scene, store=store)
    assert [memory.memory_key for memory in await everything(moved)] == ["allergy:rhodium"]
    await edited(moved, None, lambda _: MemoryEdit(unsuppress=("allergy:rhodium",)))
    assert (await store.user(scene.user_id))[1].suppressed_memory_keys == ()
    await data_keys.rotate(store._database, START)
    assert "rhodium" not in dump(url).replace("I am allergic to rhodium", "")
    assert [memory.memory_key for memory in await everything(moved)] == ["allergy:rhodium"]
    await store.aclose()


@pytest.mark.parametrize("value", ["sealed:", "sealed:00000000:AAAA", "sealed:x:äöü", "sealed:" + "a" * 300])
async def test_words_that_look_sealed_are_words(sealed: PostgresStore, value: str) -> None:
    scene, _ = await nickel(sealed, value[:60])
    city = scene.memory("fact:current_city", value)
    await tell(scene, "there", city)
    assert {memory.memory_value for memory in await everything(scene)} == {value[:60], value}


def test_a_token_opens_where_it_was_sealed_and_nowhere_else() -> None:
    cipher, other = AesCipher([OLD]), AesCipher([NEW])
    token, name = cipher.seal("nickel", "here"), cipher.seal_name("nickel", "here")
    assert token != cipher.seal("nickel", "here")
    assert name == cipher.seal_name("nickel", "here") != cipher.seal_name("nickel", "there")
    for sealed in (token, name):
        assert cipher.open(sealed, "here") == "nickel"
        assert cipher.open(sealed, "there") is None
        assert cipher.open(sealed[:-9] + ("A" if sealed[-9] != "A" else "B") + sealed[-8:], "here") is None
        assert other.open(sealed, "here") is None
        assert cipher.key_ids[0] in sealed
        assert "nickel" not in sealed
    both = AesCipher([NEW, OLD])
    assert both.open(token, "here") == "nickel"
    assert set(both.names_of("nickel", "here")) == {name, other.seal_name("nickel", "here")}
    assert both.key_ids == (other.key_ids[0], cipher.key_ids[0])
