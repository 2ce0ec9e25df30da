"""The members of requests in the clients' types and calls, and the lists in the documents, for
check_members.py: yields each difference from the API's description, which that one holds against
the tables."""
import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
JS = ROOT / "clients" / "js"
PYTHON = ROOT / "clients" / "python" / "posed" / "client.py"

# The schemas of typedefs within requests.
TYPEDEFS = {"Skinning": "Skinning", "Range": "StreamRange"}

# Types of TypeScript by those of the description.
PRIMITIVES = {"number": {"number", "integer"}, "boolean": {"boolean"}, "string": {"string"}}


def operations(description):
    """By operationId: the members that its body and its query may have, and those that it must."""
    found = {}
    for path in description["paths"].values():
        shared = path.get("parameters", [])
        for call in path.values():
            if isinstance(call, dict) and "operationId" in call:
                found[call["operationId"]] = (call, shared + call.get("parameters", []))
    return found


def enums(node, found):
    """{name: [choices]} of all members and parameters that the description names."""
    if isinstance(node, dict):
        for name, schema in node.get("properties", {}).items():
            found.setdefault(name, []).append(schema)
        if "in" in node and "schema" in node:
            found.setdefault(node["name"], []).append(node["schema"])
        for part in node.values():
            enums(part, found)
    elif isinstance(node, list):
        for part in node:
            enums(part, found)
    return found


def choices_of(schema, resolve):
    schema = resolve(schema)
    if "enum" in schema:
        return [set(map(str, schema["enum"]))]
    parts = [schema.get("items"), *schema.get("oneOf", ()), *schema.get("anyOf", ())]
    return [choices for part in parts if isinstance(part, dict) and not part.get("$ref", "").endswith("Expression")
            for choices in choices_of(part, resolve)]


def unions(text):
    """(name, {choices}) of JSDoc's and TypeScript's unions of literals; no name: of a variable."""
    for union in re.finditer(r"'\w+'(?: \| '\w+')+", text):
        before = text[:union.start()].rsplit("\n", 1)[-1]
        name = re.search(r"(\w+)\??: \(?$", before)
        behind = re.match(r"\}? \[?(\w+)", text[union.end():])
        named = name or ("@property" in before and behind)
        yield named[1] if named else None, set(re.findall(r"'(\w+)'", union[0]))


def js_unions(description, resolve):
    by_name = {name: [choices for schema in schemas for choices in choices_of(schema, resolve)]
               for name, schemas in enums(description, {}).items()}
    files = [*JS.glob("client/*.js"), *JS.glob("element/*.js"), *JS.glob("*/*.d.ts")]
    for file in files:
        if file.name == "mesh_file.js":  # of glTF's members
            continue
        for name, choices in unions(file.read_text(encoding="utf-8")):
            known = by_name.get(name, []) if name else [c for many in by_name.values() for c in many]
            if choices not in known:
                yield f"{file.name}: {name} is one of {sorted(choices)}, which the API has under no such name"


def split_members(text):
    """[(name, optional, type)] of the members at the top of an object type."""
    depth, start, parts = 0, 0, []
    for i, letter in enumerate(text):
        depth += letter in "{[(<"
        depth -= letter in "}])>"
        if letter == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    found = [re.match(r"\s*(\w+)(\??):\s*(.*)", part, re.S) for part in [*parts, text[start:]]]
    return [(m[1], bool(m[2]), m[3].strip()) for m in found if m]


def js_typedefs(text):
    """{name: type or [members]}; & and names of others are resolved by members_of()."""
    text = re.sub(r"\n\s*\* ?", "\n", text)
    found = {}
    for part in re.split(r"@typedef ", text)[1:]:
        body = part.split("*/")[0]
        if body.startswith("{object}"):
            name = body.split()[1]
            rows = re.findall(r"@property \{(.*)\} (\[?)(\w+)", body)
            found[name] = [(row[2], bool(row[1]), row[0]) for row in rows]
        elif body.startswith("{"):
            kind = braces(body)
            name = re.match(r"\s*(\w+)", body[len(kind) + 2:])
            if name:
                found[name[1]] = kind
    return found


def braces(text):
    """The inside of the braces that a text begins with."""
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if depth == 0:
            return text[1:i]
    return ""


def members_of(kind, typedefs):
    if isinstance(kind, list):
        return kind
    found = []
    while "{" in kind:
        inside = braces(kind[kind.index("{"):])
        found += split_members(inside)
        kind = kind.replace("{" + inside + "}", "")
    for name in re.findall(r"[A-Z]\w+", kind):
        found += members_of(typedefs.get(name, []), typedefs) if name not in TYPEDEFS else []
    return found


