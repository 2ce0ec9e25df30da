"""Values that a JSON schema accepts and values that it refuses, one deviation at a time.

Whether the daemon agrees is of no matter: both builds get the same values, and must agree with each
other.
"""
import json

UNKNOWN_MEMBER = "no_such_member"
LONGEST_LIST = 16  # accepted lists; refused ones are one longer than maxItems
# The schema allows more than a request is to cost; refused values still lie beyond the true limit.
MOST = {"count": 4, "turntable": 3, "columns": 3, "fps": 30, "duration": 2, "rate": 60, "helpers": 4,
        "subrings": 8, "p": 40, "worst": 20, "max": 90, "loops": 2}
# Lists whose elements depend on one another.
LISTS = {"crossfade": 2, "transition": 2}


class Values:
    """names: what stands for the names of a rig: {"clip": [...], "joint": [...], ...}"""

    def __init__(self, api, names):
        self.api, self.names = api, names

    def accepted(self, schema, name=""):
        """Values in a fixed order; the first is the plainest."""
        schema = self.api.resolve(schema)
        values = self._accepted(schema, name)
        return [json.loads(text) for text in dict.fromkeys(json.dumps(value) for value in values)]

    def _accepted(self, schema, name):
        for key in (schema.get("ref"), name):
            named = [value for value in self.names.get(key, ()) if fits(value, self.all_kinds(schema))]
            if named:
                return named
        for key in ("oneOf", "anyOf"):
            if key in schema:
                return [value for kind in schema[key] for value in self.accepted(kind, name)]
        if "const" in schema:
            return [schema["const"]]
        if "enum" in schema:
            return schema["enum"]
        return [value for kind in kinds(schema) for value in self._of_kind(kind, schema, name)]

    def _of_kind(self, kind, schema, name):
        if kind in ("number", "integer"):
            return numbers(kind, schema, name)
        if kind == "array":
            return self._lists(schema, name)
        if kind == "object":
            return self._objects(schema)
        if kind == "string":
            return [schema["example"]] if "example" in schema else self._strings(schema)
        return {"boolean": [True, False], "null": [None]}[kind]

    def all_kinds(self, schema):
        """The types that a schema allows in any of its forms."""
        schema = self.api.resolve(schema)
        forms = schema.get("oneOf", schema.get("anyOf"))
        return {kind for form in forms for kind in self.all_kinds(form)} if forms else set(kinds(schema))

    def _strings(self, schema):
        if "#" in schema.get("pattern", ""):
            opaque = ["#336699", "#FFffFF"]
            return opaque + (["#33669980", "transparent"] if "transparent" in schema["pattern"] else [])
        return ["some text"]

    def _lists(self, schema, name):
        if "example" in schema:
            return [schema["example"]]
        items = self.accepted(schema["items"], name)
        least = max(schema.get("minItems", 1), LISTS.get(name, 1))
        if all(isinstance(item, (int, float)) for item in items):
            return [[round(0.1 + 0.15 * i, 2) for i in range(least)]]
        if schema.get("uniqueItems"):
            return [[item] for item in items] + [items[:2]]
        return [[item] * least for item in items] + [items[:LONGEST_LIST]]

    def _objects(self, schema):
        base = self.base(schema)
        found = [base]
        for member, kind in schema.get("properties", {}).items():
            found += [{**base, member: value} for value in self.accepted(kind, member)]
        more = schema.get("additionalProperties")
        if isinstance(more, dict) and not base:
            found += [{self.names["joint"][0]: value} for value in self.accepted(more)]
        return found

    def base(self, schema):
        """The example of an object, or its required members."""
        if "example" in schema:
            return schema["example"]
        members = schema.get("properties", {})
        return {member: self.accepted(members[member], member)[0]
                for member in schema.get("required", ())}

    def refused(self, schema, name=""):
        """(place in the value, value)"""
        schema = self.api.resolve(schema)
        if schema.get("ref") == "PoseExpression":
            return [("", 7), ("", {}), ("", {"no_such_operation": 1})]
        for key in ("oneOf", "anyOf"):
            if key in schema:
                return [pair for kind in schema[key] for pair in self.refused(kind, name)]
        if "const" in schema or "enum" in schema:
            return [("", "no-such-choice"), ("", 5), ("", None)]
        return [pair for kind in kinds(schema) for pair in self._refused_kind(kind, schema, name)]

    def _refused_kind(self, kind, schema, name):
        if kind in ("number", "integer"):
            return [("", value) for value in beyond(kind, schema)]
        if kind == "array":
            return self._refused_lists(schema, name)
        if kind == "object":
            return [("", 7), *self.changes_refused(schema, self.base(schema))]
        return {"string": [("", 5.5), ("", ""), ("", "no such thing")],
                "boolean": [("", "true"), ("", 1)], "null": []}[kind]

    def _refused_lists(self, schema, name):
        item = self.accepted(schema["items"], name)[0]
        base = [item] * max(schema.get("minItems", 1), 1)
        found = [("", {}), ("", []), ("", base[1:])]
        if "maxItems" in schema:
            found.append(("", [item] * (schema["maxItems"] + 1)))
        if schema.get("uniqueItems"):
            found.append(("", [item, item]))
        return found + [(f"/0{at}", [value, *base[1:]])
                        for at, value in self.refused(schema["items"], name)]

    def changes(self, schema, base, leave=()):
        """(place, body): a base with each member in turn set to each value that it accepts."""
        for member, kind in self.api.resolve(schema).get("properties", {}).items():
            if member not in leave:
                for value in self.accepted(kind, member):
                    yield f"/{member}", {**base, member: value}

    def changes_refused(self, schema, base, leave=()):
        """The same with values that are refused, and with members too many and too few."""
        schema = self.api.resolve(schema)
        found = [(f"/{UNKNOWN_MEMBER}", {**base, UNKNOWN_MEMBER: 1})]
        for member in schema.get("required", ()):
            found.append((f"/{member}", {key: base[key] for key in base if key != member}))
        for member, kind in schema.get("properties", {}).items():
            if member not in leave:
                found += [(f"/{member}{at}", {**base, member: value})
                          for at, value in self.refused(kind, member)]
        return found


