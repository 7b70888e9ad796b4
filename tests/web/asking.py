"""How tests ask: headers of the roles, and a request to every route there is."""

from typing import Any

import httpx
from tests.web.fakes import CONVERSATION, FRIEND, MESSAGE, OWNER

PATHS: dict[str, str] = {
    "{user_id}": str(OWNER),
    "{ai_friend_id}": str(FRIEND),
    "{conversation_id}": str(CONVERSATION),
    "{message_id}": str(MESSAGE),
    "{decision_id}": str(MESSAGE),
    "{memory_id}": str(MESSAGE),
    "{memory_key}": "allergy:%EB%8B%88%EC%BC%88",
    "{name}": "decay",
}

QUERIES: dict[str, str] = {
    "/v1/audit": "?kind=crisis",
    "/v1/turns/{message_id}": f"?user_id={OWNER}",
    "/v1/users/{user_id}/context": "?text=hello",
}


def bearer(token: str) -> dict[str, str]:
    """The header of a key or token."""
    return {"authorization": f"Bearer {token}"}


def key(role: str) -> dict[str, str]:
    """The header of a service key."""
    return bearer(f"{role}-key")


def filled(path: str) -> str:
    """A path of the OpenAPI description with ids that the fakes know."""
    for name, value in PATHS.items():
        path = path.replace(name, value)
    return path


def turn(**changes: Any) -> dict[str, Any]:
    """The body of a turn; None leaves a field out."""
    body = {
        "message_id": str(MESSAGE),
        "user_id": str(OWNER),
        "ai_friend_id": str(FRIEND),
        "conversation_id": str(CONVERSATION),
        "text": "hello there",
    }
    return {name: value for name, value in {**body, **changes}.items() if value is not None}


def assert_problem(response: httpx.Response, status: int) -> dict[str, Any]:
    """The response is a problem document of that status; its body."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["status"] == status
    assert body["type"].startswith("urn:problem-type:chingoo:")
    assert body["title"]
    assert body["detail"]
    assert "Traceback" not in response.text
    return body


def pointers(response: httpx.Response) -> list[str]:
    """The pointers of a problem's errors."""
    return [error["pointer"] for error in response.json().get("errors", [])]
