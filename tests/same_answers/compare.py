"""Holds two answers against each other."""
import io
import json
import re
import tarfile
import zlib

from picture import SIGNATURE, Picture, chunks

# Headers that two builds may answer otherwise, each with its reason.
EXEMPT_HEADERS = {
    "date": "the time of day",
    "posed-request-id": "drawn by chance, to find the request in the log",
    "server-timing": "durations, and absent where an answer was cached",
    "content-length": "follows the body, which is held byte for byte or is masked",
}
# Values that are random for each daemon, in any header; the rest of the header is compared.
RANDOM_IN_HEADERS = {"posed-stream": re.compile(r".+"), "location": re.compile(r"(?<=/streams/).+")}
# Members of JSON with sentences for people; where only these differ, that is "texts".
TEXTS = {"detail", "title", "warnings"}
# Members that go by the clock or by chance, by operation.
MASKED = {
    "getStream": {"id", "frames", "dropped", "time"},
    "patchStream": {"id", "frames", "dropped", "time"},
    "beginFit": {"state", "progress"},  # of work that goes on meanwhile
    "listFits": {"state", "progress"},
    "getFit": {"progress"},
}
# Files that are texts for people, or hold some; of shaders the code is held.
DOCUMENTS = re.compile(r"/$|/js/|/openapi\.yaml|/v1/shaders/\w")
STATUSES = {"beginFit": {200: 202}}  # 200 where the fit was quicker than the answer
# Within texts: the time of day, and the ids of streams.
RANDOM_IN_TEXTS = re.compile(r'(?<=and now is )\d+|(?<=")[0-9a-f]{32}(?=")')
COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.S)


class Difference:
    """where: the part of the answer; kind: "" where it counts, "text" of a sentence for people,
    "packing" of a PNG that has the same pixels in other bytes"""

    def __init__(self, where, old, new, kind=""):
        self.where, self.old, self.new, self.kind = where, old, new, kind

    def __str__(self):
        return f"{self.where}\n    old: {self.old}\n    new: {self.new}"


class Tags:
    """The build is part of an ETag, so that tags differ; but answers that share one in one build must
    share one in the other, and no others may."""

    def __init__(self):
        self.new_of, self.old_of = {}, {}

    def agree(self, old, new):
        return (self.new_of.setdefault(old, new) == new and self.old_of.setdefault(new, old) == old)


def headers_of(answer):
    """The headers that are compared."""
    found = []
    for name, value in answer.headers:
        key = name.lower()
        if key in EXEMPT_HEADERS:
            value = "present" if key == "posed-request-id" else None
        elif key == "etag":
            value = "present"
        elif key in RANDOM_IN_HEADERS:
            value = RANDOM_IN_HEADERS[key].sub("*", value)
        if value is not None:
            found.append((name, value))
    return sorted(found)


def compare(request, old, new, tags):
    """All differences of two answers to a request."""
    alike = STATUSES.get(request.operation, {})
    if alike.get(old.status, old.status) != alike.get(new.status, new.status):
        return [Difference("status", f"{old.status} {old.body[:300]!r}", f"{new.status} {new.body[:300]!r}")]
    is_document = request.method == "GET" and old.status < 300 and bool(DOCUMENTS.match(request.target))
    found = list(different_headers(headers_of(old), headers_of(new), is_document))
    old_tag, new_tag = old.header("ETag"), new.header("ETag")
    if old_tag and new_tag and not tags.agree(old_tag, new_tag):
        found.append(Difference("header ETag", old_tag, f"{new_tag}, which other requests have or have not"))
    if old.parts is not None and new.parts is not None:
        found += different_parts(old.parts, new.parts)
    elif old.body != new.body:
        found += different_documents(request, old, new) if is_document else different_bodies(request, old, new)
    return found


def different_headers(old, new, is_document):
    names = sorted({name for name, _ in old + new})
    for name in names:
        a, b = ([value for key, value in headers if key == name] for headers in (old, new))
        if a != b:
            of_text = name == "Posed-Warning" or (is_document and name == "Content-Range")
            yield Difference(f"header {name}", a or "not there", b or "not there",
                             "text" if of_text and a and b else "")


def different_parts(old, new):
    """Of a timed answer, whose daemon may leave out frames when it is late: those that both have."""
    both = [number for number in old if number in new]
    if bool(old) != bool(new) or (old and not both):
        yield Difference("frames", sorted(old), sorted(new))
    for number in both:
        if old[number] != new[number]:
            yield of_bytes(old[number], new[number], f"frame {number}, ")


def different_bodies(request, old, new):
    kind = old.header("Content-Type").split(";")[0]
    if old.body.startswith(b"# HELP posed_") and old.status == new.status:
        return different_metrics(old.body.decode(), new.body.decode())
    if kind.endswith("json") and new.header("Content-Type").split(";")[0] == kind:
        return different_json(request, old.body, new.body)
    return [of_bytes(old.body, new.body)]


def of_bytes(old, new, where=""):
    if unpacked(old) == unpacked(new):
        return Difference(where + first_byte(old, new), around(old, new), around(new, old), "packing")
    return Difference(where + first_byte(old, new) + different_pixels(old, new), around(old, new),
                      around(new, old))


