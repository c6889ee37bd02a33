"""Waits for jobs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

_ENDED = ("completed", "failed", "cancelled")


def _pauses() -> Iterator[float]:
    """Seconds between questions: a quarter at first, five at last."""
    pause = 0.25
    while True:
        yield pause
        pause = min(pause * 1.5, 5.0)


def wait(operation: ModuleType, *path: str, client: Any, timeout: float = 600.0) -> Any:
    """Returns a scan, generation, push, analysis or message once it has ended: ``wait(get_scan, project_id, scan_id, client=client)``.

    Raises:
        TimeoutError: It has not ended within ``timeout`` seconds; it goes on in the service.
        StagecraftError: A question failed.
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


async def wait_async(operation: ModuleType, *path: str, client: Any, timeout: float = 600.0) -> Any:
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
