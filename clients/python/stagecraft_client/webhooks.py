"""Deliveries of webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import Any

from .errors import StagecraftError

# The largest difference between now and the time of an attempt, in seconds.
TOLERANCE = 300

_PREFIX = "whsec_"
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_SIGNATURE = re.compile(r"v1,([A-Za-z0-9+/]{43}=)")


def verify_webhook(body: bytes | str, headers: Mapping[str, str], *secrets: str) -> dict[str, Any]:
    """Returns the event of a delivery (``id``, ``event``, ``created_at``, ``project_id``, ``data``), if one of the secrets
    signed it within the last five minutes.

    Args:
        body: The body as received, byte by byte.
        headers: The headers of the request, in any case.
        secrets: The secrets of the webhook, ``whsec_…`` or your own text; two while one is being replaced.

    Raises:
        StagecraftError: UNAUTHORIZED for any fault of the delivery; INVALID_REQUEST for invalid secrets.
    """
    if not secrets:
        raise StagecraftError("INVALID_REQUEST", "secrets: expected at least one, got none")
    keys = [_key(secret) for secret in secrets]
    content = body if isinstance(body, bytes) else body.encode(errors="surrogatepass")
    own = {name.lower(): value for name, value in headers.items()}
    identifier, timestamp = own.get("webhook-id", ""), own.get("webhook-timestamp", "")
    signatures = [found[1] for one in own.get("webhook-signature", "").split(" ") if (found := _SIGNATURE.fullmatch(one))]
    signed = f"{identifier}.{timestamp}.".encode(errors="surrogatepass") + content
    expected = [base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode() for key in keys]
    # all are compared, so that the time does not reveal which one matched
    matches = [hmac.compare_digest(one, other) for one in expected for other in signatures]
    if not identifier or not re.fullmatch(r"[0-9]{1,12}", timestamp) or not any(matches):
        raise _refused("the delivery was not signed with any of these secrets")
    if abs(int(time.time()) - int(timestamp)) > TOLERANCE:
        raise _refused("the delivery was signed more than five minutes ago, or in the future; compare the clocks")
    try:
        event = json.loads(content)
    except ValueError as cause:
        raise _refused("expected a JSON body") from cause
    if not isinstance(event, dict):
        raise _refused("expected a body that is a JSON object")
    return event


def _key(secret: str) -> bytes:
    """Returns the decoded base64 after ``whsec_``, or the characters of another secret."""
    if not secret:
        raise StagecraftError("INVALID_REQUEST", "secrets: expected a secret, got an empty text")
    if not secret.startswith(_PREFIX):
        return secret.encode()
    encoded = secret.removeprefix(_PREFIX)
    digits = encoded.rstrip("=")
    if not _BASE64.fullmatch(encoded) or len(digits) % 4 == 1:
        raise StagecraftError("INVALID_REQUEST", "secrets: expected base64 after whsec_")
    return base64.b64decode(digits + "=" * (-len(digits) % 4))


def _refused(message: str) -> StagecraftError:
    return StagecraftError("UNAUTHORIZED", message)
