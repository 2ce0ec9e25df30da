"""Requests to a daemon with tokens, signed links and presets, and to one that only reads."""
import base64
import hashlib
import hmac
import json
import re

import bodies
import stage
from changes import Script
from client import JSON, OCTETS, rig_path
from exchange import Request

SCOPES = ("read", "render", "write")
TOKENS = {scope: f"token-for-{scope}-0123456789" for scope in SCOPES} | {"all": "token-for-all-0123456789"}
TOKEN_LINES = "".join(f"{name} {'read,render,write' if name == 'all' else name} {token}\n"
                      for name, token in TOKENS.items())
KEY, SALT = "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "68656c6c6f"
PRESETS = "card = w:40/h:40/background:#ffffff\nlate = time:0.9\n"
SENT = {"none": (), "wrong": (("Authorization", "Bearer wrong"),), "basic": (("Authorization", "Basic YTpi"),),
        **{name: (("Authorization", f"Bearer {token}"),) for name, token in TOKENS.items()}}
LINKS = ("/w:40/h:40/cyl3.png", "/preset:card/cyl3.png", "/preset:card/preset:late/clip:bend/cyl3.webp",
         "/preset:none/cyl3.png", "/preset:card/w:30/cyl3.png", "/w:40/h:40/expires:1/cyl3.png",
         "/w:40/h:40/expires:4000000000/cyl3.png", "/w:40/h:40/expires:x/cyl3.png",
         "/w:40/h:40/content:0123456789abcdef/cyl3.png", "/w:40/h:40/cachebuster:7/cyl3.jpg",
         "/w:40/h:40/background:%23ffffff/cachebuster:7/cyl3.jpg", "/w:40/no:1/cyl3.png", "/w:40/none.png")


def signed(path, key=KEY):
    digest = hmac.new(bytes.fromhex(key), bytes.fromhex(SALT) + path.encode(), hashlib.sha256).digest()
    return "/i/" + base64.urlsafe_b64encode(digest).decode().rstrip("=") + path


def all_of_them(plan):
    yield stage_rig()
    for operation in plan.api.operations.values():
        for sent, headers in SENT.items():
            yield call(operation, sent, headers)
    for path in LINKS:
        for name, target in (("right", signed(path)), ("wrong", signed(path, "00" * 16)),
                             ("unsafe", "/i/unsafe" + path), ("cut", signed(path)[:20] + path)):
            yield Request(f"{name} signature of {path}", "getSignedFrame", "GET", target, daemon="guarded")
    for origin in ("https://a.example", "https://b.example"):
        yield Request(f"tokens and a page at {origin}", "deleteRig", "DELETE", rig_path("none"),
                      (("Origin", origin), *SENT["all"]), daemon="guarded")
        yield Request(f"tokens and preflight of {origin}", "", "OPTIONS", rig_path("none"),
                      (("Origin", origin), ("Access-Control-Request-Method", "DELETE"),
                       ("Access-Control-Request-Headers", "authorization")), daemon="guarded")


def stage_rig():
    body = (stage.DEMO / "cyl3.glb").read_bytes()
    return Request("guarded rig", "putRig", "PUT", rig_path("cyl3"),
                   (("Content-Type", OCTETS), *SENT["all"]), body, "guarded")


def call(operation, sent, headers, daemon="guarded"):
    """An operation with the least that it takes. What would be deleted is not there."""
    gone = operation.method == "DELETE"
    chosen = {"rig": "none" if gone else "cyl3", "name": "bend" if "clips" in operation.path else "none",
              "path": "client/posed.js", "method": "lbs", "id": "none", "signature": "unsafe",
              "options": "w:40/h:40", "format": "png", "form": "pia"}
    target = re.sub(r"\{(\w+)\}", lambda match: chosen[match[1]], operation.path)
    if operation.id in ("getCompatibility", "getInfluences"):
        target += {"getCompatibility": "?with=cyl3", "getInfluences": "?joint=J1"}[operation.id]
    body = b""
    if operation.method in ("PUT", "POST", "PATCH"):
        value = bodies.BASES.get(operation.id, {"method": "lbs"})
        body = json.dumps({**value, "rig": "cyl3"} if "rig" in value else value).encode()
        headers = (("Content-Type", JSON), *headers)
    return Request(f"{daemon}: {operation.id} with {sent}", operation.id, operation.method, target, headers,
                   body, daemon, "frames" if operation.id == "postStream" else "once")


def read_only(plan):
    """The open daemon's folder again, by a daemon that does not write."""
    for operation in plan.api.operations.values():
        yield call(operation, "nothing", (), "read-only")
    script = Script("cyl3", "read-only")
    script.ask("putExample", "PUT", "/examples/J1_bent", {"pose": "rest", "positions": []})
    script.ask("deleteExample", "DELETE", "/examples/J1_bent")
    script.ask("deleteRig", "DELETE")
    script.ask("describeRig", "GET")
    script.ask("listExamples", "GET", "/examples")
    yield from script.requests
    for method in plan.service["skinning_methods"]:
        body = {**bodies.BEND, "skinning": method["id"]}
        yield Request(f"read-only vertices by {method['id']}", "postVertices", "POST", "/v1/vertices",
                      (("Content-Type", JSON),), json.dumps(body).encode(), "read-only")
