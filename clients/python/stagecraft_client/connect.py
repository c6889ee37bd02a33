"""Opens the client."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx

from .errors import StagecraftError
from .http.client import AuthenticatedClient
from .transport import RetryTransport


def connect(
    base_url: str,
    api_key: str,
    *,
    max_retries: int = 2,
    timeout: float = 120.0,
    allow_http: bool = False,
) -> AuthenticatedClient:
    """Returns the client that every operation takes; it opens no connection before the first call.

    Args:
        base_url: The address of the service, without ``/v1``: ``https://stagecraft.example.com``.
        api_key: Sent to this address and nowhere else; redirects are not followed.
        max_retries: The number of retries after transient failures, at most 10; 0 disables them.
        timeout: Seconds for one attempt. No retry begins later than this after the first attempt.
        allow_http: Allows ``http:`` to other machines, where anyone on the network can read the key.

    Raises:
        StagecraftError: INVALID_REQUEST with the faults, but never the key.
    """
    address = urlsplit(base_url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise _invalid("base_url: expected an https: address, got something else")
    if address.username or address.password or address.query or address.fragment:
        raise _invalid("base_url: expected no user, query or fragment")
    if address.scheme == "http" and not allow_http and not _is_here(address.hostname):
        raise _invalid("base_url: expected https:, got http: to another machine; allow_http=True allows it")
    if not api_key or not api_key.isascii() or not api_key.isprintable() or " " in api_key:
        raise _invalid("api_key: expected a key, got an empty text or characters that no key has")
    if not 0 <= max_retries <= 10:
        raise _invalid(f"max_retries: expected 0 to 10, got {max_retries}")
    if not timeout > 0:
        raise _invalid(f"timeout: expected seconds above 0, got {timeout}")
    return AuthenticatedClient(
        base_url=base_url.rstrip("/"),
        token=api_key,
        timeout=httpx.Timeout(timeout),
        raise_on_unexpected_status=True,
        httpx_args={"transport": RetryTransport(max_retries=max_retries, timeout=timeout)},
    )


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _invalid(message: str) -> StagecraftError:
    return StagecraftError("INVALID_REQUEST", message)
