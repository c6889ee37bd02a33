"""Lists of any length."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from types import ModuleType
from typing import Any


def iterate(operation: ModuleType, *path: str, **query: Any) -> Iterator[Any]:
    """Yields all items of a list, page by page: ``iterate(list_units, project_id, client=client)``.

    A page is asked for when its first item is; with ``limit`` a page has as many items.
    """
    while True:
        page = operation.sync(*path, **query)
        yield from page.data.items
        cursor = page.meta.next_cursor
        if not cursor:
            return
        query["cursor"] = cursor


async def iterate_async(operation: ModuleType, *path: str, **query: Any) -> AsyncIterator[Any]:
    """Yields all items of a list, as ``iterate`` does."""
    while True:
        page = await operation.asyncio(*path, **query)
        for item in page.data.items:
            yield item
        cursor = page.meta.next_cursor
        if not cursor:
            return
        query["cursor"] = cursor
