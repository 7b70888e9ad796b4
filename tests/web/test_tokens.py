"""Users' tokens: which are good, what a user reaches with one, and how the key set is read."""

import base64
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from litestar import Litestar
from tests.web.asking import assert_problem, bearer, key, turn
from tests.web.conftest import client_of
from tests.web.fakes import CONVERSATION, FRIEND, MESSAGE, NOW, OWNER, STRANGER, FakeServices

ISSUER, AUDIENCE = "https://issuer.test", "chingoo"


class Issuer:
    """Signs tokens, and serves the key set like an identity provider."""

    def __init__(self) -> None:
        self.keys = {"first": rsa.generate_private_key(public_exponent=65537, key_size=2048)}
        self.asked = 0
        self.down = False
        self.extra: list[Any] = []

    def jwks(self) -> dict[str, Any]:
        """The public half."""
        found = [jwk(kid, private) for kid, private in self.keys.items()]
        return {"keys": [*self.extra, *found]}

    def answer(self, request: httpx.Request) -> httpx.Response:
        """The key set over HTTP."""
        self.asked += 1
        return httpx.Response(503) if self.down else httpx.Response(200, json=self.jwks())

    def token(self, kid: str | None = "first", signed_by: Any = None, **claims: Any) -> str:
        """A token; a claim of None is left out."""
        whole = {"iss": ISSUER, "aud": AUDIENCE, "sub": str(OWNER), "exp": int(NOW.timestamp()) + 600, **claims}
        headers = {"kid": kid} if kid is not None else {}
        private = signed_by or self.keys["first"]
        return jwt.encode({k: v for k, v in whole.items() if v is not None}, private, "RS256", headers=headers)


def jwk(kid: str, private: rsa.RSAPrivateKey) -> dict[str, Any]:
    """The public key as a member of a key set."""
    members: dict[str, Any] = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(private.public_key()))
    return members | {"kid": kid, "use": "sig", "alg": "RS256"}


@pytest.fixture(scope="module")
def forger() -> rsa.RSAPrivateKey:
    """Somebody else's key."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture
def issuer() -> Issuer:
    """An identity provider."""
    return Issuer()


@pytest.fixture
async def client(app_with: Callable[..., Litestar], issuer: Issuer) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an application that takes the issuer's tokens."""
    provider = httpx.AsyncClient(transport=httpx.MockTransport(issuer.answer))
    app = app_with(http=provider, jwks="https://issuer.test/jwks.json", jwt_issuer=ISSUER, jwt_audience=AUDIENCE)
    async with client_of(app) as found:
        yield found


async def ask(client: httpx.AsyncClient, token: str) -> httpx.Response:
    """The user's own record, with a token."""
    return await client.get(f"/v1/users/{OWNER}", headers=bearer(token))


def unsigned(claims: dict[str, Any], header: dict[str, Any]) -> str:
    """A token whose signature is empty."""
    parts = [base64.urlsafe_b64encode(json.dumps(p).encode()).rstrip(b"=").decode() for p in (header, claims)]
    return ".".join(parts) + "."


CLAIMS: list[tuple[str, dict[str, Any], int]] = [
    ("as it should be", {}, 200),
    ("one of several audiences", {"aud": ["other", AUDIENCE]}, 200),
    ("issued by a clock ahead", {"iat": int(NOW.timestamp()) + 30}, 200),
    ("valid in a moment, by a clock ahead", {"nbf": int(NOW.timestamp()) + 30}, 200),
    ("expired", {"exp": int(NOW.timestamp()) - 1}, 401),
    ("expiring now", {"exp": int(NOW.timestamp())}, 401),
    ("without expiry", {"exp": None}, 401),
    ("expiry that is no number", {"exp": "tomorrow"}, 401),
    ("expiry that is not a number", {"exp": float("nan")}, 401),
    ("not valid yet", {"nbf": int(NOW.timestamp()) + 3600}, 401),
    ("for another audience", {"aud": "someone-else"}, 401),
    ("without audience", {"aud": None}, 401),
    ("from another issuer", {"iss": "https://evil.test"}, 401),
    ("without issuer", {"iss": None}, 401),
    ("without subject", {"sub": None}, 401),
    ("subject that is no id", {"sub": "sam"}, 401),
    ("subject that is empty", {"sub": ""}, 401),
    ("of another user", {"sub": str(STRANGER)}, 404),
]


@pytest.mark.parametrize(("claims", "status"), [row[1:] for row in CLAIMS], ids=[row[0] for row in CLAIMS])
async def test_claims(client: httpx.AsyncClient, issuer: Issuer, claims: dict[str, Any], status: int) -> None:
    response = await ask(client, issuer.token(**claims))
    if status == 200:
        assert response.status_code == 200, response.text
    else:
        assert_problem(response, status)


