# Python 3.8 or later, no packages.
import base64
import hashlib
import hmac
import time


def is_from_service(secret: str, raw_body: bytes, signature: str) -> bool:
    """X-Service-Signature. raw_body is the bytes as they came, before any parsing."""
    expected = "sha256=" + hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


def is_standard_webhook(secret: str, raw_body: bytes, headers: dict, now=None) -> bool:
    """Standard Webhooks: also refuses what is older than five minutes."""
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs((time.time() if now is None else now) - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    signed = f"{message_id}.{timestamp}.".encode() + raw_body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # After a rotation there are two signatures, one per secret.
    signatures = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(expected.encode(), given.encode()) for given in signatures)
