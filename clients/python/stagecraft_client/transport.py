"""Sends requests, and again where a failure may pass."""

from __future__ import annotations

import asyncio
import random
import re
import time
import uuid
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import httpx

from .errors import StagecraftError, error_of
from .http.creations import CREATIONS

# Before the first retry, in seconds; twice that before each further one.
FIRST_PAUSE = 0.3
# The longest Retry-After that is waited for, in seconds.
LONGEST_RETRY_AFTER = 60.0

_CREATIONS = [re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)) + "$") for path in CREATIONS]
_SAME_WHEN_REPEATED = re.compile(r"/(cancel|pause|enable)$")


def _may_repeat(request: httpx.Request) -> bool:
    """Tells whether a request may safely reach the service twice."""
    if request.method == "POST":
        has_key = "idempotency-key" in request.headers
        return has_key or bool(_SAME_WHEN_REPEATED.search(request.url.path))
    return request.method != "PATCH" or "if-match" in request.headers


def _add_key(request: httpx.Request) -> None:
    is_creation = any(path.search(request.url.path) for path in _CREATIONS)
    if request.method == "POST" and is_creation and "idempotency-key" not in request.headers:
        request.headers["Idempotency-Key"] = str(uuid.uuid4())


def _asked_pause(response: httpx.Response | None) -> float | None:
    value = "" if response is None else response.headers.get("retry-after", "")
    if value.isdecimal():
        return float(value)
    try:
        return (parsedate_to_datetime(value) - datetime.now(timezone.utc)).total_seconds()
    except (TypeError, ValueError):
        return None


class RetryTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends each request up to ``max_retries`` more times within ``timeout`` seconds, and raises for failures.

    Between a half and the whole of each pause is chance, so that clients do not come back all at once.
    """

    def __init__(self, *, max_retries: int, timeout: float) -> None:
        self._max_retries = max_retries
        self._timeout = timeout
        self._sync: httpx.HTTPTransport | None = None
        self._async: httpx.AsyncHTTPTransport | None = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._sync = self._sync or httpx.HTTPTransport()
        _add_key(request)
        end = time.monotonic() + self._timeout
        for retry in range(self._max_retries + 1):
            response: httpx.Response | None = None
            try:
                response = self._sync.handle_request(request)
                if response.status_code < 300 or response.status_code == 304:
                    return response
                response.read()
                error = error_of(response)
                response.close()
            except httpx.TransportError as cause:
                error = _connection_failed(request, cause)
            pause = self._pause(request, response, error, retry, end)
            if pause is None:
                raise error
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._async = self._async or httpx.AsyncHTTPTransport()
        _add_key(request)
        end = time.monotonic() + self._timeout
        for retry in range(self._max_retries + 1):
            response: httpx.Response | None = None
            try:
                response = await self._async.handle_async_request(request)
                if response.status_code < 300 or response.status_code == 304:
                    return response
                await response.aread()
                error = error_of(response)
                await response.aclose()
            except httpx.TransportError as cause:
                error = _connection_failed(request, cause)
            pause = self._pause(request, response, error, retry, end)
            if pause is None:
                raise error
            await asyncio.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _pause(
        self,
        request: httpx.Request,
        response: httpx.Response | None,
        error: StagecraftError,
        retry: int,
        end: float,
    ) -> float | None:
        """Returns the seconds before the next attempt; None where another one is no use, or might do harm."""
        if response is None:
            was_sent = not isinstance(error.__cause__, (httpx.ConnectError, httpx.ConnectTimeout))
            may_pass = not was_sent or _may_repeat(request)
        else:
            status = response.status_code
            may_pass = status in (429, 503) or (status == 502 and _may_repeat(request))
        own = FIRST_PAUSE * 2**retry * (0.5 + random.random() / 2)
        asked = _asked_pause(response) or 0.0
        pause = max(own, asked)
        is_late = time.monotonic() + pause >= end
        if not may_pass or retry >= self._max_retries or asked > LONGEST_RETRY_AFTER or is_late:
            return None
        return pause

    def close(self) -> None:
        if self._sync is not None:
            self._sync.close()

    async def aclose(self) -> None:
        if self._async is not None:
            await self._async.aclose()


def _connection_failed(request: httpx.Request, cause: httpx.TransportError) -> StagecraftError:
    reason = str(cause) or type(cause).__name__
    error = StagecraftError("CONNECTION_FAILED", f"no answer from {request.url.host}: {reason}")
    error.__cause__ = cause
    return error