async def test_forged_tokens(client: httpx.AsyncClient, issuer: Issuer, forger: rsa.RSAPrivateKey) -> None:
    good = {"iss": ISSUER, "aud": AUDIENCE, "sub": str(OWNER), "exp": int(NOW.timestamp()) + 600}
    public = jwk("first", issuer.keys["first"])["n"]
    head, body, signature = issuer.token().split(".")
    forged = {
        "signed with another key": issuer.token(signed_by=forger),
        "an unknown kid": issuer.token(kid="other"),
        "alg none": unsigned(good, {"alg": "none", "kid": "first"}),
        "alg None in capitals": unsigned(good, {"alg": "NONE", "kid": "first"}),
        "HS256 with the public key": jwt.encode(good, public, "HS256", headers={"kid": "first"}),
        "RS512": jwt.encode(good, issuer.keys["first"], "RS512", headers={"kid": "first"}),
        "PS256": jwt.encode(good, issuer.keys["first"], "PS256", headers={"kid": "first"}),
        "another signature": f"{head}.{body}.{signature[:-4]}AAAA",
        "no signature": f"{head}.{body}.",
        "other claims": f"{head}.{unsigned(good | {'sub': str(STRANGER)}, {}).split('.')[1]}.{signature}",
        "its own key in the header": jwt.encode(
            good, forger, "RS256", headers={"kid": "x", "jwk": jwk("x", forger), "jku": "https://evil.test"}
        ),
        "a critical header": jwt.encode(
            good, issuer.keys["first"], "RS256", headers={"kid": "first", "crit": ["exp"], "exp": 1}
        ),
        "a kid that is a list": unsigned(good, {"alg": "RS256", "kid": ["first"]}),
        "a header nested too deeply": base64.urlsafe_b64encode(b"[" * 5000).decode() + ".e30.",
        "no JSON": "a.b.c",
        "too long": issuer.token(padding="x" * 9000),
    }
    taken = [what for what, token in forged.items() if (await ask(client, token)).status_code != 401]
    assert taken == []


async def test_a_user_reaches_only_its_own_data(
    client: httpx.AsyncClient, issuer: Issuer, services: FakeServices
) -> None:
    services.people.known.add(STRANGER)
    own, other = bearer(issuer.token()), bearer(issuer.token(sub=str(STRANGER)))
    reads = [
        f"/v1/users/{OWNER}",
        f"/v1/users/{OWNER}/friends",
        f"/v1/users/{OWNER}/friends/{FRIEND}",
        f"/v1/users/{OWNER}/controls",
        f"/v1/users/{OWNER}/memories",
        f"/v1/conversations/{CONVERSATION}/messages",
        f"/v1/turns/{MESSAGE}",
    ]
    for url in reads:
        assert (await client.get(url, headers=own)).status_code == 200, url
        assert_problem(await client.get(url, headers=other), 404)
    assert_problem(await client.get(f"/v1/turns/{MESSAGE}?user_id={OWNER}", headers=other), 404)
    for method, url, body in (
        ("POST", "/v1/turns", turn()),
        ("PATCH", f"/v1/users/{OWNER}/controls", {"suppressed_topics": []}),
        ("PATCH", f"/v1/users/{OWNER}/onboarding", {"preferred_name": "Max"}),
        ("POST", f"/v1/users/{OWNER}/friends", {}),
        ("POST", "/v1/users", {"user_id": str(OWNER)}),
    ):
        before = len(services.people.calls) + len(services.turns.requests)
        assert_problem(await client.request(method, url, json=body, headers=other), 404)
        assert len(services.people.calls) + len(services.turns.requests) == before
        assert (await client.request(method, url, json=body, headers=own)).status_code in (200, 201), url


async def test_somebody_else_s_and_nobody_s_look_the_same(client: httpx.AsyncClient, issuer: Issuer) -> None:
    other = bearer(issuer.token(sub=str(STRANGER)))
    for theirs, nobodys in (
        (f"/v1/users/{OWNER}", f"/v1/users/{MESSAGE}"),
        (f"/v1/conversations/{CONVERSATION}/messages", f"/v1/conversations/{MESSAGE}/messages"),
    ):
        found = [(await client.get(url, headers=other)).json() for url in (theirs, nobodys)]
        assert found[0] == found[1]


async def test_a_user_has_no_other_role(client: httpx.AsyncClient, issuer: Issuer) -> None:
    own = bearer(issuer.token())
    for method, url in (
        ("POST", "/v1/evaluate"),
        ("POST", "/v1/check-reply"),
        ("GET", f"/v1/decisions?user_id={OWNER}"),
        ("GET", "/v1/audit?kind=crisis"),
        ("POST", "/v1/jobs/decay/run"),
        ("POST", "/v1/policies/reload"),
        ("GET", "/v1/policies/active"),
        ("GET", "/v1/policies/history"),
    ):
        assert_problem(await client.request(method, url, headers=own), 403)


