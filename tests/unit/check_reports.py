#!/usr/bin/env python3
"""Reads the reports in a folder, one file for each format: check_reports.py FOLDER. Prints each
thing that is wrong, and ends with 1 where there is one.

SARIF is held against the constraints of the OASIS schema that concern it, and against the schema
itself where POSED_SARIF_SCHEMA names that file; JUnit against those of Jenkins' XSD."""
import base64
import html.parser
import json
import os
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import unquote

sys.path.append("/usr/lib/python3/dist-packages")

FOLDER = Path(sys.argv[1])
FOX = "\U0001f98a"
REPLACED = "\ufffd"
CLIP = "Walk \"<&'>\n\t]]>\x01\x1b[31m,:%|`@all#1\\ " + FOX
JOINT = "b_\"Neck\"</testcase>\n04 --> {{x}}"
PATHS = [f'rigs/a "b" <c>&%:,\n{FOX}.glb', f"/abs/broken{REPLACED}.glb"]
LEVELS = ["error", "warning", "warning", "note", "warning"]
STATES = ["new", "new", "unchanged", "new", "absent"]

problems = []


def expect(what, actual, wanted):
    if actual != wanted:
        problems.append(f"{what} is {actual!r}, should be {wanted!r}")


def text_of(name):
    return (FOLDER / name).read_bytes().decode("utf-8")


def strict_json(text):
    def refuse(word):
        raise ValueError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def check_file(file):
    finding = file["findings"][0]
    expect("path", file["path"], PATHS[0])
    expect("length", file["length"], 152.624)
    expect("clip", file["clips"][0]["name"], CLIP)
    expect("clip of bad UTF-8", file["clips"][2]["name"], f"{REPLACED}{REPLACED} bad UTF-8 {REPLACED}")
    expect("an unknown treadmill", "treadmill" in file["clips"][1], False)
    expect("levels", [each["level"] for each in file["findings"]], LEVELS)
    expect("states", [each["state"] for each in file["findings"]], STATES)
    expect("suppressed", file["findings"][1]["suppressed"], 'never seen "from" <below>')
    expect("value", (finding["value"], finding["unit"], finding["absolute"]), (0.0412378, "L", 6.2938))
    expect("time", finding["time"], 0.416667)
    expect("place", (finding["clip"], finding["joint"], finding["joint_index"]), (CLIP, JOINT, 7))
    expect("params", finding["params"], {"ratio": 9.2})
    expect("vertices", finding["vertices"], [3, 70000])
    expect("count", finding["count"], 3)
    expect("help", finding["help"], "docs/checks.md#motion-pop")
    expect("camera", finding["evidence"]["camera"],
           {"target": [0, 60, 30], "yaw": 90, "pitch": 0, "distance": 120})
    expect("curve", finding["evidence"]["curve"]["values"], [0.001, 0.0412378, None])
    head, data = finding["evidence"]["pictures"][1]["uri"].split(",")
    expect("picture", (head, base64.b64decode(data)[:4]), ("data:image/png;base64", b"\x89PNG"))
    expect("khronos", file["findings"][3]["khronos"], "ACCESSOR_WEIGHTS_NON_NORMALIZED")
    expect("an infinite measurement", "value" in file["measurements"][5], False)
    expect("skipped", file["skipped"],
           [{"rule": "clip/still", "clip": file["clips"][2]["name"], "reason": 'no "skin" <at> all'}])
    expect("more", file["more"], [{"rule": "motion/pop", "clip": CLIP, "count": 12}])
    expect("bounds", file["bounds"], {"min": [-1, 0, -1], "max": [1, 2, 1]})


def check_json():
    report = strict_json(text_of("json"))
    expect("schema", report["schema"], "posed-check/1")
    expect("profile", report["profile"], {"name": "game", "digest": "sha256:1234"})
    expect("summary", report["summary"],
           {"files": 2, "errors": 2, "warnings": 1, "notes": 1, "suppressed": 1, "new": 3,
            "worst": "error", "verdict": "refused"})
    check_file(report["files"][0])
    expect("second path", report["files"][1]["path"], PATHS[1])
    expect("refused", report["files"][1]["refused"], 'cut off at byte 12 <&">')
    expect("rules", [rule["id"] for rule in report["rules"]],
           ["motion/pop", "clip/still", "rig/weight_sum", "file/refused"])
    expect("limits", report["rules"][0]["limits"], {"warning": 0.006, "error": 0.03})
    expect("as_of", report["rules"][0]["as_of"], "2026-11")
    rules = strict_json(text_of("rules"))["rules"]
    expect("limits of cinematic", rules[0]["profiles"]["cinematic"]["warning"], 0.002)
    expect("costs", rules[0]["cost"], "table")


