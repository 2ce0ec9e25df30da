"""The operations and schemas of an openapi.yaml, from which requests are generated."""
import dataclasses
import functools

import yaml

METHODS = ("get", "put", "post", "patch", "delete")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclasses.dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    parameters: tuple  # resolved, those of the path first
    body: dict | None  # the schema of its JSON body
    examples: tuple  # (name, value) of JSON bodies
    answers: tuple  # the media types of its 200 and 201

    def queries(self):
        return [parameter for parameter in self.parameters if parameter["in"] == "query"]

    def choices(self, name):
        """The values that a parameter of the path can have."""
        return next(parameter["schema"]["enum"] for parameter in self.parameters
                    if parameter["name"] == name and parameter["in"] == "path")


class Api:
    def __init__(self, text):
        self.document = yaml.load(text, LOADER)

    def resolve(self, node):
        """The node behind a $ref, with the reference's siblings over it; allOf is merged."""
        if "$ref" in node:
            found = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            rest = {key: value for key, value in node.items() if key != "$ref"}
            return {"ref": node["$ref"].rsplit("/", 1)[1], **self.resolve(found), **rest}
        if "allOf" in node:
            merged = {}
            for part in node["allOf"]:
                merged |= self.resolve(part)
            return {**merged, **{key: value for key, value in node.items() if key != "allOf"}}
        return node

    @functools.cached_property
    def operations(self):
        """{operationId: Operation}"""
        found = {}
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    operation = self._operation(path, item, method)
                    found[operation.id] = operation
        return found

    def _operation(self, path, item, method):
        call = item[method]
        parameters = [self.resolve(parameter) for parameter in
                      item.get("parameters", []) + call.get("parameters", [])]
        for parameter in parameters:
            parameter["schema"] = self.resolve(parameter["schema"])
        content = call.get("requestBody", {}).get("content", {}).get("application/json", {})
        examples = [(name, example["value"]) for name, example in content.get("examples", {}).items()]
        if "example" in content:
            examples.append(("example", content["example"]))
        body = self.resolve(content["schema"]) if "schema" in content else None
        kinds = [kind for status in ("200", "201") if status in call["responses"]
                 for kind in self.resolve(call["responses"][status]).get("content", {})]
        return Operation(call["operationId"], method.upper(), path, tuple(parameters), body,
                         tuple(examples), tuple(dict.fromkeys(kinds)))

    def pose_operations(self):
        """The schemas of all kinds of pose expression, resolved."""
        return [self.resolve(kind) for kind in
                self.document["components"]["schemas"]["PoseExpression"]["oneOf"]]
