#!/usr/bin/env python3
"""Holds the schema of rules files against the tables that they are read by, and against files:
check_rules_schema.py TABLES.json. Prints each difference, and ends with 1 where there is one."""
import json
import sys
from pathlib import Path

sys.path.append("/usr/lib/python3/dist-packages")

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "protocol" / "checks" / "rules.schema.json").read_text(encoding="utf-8"))
DEFS = SCHEMA["$defs"]
GIVEN = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
# In the order of the tables.
OBJECTS = [SCHEMA, DEFS["settings"], DEFS["limits"], DEFS["case"], DEFS["suppression"], DEFS["joint_limit"]]
# By enum member_type.
NUMBER, INTEGER, _, STRING, CHOICE = range(5)

problems = []


def expect(where, what, described, known):
    if described != known:
        problems.append(f"{where}: {what} is {described!r} in the schema, {known!r} in the table")


def resolve(schema):
    return DEFS[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema


for table, schema in zip(GIVEN["tables"], OBJECTS):
    where = schema.get("title", next((name for name, value in DEFS.items() if value is schema), ""))
    expect(where, "its members", sorted(schema["properties"]), sorted(table))
    expect(where, "what is required", sorted(schema.get("required", [])),
           sorted(name for name, member in table.items() if member["required"]))
    expect(where, "additionalProperties", schema.get("additionalProperties"), False)
    for name, member in table.items():
        property_ = resolve(schema["properties"].get(name, {}))
        if member["type"] == STRING:
            expect(f"{where}.{name}", "type", property_.get("type"), "string")
        if member["type"] == INTEGER:
            expect(f"{where}.{name}", "type", property_.get("type"), "integer")
        if "most" in member:
            expect(f"{where}.{name}", "its range", (property_.get("minimum"), property_.get("maximum")),
                   (member["least"], member["most"]))
        if member["type"] == CHOICE:
            expect(f"{where}.{name}", "its choices", property_.get("enum"), member["choices"])

try:
    import jsonschema
except ImportError:
    print("SKIPPED: no python3-jsonschema")
else:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for text in GIVEN["examples"]:
        for wrong in validator.iter_errors(json.loads(text)):
            problems.append(f"{'/'.join(map(str, wrong.path))}: {wrong.message}")
    for bad in ({}, {"version": 2}, {"version": 1, "rule": {}},
                {"version": 1, "settings": {"airbourne": []}},
                {"version": 1, "rules": {"motion/jump": 3}},
                {"version": 1, "for": [{"rules": {}}]},
                {"version": 1, "suppress": [{"rule": "*"}]},
                {"version": 1, "suppress": [{"rule": "*", "reason": " "}]}):
        if validator.is_valid(bad):
            problems.append(f"the schema takes {bad}")
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