async def test_a_user_s_instants_are_ignored(client: httpx.AsyncClient, issuer: Issuer, services: FakeServices) -> None:
    own, past = bearer(issuer.token()), "2019-05-04T10:00:00+00:00"
    await client.post("/v1/turns", json=turn(received_at=past), headers=own)
    assert services.turns.requests[0].received_at == NOW
    await client.post(f"/v1/users/{OWNER}/friends", json={"assigned_at": past}, headers=own)
    assert services.people.calls[-1][-1] == NOW
    await client.patch(f"/v1/users/{OWNER}/controls", json={"now": past}, headers=own)
    assert services.people.calls[-1][-1] == NOW
    await client.patch(f"/v1/users/{OWNER}/controls", json={"now": past}, headers=key("app"))
    assert services.people.calls[-1][-1].year == 2019


async def test_a_user_makes_itself(client: httpx.AsyncClient, issuer: Issuer, services: FakeServices) -> None:
    response = await client.post("/v1/users", json={}, headers=bearer(issuer.token(sub=str(STRANGER))))
    assert (response.status_code, response.json()["user_id"]) == (201, str(STRANGER))


async def test_the_key_set_is_read_once_and_again_for_an_unknown_kid(
    client: httpx.AsyncClient, issuer: Issuer, services: FakeServices
) -> None:
    for _ in range(3):
        assert (await ask(client, issuer.token())).status_code == 200
    assert issuer.asked == 1
    issuer.keys["second"] = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    rotated = issuer.token(kid="second", signed_by=issuer.keys["second"])
    assert (await ask(client, rotated)).status_code == 401
    assert issuer.asked == 1, "no oftener than once a minute"
    services.clock.pass_(61)
    assert (await ask(client, rotated)).status_code == 200
    assert issuer.asked == 2
    for _ in range(5):
        assert (await ask(client, issuer.token(kid="nonsense"))).status_code == 401
    assert issuer.asked == 2


async def test_a_key_taken_out_of_the_set_stops_working(
    client: httpx.AsyncClient, issuer: Issuer, services: FakeServices
) -> None:
    old = issuer.token(exp=int(NOW.timestamp()) + 10_000)
    assert (await ask(client, old)).status_code == 200
    issuer.keys = {"second": rsa.generate_private_key(public_exponent=65537, key_size=2048)}
    services.clock.pass_(601)
    assert (await ask(client, old)).status_code == 401


async def test_an_issuer_that_is_down(
    client: httpx.AsyncClient, issuer: Issuer, services: FakeServices, caplog: pytest.LogCaptureFixture
) -> None:
    issuer.down = True
    assert_problem(await ask(client, issuer.token()), 503)
    assert [line for line in caplog.messages if "CHINGOO_JWKS" in line], "whoever runs it is told why"
    assert (await client.get(f"/v1/users/{OWNER}", headers=key("app"))).status_code == 200
    issuer.down = False
    services.clock.pass_(2)
    assert (await ask(client, issuer.token())).status_code == 200
    issuer.down = True
    services.clock.pass_(590)
    late = issuer.token(exp=int(services.clock.now().timestamp()) + 10_000)
    services.clock.pass_(100)
    assert (await ask(client, late)).status_code == 200, "the keys known before stay in force"


async def test_what_is_no_signing_key_is_passed_over(client: httpx.AsyncClient, issuer: Issuer) -> None:
    public = jwk("first", issuer.keys["first"])
    issuer.extra = [
        "no object",
        {"kty": "oct", "k": "c2VjcmV0", "kid": "first"},
        public | {"kid": "enc", "use": "enc"},
        public | {"kid": ["list"]},
        {"kty": "RSA", "kid": "broken", "n": "!!", "e": "AQAB"},
    ]
    assert (await ask(client, issuer.token())).status_code == 200
    assert (await ask(client, issuer.token(kid="enc"))).status_code == 401


async def test_a_single_key_needs_no_kid(client: httpx.AsyncClient, issuer: Issuer) -> None:
    assert (await ask(client, issuer.token(kid=None))).status_code == 200


async def test_the_key_set_may_be_a_file(app_with: Callable[..., Litestar], issuer: Issuer, tmp_path: Path) -> None:
    path = tmp_path / "jwks.json"
    path.write_text(json.dumps(issuer.jwks()))
    app = app_with(jwks=str(path), jwt_issuer=ISSUER, jwt_audience=AUDIENCE)
    async with client_of(app) as client:
        assert (await ask(client, issuer.token())).status_code == 200
    path.write_text("no JSON")
    app = app_with(jwks=str(path), jwt_issuer=ISSUER, jwt_audience=AUDIENCE)
    async with client_of(app) as client:
        assert_problem(await ask(client, issuer.token()), 503)


async def test_without_a_key_set_no_token_is_taken(app_with: Callable[..., Litestar], issuer: Issuer) -> None:
    async with client_of(app_with()) as client:
        assert_problem(await ask(client, issuer.token()), 401)
