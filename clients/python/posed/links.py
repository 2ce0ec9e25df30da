"""Signed links to pictures: /i/SIGNATURE/name:value/…/RIG.png."""
from __future__ import annotations

import base64
import hashlib
import hmac
import urllib.parse
from collections.abc import Mapping
from typing import Any

from .values import text_of


def signature(path: str, key: str, salt: str, size: int = 32) -> str:
    """base64url, without padding, of the first bytes of HMAC-SHA256(key, salt + path)."""
    digest = hmac.new(bytes.fromhex(key), bytes.fromhex(salt) + path.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest.digest()[:size]).rstrip(b"=").decode()


def signed_path(rig: str, options: Mapping[str, Any], key: str | None, salt: str | None,
                size: int = 32, ending: str = "png") -> str:
    """The path of a link to a picture, signed as imgproxy does it.

    options     name -> value, in the order of the link; the names are those of frame.png's
                parameters and "preset", "expires", "content", "cachebuster"
    key, salt   hexadecimal, the daemon's; a key of None leaves the link "unsafe"
    size        bytes of the signature, as the daemon's --sign-bytes has it
    """
    def quote(value: Any) -> str:
        return urllib.parse.quote(text_of(value), safe="")

    segments = [f"{quote(name)}:{quote(value)}" for name, value in options.items()]
    path = "/" + "/".join([*segments, f"{quote(rig)}.{ending}"])
    if key is None:
        return "/i/unsafe" + path
    if salt is None:
        raise ValueError("a key signs with a salt, and there is none")
    return f"/i/{signature(path, key, salt, size)}{path}"
