"""The API, one method for each operation."""
from __future__ import annotations

import os
import pathlib
import urllib.parse
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar, Union, overload

from .assets import asset_among, asset_at
from .checks import Report, report_of
from .connection import Answer, Body, Pool
from .events import CheckEvents, CompressEvents
from .links import signed_path
from .results import (File, JsonList, JsonObject, Matrices, Picture, Vertices, Weights, file_of,
                      list_of, object_of)
from .sequence import SequenceStream
from .stream import Stream
from .values import Array, Pose, float32_bytes, json_text

ADDRESS = "http://127.0.0.1:8600"
JSON, OCTETS, GLB, PNG = "application/json", "application/octet-stream", "model/gltf-binary", "image/png"
PCLIP = "application/vnd.posed.pclip"
LIVE = "multipart/x-mixed-replace"
EVENTS = "application/x-ndjson"

Source = Union[Body, str, "os.PathLike[str]"]
# One file, or several that are one asset: contents by path, or paths.
Files = Union[Mapping[str, bytes], Sequence[Union[str, "os.PathLike[str]"]]]
Asset = Union[Source, Files]
Skinning = Union[str, Mapping[str, Any]]  # a method, or one with its options
Method = TypeVar("Method", bound=Callable[..., Any])

# None, which calls with an etag may return. Any rather than Optional: callers without an etag never get
# None and need no check for the type checker.
Unchanged = Any


def operation(name: str) -> Callable[[Method], Method]:
    """Names the operationId of a method in the API's description."""
    def mark(method: Method) -> Method:
        method.operation_id = name  # type: ignore[attr-defined]
        return method
    return mark


def rig_path(rig: str, *rest: str) -> str:
    return "/v1/rigs/" + "/".join(urllib.parse.quote(part, safe="") for part in (rig, *rest))


