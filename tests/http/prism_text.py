"""Reads Prism's PIS and PIA by their grammar, without any code of posed: sections of `Key: value`, of
indexed lines and of sections; "&" and eight digits are a float32. And what the files mean by it."""
import re
import struct

TOKEN = re.compile(r'\s+|#[^\n]*|(?P<string>"[^"\n]*")|(?P<hex>&[0-9a-f]{8})(?![0-9a-f])'
                   r'|(?P<word>[A-Za-z_0-9.+-]+)|(?P<mark>[{}():])')


def tokens_of(text):
    at, found = 0, []
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError(f"byte {at}: {text[at:at + 40]!r}")
        at = match.end()
        if match.lastgroup == "string":
            found.append(("value", match.group()[1:-1]))
        elif match.lastgroup == "hex":
            found.append(("value", struct.unpack(">f", bytes.fromhex(match.group()[1:]))[0]))
        elif match.lastgroup:
            found.append((match.lastgroup, match.group()))
    return found


def number(word):
    return int(word) if re.fullmatch(r"[+-]?\d+", word) else float(word)


class Section:
    """Properties by name, sections in their order, and the values of indexed lines."""

    def __init__(self, name):
        self.name, self.values, self.sections, self.rows = name, {}, [], []

    def all(self, name):
        return [section for section in self.sections if section.name == name]

    def one(self, name):
        section, = self.all(name)
        return section


def read_tuple(tokens):
    """What is behind "(": values, or properties as a dict."""
    values, named = [], {}
    while (token := tokens.pop(0)) != ("mark", ")"):
        kind, text = token
        if kind == "word" and tokens[0] == ("mark", ":"):
            tokens.pop(0)
            following = tokens.pop(0)
            named[text] = read_tuple(tokens) if following == ("mark", "(") else following[1]
        else:
            assert kind in ("value", "word"), token
            values.append(text if kind == "value" else number(text))
    assert not (values and named)
    return named or values


def read_section(section, tokens, ended):
    while tokens and tokens[0] != ("mark", "}"):
        kind, name = tokens.pop(0)
        assert kind == "word", (kind, name)
        following = tokens.pop(0)
        if following == ("mark", "{"):
            inner = Section(name)
            read_section(inner, tokens, True)
            section.sections.append(inner)
        elif following == ("mark", "("):
            assert int(name) == len(section.rows), f"{section.name}: {name} out of order"
            section.rows.append(read_tuple(tokens))
        else:
            assert following == ("mark", ":"), following
            kind, value = tokens.pop(0)
            section.values[name] = value if kind == "value" else number(value) \
                if re.fullmatch(r"[+-]?[0-9.]+(e[+-]?\d+)?", value) else value
    if ended:
        assert tokens.pop(0) == ("mark", "}")
    return section


def read(text):
    return read_section(Section("file"), tokens_of(text), False)


def rows_of(numbers):
    return [numbers[i : i + 4] for i in range(0, 16, 4)]


def product(a, b):
    """a * b of matrices for row vectors: a first."""
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def skeleton(text):
    """[(name, parent's name, rest matrix in the model)], for row vectors."""
    file = read(text)
    assert file.one("Header").values["Type"] == "Skeleton"
    assert file.one("Header").values["FormatVersion"] == 1
    bones = file.one("Bones").rows
    assert file.one("Global").values["BoneCount"] == len(bones)
    return [(bone["Name"], bone["Parent"], rows_of(bone["Matrix"])) for bone in bones]


class Animation:
    """name, skeleton, duration, times, and by bone its matrices relative to its parent."""

    def __init__(self, text):
        file = read(text)
        header, facts = file.one("Header").values, file.one("Global").values
        assert (header["Type"], header["FormatVersion"]) == ("Animation", 3)
        self.name, self.skeleton = header["Name"], facts["Skeleton"]
        self.duration = facts["TotalTime"]
        channels = file.all("BoneChannel")
        assert facts["BoneChannelCount"] == len(channels)
        assert facts["CustomChannelCount"] == len(file.all("CustomChannel"))
        self.matrices, self.times, self.movement = {}, None, None
        for channel in file.all("CustomChannel"):
            streams = {stream.values["Tag"]: stream for stream in channel.all("Stream")}
            assert channel.values["Name"] == "Prism Movement" and self.movement is None
            assert streams["_MOVEMENT"].values["Format"] == "FLOAT3"
            steps = streams["_MOVEMENT"].rows
            assert channel.values["KeyframeCount"] == len(steps) == len(streams["_TIME"].rows)
            self.movement = [[sum(step[k] for step in steps[:i + 1]) for k in range(3)] for i in range(len(steps))]
        for channel in channels:
            streams = {stream.values["Tag"]: stream for stream in channel.all("Stream")}
            assert channel.values["StreamCount"] == len(streams) == 2
            assert streams["_TIME"].values["Format"] == "FLOAT"
            assert streams["_MATRIX"].values["Format"] == "FLOAT4x4"
            steps = [step for step, in streams["_TIME"].rows]
            assert channel.values["KeyframeCount"] == len(steps) == len(streams["_MATRIX"].rows)
            times = [sum(steps[:i]) for i in range(len(steps))]
            assert self.times in (None, times)
            self.times = times
            self.matrices[channel.values["Name"]] = [rows_of(row) for row in streams["_MATRIX"].rows]

    def world(self, bones, frame):
        """{name: matrix in the model}, of a skeleton's bones in any order."""
        parents, found = {name: parent for name, parent, _ in bones}, {}

        def find(name):
            if name not in found:
                local = self.matrices[name][frame]
                found[name] = product(local, find(parents[name])) if parents[name] else local
            return found[name]

        for name in parents:
            find(name)
        return found
