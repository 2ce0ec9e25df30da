"""Links to pictures that carry their permission: /i/SIGNATURE/name:value/…/RIG.png."""
import base64
import hashlib
import hmac
import urllib.parse

from .values import text_of


def signature(path, key, salt, size=32):
    """base64url, without padding, of the first bytes of HMAC-SHA256(key, salt + path)."""
    digest = hmac.new(bytes.fromhex(key), bytes.fromhex(salt) + path.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest.digest()[:size]).rstrip(b"=").decode()


def signed_path(rig, options, key, salt, size=32, ending="png"):
    """The path of a link to a picture, signed as imgproxy does it.

    options     name -> value, in the order of the link; the names are those of frame.png's
                parameters and "preset", "expires", "content", "cachebuster"
    key, salt   hexadecimal, the daemon's; a key of None leaves the link "unsafe"
    size        bytes of the signature, as the daemon's --sign-bytes has it
    """
    quote = lambda text: urllib.parse.quote(text_of(text), safe="")
    segments = [f"{quote(name)}:{quote(value)}" for name, value in options.items()]
    path = "/" + "/".join([*segments, f"{quote(rig)}.{ending}"])
    if key is None:
        return "/i/unsafe" + path
    return f"/i/{signature(path, key, salt, size)}{path}"
