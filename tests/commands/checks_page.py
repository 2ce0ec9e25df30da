#!/usr/bin/env python3
"""Writes the reference of rules in docs/checks.md from what `pose check --explain` says of each, or, for the
test, says what it would write. POSE_BINARY is the program. The pictures are
those that tests/checks/renew.py has drawn."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / name) for name in ("http", "checks")]

from faults import FAULTS  # noqa: E402

PAGE = ROOT / "docs/checks.md"
BEGIN = "<!-- rules: written by tests/commands/checks_page.py -->\n"
END = "<!-- end of rules -->\n"
GROUPS = {
    "file": "The file",
    "rig": "The rig",
    "mesh": "The mesh",
    "clip": "Clips as the file has them",
    "motion": "Motion",
    "contact": "Contact with the ground",
    "surface": "The deformed surface",
    "budget": "Budgets",
    "lod": "Levels of detail",
    "diff": "Against an earlier version",
    "picture": "Pictures against an earlier version, or approved ones",
}


def pose(*arguments):
    program = os.environ.get("POSE_BINARY", str(ROOT / "build/pose"))
    result = subprocess.run([program, "check", *arguments], capture_output=True, text=True, check=True)
    return result.stdout


def rules():
    """Ids in the order of the table."""
    return [line.split()[0] for line in pose("--list-rules").splitlines()[1:] if line.strip()]


def sections(text):
    """The title, and what stands under each heading of an explanation, as one line."""
    lines = text.splitlines()
    found = {}
    heading = None
    for line in lines[1:]:
        if line and not line.startswith(" "):
            heading = line
            found[heading] = []
        elif line.strip():
            found[heading].append(line)
    return lines[0], found


def limits(rule, found):
    """Those of the default profile, or, where it has none, of the one that notes everything."""
    default = limits_of(found)
    strict = "" if default else limits_of(sections(pose("--explain", rule, "--profile", "strict"))[1])
    return f"**Limits** of `game`: {default}" if default else (
        f"**Limits** of `strict`: {strict}" if strict else "**Limits**: none; it is reported and never judged")


def limits_of(found):
    heading = next(name for name in found if name.startswith("Limits"))
    levels = dict(re.findall(r"^ +(note|warning|error) +(\S+)", "\n".join(found[heading]), re.M))
    unit = re.search(r"\((.*) at or (above|below)\)", heading)
    words = [f"{level} {value}" for level, value in levels.items() if value != "-"]
    side = f", at or {unit[2]}" if unit else ""
    return f"{', '.join(words)} ({unit[1] if unit else '-'}{side})" if words else ""


def paragraph(found, heading):
    return " ".join(line.strip() for line in found.get(heading, []))


def explained(rule, heading):
    """A part of what `pose check --explain` says of a rule, as one line."""
    return paragraph(sections(pose("--explain", rule))[1], heading)


def example(found):
    """What posed says about a fault that tests/checks seeds; nothing for rules without findings."""
    words = paragraph(found, "For example")
    return [f"> {words}", ""] if words else []


def picture(rule):
    """The rig as it should be and with the fault, where there is something to see."""
    return [f"![Left: as it should be. Right: {fault.shown}](checks/{fault.name}.png)\n"
            for fault in FAULTS if fault.rule == rule and fault.picture]


def section(rule):
    title, found = sections(pose("--explain", rule))
    return "\n".join([
        f"#### <a id=\"{rule.replace('/', '-').replace('_', '-')}\"></a>{rule}",
        "",
        f"{title.split(': ', 1)[1][:1].upper()}{title.split(': ', 1)[1][1:]}. {paragraph(found, 'What is measured')}",
        "",
        *picture(rule),
        *example(found),
        f"- **Seen as**: {paragraph(found, 'What a player sees')}",
        f"- {limits(rule, found)}",
        f"- **Blender**: {paragraph(found, 'In Blender')}",
        f"- **Maya**: {paragraph(found, 'In Maya')}",
        "",
    ])


def reference():
    parts, group = [], None
    for rule in rules():
        if rule.split("/")[0] != group:
            group = rule.split("/")[0]
            parts.append(f"### {GROUPS[group]}\n")
        parts.append(section(rule))
    return "\n" + "\n".join(parts) + "\n"


def page():
    """The whole page with the reference as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    return before + BEGIN + reference() + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
