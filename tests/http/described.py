"""protocol/openapi.yaml, and the responses that it allows: every response in the tests is checked
against it."""
import functools
import pathlib
import re
import unittest
import urllib.parse

from debian import debian_module

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "protocol" / "openapi.yaml"
# Of any path: a part of what has a tag and none of it, a method that it has not, a host that is not the
# daemon's, a fault of ours.
ALWAYS = {"206", "416", "405", "421", "500"}
SEVERAL_PARTS = {"{options}", "{path}"}  # parameters with slashes in them


@functools.cache
def description():
    """protocol/openapi.yaml, which takes a second to parse without libyaml. Skips without PyYAML."""
    yaml = debian_module("yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(DOCUMENT.read_text(encoding="utf-8"), loader)


@functools.cache
def calls():
    """(pattern of the path, {method: declared statuses with their media types})"""
    try:
        document = description()
    except unittest.SkipTest:
        return []

    def resolved(node):
        while "$ref" in node:
            found = document
            for part in node["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            node = found
        return node

    found = []
    for path, item in document["paths"].items():
        pattern = "".join(
            (".+" if part in SEVERAL_PARTS else "[^/]+?") if part.startswith("{") else re.escape(part)
            for part in re.split(r"(\{\w+\})", path))
        methods = {method.upper(): {status: set(resolved(reply).get("content", ()))
                                    for status, reply in call["responses"].items()}
                   for method, call in item.items() if "responses" in call}
        found.append((re.compile(pattern), methods))
    return found


def complaint(method, target, reply):
    """The fault of a response by the description; None = no fault, or not described."""
    status, kind = str(reply.status), reply.kind
    path = urllib.parse.urlsplit(target).path
    for pattern, methods in calls():
        declared = methods.get("GET" if method == "HEAD" else method)
        if pattern.fullmatch(path) and declared is not None:
            break
    else:
        return None
    if status in ALWAYS:
        return None
    if status not in declared:
        return f"{status} is not declared"
    kinds = declared[status]
    if method != "HEAD" and kind and kinds and kind not in kinds:
        return f"{status} is declared with {sorted(kinds)}, not {kind}"
    return None


calls()  # as this is imported, so that the processes forked for test classes share it