def lines_of(name):
    text = text_of(name)
    expect(f"the end of {name}", text[-1], "\n")
    return [strict_json(line) for line in text[:-1].split("\n")]


def check_lines():
    lines = lines_of("jsonl")
    expect("lines", [line["path"] for line in lines], PATHS)
    expect("greatest", lines[0]["measurements"], {"motion/pop": 0.0412378, "clip/still": 0})
    events = lines_of("events")
    expect("events", [event["event"] for event in events],
           ["start", "clip", "finding", "file", "end"])
    expect("clip's event", events[1],
           {"event": "clip", "path": PATHS[0], "clip": CLIP, "done": 1, "of": 3, "ms": 18})
    expect("finding's event", events[2]["joint"], JOINT)
    check_file(events[3])
    expect("end", events[4]["summary"]["errors"], 2)


def carried(text):
    """What XML carries of a text."""
    return "".join(REPLACED if ord(c) < 32 and c not in "\t\n\r" else c for c in text)


ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors", "disabled"},
    "testsuite": {"name", "tests", "failures", "errors", "time", "disabled", "skipped",
                  "timestamp", "hostname", "id", "package"},
    "testcase": {"name", "assertions", "time", "classname", "status"},
    "failure": {"type", "message"}, "skipped": {"message"}, "property": {"name", "value"},
    "properties": set(), "system-out": set(),
}
CHILDREN = {
    "testsuites": {"testsuite"}, "testsuite": {"properties", "testcase"},
    "testcase": {"skipped", "failure", "system-out"}, "properties": {"property"},
    "failure": set(), "skipped": set(), "property": set(), "system-out": set(),
}


def check_element(element):
    if not set(element.attrib) <= ATTRIBUTES[element.tag]:
        problems.append(f"JUnit: <{element.tag}> has {sorted(element.attrib)}")
    for child in element:
        if child.tag not in CHILDREN[element.tag]:
            problems.append(f"JUnit: <{child.tag}> in <{element.tag}>")
        check_element(child)


def check_junit():
    root = ElementTree.fromstring(text_of("junit"))
    check_element(root)
    for suite in root:
        expect("tests of a suite", int(suite.get("tests")), len(suite.findall("testcase")))
        expect("failures", int(suite.get("failures")), len(suite.findall("testcase/failure")))
        expect("skipped", int(suite.get("skipped")), len(suite.findall("testcase/skipped")))
    expect("suites", [suite.get("name") for suite in root], PATHS)
    cases = {(case.get("classname"), case.get("name")): case for case in root[0].iter("testcase")}
    expect("cases", len(cases), 7)
    failure = cases["motion", f"pop [{carried(CLIP)}]"].find("failure")
    expect("failure", (failure.get("type"), failure.get("message")),
           ("error", carried(CLIP) + " leaves its path"))
    expect("a case that passed", len(cases["motion", "pop [Idle]"]), 0)
    expect("a known case", len(cases["clip", "still [Idle]"]), 0)
    bad = carried(f"{REPLACED}{REPLACED} bad UTF-8 {REPLACED}")
    expect("a suppressed case", cases["motion", f"pop [{bad}]"].find("skipped").get("message"),
           'never seen "from" <below>')
    expect("a refused file", root[1].find("testcase").get("classname"), "file")


def objects(value):
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from objects(each)


# The members that the schema has of what is written, by the member that holds an object; the first
# ones are required.
SARIF = {
    "": (2, "version runs $schema"), "runs": (1, "tool invocations originalUriBaseIds artifacts "
                                                 "results properties"),
    "tool": (1, "driver"), "driver": (1, "name fullName semanticVersion rules"),
    "rules": (1, "id shortDescription fullDescription help defaultConfiguration properties"),
    "shortDescription": (1, "text"), "fullDescription": (1, "text"), "help": (1, "text markdown"),
    "defaultConfiguration": (0, "level"), "invocations": (1, "executionSuccessful "
                                                             "toolExecutionNotifications"),
    "toolExecutionNotifications": (1, "message level locations"), "message": (1, "text"),
    "locations": (0, "physicalLocation logicalLocations"), "SRCROOT": (0, "uri description"),
    "physicalLocation": (1, "artifactLocation region"), "region": (1, "startLine"),
    "artifactLocation": (1, "uri uriBaseId index"), "description": (1, "text"),
    "logicalLocations": (0, "fullyQualifiedName name kind"),
    "artifacts": (0, "location mimeType contents"), "location": (1, "uri"),
    "contents": (1, "binary"), "attachments": (1, "artifactLocation description"),
    "suppressions": (1, "kind justification"), "partialFingerprints": (1, "posed/v1"),
    "originalUriBaseIds": (1, "SRCROOT"),
    "results": (1, "message ruleId ruleIndex level locations partialFingerprints occurrenceCount "
                   "baselineState suppressions rank attachments properties"),
}


