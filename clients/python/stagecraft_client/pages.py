"""Lists of any length."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from .http.types import Unset

Item = TypeVar("Item", covariant=True)
Call = ParamSpec("Call")


class _Items(Protocol[Item]):
    @property
    def items(self) -> Sequence[Item]: ...


class _Meta(Protocol):
    @property
    def next_cursor(self) -> str | Unset: ...


class _Page(Protocol[Item]):
    @property
    def data(self) -> _Items[Item]: ...

    @property
    def meta(self) -> _Meta: ...


class ListOperation(Protocol[Call, Item]):
    """A module of ``stagecraft_client.http.api`` that returns a page."""

    @property
    def sync(self) -> Callable[Call, _Page[Item]]: ...

    @property
    def asyncio(self) -> Callable[Call, Coroutine[Any, Any, _Page[Item]]]: ...


def iterate(operation: ListOperation[Call, Item], *path: Call.args, **query: Call.kwargs) -> Iterator[Item]:
    """Yields all items of a list, page by page: ``iterate(list_units, project_id, client=client)``.

    A page is requested when its first item is needed; ``limit`` sets the number of items per page.
    """
    while True:
        page = operation.sync(*path, **query)
        yield from page.data.items
        cursor = page.meta.next_cursor
        if not cursor:
            return
        cast("dict[str, Any]", query)["cursor"] = cursor


async def iterate_async(
    operation: ListOperation[Call, Item], *path: Call.args, **query: Call.kwargs
) -> AsyncIterator[Item]:
    """Yields all items of a list, as ``iterate`` does."""
    while True:
        page = await operation.asyncio(*path, **query)
        for item in page.data.items:
            yield item
        cursor = page.meta.next_cursor
        if not cursor:
            return
        cast("dict[str, Any]", query)["cursor"] = cursor
