"""The errors that calls raise."""

from __future__ import annotations

from typing import Any

import httpx


class StagecraftError(Exception):
    """A failure that the service returned, or that prevented a response.

    Attributes:
        code: The kind of failure, for programs: ``INVALID_SOURCE``. ``CONNECTION_FAILED`` without a response.
        status: The HTTP status; None without a response.
        request_id: The id of the request in the service's log, if there was a response.
        details: Further facts, depending on the code.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.details = details or {}


def error_of(response: httpx.Response) -> StagecraftError:
    """Returns the error for a response that is not a success of the service. Its body must have been read."""
    status = response.status_code
    request_id = response.headers.get("x-request-id")
    if 300 <= status < 400:
        reason = "a redirect, which is not followed because it would forward the key"
        return StagecraftError("CONNECTION_FAILED", f"expected an answer, got {reason}", status=status)
    try:
        error = response.json()["error"]
        code, message, details = error["code"], error["message"], error.get("details")
    except (KeyError, TypeError, ValueError):
        kind = response.headers.get("content-type", "no content type")
        message = f"expected an answer of Stagecraft, got {status} with {kind}"
        return StagecraftError("CONNECTION_FAILED", message, status=status, request_id=request_id)
    return StagecraftError(code, message, status=status, request_id=request_id, details=details)
