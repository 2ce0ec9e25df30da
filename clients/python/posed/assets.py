"""Packs assets of several files: a .gltf with its buffers and pictures, as one ZIP archive."""
from __future__ import annotations

import errno
import io
import json
import os
import pathlib
import re
import struct
import urllib.parse
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

PLAIN_FILE = 0o100644 << 16  # external attributes of an archive's entry


def asset_at(path: pathlib.Path) -> bytes:
    """The asset at a path as the daemon takes it: the file, or where that names others, an archive of
    them all. Nothing outside of its folder is read, also not by a link. A buffer that is not there is
    a FileNotFoundError, a picture a warning, since rigs are drawn without it; a URI that leads out of
    the folder is a ValueError."""
    document = path.read_bytes()
    files = {path.name: document}
    for place, neighbour, is_buffer in neighbours(document):
        content = read_neighbour(path, neighbour, place, is_buffer)
        if content is not None:
            files[neighbour] = content
    return archive_of(files) if len(files) > 1 else document


def archive_of(files: Mapping[str, bytes]) -> bytes:
    """A ZIP archive of uncompressed files by path: equal files give equal bytes, in all of
    posed's clients."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as packed:
        for path in sorted(files, key=str.encode):
            info = zipfile.ZipInfo(path)  # with the format's first date
            info.create_system = 3
            info.external_attr = PLAIN_FILE
            packed.writestr(info, files[path])
    return out.getvalue()


def neighbours(document: bytes) -> Iterator[tuple[str, str, bool]]:
    """(the member that references it, its path, True for a buffer) of each file that a document
    references; none if the document is unreadable: the daemon will explain that."""
    found = json_of(document)
    seen = set()
    for member in ("buffers", "images"):
        things = found.get(member)
        for i, thing in enumerate(things if isinstance(things, list) else []):
            uri = uri_of(thing)
            if uri is None:
                continue
            place = f"{member}[{i}].uri {json.dumps(uri, ensure_ascii=False)}"
            path = path_of(uri)
            if path is None:
                raise ValueError(f"{place} must be a path below the document's folder")
            if path not in seen:
                seen.add(path)
                yield place, path, member == "buffers"


def json_of(document: bytes) -> Mapping[str, Any]:
    """The JSON of a .gltf or .glb; empty if it is unreadable."""
    try:
        if document[:4] == b"glTF":
            size, = struct.unpack_from("<I", document, 12)
            document = document[20:20 + size].rstrip(b"\0")
        found = json.loads(document.decode("utf-8-sig"))
    except (ValueError, struct.error, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def uri_of(thing: Any) -> str | None:
    """The URI of a file to read."""
    uri = thing.get("uri") if isinstance(thing, dict) else None
    if not isinstance(uri, str) or uri[:5].lower() == "data:":
        return None
    extensions = thing.get("extensions")
    packed = extensions.get("EXT_meshopt_compression") if isinstance(extensions, dict) else None
    # A fallback for readers without the extension.
    stands_in = isinstance(packed, dict) and packed.get("fallback") is True
    return None if stands_in else uri


def path_of(uri: str) -> str | None:
    """The path of a URI relative to the document's folder; None if it leads elsewhere."""
    if re.search("%(?![0-9A-Fa-f]{2})", uri) or is_absolute(uri):
        return None
    try:
        path = urllib.parse.unquote_to_bytes(uri).decode()
    except UnicodeError:
        return None
    if is_absolute(path) or "\\" in path or "\0" in path:
        return None
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or None


def is_absolute(path: str) -> bool:
    """True if a path starts at a root, or with a scheme or a drive."""
    return re.match("/|[^/:]+:", path) is not None


def read_neighbour(document: pathlib.Path, neighbour: str, place: str, is_buffer: bool) -> bytes | None:
    """The bytes of a file beside a document; None if a picture is missing."""
    folder = os.path.realpath(document.parent)
    path = os.path.realpath(os.path.join(folder, neighbour))
    if os.path.commonpath((folder, path)) != folder:
        raise ValueError(f"{document}: {place} leads out of the document's folder by a link")
    if not os.path.exists(path):
        if is_buffer:
            words = f"{os.strerror(errno.ENOENT)}; {place} of {document} names it"
            raise FileNotFoundError(errno.ENOENT, words, neighbour)
        warnings.warn(f"{document}: there is no {neighbour}, which {place} names; drawn without it",
                      stacklevel=5)
        return None
    if not os.path.isfile(path):
        raise ValueError(f"{document}: {neighbour}, which {place} names, is not a plain file")
    return pathlib.Path(path).read_bytes()
