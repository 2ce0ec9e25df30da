"""Holds the copies of the tables of members against them: check_members.py TABLES.json. Prints each
difference, and ends with 1 where there is one."""
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

sys.path.append("/usr/lib/python3/dist-packages")
import yaml

import client_members

ROOT = Path(__file__).resolve().parents[2]
DESCRIPTION = yaml.load((ROOT / "protocol" / "openapi.yaml").read_text(encoding="utf-8"),
                        getattr(yaml, "CSafeLoader", yaml.SafeLoader))
SCHEMAS = DESCRIPTION["components"]["schemas"]
PATHS = DESCRIPTION["paths"]

# The schema of each object within a request.
OBJECTS = {"skinning": "Skinning", "camera": "Camera", "shading": "Shading", "times": "Times",
           "turntable": "Turntable", "compression": "Compression", "tolerance": "ToleranceShare"}

# A crowd is of many clips, which nothing looks at as a whole.
OTHERWISE = {("CrowdRequest", "fit", "choices"): ["pose", "rest"]}

# Of a lossy format alone, which has it from its own encoder.
DEFAULTS = {"quality": 90}

# Maxima that are not the table's: the time since the fall began is limited, to which the clock adds;
# a tenth of a second more than the API promises is taken.
BEYOND = {"pose ragdoll.time": 30, "pose foot_lock.duration": 110}

problems = []


def resolve(schema):
    """Without references; what stands beside one counts as well."""
    while "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        schema = {**SCHEMAS[name], **{key: value for key, value in schema.items() if key != "$ref"}}
    for part in schema.get("allOf", ()):
        schema = {**resolve(part), **{key: value for key, value in schema.items() if key != "allOf"}}
    return schema


def properties(schema):
    """By name, those of all forms of an object together."""
    schema = resolve(schema)
    found = dict(schema.get("properties", {}))
    for part in schema.get("oneOf", []) + schema.get("anyOf", []):
        for name, value in properties(part).items():
            found.setdefault(name, value)
    return found


def compare(where, what, described, known):
    if described != known:
        problems.append(f"{where}: {what} is {described!r} in the copy, {known!r} in the table")


def check_value(where, member, schema, request=""):
    schema = resolve(schema)
    kind = member["type"]
    choices = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if kind == "integer" and choices:
        schema = {"type": "integer", "minimum": min(choices), "maximum": max(choices), **schema}
    if kind in ("number", "integer", "boolean", "string"):
        compare(where, "type", schema.get("type"), kind)
    if kind in ("number", "integer"):
        check_range(where, member, schema)
    if member["may_be_bool"]:
        compare(where, "having true and false", [c for c in choices if isinstance(c, bool)],
                [False, True])
        choices = [choice for choice in choices if isinstance(choice, str)]
    if kind == "choice":
        known = OTHERWISE.get((request, member["name"], "choices"), member["choices"])
        compare(where, "choices", sorted(choices), sorted(known))
    if kind == "vector":
        compare(where, "length", (schema.get("minItems"), schema.get("maxItems")),
                (member["count"], member["count"]))
    if member["names"]:
        items = schema.get("items", {})
        names = resolve(items).get("enum") or resolve(resolve(items)["oneOf"][0])["enum"]
        compare(where, "names", sorted(names), sorted(member["choices"]))
    check_default(where, member, schema)


def check_range(where, member, schema):
    if not member["min"] and member.get("max") == 0:
        member = {**member, "min": None, "max": None}
    excluded = schema.get("exclusiveMinimum")
    if member["above_min"]:
        compare(where, "exclusive minimum", excluded, member["min"])
    else:
        # A bound that the schema excludes is refused behind the table.
        compare(where, "minimum", schema.get("minimum", excluded), member["min"])
    compare(where, "maximum", schema.get("maximum"), BEYOND.get(where, member.get("max")))


def check_default(where, member, schema):
    standard = DEFAULTS.get(member["name"], member["standard"])
    described = schema.get("default")
    if member["type"] in ("number", "integer"):
        if described is not None or standard > 0:
            compare(where, "default", described, standard)
    elif member["may_be_bool"]:
        compare(where, "default", described, standard > 0)
    elif member["type"] == "choice":
        # Below 0 it is left to other members.
        if described is not None and standard >= 0:
            choice = int(standard) - member["first_choice"]
            compare(where, "default", described, member["choices"][choice])
    elif member["type"] == "boolean" and described is not None:
        compare(where, "default", described, bool(standard))
    elif member["type"] == "vector":
        compare(where, "default", described, member.get("standards"))