def different_pixels(old, new):
    """Of two PNGs of one size, how many pixels differ and by how much."""
    try:
        a, b = Picture(old), Picture(new)
    except (AssertionError, KeyError, ValueError):
        return ""  # no such pictures
    if (a.width, a.height) != (b.width, b.height):
        return f", {a.width} x {a.height} and {b.width} x {b.height} pixels"
    apart = [max(abs(x - y) for x, y in zip(p, q)) for p, q in zip(a.pixels(), b.pixels()) if p != q]
    return f", {len(apart)} of {a.width * a.height} pixels by at most {max(apart, default=0)}"


def unpacked(body):
    """The content of PNGs, also within an archive; other bodies unchanged."""
    head, _, rest = body.partition(b"\r\n\r\n")
    if rest.startswith(SIGNATURE):  # a part of a multipart answer
        return re.sub(rb"Content-Length: \d+", b"", head), unpacked(rest)
    if body.startswith(SIGNATURE):
        return inflated(body)
    try:
        with tarfile.open(fileobj=io.BytesIO(body)) as archive:
            return [(file.name, unpacked(archive.extractfile(file).read())) for file in archive]
    except tarfile.TarError:
        return body


def inflated(png):
    """Its chunks, with the pixels of each frame in place of what they are packed into."""
    found, packed = [], b""
    for kind, content in chunks(png):
        if kind in (b"IDAT", b"fdAT"):
            packed += content if kind == b"IDAT" else content[4:]
            continue
        if packed:
            found.append(zlib.decompress(packed))
            packed = b""
        found.append((kind, content))
    return found


def code_of(shader):
    """Its lines without comments, and without the lines that are blank then."""
    return b"\n".join(line for line in COMMENT.sub(b"", shader).split(b"\n") if line.strip())


def different_documents(request, old, new):
    whole_shader = request.target.startswith("/v1/shaders/") and old.status == 200
    if whole_shader and code_of(old.body) != code_of(new.body):
        return [of_bytes(code_of(old.body), code_of(new.body), "without comments ")]
    return [Difference("document", f"{len(old.body)} bytes", f"{len(new.body)} bytes", "text")]


def different_metrics(old, new):
    """Names, labels and kinds of metrics; their values count what happened to happen."""
    def lines(text):
        return [re.sub(r'(build|version)="[^"]*"', r"\1", line if line.startswith("# TYPE")
                       else line.split(" HELP ")[-1] if line.startswith("#") else line.rsplit(" ", 1)[0])
                for line in text.splitlines()]
    a, b = lines(old), lines(new)
    gone, more = sorted(set(a) - set(b)), sorted(set(b) - set(a))
    if gone or more:
        helps = all(" " in line and "{" not in line and not line.startswith("#") for line in gone + more)
        return [Difference("metrics", gone, more, "text" if helps else "")]
    return [] if a == b else [Difference("order of the metrics", "", "")]


def different_json(request, old, new):
    """By the members' places; their order counts, and how numbers are written."""
    a, b = parsed(old), parsed(new)
    if a is None or b is None:
        return [Difference(first_byte(old, new), around(old, new), around(new, old))]
    found = list(different_values(a, b, "", MASKED.get(request.operation, ())))
    if not found and request.operation not in MASKED and not RANDOM_IN_TEXTS.search(old.decode()):
        found = [Difference(f"{first_byte(old, new)} (the same values)", around(old, new), around(new, old))]
    return found


def parsed(text):
    """Objects as tuples of (name, value), numbers as they are written; None = no JSON."""
    try:
        return json.loads(text, object_pairs_hook=tuple, parse_float=Written, parse_int=Written)
    except ValueError:
        return None


class Written(str):
    """A number as it stands in the text."""


def is_object(value):
    return isinstance(value, tuple) and all(isinstance(pair, tuple) for pair in value)


def different_values(old, new, place, masked):
    if is_object(old) and is_object(new):
        names = [name for name, _ in old], [name for name, _ in new]
        if names[0] != names[1]:
            yield Difference(f"members of {place or '/'}", names[0], names[1])
            return
        for (name, a), (_, b) in zip(old, new):
            if name not in masked:
                yield from different_members(name, a, b, f"{place}/{name}", masked)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (a, b) in enumerate(zip(old, new)):
            yield from different_values(a, b, f"{place}/{i}", masked)
    elif type(old) is not type(new) or old != new:
        yield Difference(place or "/", short(old), short(new))


def different_members(name, old, new, place, masked):
    if name in TEXTS and type(old) is type(new):
        if unmasked(old) != unmasked(new):
            yield Difference(place, short(old), short(new), "text")
    else:
        yield from different_values(old, new, place, masked)


def unmasked(text):
    return RANDOM_IN_TEXTS.sub("*", text) if isinstance(text, str) else text


def short(value):
    text = json.dumps(value)
    return text if len(text) < 400 else text[:400] + " ..."


def first_byte(old, new):
    at = first_difference(old, new)
    return f"byte {at} of {len(old)}" + (f" (new: {len(new)})" if len(old) != len(new) else "")


def around(body, other):
    at = first_difference(body, other)
    return repr(body[max(0, at - 16): at + 24])


def first_difference(old, new):
    least = min(len(old), len(new))
    if old[:least] == new[:least]:
        return least
    low, high = 0, least
    while high - low > 1:  # old[:low] is the same, old[:high] is not
        middle = (low + high) // 2
        low, high = (middle, high) if old[:middle] == new[:middle] else (low, middle)
    return low
