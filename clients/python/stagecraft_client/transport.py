"""Sends requests, and retries them after transient failures."""

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
# The longest Retry-After to wait for, in seconds.
LONGEST_RETRY_AFTER = 60.0

_CREATIONS = [re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)) + "$") for path in CREATIONS]
_SAME_WHEN_REPEATED = re.compile(r"/(cancel|pause|enable)$")


def _may_repeat(request: httpx.Request) -> bool:
    """Returns true if a request may safely reach the service twice."""
    if request.method == "POST":
        has_key = "idempotency-key" in request.headers
        return has_key or bool(_SAME_WHEN_REPEATED.search(request.url.path))
    return request.method != "PATCH" or "if-match" in request.headers


def _add_key(request: httpx.Request) -> None:
    is_creation = any(path.search(request.url.path) for path in _CREATIONS)
    if request.method == "POST" and is_creation and "idempotency-key" not in request.headers:
        request.headers["Idempotency-Key"] = str(uuid.uuid4())


def _asked_pause(response: httpx.Response | None) -> float | None:
    value = "" if response is None else str(response.headers.get("retry-after", ""))
    if value.isdecimal():
        return float(value)
    try:
        return float((parsedate_to_datetime(value) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None


def _type_of(response: httpx.Response) -> str:
    return str(response.headers.get("content-type", ""))


def _is_stream(response: httpx.Response) -> bool:
    return _type_of(response).startswith("text/event-stream")


def _is_answer(response: httpx.Response) -> bool:
    """Returns true if a response comes from the service: a proxy may send its own page, even with status 200."""
    is_page = _type_of(response).startswith("text/html")
    return response.status_code == 304 or (response.status_code < 300 and not is_page)


class RetryTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends each request up to ``max_retries`` more times within ``timeout`` seconds, and raises for failures.

    Each pause is shortened by a random part, up to a half, so that clients do not all return at once.
    """

    def __init__(self, *, max_retries: int, timeout: float) -> None:
        self._max_retries = max_retries
        self._timeout = timeout
        self._sync: httpx.HTTPTransport | None = None
        # Connections belong to the event loop that opened them; each `asyncio.run` has its own loop.
        self._async: tuple[asyncio.AbstractEventLoop, httpx.AsyncHTTPTransport] | None = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._sync = self._sync or httpx.HTTPTransport()
        _add_key(request)
        end = time.monotonic() + self._timeout
        for retry in range(self._max_retries + 1):
            response: httpx.Response | None = None
            try:
                response = self._sync.handle_request(request)
                if not _is_stream(response):
                    response.read()
                if _is_answer(response):
                    return response
                error = error_of(response)
            except httpx.RequestError as cause:
                response = None
                error = _connection_failed(request, cause)
            pause = self._pause(request, response, error, retry, end)
            if pause is None:
                raise error
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        transport = self._transport_of_loop()
        _add_key(request)
        end = time.monotonic() + self._timeout
        for retry in range(self._max_retries + 1):
            response: httpx.Response | None = None
            try:
                response = await transport.handle_async_request(request)
                if not _is_stream(response):
                    await response.aread()
                if _is_answer(response):
                    return response
                error = error_of(response)
            except httpx.RequestError as cause:
                response = None
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
        """Returns the seconds before the next attempt; None if another one is useless or might do harm."""
        if response is None:
            was_sent = not isinstance(error.__cause__, (httpx.ConnectError, httpx.ConnectTimeout))
            may_pass = not was_sent or _may_repeat(request)
        else:
            status = response.status_code
            may_pass = status in (429, 503) or (status == 502 and _may_repeat(request))
        own = FIRST_PAUSE * 2.0**retry * (0.5 + random.random() / 2)
        asked = _asked_pause(response) or 0.0
        pause = max(own, asked)
        is_late = time.monotonic() + pause >= end
        if not may_pass or retry >= self._max_retries or asked > LONGEST_RETRY_AFTER or is_late:
            return None
        return pause

    def _transport_of_loop(self) -> httpx.AsyncHTTPTransport:
        loop = asyncio.get_running_loop()
        if self._async is None or self._async[0] is not loop:
            self._async = (loop, httpx.AsyncHTTPTransport())
        return self._async[1]

    def close(self) -> None:
        if self._sync is not None:
            self._sync.close()

    async def aclose(self) -> None:
        if self._async is not None and self._async[0] is asyncio.get_running_loop():
            await self._async[1].aclose()


def _connection_failed(request: httpx.Request, cause: httpx.RequestError) -> StagecraftError:
    reason = str(cause) or type(cause).__name__
    error = StagecraftError("CONNECTION_FAILED", f"no answer from {request.url.host}: {reason}")
    error.__cause__ = cause
    return error
