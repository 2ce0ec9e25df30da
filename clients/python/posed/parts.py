"""Files of formats other than glTF: what is a model, what is motion alone, and which files belong to a model."""
from __future__ import annotations

import os
import pathlib
import re
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Mapping

GLTF = re.compile(r"\.(gltf|glb)$", re.I)
MODEL = re.compile(r"\.(vrm|fbx|dae|md5mesh|x|mesh|mesh\.xml|obj|ply|stl|3ds|pim|zip)$", re.I)
MOTION = re.compile(r"\.(bvh|vrma|md5anim|pis|pia)$", re.I)
PART_ENDINGS = r"png|jpe?g|webp|tga|bmp|dds|gif|tiff?|mtl|material|skeleton|skeleton\.xml|pis|pia|md5anim"
PART = re.compile(rf"\.({PART_ENDINGS})$", re.I)
NAMES_MORE = re.compile(r"\.(mtl|material|pis|pia)$", re.I)  # of parts: those that name files themselves
ENDING_WITHIN = re.compile(rf"\.({PART_ENDINGS})(?![a-z0-9])", re.I)
BEFORE = re.compile(r"""[^/\\"'<>|:*?\x00-\x1f\x7f-\x9f\ufffd]*\Z""")
ALONE = re.compile(r"\.(zip|vrm|vrma)$", re.I)  # hold all that they need
NAME_LETTERS = 200  # longer names are nobody's
DEEPEST = 3  # folders below the document's in which its parts are looked for
MOST_FILES = 4096  # of an asset

Load = Callable[[str], bytes]


def name_of(path: str) -> str:
    return path.rpartition("/")[2]


def stem_of(path: str) -> str:
    """The name up to its first dot, in lower case."""
    name = name_of(path).lower()
    return name[:1] + name[1:].partition(".")[0]


def is_plain(path: str) -> bool:
    """macOS adds "._fox.obj" to its archives."""
    return not name_of(path).startswith("._")


def documents_among(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """The models, and the motions; skeletons go before Prism's animations, which are nothing without."""
    plain = [path for path in paths if is_plain(path)]
    models = [path for path in plain if GLTF.search(path) or MODEL.search(path)]
    motions = [path for path in plain if MOTION.search(path)]
    return models, sorted(motions, key=lambda path: path.lower().endswith(".pia"))


def names_in(content: bytes) -> set[str]:
    """What could be names of parts in a file, whatever its format, in lower case: the text that ends with
    the ending of a part, and its ends from each word on, since names may have spaces."""
    text = bytes(content).decode(errors="replace")
    found: set[str] = set()
    for match in ENDING_WITHIN.finditer(text):
        before = BEFORE.search(text, max(0, match.start() - NAME_LETTERS), match.start())
        name = (before.group() if before else "") + match.group()
        found.update(name[at:].lower() for at in (0, *(space.end() for space in re.finditer(" (?=[^ ])", name))))
        found.add(name_of(urllib.parse.unquote(name)).lower())
    return found


def is_named(names: set[str], path: str) -> bool:
    """True if a name is among what was found; OGRE's texts leave out the .xml."""
    name = name_of(path).lower()
    return name in names or (name.endswith(".xml") and name[:-4] in names)


def is_called_like(document: str, path: str) -> bool:
    """True if a file belongs to a document by its own name."""
    if document.lower().endswith(".md5mesh") and path.lower().endswith(".md5anim"):
        return stem_of(path).startswith(stem_of(document))
    return stem_of(path) == stem_of(document)


def parts_of(paths: Iterable[str], document: str, load: Load) -> dict[str, bytes]:
    """The document and the files that belong to it: those that it names, or one of those does, in any
    folder; those that are called like it; motions of its MD5 mesh, and of its Prism skeleton."""
    parts = [path for path in paths if path != document and PART.search(path) and is_plain(path)]
    taken = {document: load(document)}
    if ALONE.search(document):
        return taken
    waiting = [document]
    while waiting:
        names = names_in(taken[waiting.pop()])
        for path in parts:
            if path not in taken and (is_named(names, path) or is_called_like(document, path)):
                taken[path] = load(path)
                waiting += [path] if NAMES_MORE.search(path) else []
    if document.lower().endswith((".pim", ".pis")):
        skeletons = [path for path in taken if path.lower().endswith(".pis")]
        for path in parts:
            if path.lower().endswith(".pia") and path not in taken:
                content = load(path)
                names = names_in(content)
                if any(is_named(names, skeleton) for skeleton in skeletons):
                    taken[path] = content
    return taken


def files_below(folder: pathlib.Path) -> Iterator[str]:
    """The paths of the plain files in a folder and some folders below, without links, which may lead
    elsewhere."""
    count = 0
    for root, folders, names in os.walk(folder):
        below = pathlib.Path(root).relative_to(folder)
        folders[:] = sorted(folders) if len(below.parts) < DEEPEST else []
        for name in sorted(names):
            count += 1
            if count > MOST_FILES:
                return
            if PART.search(name) and not os.path.islink(os.path.join(root, name)):
                yield (below / name).as_posix()


def below_folder(files: Mapping[str, bytes], document: str) -> dict[str, bytes]:
    """The files by their paths from the document's folder, if they are all below it."""
    folder = document[:len(document) - len(name_of(document))]
    if not all(path.startswith(folder) for path in files):
        return dict(files)
    return {path[len(folder):]: content for path, content in files.items()}
