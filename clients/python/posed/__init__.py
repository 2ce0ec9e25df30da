"""Client of posed, the pose daemon.

    import posed

    client = posed.Client("http://127.0.0.1:8600")
    client.put_rig("fox", "fox.glb")
    picture = client.frame("fox", {"clip": "Walk", "time": 0.4}, width=256, height=256)
    picture.save("fox.png")
    positions = client.vertices("fox", {"clip": "Walk", "time": 0.4}).position

Each method of Client is one call of the HTTP API (frames_stream() is that of frames()), which
protocol/openapi.yaml of posed describes in full; members of a request are keyword arguments.
"""
from .checks import Finding, Report
from .client import Client
from .errors import ConnectionFailed, PosedError, Problem
from .events import CheckEvents, CompressEvents
from .links import signed_path
from .results import File, JsonList, JsonObject, Matrices, Picture, Vertices, Weights
from .sequence import SequenceStream
from .stream import Stream, StreamFrame

__all__ = [
    "CheckEvents", "Client", "CompressEvents", "ConnectionFailed", "File", "Finding", "JsonList",
    "JsonObject", "Matrices", "Picture", "PosedError", "Problem", "Report", "SequenceStream", "Stream",
    "StreamFrame", "Vertices", "Weights", "signed_path",
]
