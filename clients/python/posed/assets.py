"""Packs assets of several files as one ZIP archive: a .gltf with its buffers and pictures, a model of another
format with the files that belong to it."""
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

from .parts import GLTF, MODEL, MOTION, below_folder, documents_among, files_below, parts_of

PLAIN_FILE = 0o100644 << 16  # external attributes of an archive's entry


def asset_at(path: pathlib.Path) -> bytes:
    """The asset at a path as the daemon takes it: the file, or where that names others, an archive of
    them all. Nothing outside of its folder is read, also not by a link. A buffer that is not there is
    a FileNotFoundError, a picture a warning, since rigs are drawn without it; a URI that leads out of
    the folder is a ValueError. With files of other formats go those in their folder, and in folders below,
    that they name or that are called like them; the rig's warnings say what is missing."""
    document = path.read_bytes()
    if (MODEL.search(path.name) or MOTION.search(path.name)) and not is_gltf(document):
        return archive_or_file(parts_of([path.name, *files_below(path.parent)], path.name,
                                        lambda part: (path.parent / part).read_bytes()), path.name)
    files = {path.name: document}
    for place, neighbour, is_buffer in neighbours(document):
        content = read_neighbour(path, neighbour, place, is_buffer)
        if content is not None:
            files[neighbour] = content
    return archive_of(files) if len(files) > 1 else document


def is_gltf(document: bytes) -> bool:
    """True for a GLB, which VRM files are, too."""
    return document[:4] == b"glTF"


def archive_or_file(files: Mapping[str, bytes], document: str) -> bytes:
    """An archive of what belongs to a document, or the document if that is all."""
    return archive_of(below_folder(files, document)) if len(files) > 1 else files[document]


def asset_among(files: Mapping[str, bytes]) -> bytes:
    """The one asset among files by path: its model, or motion, with what belongs to it. A ValueError if
    there is none or more than one."""
    if len(files) == 1:
        return next(iter(files.values()))
    found: list[tuple[str, dict[str, bytes]]] = []
    for paths in documents_among(files):
        for path in paths:
            if not any(path in taken for _, taken in found):
                found.append((path, taken_with(files, path)))
    if len(found) != 1:
        which = " and ".join(path for path, _ in found) + " are" if found else "none is"
        raise ValueError("exactly one of the files must be a model or a motion, such as a .gltf or .fbx, " + which)
    document, taken = found[0]
    return archive_or_file(taken, document)


def taken_with(files: Mapping[str, bytes], path: str) -> dict[str, bytes]:
    """A document among files by path, with those that belong to it."""
    if not GLTF.search(path):
        return parts_of(files, path, lambda part: files[part])
    folder = path[:path.rfind("/") + 1]
    taken = {path: files[path]}
    for place, neighbour, is_buffer in neighbours(files[path]):
        if folder + neighbour in files:
            taken[folder + neighbour] = files[folder + neighbour]
        elif is_buffer:
            raise FileNotFoundError(errno.ENOENT, f"{os.strerror(errno.ENOENT)}; {place} of {path} names it", neighbour)
        else:
            warnings.warn(f"{path}: there is no {neighbour}, which {place} names; drawn without it", stacklevel=6)
    return taken


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
