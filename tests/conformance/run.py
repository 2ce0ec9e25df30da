#!/usr/bin/env python3
"""Runs the conformance checks: installs what they need, then every check of CHECKS.

Without Node or without a way to install the packages everything is skipped, loudly.
"""
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CHECKS = ("openapi.mjs", "validate.mjs", "export.mjs", "clips.mjs", "compare.mjs", "random.mjs",
          "mixer.mjs", "materials.mjs", "packed.mjs", "cameras.mjs",
          "bake.mjs")
PACKAGES = ("three", "gltf-validator", "@seriousme/openapi-schema-validator",
            "typescript", "meshoptimizer")
CLOSING = re.compile(r"^conformance: (\d+) passed, (\d+) failed, (\d+) skipped$")


def why_not():
    """The reason why the checks cannot run here, or None."""
    if shutil.which("node") is None:
        return "there is no node"
    if all((HERE / "node_modules" / name / "package.json").exists() for name in PACKAGES):
        return None
    if shutil.which("npm") is None:
        return "there is no npm"
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return "npm ci took over 300 s"
    return None if done.returncode == 0 else "npm ci failed: " + done.stderr.strip()[-500:]


def run(check):
    """Passes a check's output on, but for its closing line, which is returned as numbers."""
    child = subprocess.Popen(["node", check], cwd=HERE, stdout=subprocess.PIPE, text=True)
    counts = None
    for line in child.stdout:
        closing = CLOSING.match(line)
        if closing:
            counts = [int(number) for number in closing.groups()]
        else:
            print(line, end="", flush=True)
    child.wait()
    if counts is None:
        print(f"FAILED  {check} ended with {child.returncode} before its closing line")
    return counts or [0, 1, 0]


def main():
    reason = why_not()
    if reason:
        print(f"SKIPPED all of {', '.join(CHECKS)}: {reason}")
        totals = [0, 0, len(CHECKS)]
    else:
        totals = [sum(numbers) for numbers in zip(*(run(check) for check in CHECKS))]
    passed, failed, skipped = totals
    print(f"conformance: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
