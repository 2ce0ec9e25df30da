"""Converts values of Python and numpy for requests."""
from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Union

try:
    import numpy as numpy  # for results too
except ImportError:
    numpy = None  # type: ignore[assignment]

# An array of numpy's, or without numpy a memoryview or a list of them: a type checker sees
# the first and accepts the others.
Array = Union["numpy.ndarray[Any, Any]", Any]

# A pose expression: a clip, "rest", or an operation on other expressions.
Pose = Union[str, Mapping[str, Any]]


def plain(value: Any) -> Any:
    """Converts values that json does not know: numpy's numbers and arrays, and other arrays of numbers."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


def json_text(value: Any) -> str:
    """JSON; NaN and infinities are a ValueError."""
    return json.dumps(value, default=plain, allow_nan=False)


def text_of(value: Any) -> str:
    """A value in a link: lists separated by commas, and true and false as in JSON."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, (list, tuple)):
        return ",".join(map(text_of, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def float32_bytes(numbers: Any) -> bytes:
    """The bytes of an array's numbers as float32, row by row; bytes are taken as they are.
    Without numpy, arrays of other types than float32 are a TypeError."""
    if isinstance(numbers, (bytes, bytearray)):
        return bytes(numbers)
    if numpy:
        return numpy.ascontiguousarray(numbers, "<f4").tobytes()
    view = memoryview(numbers)
    if view.format not in ("f", "<f"):
        raise TypeError(f"an array of {view.format!r} where float32 (\"f\") is sent")
    return view.tobytes()