def without_none(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def content_of(source: Source) -> Body:
    """The bytes of a file: bytes as given, or the content of a path."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return source
    return pathlib.Path(source).read_bytes()


def asset_of(source: Asset) -> Body:
    """The bytes of an asset: bytes as given, the file at a path with the files that belong to it, or several
    files."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return source
    if isinstance(source, Mapping):
        return asset_among(source)
    if isinstance(source, (str, os.PathLike)):
        return asset_at(pathlib.Path(source))
    return asset_among(files_at(source))


def files_at(paths: Iterable[str | os.PathLike[str]]) -> dict[str, bytes]:
    """The contents of files by their paths from the folder that they have in common."""
    found = [pathlib.Path(path).absolute() for path in paths]
    folder = os.path.commonpath([path.parent for path in found]) if found else ""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def path_of(source: Asset) -> str | None:
    """The path of a file, for reports; None for bytes and several files."""
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else None


class Client:
    """A daemon's client. Thread-safe; each request in flight has a connection of its own.

    address     http://HOST:PORT, https://…, or unix:/PATH; by default $POSED_SERVER, as
                in `pose`, otherwise the loopback address
    token       for daemons that require one; by default $POSED_TOKEN
    timeout_s   timeout for a silent daemon
    patience_s  for how long to retry while it is busy (503, 429); 0 = not at all

    Calls raise Problem if the daemon refuses and ConnectionFailed if it is unreachable. Their results
    have the response's head as attributes: headers, media_type, etag, request_id and skinning. Calls
    with an etag as `etag=` return None while nothing has changed. `deadline_ms` is the time that the
    daemon has to respond.
    """

    def __init__(self, address: str | None = None, token: str | None = None, timeout_s: float = 60.0,
                 patience_s: float = 30.0) -> None:
        address = address or os.environ.get("POSED_SERVER") or ADDRESS
        self._pool = Pool(address, token or os.environ.get("POSED_TOKEN"), timeout_s, patience_s)

    def close(self) -> None:
        self._pool.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- Requests ---

    def _get(self, path: str, query: Mapping[str, Any] | None = None, accept: str | None = None,
             etag: str | None = None, deadline_ms: int | None = None) -> Answer | Unchanged:
        """An Answer, or None if the etag is current."""
        headers = {"Accept": accept, "If-None-Match": etag,
                   "Posed-Deadline-Ms": None if deadline_ms is None else str(deadline_ms)}
        answer = self._pool.call("GET", path, without_none(query or {}), None, headers)
        return self._or_none(answer)

    def _post(self, path: str, request: Mapping[str, Any], accept: str | None,
              etag: str | None = None, deadline_ms: int | None = None, method: str = "POST") -> Answer | Unchanged:
        headers = {"Accept": accept, "If-None-Match": etag, "Content-Type": JSON,
                   "Posed-Deadline-Ms": None if deadline_ms is None else str(deadline_ms)}
        body = json_text(without_none(request)).encode()
        return self._or_none(self._pool.call(method, path, None, body, headers))

    @staticmethod
    def _or_none(answer: Answer) -> Answer | Unchanged:
        if answer.status == 304:
            answer.close()
            return None
        return answer

    @staticmethod
    def _json(answer: Answer | None) -> JsonObject | Unchanged:
        return object_of(answer) if answer else None

    @staticmethod
    def _list(answer: Answer | None, member: str) -> JsonList | Unchanged:
        return list_of(answer, member) if answer else None

    @staticmethod
    def _file(answer: Answer | None) -> File | Unchanged:
        return file_of(answer) if answer else None

    @classmethod
    def _sequence(cls, answer: Answer | None) -> Picture | Unchanged:
        if answer and answer.media_type == LIVE:
            answer.close()
            raise ValueError(f"{LIVE} may have no end: take it from frames_stream()")
        return cls._file(answer)

    def _put(self, path: str, source: Body, media_type: str, query: Mapping[str, Any] | None = None,
             replace: bool = True) -> JsonObject:
        headers = {"Content-Type": media_type, "If-None-Match": None if replace else "*"}
        return object_of(self._pool.call("PUT", path, without_none(query or {}), source, headers))

    def _delete(self, path: str) -> None:
        self._pool.call("DELETE", path).read()

    # --- The service ---

    @operation("getService")
    def service(self) -> JsonObject:
        """Version, renderer, skinning methods, pose operations, formats of assets and limits."""
        return self._json(self._get("/v1"))

    @operation("getAlive")
    def is_alive(self) -> bool:
        """True if the process responds; raises otherwise."""
        self._get("/healthz").read()
        return True

    @operation("getReady")
    def ready(self) -> JsonObject:
        """The health of a daemon that can render; otherwise raises Problem with the reason."""
        return self._json(self._get("/readyz"))

    @operation("getMetrics")
    def metrics(self) -> str:
        """Metrics in Prometheus's text format."""
        return self._get("/metrics").read().decode()

    @operation("getViewer")
    def viewer(self, etag: str | None = None) -> File | Unchanged:
        """The page for browsers."""
        return self._file(self._get("/", etag=etag))

    @operation("getScript")
    def script(self, path: str, etag: str | None = None) -> File | Unchanged:
        """A script or module of that page, such as "viewer/main.js"."""
        return self._file(self._get("/js/" + urllib.parse.quote(path), etag=etag))

    @operation("getOpenApi")
    def openapi(self, etag: str | None = None) -> File | Unchanged:
        """The description of the daemon's API: OpenAPI 3.1, as YAML."""
        return self._file(self._get("/openapi.yaml", etag=etag))

    # --- Rigs, their clips, examples and fits ---

    @operation("listRigs")
    def rigs(self, etag: str | None = None) -> JsonList | Unchanged:
        """Summaries of all rigs, by name."""
        return self._list(self._get("/v1/rigs", etag=etag), "rigs")

    @operation("putRig")
    def put_rig(self, rig: str, source: Asset, replace: bool = True, units: str | None = None,
                up: str | None = None) -> JsonObject:
        """Stores an asset: bytes, or the path of a file, with which go the files that it names and those that
        belong to it, such as an OBJ's .mtl; or several files, of which one is the model: a dict of contents
        by path, or a list of paths.
        units ("m", "cm", "mm", "in", "ft", "0.0254") and up ("x", "y", "z") override what the file says;
        not for glTF. Returns the summary; Problem 422 lists what is broken, 412 refuses to replace."""
        return self._put(rig_path(rig), asset_of(source), OCTETS, {"units": units, "up": up}, replace)

    @operation("describeRig")
    def describe(self, rig: str, bounds: str | None = None,
                 etag: str | None = None) -> JsonObject | Unchanged:
        """Joints, primitives, clips, materials, warnings. bounds="clips": the box around each clip."""
        return self._json(self._get(rig_path(rig), {"bounds": bounds}, etag=etag))

    @operation("deleteRig")
    def delete_rig(self, rig: str) -> None:
        self._delete(rig_path(rig))

    @operation("getSource")
    def source(self, rig: str, etag: str | None = None) -> File | Unchanged:
        """The stored file."""
        return self._file(self._get(rig_path(rig, "source"), etag=etag))

    @operation("getMesh")
    def mesh(self, rig: str, etag: str | None = None) -> File | Unchanged:
        """The rest pose as one GLB, in the vertex order of vertices()."""
        return self._file(self._get(rig_path(rig, "mesh.glb"), etag=etag))

    @operation("getThumbnail")
    def thumbnail(self, rig: str, etag: str | None = None) -> File | Unchanged:
        """The picture that an avatar's file holds of it, PNG or JPEG."""
        return self._file(self._get(rig_path(rig, "thumbnail"), etag=etag))

    @operation("getCompatibility")
    def compatibility(self, rig: str, with_rig: str, map: str | None = None,
                      etag: str | None = None) -> JsonObject | Unchanged:
        """The joints and clips of another rig that a rig can use."""
        query = {"with": with_rig, "map": map}
        return self._json(self._get(rig_path(rig, "compatibility"), query, etag=etag))

    @operation("getInfluences")
    def influences(self, rig: str, joint: str | int | None = None, of: str | None = None,
                   etag: str | None = None) -> Weights | Unchanged:
        """The influence of a joint on each vertex; with of="count" or "colors" that of all: Weights."""
        query = {"joint": joint, "of": of}
        answer = self._get(rig_path(rig, "influences"), query, etag=etag)
        return Weights(answer, answer.read()) if answer else None

    @operation("listExamples")
    def examples(self, rig: str, etag: str | None = None) -> JsonList | Unchanged:
        return self._list(self._get(rig_path(rig, "examples"), etag=etag), "examples")

    @operation("putExample")
    def put_example(self, rig: str, name: str, pose: Pose, positions: Array | None = None,
                    normals: Array | None = None, targets: Any = None, glb: Source | None = None,
                    replace: bool = True, offsets: Any = None) -> JsonObject:
        """Stores an example: a pose with its desired vertices, or with morph targets
        that produce them, or with a GLB's vertices (bytes, or a path), or with offsets, a list of
        [vertex, x, y, z] in ascending order, from the result of the default method. positions and
        normals are arrays [vertices][3] of numbers, which are sent as float32, bytes of float32, or lists
        of triples."""
        path = rig_path(rig, "examples", name)
        if glb is not None:
            return self._put(path, content_of(glb), GLB, {"pose": json_text(pose)}, replace)
        streams = [stream for stream in (positions, normals) if stream is not None]
        if targets is not None or offsets is not None or any(isinstance(stream, (list, tuple)) for stream in streams):
            request = without_none({"pose": pose, "positions": positions, "normals": normals,
                                    "targets": targets, "offsets": offsets})
            return self._put(path, json_text(request).encode(), JSON, None, replace)
        attributes = "position,normal" if normals is not None else None
        body = b"".join(map(float32_bytes, streams))
        query = {"pose": json_text(pose), "attributes": attributes}
        return self._put(path, body, OCTETS, query, replace)

    @operation("getExample")
    def example(self, rig: str, name: str, etag: str | None = None) -> JsonObject | Unchanged:
        """An example with its pose and vertices."""
        return self._json(self._get(rig_path(rig, "examples", name), accept=JSON, etag=etag))

    @operation("deleteExample")
    def delete_example(self, rig: str, name: str) -> None:
        self._delete(rig_path(rig, "examples", name))

    @operation("listClips")
    def clips(self, rig: str, etag: str | None = None) -> JsonList | Unchanged:
        return self._list(self._get(rig_path(rig, "clips"), etag=etag), "clips")

    @operation("putClip")
    def put_clip(self, rig: str, name: str, pose: Pose | None = None, source: Asset | None = None,
                 clip: str | int | None = None, map: str | dict[str, str] | None = None,
                 scale: str | float | None = None, rate: float | None = None,
                 replace: bool = True, units: str | None = None, up: str | None = None,
                 **members: Any) -> JsonObject:
        """Stores a clip: a baked pose expression (members: duration, rate, …), or a clip of a
        file (source: as in put_rig(); clip, map, scale, rate, units, up as the API has them; map may be a
        dict of their joints and ours)."""
        path = rig_path(rig, "clips", name)
        if source is not None:
            pairs = json_text(map) if isinstance(map, dict) else map
            query = {"clip": clip, "map": pairs, "scale": scale, "rate": rate, "units": units, "up": up}
            return self._put(path, asset_of(source), OCTETS, query, replace)
        request = without_none({"pose": pose, "rate": rate, **members})
        return self._put(path, json_text(request).encode(), JSON, None, replace)

    @overload
    def clip(self, rig: str, name: str, glb: Literal[False] = False,
             etag: str | None = None) -> JsonObject | Unchanged: ...

    @overload
    def clip(self, rig: str, name: str, glb: Literal[True],
             etag: str | None = None, prune: bool = False,
             tolerance: float | None = None) -> File | Unchanged: ...

    @operation("getClip")
    def clip(self, rig: str, name: str, glb: bool = False, etag: str | None = None,
             prune: bool = False, tolerance: float | None = None) -> Any:
        """A clip with its keys; glb: as a File, prune: of that, without the needless joints, tolerance:
        of that, with as few keys as so many metres allow."""
        query = {"prune": "true" if prune else None, "tolerance": tolerance}
        answer = self._get(rig_path(rig, "clips", name), query, GLB if glb else JSON, etag)
        return self._file(answer) if glb else self._json(answer)

    @operation("deleteClip")
    def delete_clip(self, rig: str, name: str) -> None:
        self._delete(rig_path(rig, "clips", name))

    @operation("beginFit")
    def begin_fit(self, rig: str, skinning: Skinning) -> JsonObject:
        """Computes ahead the data that a skinning method needs for the rig. Returns the fit's state."""
        skinning = {"method": skinning} if isinstance(skinning, str) else skinning
        return self._json(self._post(rig_path(rig, "fits"), skinning, JSON))

    @operation("listFits")
    def fits(self, rig: str) -> JsonList:
        return self._list(self._get(rig_path(rig, "fits")), "fits")

    @operation("getFit")
    def fit(self, rig: str, id: str) -> JsonObject:
        return self._json(self._get(rig_path(rig, "fits", id)))

    @operation("cancelFit")
    def cancel_fit(self, rig: str, id: str) -> None:
        self._delete(rig_path(rig, "fits", id))

    # --- Results ---

    @overload
    def pose(self, rig: str, pose: Pose | None = None, *, poses: Sequence[Pose] | None = None,
             binary: Literal[False] = False, etag: str | None = None, deadline_ms: int | None = None,
             **members: Any) -> JsonObject | Unchanged: ...

    @overload
    def pose(self, rig: str, pose: Pose | None = None, *, poses: Sequence[Pose] | None = None,
             binary: Literal[True], etag: str | None = None, deadline_ms: int | None = None,
             **members: Any) -> Matrices | Unchanged: ...

    @operation("postPose")
    def pose(self, rig: str, pose: Pose | None = None, *, poses: Sequence[Pose] | None = None,
             binary: bool = False, etag: str | None = None, deadline_ms: int | None = None,
             **members: Any) -> Any:
        """Joints of a pose, or of a list of poses, as the API's JSON; binary: as Matrices."""
        request = {"rig": rig, "pose": pose, "poses": poses, **members}
        answer = self._post("/v1/pose", request, OCTETS if binary else JSON, etag, deadline_ms)
        if not binary or not answer:
            return self._json(answer)
        return Matrices(answer, answer.read(), len(poses) if poses else 1)

    @overload
    def vertices(self, rig: str, pose: Pose | None = None, *, poses: Sequence[Pose] | None = None,
                 attributes: Iterable[str] | None = None, skinning: Skinning | None = None,
                 glb: Literal[False] = False, etag: str | None = None,
                 deadline_ms: int | None = None, **members: Any) -> Vertices | Unchanged: ...

    @overload
    def vertices(self, rig: str, pose: Pose | None = None, *, poses: Sequence[Pose] | None = None,
                 attributes: Iterable[str] | None = None, skinning: Skinning | None = None,
                 glb: Literal[True], etag: str | None = None,
                 deadline_ms: int | None = None, **members: Any) -> File | Unchanged: ...

    @operation("postVertices")
    def vertices(self, rig: str, pose: Pose | None = None, *, poses: Sequence[Pose] | None = None,
                 attributes: Iterable[str] | None = None, skinning: Skinning | None = None,
                 glb: bool = False, etag: str | None = None, deadline_ms: int | None = None,
                 **members: Any) -> Any:
        """Skinned vertices of a pose, or of a list of poses: Vertices; glb: as a File."""
        request = {"rig": rig, "pose": pose, "poses": poses, "skinning": skinning,
                   "attributes": list(attributes) if attributes else None, **members}
        answer = self._post("/v1/vertices", request, GLB if glb else OCTETS, etag, deadline_ms)
        if glb or not answer:
            return self._file(answer)
        return Vertices(answer, answer.read(), many=poses is not None)

    @operation("postStream")
    def stream(self, rig: str, pose: Pose | None = None, *, attributes: Iterable[str] | None = None,
               skinning: Skinning | Iterable[Skinning] | None = None, deadline_ms: int | None = None,
               **members: Any) -> Stream:
        """Vertices in real time, as a Stream. skinning: one, or a list of several for
        each moment. members: fps, speed, time, range, duration, paused, compression, …"""
        request = {"rig": rig, "pose": pose, "skinning": skinning,
                   "attributes": list(attributes) if attributes else None, **members}
        return Stream(self, self._post("/v1/stream", request, OCTETS, None, deadline_ms))

    @operation("getStream")
    def stream_state(self, id: str) -> JsonObject:
        return self._json(self._get("/v1/streams/" + urllib.parse.quote(id, safe="")))

    @operation("patchStream")
    def change_stream(self, id: str, **members: Any) -> JsonObject:
        """Changes pose, time, speed, fps or paused from the next frame on."""
        path = "/v1/streams/" + urllib.parse.quote(id, safe="")
        return self._json(self._post(path, members, JSON, method="PATCH"))

    @operation("deleteStream")
    def end_stream(self, id: str) -> None:
        """Ends a stream."""
        self._delete("/v1/streams/" + urllib.parse.quote(id, safe=""))

    @operation("postFrame")
    def frame(self, rig: str, pose: Pose | None = None, *, accept: str = PNG, etag: str | None = None,
              deadline_ms: int | None = None, **members: Any) -> Picture | Unchanged:
        """A Picture, or a File of the plain pixels. members: width, height, camera, fit, background,
        skinning, …"""
        request = {"rig": rig, "pose": pose, **members}
        return self._file(self._post("/v1/frame", request, accept, etag, deadline_ms))

    @operation("getFrame")
    def frame_link(self, rig: str, format: str = "png", etag: str | None = None,
                   deadline_ms: int | None = None, **parameters: Any) -> Picture | Unchanged:
        """The same by the URL that links use. parameters: clip, time, width, yaw, …"""
        path = rig_path(rig, "frame." + format)
        answer = self._get(path, parameters, etag=etag, deadline_ms=deadline_ms)
        return self._file(answer)

    @operation("postFrames")
    def frames(self, rig: str, pose: Pose | None = None, *, accept: str | None = None,
               etag: str | None = None, deadline_ms: int | None = None,
               **members: Any) -> Picture | Unchanged:
        """A sequence, animated PNG unless accept or format says otherwise: a Picture, or a File if
        it is a tar or a map. members: times, turntable, poses, format, fps, loops, dither, and those
        of frame()."""
        request = {"rig": rig, "pose": pose, **members}
        return self._sequence(self._post("/v1/frames", request, accept, etag, deadline_ms))

    def frames_stream(self, rig: str, pose: Pose | None = None, *, accept: str | None = None,
                      deadline_ms: int | None = None, **members: Any) -> SequenceStream:
        """The same while it is rendered, as a SequenceStream: in little memory, in any format, and until
        it is closed. "multipart" arrives in real time."""
        request = {"rig": rig, "pose": pose, **members}
        return SequenceStream(self._post("/v1/frames", request, accept, None, deadline_ms))

    @operation("getFrames")
    def frames_link(self, rig: str, format: str = "apng", etag: str | None = None,
                    deadline_ms: int | None = None, **parameters: Any) -> Picture | Unchanged:
        """The same by the URL that links use. parameters: clip, count, turntable, width, …"""
        path = rig_path(rig, "frames." + format)
        answer = self._get(path, parameters, etag=etag, deadline_ms=deadline_ms)
        return self._sequence(answer)

    @operation("getSignedFrame")
    def signed_frame(self, rig: str, options: Mapping[str, Any], key: str | None = None,
                     salt: str | None = None, size: int = 32,
                     etag: str | None = None) -> Picture | Unchanged:
        """The same by a signed link; see signed_path()."""
        path = signed_path(rig, options, key, salt, size)
        return self._file(self._get(path, etag=etag))

    # --- Checks ---

    def _check(self, rig: str | Iterable[str] | None, source: Asset | None, accept: str,
               members: Mapping[str, Any], etag: str | None = None, deadline_ms: int | None = None,
               prefer: str | None = None) -> Answer | Unchanged:
        """rig: a name, or several; or else source, which is not stored."""
        headers = {"Accept": accept, "If-None-Match": etag, "Prefer": prefer,
                   "Posed-Deadline-Ms": None if deadline_ms is None else str(deadline_ms)}
        members = without_none(members)
        for name in ("only", "skip", "clips"):
            if isinstance(members.get(name), str):
                members[name] = [members[name]]
        if (rig is None) == (source is None):
            raise ValueError("a check is of a rig, or of a source")
        if source is not None:
            query = {"path": path_of(source), **members}
            return self._or_none(self._pool.call(
                "POST", "/v1/checks", without_none(query), asset_of(source),
                {**headers, "Content-Type": OCTETS}))
        names: dict[str, Any] = {"rig": rig} if isinstance(rig, str) else {"rigs": list(rig or ())}
        body = json_text({**names, **members}).encode()
        return self._or_none(self._pool.call(
            "POST", "/v1/checks", None, body, {**headers, "Content-Type": JSON}))

    @overload
    def check(self, rig: str | Iterable[str] | None = None, *, source: Asset | None = None,
              accept: None = None, etag: None = None, deadline_ms: int | None = None,
              **members: Any) -> Report: ...

    @overload
    def check(self, rig: str | Iterable[str] | None = None, *, source: Asset | None = None,
              accept: None = None, etag: str | None = None, deadline_ms: int | None = None,
              **members: Any) -> Report | Unchanged: ...

    @overload
    def check(self, rig: str | Iterable[str] | None = None, *, source: Asset | None = None,
              accept: str, etag: str | None = None, deadline_ms: int | None = None,
              **members: Any) -> File | Unchanged: ...

    @operation("check")
    def check(self, rig: str | Iterable[str] | None = None, *, source: Asset | None = None,
              accept: str | None = None, etag: str | None = None, deadline_ms: int | None = None,
              **members: Any) -> Report | File | Unchanged:
        """The faults of a rig, of several, or of a file that is not stored (source), when they move: a
        Report; with accept, such as "application/sarif+json" or "text/html", a File. members: profile (a
        name, or for rigs a rules file as a dict), only, skip, clips, baseline, evidence, timing."""
        answer = self._check(rig, source, accept or JSON, members, etag=etag, deadline_ms=deadline_ms)
        return None if answer is None else file_of(answer) if accept else report_of(answer)

    def check_events(self, rig: str | Iterable[str] | None = None, *, source: Asset | None = None,
                     **members: Any) -> CheckEvents:
        """The same while it is under way, as an iterator over events."""
        return CheckEvents(self._check(rig, source, EVENTS, members))

    def begin_check(self, rig: str | Iterable[str] | None = None, *, source: Asset | None = None,
                    accept: str = JSON, **members: Any) -> JsonObject | Report | File:
        """The same in the background: the state of the task, for check_state(); or at once what check()
        returns, where that is cached."""
        answer = self._check(rig, source, accept, members, prefer="respond-async")
        if answer.status == 202:
            return object_of(answer)
        return report_of(answer) if accept == JSON else file_of(answer)

    @operation("getCheck")
    def check_state(self, id: str) -> JsonObject:
        """The state and progress of a check in the background."""
        return self._json(self._get("/v1/checks/" + urllib.parse.quote(id, safe="")))

    @operation("getCheckReport")
    def check_report(self, id: str, etag: str | None = None) -> Report | File | Unchanged:
        """What it has found: a Report, or a File where another format was accepted when it was begun."""
        path = f"/v1/checks/{urllib.parse.quote(id, safe='')}/report"
        answer = self._get(path, accept="*/*", etag=etag)
        if answer is None:
            return None
        return report_of(answer) if answer.media_type == JSON else file_of(answer)

    @operation("cancelCheck")
    def cancel_check(self, id: str) -> None:
        """Cancels a check in the background, or deletes a finished one."""
        self._delete("/v1/checks/" + urllib.parse.quote(id, safe=""))

    @operation("checkRig")
    def check_link(self, rig: str, accept: str | None = None, etag: str | None = None,
                   deadline_ms: int | None = None, **parameters: Any) -> Report | File | Unchanged:
        """The same as check() by the URL that links use. parameters: profile, only, skip, clips, timing,
        with commas between names."""
        answer = self._get(rig_path(rig, "check"), parameters, accept or JSON, etag, deadline_ms)
        return None if answer is None else file_of(answer) if accept else report_of(answer)

    @operation("listCheckRules")
    def check_rules(self, etag: str | None = None) -> JsonList | Unchanged:
        """The rules, with the limits of every profile."""
        return self._list(self._get("/v1/checks/rules", etag=etag), "rules")

    @operation("getCheckSchema")
    def check_schema(self, etag: str | None = None) -> File | Unchanged:
        """The JSON schema of rules files."""
        return self._file(self._get("/v1/checks/schema", etag=etag))

    @operation("getCheckProfile")
    def check_profile(self, name: str, etag: str | None = None) -> JsonObject | Unchanged:
        """A profile as a rules file, to be changed and passed to check()."""
        path = "/v1/checks/profiles/" + urllib.parse.quote(name, safe="")
        return self._json(self._get(path, etag=etag))

    @operation("postBake")
    def bake(self, rig: str, pose: Pose | None = None, form: str = "morph", *,
             etag: str | None = None, deadline_ms: int | None = None, **members: Any) -> File | Unchanged:
        """A motion as a File that plays without posed. form: "morph" or "joints", GLBs;
        "vertex_texture" or "joint_texture", tars; "playback", a tar.gz; "pia" or "pis", Prism's text; "bvh". members: duration, rate, skinning, …"""
        request = {"rig": rig, "pose": pose, "as": form, **members}
        return self._file(self._post("/v1/bake", request, "*/*", etag, deadline_ms))

    @operation("getBake")
    def bake_link(self, request: Mapping[str, Any], content: str | None = None, etag: str | None = None,
                  deadline_ms: int | None = None) -> File | Unchanged:
        """The same by the URL that links use. request: as JSON. content: that of the rig's description,
        with which caches may keep the File."""
        digits = content.removeprefix("sha256:") if content else None
        return self._file(self._get("/v1/bake", query={"request": json_text(request), "content": digits},
                                    etag=etag, deadline_ms=deadline_ms))

    @operation("getMotion")
    def motion(self, rig: str, format: str = "pia", etag: str | None = None,
               deadline_ms: int | None = None, **parameters: Any) -> File | Unchanged:
        """A clip as a File of motion alone, by the URL that links use. format: "pia" or "pis".
        parameters: clip, duration, rate, name, …"""
        path = rig_path(rig, "motion." + format)
        return self._file(self._get(path, parameters, etag=etag, deadline_ms=deadline_ms))

    @operation("postTransitions")
    def transitions(self, rig: str, from_clip: str | int, to_clip: str | int, etag: str | None = None,
                    deadline_ms: int | None = None, **members: Any) -> JsonObject | Unchanged:
        """The points where one clip can continue as another."""
        request = {"rig": rig, "from": from_clip, "to": to_clip, **members}
        return self._json(self._post("/v1/transitions", request, JSON, etag, deadline_ms))

    @operation("postCompress")
    def compress(self, rig: str, clips: Sequence[str | int] | None = None, tolerance: Any = None, *,
                 etag: str | None = None, deadline_ms: int | None = None, **members: Any) -> File | Unchanged:
        """Clips (default all), or a baked pose, as a compressed File (.pclip), or with codec="keys" as a
        GLB with few keys. tolerance: metres, or {"share": of the rig's diagonal}. members: pose, duration,
        rate, segment, metric, skinning, …"""
        request = {"rig": rig, "clips": clips, "tolerance": tolerance, **members}
        return self._file(self._post("/v1/compress", request, f"{PCLIP}, {GLB}", etag, deadline_ms))

    def compress_report(self, rig: str, clips: Sequence[str | int] | None = None, tolerance: Any = None, *,
                        etag: str | None = None, deadline_ms: int | None = None,
                        **members: Any) -> JsonObject | Unchanged:
        """The bytes and errors of such a file."""
        request = {"rig": rig, "clips": clips, "tolerance": tolerance, **members}
        return self._json(self._post("/v1/compress", request, JSON, etag, deadline_ms))

    def compress_events(self, rig: str, clips: Sequence[str | int] | None = None, tolerance: Any = None, *,
                        deadline_ms: int | None = None, **members: Any) -> CompressEvents:
        """Both, as an iterator over events when each clip is done; the last has the report and the file."""
        request = {"rig": rig, "clips": clips, "tolerance": tolerance, **members}
        return CompressEvents(self._post("/v1/compress", request, EVENTS, None, deadline_ms))

    @operation("listShaders")
    def shaders(self, etag: str | None = None) -> JsonList | Unchanged:
        """The skinning methods whose shaders can be exported."""
        return self._list(self._get("/v1/shaders", etag=etag), "shaders")

    @operation("getShader")
    def shader(self, method: str, version: str | None = None, etag: str | None = None) -> File | Unchanged:
        """The functions of a method's shaders, without main(). version: "300" for vertex shaders, "310"
        for compute shaders."""
        path = "/v1/shaders/" + urllib.parse.quote(method, safe="")
        return self._file(self._get(path, {"version": version}, etag=etag))

    @operation("postShaders")
    def shader_inputs(self, rig: str, pose: Pose | None = None, skinning: Skinning | None = None,
                      buffers: Sequence[str] | None = None, etag: str | None = None,
                      deadline_ms: int | None = None) -> JsonObject | Unchanged:
        """The inputs of those functions for a rig in a pose."""
        request = {"rig": rig, "pose": pose, "skinning": skinning, "buffers": buffers}
        return self._json(self._post("/v1/shaders", request, JSON, etag, deadline_ms))

    @overload
    def compare(self, rig: str, methods: Iterable[Skinning], pose: Pose | None = None, *,
                picture: Literal[False] = False, etag: str | None = None,
                deadline_ms: int | None = None, **members: Any) -> JsonObject | Unchanged: ...

    @overload
    def compare(self, rig: str, methods: Iterable[Skinning], pose: Pose | None = None, *,
                picture: Literal[True], etag: str | None = None, deadline_ms: int | None = None,
                **members: Any) -> Picture | Unchanged: ...

    @operation("postCompare")
    def compare(self, rig: str, methods: Iterable[Skinning], pose: Pose | None = None, *,
                picture: bool = False, etag: str | None = None, deadline_ms: int | None = None,
                **members: Any) -> Any:
        """Compares skinning methods as numbers; picture: as a Picture."""
        request = {"rig": rig, "pose": pose, "methods": list(methods), **members}
        answer = self._post("/v1/compare", request, PNG if picture else JSON, etag, deadline_ms)
        return self._file(answer) if picture else self._json(answer)

    @overload
    def crowd(self, instances: Iterable[Mapping[str, Any]], *, accept: Literal["application/json"],
              etag: str | None = None, deadline_ms: int | None = None,
              **members: Any) -> JsonObject | Unchanged: ...

    @overload
    def crowd(self, instances: Iterable[Mapping[str, Any]], *, accept: str = PNG,
              etag: str | None = None, deadline_ms: int | None = None,
              **members: Any) -> Picture | Unchanged: ...

    @operation("postCrowd")
    def crowd(self, instances: Iterable[Mapping[str, Any]], *, accept: str = PNG,
              etag: str | None = None, deadline_ms: int | None = None, **members: Any) -> Any:
        """Many figures in one Picture; accept="application/json": their vertices as JSON;
        "application/octet-stream": as a File of float32."""
        request = {"instances": list(instances), **members}
        answer = self._post("/v1/crowd", request, accept, etag, deadline_ms)
        if accept == JSON:
            return self._json(answer)
        return self._file(answer)
