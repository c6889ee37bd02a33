"""Waits for jobs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Protocol, TypeVar

from .http.client import AuthenticatedClient

_ENDED = ("completed", "failed", "cancelled")


class _State(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def state(self) -> str: ...


Job = TypeVar("Job", bound=_State, covariant=True)


class _Answer(Protocol[Job]):
    @property
    def data(self) -> Job: ...


class JobOperation(Protocol[Job]):
    """A module of ``stagecraft_client.http.api`` that returns the current state of a job."""

    @property
    def sync(self) -> Callable[..., _Answer[Job]]: ...

    @property
    def asyncio(self) -> Callable[..., Coroutine[Any, Any, _Answer[Job]]]: ...


def _pauses() -> Iterator[float]:
    """Yields the seconds between requests: a quarter at first, five in the end."""
    pause = 0.25
    while True:
        yield pause
        pause = min(pause * 1.5, 5.0)


def wait(operation: JobOperation[Job], *path: str, client: AuthenticatedClient, timeout: float = 600.0) -> Job:
    """Returns a scan, generation, push, analysis or message once it has ended: ``wait(get_scan, project_id, scan_id, client=client)``.

    Raises:
        TimeoutError: It has not ended within ``timeout`` seconds. It continues in the service.
        StagecraftError: A request failed.
    """
    end = time.monotonic() + timeout
    for pause in _pauses():
        job = operation.sync(*path, client=client).data
        if job.state in _ENDED:
            return job
        if time.monotonic() + pause >= end:
            raise TimeoutError(f"{job.id} is {job.state} after {timeout} seconds")
        time.sleep(pause)
    raise AssertionError("pauses do not end")


async def wait_async(
    operation: JobOperation[Job], *path: str, client: AuthenticatedClient, timeout: float = 600.0
) -> Job:
    """Returns a job once it has ended, as ``wait`` does."""
    end = time.monotonic() + timeout
    for pause in _pauses():
        job = (await operation.asyncio(*path, client=client)).data
        if job.state in _ENDED:
            return job
        if time.monotonic() + pause >= end:
            raise TimeoutError(f"{job.id} is {job.state} after {timeout} seconds")
        await asyncio.sleep(pause)
    raise AssertionError("pauses do not end")
