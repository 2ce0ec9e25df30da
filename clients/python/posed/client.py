"""The calls of the API, one method each."""
import os
import pathlib
import urllib.parse

from .connection import Pool
from .links import signed_path
from .results import Matrices, Vertices, Weights, file_of, json_of
from .sequence import SequenceStream
from .stream import Stream
from .values import float32_bytes, json_text

ADDRESS = "http://127.0.0.1:8600"
JSON, OCTETS, GLB, PNG = "application/json", "application/octet-stream", "model/gltf-binary", "image/png"
LIVE = "multipart/x-mixed-replace"


def operation(name):
    """Says which operationId of the API's description a method is."""
    def mark(method):
        method.operation_id = name
        return method
    return mark


def rig_path(rig, *rest):
    return "/v1/rigs/" + "/".join(urllib.parse.quote(part, safe="") for part in (rig, *rest))


def without_none(members):
    return {name: value for name, value in members.items() if value is not None}


def content_of(source):
    """The bytes of a file: bytes as they are, or those at a path."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return source
    return pathlib.Path(source).read_bytes()


class Client:
    """A daemon's client. Any thread may use it; each call under way has a connection of its own.

    address     http://HOST:PORT, https://…, or unix:/PATH; by default $POSED_SERVER, as
                `pose` has it, else the loopback address
    token       for daemons that want one; by default $POSED_TOKEN
    timeout_s   how long to wait for a daemon that says nothing
    patience_s  for how long to ask again where it is busy (503, 429); 0 = not at all

    Calls raise Problem where the daemon refuses and ConnectionFailed where it is not there. What they
    give has the answer's head as attributes: headers, media_type, etag, request_id and skinning. Calls
    that take an etag as `etag=` give None while nothing has changed. `deadline_ms` is the time that the
    daemon has for the answer.
    """

    def __init__(self, address=None, token=None, timeout_s=60.0, patience_s=30.0):
        address = address or os.environ.get("POSED_SERVER") or ADDRESS
        self._pool = Pool(address, token or os.environ.get("POSED_TOKEN"), timeout_s, patience_s)

    def close(self):
        self._pool.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # --- How calls are made ---

    def _get(self, path, query=None, accept=None, etag=None, deadline_ms=None):
        """An Answer, or None where it is known by its etag."""
        headers = {"Accept": accept, "If-None-Match": etag,
                   "Posed-Deadline-Ms": None if deadline_ms is None else str(deadline_ms)}
        answer = self._pool.call("GET", path, without_none(query or {}), None, headers)
        return self._or_none(answer)

    def _post(self, path, request, accept, etag=None, deadline_ms=None, method="POST"):
        headers = {"Accept": accept, "If-None-Match": etag, "Content-Type": JSON,
                   "Posed-Deadline-Ms": None if deadline_ms is None else str(deadline_ms)}
        body = json_text(without_none(request)).encode()
        return self._or_none(self._pool.call(method, path, None, body, headers))

    @staticmethod
    def _or_none(answer):
        if answer.status == 304:
            answer.close()
            return None
        return answer

    @staticmethod
    def _json(answer, member=None):
        return json_of(answer, member) if answer else None

    @staticmethod
    def _file(answer):
        return file_of(answer) if answer else None

    @classmethod
    def _sequence(cls, answer):
        if answer and answer.media_type == LIVE:
            answer.close()
            raise ValueError(f"{LIVE} may have no end: take it from frames_stream()")
        return cls._file(answer)

    def _put(self, path, source, media_type, query=None, replace=True):
        headers = {"Content-Type": media_type, "If-None-Match": None if replace else "*"}
        return json_of(self._pool.call("PUT", path, without_none(query or {}), source, headers))

    def _delete(self, path):
        self._pool.call("DELETE", path).read()

    # --- The service ---

    @operation("getService")
    def service(self):
        """Version, renderer, skinning methods, pose operations and limits."""
        return self._json(self._get("/v1"))

    @operation("getAlive")
    def is_alive(self):
        """Whether the process answers at all; raises where it does not."""
        self._get("/healthz").read()
        return True

    @operation("getReady")
    def ready(self):
        """How the daemon is, when it can render; else Problem says why not."""
        return self._json(self._get("/readyz"))

    @operation("getMetrics")
    def metrics(self):
        """Counts and times, as Prometheus reads them."""
        return self._get("/metrics").read().decode()

    @operation("getViewer")
    def viewer(self, etag=None):
        """The page for browsers."""
        return self._file(self._get("/", etag=etag))

    @operation("getScript")
    def script(self, path, etag=None):
        """What that page is made of, such as "viewer/main.js"."""
        return self._file(self._get("/js/" + urllib.parse.quote(path), etag=etag))

    # --- Rigs, and what is stored beside them ---

    @operation("listRigs")
    def rigs(self, etag=None):
        """Summaries of all rigs, by name."""
        return self._json(self._get("/v1/rigs", etag=etag), "rigs")

    @operation("putRig")
    def put_rig(self, rig, source, replace=True):
        """Stores an asset: bytes, or the path of a file. Returns the summary; Problem 422 lists what
        is broken, 412 refuses to replace."""
        return self._put(rig_path(rig), content_of(source), OCTETS, replace=replace)

    @operation("describeRig")
    def describe(self, rig, bounds=None, etag=None):
        """Joints, primitives, clips, materials, warnings. bounds="clips": the box around each clip."""
        return self._json(self._get(rig_path(rig), {"bounds": bounds}, etag=etag))

    @operation("deleteRig")
    def delete_rig(self, rig):
        self._delete(rig_path(rig))

    @operation("getSource")
    def source(self, rig, etag=None):
        """The bytes that were put."""
        return self._file(self._get(rig_path(rig, "source"), etag=etag))

    @operation("getMesh")
    def mesh(self, rig, etag=None):
        """The rest pose as one GLB, in the vertex order of vertices()."""
        return self._file(self._get(rig_path(rig, "mesh.glb"), etag=etag))

    @operation("getCompatibility")
    def compatibility(self, rig, with_rig, map=None, etag=None):
        """Which of another rig's joints and clips a rig can use."""
        query = {"with": with_rig, "map": map}
        return self._json(self._get(rig_path(rig, "compatibility"), query, etag=etag))

    @operation("getInfluences")
    def influences(self, rig, joint, of=None, etag=None):
        """How much each vertex follows a joint: Weights."""
        query = {"joint": joint, "of": of}
        answer = self._get(rig_path(rig, "influences"), query, etag=etag)
        return Weights(answer, answer.read()) if answer else None

    @operation("listExamples")
    def examples(self, rig, etag=None):
        return self._json(self._get(rig_path(rig, "examples"), etag=etag), "examples")

    @operation("putExample")
    def put_example(self, rig, name, pose, positions=None, normals=None, targets=None, glb=None,
                    replace=True):
        """Stores an example: a pose with the vertices that it is to have, or with the morph targets
        that make them, or with a GLB's vertices (bytes, or a path). positions and normals are
        arrays [vertices][3] of numbers, which go as float32, bytes of float32, or lists of triples."""
        path = rig_path(rig, "examples", name)
        if glb is not None:
            return self._put(path, content_of(glb), GLB, {"pose": json_text(pose)}, replace)
        streams = [stream for stream in (positions, normals) if stream is not None]
        if targets is not None or any(isinstance(stream, (list, tuple)) for stream in streams):
            request = without_none({"pose": pose, "positions": positions, "normals": normals,
                                    "targets": targets})
            return self._put(path, json_text(request).encode(), JSON, None, replace)
        attributes = "position,normal" if normals is not None else None
        body = b"".join(map(float32_bytes, streams))
        query = {"pose": json_text(pose), "attributes": attributes}
        return self._put(path, body, OCTETS, query, replace)

    @operation("getExample")
    def example(self, rig, name, etag=None):
        """An example with its pose and vertices."""
        return self._json(self._get(rig_path(rig, "examples", name), accept=JSON, etag=etag))

    @operation("deleteExample")
    def delete_example(self, rig, name):
        self._delete(rig_path(rig, "examples", name))

    @operation("listClips")
    def clips(self, rig, etag=None):
        return self._json(self._get(rig_path(rig, "clips"), etag=etag), "clips")

    @operation("putClip")
    def put_clip(self, rig, name, pose=None, source=None, clip=None, map=None, rate=None,
                 replace=True, **members):
        """Stores a clip: a pose expression that is baked (members: duration, rate, …), or a clip of a
        file (source: bytes, or a path; clip, map, rate as the API has them)."""
        path = rig_path(rig, "clips", name)
        if source is not None:
            query = {"clip": clip, "map": map, "rate": rate}
            return self._put(path, content_of(source), OCTETS, query, replace)
        request = without_none({"pose": pose, "rate": rate, **members})
        return self._put(path, json_text(request).encode(), JSON, None, replace)

    @operation("getClip")
    def clip(self, rig, name, glb=False, etag=None):
        """A clip with its keys; glb: as a File."""
        answer = self._get(rig_path(rig, "clips", name), accept=GLB if glb else JSON, etag=etag)
        return self._file(answer) if glb else self._json(answer)

    @operation("deleteClip")
    def delete_clip(self, rig, name):
        self._delete(rig_path(rig, "clips", name))

    @operation("beginFit")
    def begin_fit(self, rig, skinning):
        """Has what a skinning method needs of the rig made ahead. Returns the fit as it is."""
        skinning = {"method": skinning} if isinstance(skinning, str) else skinning
        return self._json(self._post(rig_path(rig, "fits"), skinning, JSON))

    @operation("listFits")
    def fits(self, rig):
        return self._json(self._get(rig_path(rig, "fits")), "fits")

    @operation("getFit")
    def fit(self, rig, id):
        return self._json(self._get(rig_path(rig, "fits", id)))

    @operation("cancelFit")
    def cancel_fit(self, rig, id):
        self._delete(rig_path(rig, "fits", id))

    # --- Results ---

    @operation("postPose")
    def pose(self, rig, pose=None, *, poses=None, binary=False, etag=None, deadline_ms=None,
             **members):
        """Joints of a pose, or of a list of poses, as the API's JSON; binary: as Matrices."""
        request = {"rig": rig, "pose": pose, "poses": poses, **members}
        answer = self._post("/v1/pose", request, OCTETS if binary else JSON, etag, deadline_ms)
        if not binary or not answer:
            return self._json(answer)
        return Matrices(answer, answer.read(), len(poses) if poses else 1)

    @operation("postVertices")
    def vertices(self, rig, pose=None, *, poses=None, attributes=None, skinning=None, glb=False,
                 etag=None, deadline_ms=None, **members):
        """Skinned vertices of a pose, or of a list of poses: Vertices; glb: as a File."""
        request = {"rig": rig, "pose": pose, "poses": poses, "skinning": skinning,
                   "attributes": list(attributes) if attributes else None, **members}
        answer = self._post("/v1/vertices", request, GLB if glb else OCTETS, etag, deadline_ms)
        if glb or not answer:
            return self._file(answer)
        return Vertices(answer, answer.read(), many=poses is not None)

    @operation("postStream")
    def stream(self, rig, pose=None, *, attributes=None, skinning=None, deadline_ms=None, **members):
        """Vertices at the pace of the clock, as a Stream. skinning: one way, or a list of ways for
        each moment. members: fps, speed, time, range, duration, paused, compression, …"""
        request = {"rig": rig, "pose": pose, "skinning": skinning,
                   "attributes": list(attributes) if attributes else None, **members}
        return Stream(self, self._post("/v1/stream", request, OCTETS, None, deadline_ms))

    @operation("getStream")
    def stream_state(self, id):
        return self._json(self._get("/v1/streams/" + urllib.parse.quote(id, safe="")))

    @operation("patchStream")
    def change_stream(self, id, **members):
        """Changes pose, time, speed, fps or paused from the next frame on."""
        path = "/v1/streams/" + urllib.parse.quote(id, safe="")
        return self._json(self._post(path, members, JSON, method="PATCH"))

    @operation("deleteStream")
    def end_stream(self, id):
        """Ends a stream."""
        self._delete("/v1/streams/" + urllib.parse.quote(id, safe=""))

    @operation("postFrame")
    def frame(self, rig, pose=None, *, accept=PNG, etag=None, deadline_ms=None, **members):
        """A Picture, or a File of the plain pixels. members: width, height, camera, fit, background,
        skinning, …"""
        request = {"rig": rig, "pose": pose, **members}
        return self._file(self._post("/v1/frame", request, accept, etag, deadline_ms))

    @operation("getFrame")
    def frame_link(self, rig, format="png", etag=None, deadline_ms=None, **parameters):
        """The same by the call that links make. parameters: clip, time, width, yaw, …"""
        path = rig_path(rig, "frame." + format)
        answer = self._get(path, parameters, etag=etag, deadline_ms=deadline_ms)
        return self._file(answer)

    @operation("postFrames")
    def frames(self, rig, pose=None, *, accept=None, etag=None, deadline_ms=None, **members):
        """A sequence, animated PNG unless accept or format says otherwise: a Picture, or a File where
        it is a tar or a map. members: times, turntable, poses, format, fps, loops, dither, and those
        of frame()."""
        request = {"rig": rig, "pose": pose, **members}
        return self._sequence(self._post("/v1/frames", request, accept, etag, deadline_ms))

    def frames_stream(self, rig, pose=None, *, accept=None, deadline_ms=None, **members):
        """The same while it is made, as a SequenceStream: in little memory, in any format, and until
        it is closed. "multipart" comes at the pace of the clock."""
        request = {"rig": rig, "pose": pose, **members}
        return SequenceStream(self._post("/v1/frames", request, accept, None, deadline_ms))

    @operation("getFrames")
    def frames_link(self, rig, format="apng", etag=None, deadline_ms=None, **parameters):
        """The same by the call that links make. parameters: clip, count, turntable, width, …"""
        path = rig_path(rig, "frames." + format)
        answer = self._get(path, parameters, etag=etag, deadline_ms=deadline_ms)
        return self._sequence(answer)

    @operation("getSignedFrame")
    def signed_frame(self, rig, options, key=None, salt=None, size=32, etag=None):
        """The same by a signed link, see signed_path()."""
        path = signed_path(rig, options, key, salt, size)
        return self._file(self._get(path, etag=etag))

    @operation("postBake")
    def bake(self, rig, pose=None, form="morph", *, etag=None, deadline_ms=None, **members):
        """A motion as a File that runs without posed. form: "morph" or "joints", GLBs;
        "vertex_texture" or "joint_texture", tars. members: duration, rate, skinning, …"""
        request = {"rig": rig, "pose": pose, "as": form, **members}
        return self._file(self._post("/v1/bake", request, "*/*", etag, deadline_ms))

    @operation("postTransitions")
    def transitions(self, rig, from_clip, to_clip, etag=None, deadline_ms=None, **members):
        """Where one clip can go on as another."""
        request = {"rig": rig, "from": from_clip, "to": to_clip, **members}
        return self._json(self._post("/v1/transitions", request, JSON, etag, deadline_ms))

    @operation("postCompare")
    def compare(self, rig, methods, pose=None, *, picture=False, etag=None, deadline_ms=None,
                **members):
        """Skinning methods against one another as numbers; picture: as a Picture."""
        request = {"rig": rig, "pose": pose, "methods": list(methods), **members}
        answer = self._post("/v1/compare", request, PNG if picture else JSON, etag, deadline_ms)
        return self._file(answer) if picture else self._json(answer)

    @operation("postCrowd")
    def crowd(self, instances, *, accept=PNG, etag=None, deadline_ms=None, **members):
        """Many figures in one Picture; accept="application/json": their vertices as JSON;
        "application/octet-stream": as a File of float32."""
        request = {"instances": list(instances), **members}
        answer = self._post("/v1/crowd", request, accept, etag, deadline_ms)
        if accept == JSON:
            return self._json(answer)
        return self._file(answer)
