#!/usr/bin/env python3
"""Renews the stored pictures: all of them, or those whose names contain one of the arguments; and the
fingerprints of those that posed draws without a driver.

Only those that differ from what is kept are written; each is named with how far it is from it. When
that is allowed: docs/developing.md, "Golden pictures".
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "http"))

from client import Client
from daemon import Daemon
import golden


def started(*args):
    """A daemon with all rigs, and a client."""
    daemon = Daemon(args=args).start()
    client = Client(daemon.port)
    for name, glb in golden.rigs():
        client.put(name, glb)
    return daemon, client


def renew_own():
    """Renews what the rasteriser's pictures are held to: with its version, and never otherwise."""
    daemon, client = started("--renderer", "cpu")
    replies = {scene["name"]: golden.reply(client, scene) for scene in golden.TABLE["pictures"]}
    daemon.stop()
    table = {"tag": replies[golden.TABLE["pictures"][0]["name"]].headers["ETag"],
             "pixels": {name: golden.fingerprint(reply.body) for name, reply in replies.items()}}
    before = golden.own() if golden.OWN.exists() else {"pixels": {}}
    for name, pixels in table["pixels"].items():
        if before["pixels"].get(name) != pixels:
            print(f"{name}: other pixels without a driver")
    golden.OWN.write_text(json.dumps(table, indent=1) + "\n")


def main(words):
    daemon, client = started("--renderer", "software")
    for scene in golden.TABLE["pictures"]:
        if words and not any(word in scene["name"] for word in words):
            continue
        drawn, path = golden.ask(client, scene), golden.kept(scene)
        if not path.exists():
            print(f"{scene['name']}: new")
        elif (apart := golden.differences(drawn, path.read_bytes())) == (0, 0):
            continue
        else:
            print(f"{scene['name']}: most {apart[0]:.1f}, mean {apart[1]:.4f} from what was kept")
        path.write_bytes(drawn)
    daemon.stop()
    known = {golden.kept(scene) for scene in golden.TABLE["pictures"]}
    for path in sorted(set((HERE / "pictures").glob("*.png")) - known):
        print(f"{path.stem}: of no scene any more")
        path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
    renew_own()