def check_shape(value, name):
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict) and name != "properties":
            required, members = SARIF[name]
            members = members.split()
            if not set(members[:required]) <= set(each) <= set(members):
                problems.append(f"SARIF: {name or 'the log'} has {sorted(each)}")
            for key, below in each.items():
                check_shape(below, key)


URI = re.compile(r"^[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*$")


def check_sarif():
    log = strict_json(text_of("sarif"))
    schema = os.environ.get("POSED_SARIF_SCHEMA")
    if schema:
        import jsonschema

        for wrong in jsonschema.Draft7Validator(json.loads(Path(schema).read_text())).iter_errors(log):
            problems.append(f"SARIF: {'/'.join(map(str, wrong.path))}: {wrong.message}")
    check_shape(log, "")
    run = log["runs"][0]
    expect("version", log["version"], "2.1.0")
    rules = run["tool"]["driver"]["rules"]
    expect("semanticVersion", run["tool"]["driver"]["semanticVersion"], "0.1.0")
    expect("unique rules", len({rule["id"] for rule in rules}), len(rules))
    expect("levels of rules", [rule["defaultConfiguration"]["level"] for rule in rules],
           ["error", "warning", "warning", "error"])
    for each in objects(log):
        if "text" in each and not (isinstance(each["text"], str) and each["text"]):
            problems.append(f"SARIF: an empty text in {each}")
        if "uri" in each and not URI.match(each["uri"]):
            problems.append(f"SARIF: no URI: {each['uri']!r}")
    results = run["results"]
    expect("results", len(results), 6)
    for result in results:
        expect("ruleIndex", rules[result["ruleIndex"]]["id"], result["ruleId"])
        if result["level"] not in ("none", "note", "warning", "error"):
            problems.append(f"SARIF: level {result['level']}")
        if not 0 <= result.get("rank", 0) <= 100:
            problems.append(f"SARIF: rank {result['rank']}")
        if result["baselineState"] not in ("new", "unchanged", "updated", "absent"):
            problems.append(f"SARIF: state {result['baselineState']}")
        expect("startLine", result["locations"][0]["physicalLocation"]["region"], {"startLine": 1})
    first = results[0]
    location = first["locations"][0]
    place = location["physicalLocation"]["artifactLocation"]
    expect("uri", (unquote(place["uri"]), place["uriBaseId"]), (PATHS[0], "SRCROOT"))
    expect("uri below the root", results[5]["locations"][0]["physicalLocation"]["artifactLocation"],
           {"uri": "broken%FF.glb", "uriBaseId": "SRCROOT"})
    expect("root", run["originalUriBaseIds"]["SRCROOT"]["uri"], "file:///abs/")
    expect("logical", location["logicalLocations"],
           [{"fullyQualifiedName": f"{CLIP}/{JOINT}", "name": JOINT, "kind": "member"}])
    expect("fingerprint", first["partialFingerprints"], {"posed/v1": "9f2c000000000001"})
    expect("rank", first["rank"], 100)
    expect("suppression", results[1]["suppressions"],
           [{"kind": "external", "justification": 'never seen "from" <below>'}])
    attachment = first["attachments"][1]["artifactLocation"]
    artifact = run["artifacts"][attachment["index"]]
    expect("attachment", attachment["uri"], artifact["location"]["uri"])
    expect("bytes", base64.b64decode(artifact["contents"]["binary"])[:4], b"\x89PNG")
    invocation = run["invocations"][0]
    expect("successful", invocation["executionSuccessful"], False)
    expect("notifications", [each["level"] for each in invocation["toolExecutionNotifications"]],
           ["error", "note"])