def objects_of(schema):
    """The forms of the objects that a value is, lists, or has by name; poses are not among them."""
    if is_pose(schema):
        return []
    schema = resolve(schema)
    parts = [schema.get("items"), schema.get("additionalProperties"), *schema.get("oneOf", ())]
    within = [found for part in parts if isinstance(part, dict) for found in objects_of(part)]
    return within + [schema] if "properties" in schema else within


def is_pose(schema):
    return schema.get("$ref", "").endswith("/PoseExpression") or any(
        is_pose(part) for part in schema.get("allOf", ()))


def check_object(where, table, schema, request="", complete=True):
    described = properties(schema)
    known = {member["name"]: member for member in table["members"]}
    if complete:
        compare(where, "members", sorted(described), sorted(known))
    for name in known.keys() & described.keys():
        check_value(f"{where}.{name}", known[name], described[name], request)


def check_nested(where, table, forms):
    """An object with the objects in it; forms: those that it may have in the copy."""
    check_object(where, table, {"oneOf": forms})
    required = set.intersection(*(set(form.get("required", ())) for form in forms))
    known = {member["name"]: member for member in table["members"]}
    compare(where, "required", sorted(required),
            sorted(name for name, member in known.items() if member["required"]))
    for name, schema in properties({"oneOf": forms}).items():
        within = objects_of(schema)
        nested = known.get(name, {}).get("members")
        compare(f"{where}.{name}", "having objects", bool(within), bool(nested))
        if within and nested:
            check_nested(f"{where}.{name}", nested, within)


def check_operations(operations):
    schemas = [resolve(item) for item in SCHEMAS["PoseExpression"]["oneOf"]]
    described = {schema["const"] if "const" in schema else schema["required"][0]: schema
                 for schema in schemas}
    compare("PoseExpression", "operations", list(described), list(operations))
    for name in described.keys() & operations.keys():
        if "properties" in described[name]:
            check_nested(f"pose {name}", operations[name], [described[name]])
        else:
            compare(f"pose {name}", "members", [], operations[name]["members"])


def check_request(name, tables):
    own = {"members": [m for table in tables if not table["object"] for m in table["members"]]}
    check_object(name, own, SCHEMAS[name], name)
    required = sorted(m["name"] for m in own["members"] if m["required"])
    compare(name, "required", sorted(SCHEMAS[name].get("required", [])), required)
    for table in tables:
        if table["object"] in OBJECTS:
            # A method's options are beside the members that every method has.
            complete = table["object"] != "skinning"
            check_object(f"{name}/{table['object']}", table, SCHEMAS[OBJECTS[table["object"]]],
                         complete=complete)


def check_query(path, tables, method="get"):
    """A link's or a small query's parameters."""
    parameters = {p["name"]: p for p in PATHS[path][method]["parameters"] if p.get("in") == "query"}
    described = {name: parameter["schema"] for name, parameter in parameters.items()}
    known = {m["parameter"]: m for table in tables for m in table["members"] if m["parameter"]}
    compare(path, "parameters", sorted(described), sorted(known))
    # What an object requires is not required of a picture, which may be without the object.
    required = [m["parameter"] for table in tables if not table["object"] for m in table["members"]
                if m["parameter"] and m["required"]]
    compare(path, "required", sorted(name for name in described if parameters[name].get("required")),
            sorted(required))
    for name in known.keys() & described.keys():
        if known[name]["type"] != "vector" and not known[name]["names"]:
            check_value(f"{path}?{name}", known[name], described[name])


def check_overlays(overlays):
    items = [resolve(item) for item in SCHEMAS["Overlays"]["items"]["oneOf"]]
    objects = {item["properties"]["overlay"]["const"]: item for item in items if "properties" in item}
    compare("Overlays", "objects", sorted(objects), sorted(overlays))
    for name in objects.keys() & overlays.keys():
        check_object(f"Overlays/{name}", overlays[name], objects[name])


