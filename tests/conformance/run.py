#!/usr/bin/env python3
"""Runs the conformance checks: installs what they need, then every check of CHECKS.

run.py install: only the first, ahead of what other suites take from there. Without Node or without a
way to install the packages everything is skipped, loudly.
"""
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import slots  # noqa: E402

CHECKS = ("compare.mjs", "random.mjs",  # which take longest
          "rules.mjs", "openapi.mjs", "validate.mjs", "export.mjs", "clips.mjs", "mixer.mjs", "materials.mjs",
          "packed.mjs", "cameras.mjs", "bake.mjs", "convert.mjs", "optimise.mjs", "optimise_poses.mjs",
          "optimise_quantised.mjs", "keys.mjs", "ktx2.mjs",
          "instances.mjs")
PACKAGES = ("three", "gltf-validator", "@seriousme/openapi-schema-validator",
            "typescript", "meshoptimizer", "esbuild", "react", "react-dom")
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
    with slots.held():
        done = subprocess.run(slots.behind("node", check), cwd=HERE, stdout=subprocess.PIPE,
                              text=True)
    counts = None
    lines = []
    for line in done.stdout.splitlines():
        closing = CLOSING.match(line)
        if closing:
            counts = [int(number) for number in closing.groups()]
        else:
            lines.append(line)
    if counts is None:
        lines.append(f"FAILED  {check} ended with {done.returncode} before its closing line")
    print("\n".join(lines), flush=True)
    return counts or [0, 1, 0]


def main():
    reason = why_not()
    if sys.argv[1:] == ["install"]:
        return 0  # the checks say that they are skipped
    if reason:
        print(f"SKIPPED all of {', '.join(CHECKS)}: {reason}")
        totals = [0, 0, len(CHECKS)]
    else:
        with slots.shared(), concurrent.futures.ThreadPoolExecutor(slots.count()) as pool:
            totals = [sum(numbers) for numbers in zip(*pool.map(run, CHECKS))]
    passed, failed, skipped = totals
    print(f"conformance: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
