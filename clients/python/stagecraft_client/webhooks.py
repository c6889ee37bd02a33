"""Deliveries of webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from .errors import StagecraftError


def verify_webhook(body: bytes | str, headers: Mapping[str, str], *secrets: str) -> dict[str, Any]:
    """Returns the event of a delivery (``id``, ``event``, ``created_at``, ``project_id``, ``data``), if one of the secrets
    signed it within the last five minutes.

    Args:
        body: As it came, byte by byte.
        headers: Of the request, in any case.
        secrets: ``whsec_…``; two while one is being replaced.

    Raises:
        StagecraftError: UNAUTHORIZED, whatever the reason; INVALID_REQUEST without a secret.
    """
    if not secrets:
        raise StagecraftError("INVALID_REQUEST", "secrets: expected at least one, got none")
    text = body.decode() if isinstance(body, bytes) else body
    own = {name.lower(): value for name, value in headers.items()}
    for secret in secrets:
        try:
            event: dict[str, Any] = Webhook(secret).verify(text, own)
            return event
        except WebhookVerificationError:
            continue
    raise StagecraftError("UNAUTHORIZED", "the signature of the delivery is not of these secrets, or too old")
