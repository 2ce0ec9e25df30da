"""A plug-in of pytest: its fixture `checked` checks assets with the daemon at $POSED_SERVER.

    def test_fox(checked):
        assert not checked("models/fox.glb").errors
"""
from __future__ import annotations

import importlib
import os
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

from .checks import Report
from .client import Client

pytest: Any = importlib.import_module("pytest")


def check_with(client: Client, asset: str | os.PathLike[str], members: dict[str, Any]) -> Report:
    """A file's report where there is one at that path, or else a rig's of that name."""
    if isinstance(asset, os.PathLike) or pathlib.Path(asset).exists():
        members = {**members, "source": asset}
    else:
        members = {**members, "rig": asset}
    report: Report = client.check(**members)
    return report


def make_checked() -> Iterator[Callable[..., Report]]:
    """Checks a file by its path, or a rig of the daemon by its name; members: profile, only, skip, clips."""
    with Client() as client:
        yield lambda asset, **members: check_with(client, asset, members)


checked = pytest.fixture(scope="session", name="checked")(make_checked)