class Page(html.parser.HTMLParser):
    EMPTY = {"meta", "img", "rect", "line", "polyline", "br", "link"}

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.texts, self.images = [], [], [], [], 0

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag in ("script", "link", "iframe", "object", "embed", "base", "form", "audio", "video"):
            problems.append(f"HTML: <{tag}>")
        for name, value in attributes:
            if name in ("src", "srcset", "background", "poster", "action", "data", "xlink:href") and \
                    not re.match(r"^data:image/(png|apng|webp);base64,[A-Za-z0-9+/=]+$", value):
                problems.append(f"HTML: {tag} {name}={value[:80]!r}")
            if name.startswith("on") or (name == "style" and "url" in value):
                problems.append(f"HTML: {tag} has {name}")
        if tag == "img":
            self.images += 1
            expect("alt", bool(given.get("alt")), True)
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a":
            self.links.append(given["href"])
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            problems.append(f"HTML: </{tag}> at {self.getpos()}")

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            if "url(" in data or "@import" in data:
                problems.append("HTML: the style loads something")
        else:
            self.texts.append(data)


def check_html():
    page = Page()
    text = text_of("html")
    page.feed(text)
    page.close()
    expect("open elements", page.open, [])
    expect("unique ids", len(set(page.ids)), len(page.ids))
    for link in page.links:
        if link.startswith("#") and link[1:] not in page.ids:
            problems.append(f"HTML: nothing at {link}")
    outside = [link for link in page.links if not link.startswith("#")]
    expect("links", all(link.startswith("https://example.org/#rig=") for link in outside), True)
    expect("camera", any("time=0.4167&camera=90,0,120,0,60,30" in link for link in outside), True)
    expect("images", page.images, 2)
    said = "".join(page.texts)
    for wanted in (carried(CLIP) + " leaves its path", 'Suppressed: never seen "from" <below>',
                   PATHS[0], "Use <Smooth>.", "0.04124 L against 0.03 L", "not checked", "of <another> profile"):
        if wanted.lower() not in said.lower():
            problems.append(f"HTML: {wanted!r} is not said")
    expect("media", "prefers-color-scheme:dark" in text and "@media print" in text, True)


def check_openmetrics():
    try:
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
    except ImportError:
        print("SKIPPED: no python3-prometheus-client")
        return
    for name in ("openmetrics", "openmetrics_labels"):
        text = text_of(name)
        expect("end", text.endswith("\n# EOF\n"), True)
        families = {family.name: family for family in text_string_to_metric_families(text)}
        expect("families", sorted(families), ["posed_check_findings", "posed_check_measurement"])
        samples = [(s.labels, s.value) for s in families["posed_check_measurement"].samples]
        counts = [(s.labels, s.value) for s in families["posed_check_findings"].samples]
        if name == "openmetrics":
            expect("maximum", [v for labels, v in samples
                               if labels == {"rule": "motion/pop", "stat": "max"}], [0.0412378123])
            expect("counts", counts[0], ({"level": "error", "rule": "motion/pop"}, 1))
            expect("names", any("file" in labels or "clip" in labels for labels, _ in samples), False)
        else:
            # A line's end is one; other control characters are not written.
            expect("file", samples[0][0]["file"], PATHS[0])
            expect("clip", samples[0][0]["clip"], re.sub("[\x00-\x09\x0b-\x1f]", "?", CLIP))


def check_github():
    lines = text_of("github").split("\n")
    expect("annotations", len(lines), 4)
    expect("commands", [line.split(" ")[0] for line in lines[:-1]], ["::error", "::notice", "::error"])
    properties, message = re.match(r"::error (.*?)::(.*)$", lines[0]).groups()
    given = dict(each.split("=", 1) for each in properties.split(","))
    expect("file", unquote(given["file"]), PATHS[0])
    expect("title", given["title"], "motion/pop")
    expect("line's end", "%0A" in message and "\r" not in message, True)


def check_markdown():
    text = text_of("markdown")
    rows = [line for line in text.split("\n") if line.startswith("| ")]
    columns = [len(re.findall(r"(?<!\\)\|", row)) for row in rows]
    expect("columns", columns, [7] * 3 + [5] * 4)
    expect("mentions", re.findall(r"@(?!<)|(?<=\d)#(?!<)", text), [])
    expect("tags", set(re.findall(r"<[^>]*>", text)), {"<!-- -->", "<br>"})


def check_text():
    text = text_of("text")
    expect("control characters", re.findall("[\x00-\x09\x0b-\x1f\x7f]", text), [])
    expect("summary", text.split("\n")[-2],
           "2 files: 2 errors, 1 warning, 1 note, 1 suppressed; 3 new (profile game)")


for check in (check_json, check_lines, check_junit, check_sarif, check_html, check_openmetrics,
              check_github, check_markdown, check_text):
    try:
        check()
    except Exception as error:  # pylint: disable=broad-except
        problems.append(f"{check.__name__}: {type(error).__name__}: {error}")
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