def kinds(schema):
    kind = schema.get("type", "object" if "properties" in schema else "string")
    return [kind] if isinstance(kind, str) else kind


def fits(value, allowed):
    return bool(allowed & {str: {"string"}, dict: {"object"}, list: {"array"}, bool: {"boolean"},
                           int: {"integer", "number"}}[type(value)])


def numbers(kind, schema, name):
    least = schema.get("minimum", schema.get("exclusiveMinimum"))
    most = min(schema.get("maximum", 1000), MOST.get(name, 1e9))
    found = [schema["default"]] if isinstance(schema.get("default"), (int, float)) else []
    if "example" in schema:
        found.append(schema["example"])
    if least is None:
        found += [0, 1, -2] if kind == "integer" else [0, 0.75, -1.5]
    else:
        first = least if "minimum" in schema else least + (1 if kind == "integer" else 0.125)
        middle = first + (min(most, first + 10) - first) / 3
        found += [int(middle) if kind == "integer" else round(middle, 3), first, most]
    found = [min(value, most) for value in found]
    return [int(value) for value in found] if kind == "integer" else found


def beyond(kind, schema):
    found = ["1", None, [1], 1e300]
    if "minimum" in schema:
        found.append(schema["minimum"] - (1 if kind == "integer" else 0.001))
    if "exclusiveMinimum" in schema:
        found.append(schema["exclusiveMinimum"])
    if "maximum" in schema:
        found.append(schema["maximum"] + (1 if kind == "integer" else 0.001))
    return found + ([1.5] if kind == "integer" else [])