def check_formats(tables):
    pictures, sequences = tables["pictures"], tables["sequences"]
    for path, calls in PATHS.items():
        for parameter in calls.get("parameters", ()):
            if parameter.get("name") == "format" and "frames" not in path:
                compare(path, "formats", parameter["schema"]["enum"], pictures)
    path = "/v1/rigs/{rig}/frames.{format}"
    compare(path, "formats", sorted(PATHS[path]["parameters"][1]["schema"]["enum"]),
            sorted(set(sequences.values())))
    described = SCHEMAS["FramesRequest"]["properties"]["format"]["enum"]
    compare("FramesRequest.format", "formats", sorted(described), sorted(sequences))


class Page(HTMLParser):
    """The choices of each <select> of the viewer's page, those selected, and its overlays' boxes."""

    def __init__(self):
        super().__init__()
        self.menus, self.chosen, self.boxes, self.menu = {}, {}, [], None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "select":
            self.name, self.menu = attributes["id"], self.menus.setdefault(attributes["id"], [])
        elif tag == "option":
            self.menu.append(attributes.get("value"))
            if "selected" in attributes:
                self.chosen[self.name] = attributes.get("value")
        elif (attributes.get("id") or "").startswith("overlay-"):
            self.boxes.append(attributes["id"].removeprefix("overlay-"))


def listed(script, name):
    """The strings of a constant that is a list of them."""
    return re.findall(r"'(\w+)'", re.search(name + r" = \[(.*?)\]", script).group(1))


def check_viewer(tables):
    page = Page()
    page.feed((ROOT / "clients/js/viewer/index.html").read_text(encoding="utf-8"))
    frame = {(table["object"], m["name"]): m for table in tables["requests"]["FrameRequest"]
             for m in table["members"]}
    for menu, key in (("environment", ("", "environment")), ("tone_mapping", ("", "tone_mapping")),
                      ("loop", ("pose", "loop")), ("device", ("skinning", "device"))):
        compare(f"index.html #{menu}", "choices", sorted(page.menus[menu]),
                sorted(frame[key]["choices"]))
    compression = {m["name"]: m for m in tables["requests"]["CompressRequest"][1]["members"]}
    # The viewer decodes .pclip files, which all codecs make but the last.
    compare("index.html #codec", "choices", page.menus["codec"], compression["codec"]["choices"][:-1])
    for samples in map(int, page.menus["segment"]):
        allowed = samples != 1 and samples & samples - 1 == 0 and samples <= compression["segment"]["max"]
        compare("index.html #segment", samples, True, allowed)
    compare("index.html #segment", "default", page.chosen["segment"],
            str(int(compression["segment"]["standard"])))
    # The page chooses one joint's weights apart, and depth wants distances that it has no menu for.
    shadings = set(page.menus["shading"]) - {"joint_weights"} | {"depth"}
    compare("index.html #shading", "choices", sorted(shadings),
            sorted(frame["shading", "mode"]["choices"]))
    modes, legend = frame["shading", "mode"]["choices"], frame["shading", "legend"]["variants"]
    script = (ROOT / "clients/js/viewer/look.js").read_text(encoding="utf-8")
    compare("look.js", "shadings with a legend", sorted(listed(script, "WITH_LEGEND")),
            sorted(name for i, name in enumerate(modes) if legend >> i & 1))
    for name, kind in (("CHOICES", "choice"), ("SWITCHES", "boolean")):
        for member in listed(script, name):
            known = frame.get(("", member), {})
            compare(f"look.js {name}", member, kind,
                    "boolean" if known.get("may_be_bool") else known.get("type"))
    for overlay in listed(script, "OF_CLIPS"):
        compare("look.js OF_CLIPS", overlay, True, overlay in tables["overlays"])
    compare("index.html", "overlays", sorted(page.boxes), sorted(tables["overlays"]))


def main(path):
    tables = json.loads(Path(path).read_text(encoding="utf-8"))
    motion = tables["requests"].pop("MotionLink")
    for name, request in tables["requests"].items():
        check_request(name, request)
    check_query("/v1/rigs/{rig}/frame.{format}", tables["requests"]["FrameRequest"])
    check_query("/v1/rigs/{rig}/frames.{format}", tables["requests"]["FramesRequest"])
    check_query("/v1/rigs/{rig}/motion.{form}", motion)
    for operation, table in tables["queries"].items():
        method, path = operation.split(" ")
        check_query(path, [table], method)
    check_operations(tables["operations"])
    check_overlays(tables["overlays"])
    check_formats(tables)
    check_viewer(tables)
    problems.extend(client_members.differences(tables, DESCRIPTION, resolve, properties))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
