"""Makes a thumbnail of every model that arrives in a folder.

    python3 examples/thumbnails.py INBOX THUMBNAILS [--once]

A model leaves INBOX when its thumbnail, or the reason why there is none, is in THUMBNAILS, so the worker may
be ended at any time. Write uploads elsewhere on the disk and move them to INBOX when they are complete.
"""
import pathlib
import sys
import time

import posed

inbox, thumbnails = (pathlib.Path(folder) for folder in sys.argv[1:3])
client = posed.Client()  # at $POSED_SERVER; asks a busy daemon again for half a minute


def draw(model: pathlib.Path) -> None:
    rig = f"thumbnail of {model.name}"
    try:
        client.put_rig(rig, model)
        picture = client.frame(rig, width=512, height=512, margin=0.08, background="#ffffff", accept="image/webp")
        picture.save(thumbnails / f"{model.name}.webp")
        client.delete_rig(rig)
    except posed.Problem as problem:
        if problem.status >= 500 or problem.status == 429:
            raise  # the daemon failed, and not the model, which stays
        (thumbnails / f"{model.name}.txt").write_text(f"{problem}\n", encoding="utf-8")
    model.unlink(missing_ok=True)


while True:
    for model in sorted(path for path in inbox.iterdir() if path.is_file() and path.name[0] != "."):
        draw(model)
    if "--once" in sys.argv:
        break
    time.sleep(1)