def check_members(where, members, described, required, resolve):
    for name, optional, kind in members:
        if name not in described:
            yield f"{where}: {name} is no member of the request"
            continue
        schema = resolve(described[name])
        counted = all(isinstance(choice, int) for choice in schema.get("enum", [""]))
        types = schema.get("type", "integer" if counted else None)
        known = PRIMITIVES.get(kind)
        if known and isinstance(types, str) and types not in known:
            yield f"{where}: {name} is a {kind}, in the API {types}"
        if optional == (name in required):
            yield f"{where}: {name} is {'optional' if optional else 'required'} there alone"
    for name in set(required) - {name for name, *_ in members}:
        yield f"{where}: lacks {name}, which the request must have"


def js_requests(description, resolve, properties):
    """The types of what the calls post, and the typedefs of objects in it."""
    text = (JS / "client" / "client.js").read_text(encoding="utf-8")
    typedefs = js_typedefs(text + (JS / "client" / "stream.js").read_text(encoding="utf-8"))
    static = re.search(r"static operations = \{(.*?)\};", text, re.S)[1]
    calls = operations(description)
    for method, name in re.findall(r"(\w+): '(\w+)'", static):
        comment = re.search(r"@param \{((?:(?!\n\t\}).)*?)\} request((?:(?!\n\t\}).)*?)\n\t(?:async )?%s\(" % method,
                            text, re.S)
        body = calls[name][0].get("requestBody")
        if not comment or not body or "*/" in comment[2].split("*/", 1)[-1]:
            continue
        kind = re.sub(r"\n\s*\* ?", "\n", comment[1].rsplit("@param {", 1)[-1])
        schema = resolve(body["content"]["application/json"]["schema"])
        parameters = [resolve_parameter(p, description) for p in calls[name][1]]
        described = {**{p["name"]: p["schema"] for p in parameters if p["in"] == "query"},
                     **properties(schema)}
        # An asset is the body itself.
        members = [member for member in members_of(kind, typedefs) if member[0] != "asset"]
        yield method, check_members(f"client.js {method}()", members, described,
                                    schema.get("required", []), resolve)
    for typedef, schema in TYPEDEFS.items():
        described = resolve({"$ref": "#/components/schemas/" + schema})
        forms = [described, *map(resolve, described.get("oneOf", ()))]
        required = next((form["required"] for form in forms if "required" in form), [])
        inside = typedefs[typedef][typedefs[typedef].index("{"):]
        members = [m for m in split_members(braces(inside)) if "[" not in m[0]]
        yield typedef, check_members(f"typedef {typedef}", members, properties(described), required, resolve)


def python_requests(description, resolve, properties):
    """The dicts that the calls write, and the literal names in them."""
    calls = operations(description)
    for method in ast.walk(ast.parse(PYTHON.read_text(encoding="utf-8"))):
        if not isinstance(method, ast.FunctionDef):
            continue
        names = [d.args[0].value for d in method.decorator_list
                 if isinstance(d, ast.Call) and getattr(d.func, "id", "") == "operation"]
        if not names:
            continue
        call, parameters = calls[names[0]]
        known = {p["name"] for p in map(lambda p: resolve_parameter(p, description), parameters)}
        content = call.get("requestBody", {}).get("content", {})
        body = resolve(content["application/json"]["schema"]) if "application/json" in content else {}
        known |= set(properties(body))
        written = {key.value for node in ast.walk(method) if isinstance(node, ast.Dict)
                   for key in node.keys if isinstance(key, ast.Constant)}
        where = f"client.py {method.name}()"
        problems = [f"{where}: {name} is no member of the request"
                    for name in sorted(written - known - {"method"})]
        if "application/json" in content and len(content) == 1:
            problems += [f"{where}: lacks {name}, which the request must have"
                         for name in sorted(set(body.get("required", [])) - written)]
        yield method.name, problems


def resolve_parameter(parameter, description):
    if "$ref" in parameter:
        return description["components"]["parameters"][parameter["$ref"].rsplit("/", 1)[1]]
    return parameter


def documents(tables):
    """The documents' tables and lists have every name."""
    frame = {m["name"]: m for table in tables["requests"]["FrameRequest"]
             if table["object"] == "shading" for m in table["members"]}
    lists = {
        "pictures.md": [*tables["pictures"], *tables["sequences"], *tables["overlays"],
                        *frame["mode"]["choices"]],
        "methods.md": tables["methods"],
        "poses.md": tables["operations"],
    }
    for page, names in lists.items():
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        for name in names:
            if not re.search(rf"`{name}`|^## {name}$", text, re.M):
                yield f"docs/{page}: `{name}` is missing"


def differences(tables, description, resolve, properties):
    yield from js_unions(description, resolve)
    methods = []
    for requests in (js_requests, python_requests):
        for method, problems in requests(description, resolve, properties):
            methods.append(method)
            yield from problems
    if not {"stream", "vertices", "frame", "Range", "transitions", "put_clip"} <= set(methods):
        yield f"the clients' requests are not found where they were: {methods}"
    yield from documents(tables)
