"""The typed client of a Stagecraft service, sync and async.

Operations are modules of ``stagecraft_client.http.api``, one for each operation of the interface, with ``sync`` and ``asyncio``;
their bodies and responses are classes of ``stagecraft_client.http.models``.
"""

from .connect import connect
from .errors import StagecraftError
from .pages import iterate, iterate_async
from .wait import wait, wait_async
from .webhooks import verify_webhook

__all__ = [
    "StagecraftError",
    "connect",
    "iterate",
    "iterate_async",
    "verify_webhook",
    "wait",
    "wait_async",
]
