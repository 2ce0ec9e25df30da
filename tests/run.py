#!/usr/bin/env python3
"""Runs every test and closes with "N passed, N failed, N skipped".

run.py BUILD_FOLDER PROGRAM_FOLDER: the executables of tests/unit and tests/gpu under the build
folder (cmocka, TAP), then the suites against the real programs, which print a closing line
"NAME: N passed, N failed, N skipped" of their own.
"""
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NO_DEVICE = 77  # exit status of a test that found no EGL
CLOSING = re.compile(r"^\w+: (\d+) passed, (\d+) failed, (\d+) skipped$", re.M)


def run(command, environment):
    """(exit status, standard output and error together)"""
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout


def cmocka(path, environment):
    status, output = run([path], {**environment, "CMOCKA_MESSAGE_OUTPUT": "TAP"})
    if status == NO_DEVICE:
        print(f"SKIPPED {os.path.basename(path)}: no EGL here\n{output}")
        return 0, 0, 1
    passed = failed = skipped = 0
    for line in output.splitlines():
        if re.match(r"(not )?ok \d+ # SKIP", line):
            skipped += 1  # cmocka calls a skipped test "not ok"
            print(f"SKIPPED {os.path.basename(path)}: {line.split('SKIP', 1)[1].strip()}")
        elif line.startswith("not ok"):
            failed += 1
        elif line.startswith("ok"):
            passed += 1
    if status != 0 and failed == 0:
        failed = 1  # it died, or a sanitizer spoke at its end
    if passed + failed + skipped == 0:
        failed = 1  # a test that tests nothing
    if failed:
        print(output)
    return passed, failed, skipped


def suite(command, environment):
    status, output = run(command, environment)
    found = CLOSING.findall(output)
    print(output if status else "\n".join(
        line for line in output.splitlines() if line.startswith(("SKIP", "WARNING"))))
    passed, failed, skipped = (int(n) for n in found[-1]) if found else (0, 1, 0)
    if status != 0 and failed == 0:
        failed = 1
    return passed, failed, skipped


def main():
    build, programs = (os.path.join(ROOT, argument) for argument in sys.argv[1:3])
    environment = {**os.environ,
                   "POSED_BINARY": os.path.join(programs, "posed"),
                   "POSE_BINARY": os.path.join(programs, "pose"),
                   "POSED_FAULTY_BINARY": os.path.join(build, "tests/faults/posed"),
                   "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
                   "LSAN_OPTIONS": "suppressions=" + os.path.join(ROOT, "tests/leaks.txt")
                                   + ":print_suppressions=0"}
    jobs = [(name, lambda path=os.path.join(folder, name): cmocka(path, environment))
            for folder in (os.path.join(build, "tests/unit"), os.path.join(build, "tests/gpu"))
            if os.path.isdir(folder)
            for name in sorted(os.listdir(folder)) if "." not in name]
    for script, *arguments in (("tests/fuzz/run.py", "replay", build), ("tests/http/run.py",),
                               ("tests/faults/run.py",), ("tests/conformance/run.py",),
                               ("tests/viewer/run.py",), ("tests/clients/run.py",),
                               ("tests/golden/run.py",)):
        jobs.append((script, lambda command=(script, *arguments): suite(
            [sys.executable, os.path.join(ROOT, command[0]), *command[1:]], environment)))
    totals = [0, 0, 0]
    for name, job in jobs:
        start = time.monotonic()
        counts = job()
        totals = [a + b for a, b in zip(totals, counts)]
        print(f"{name}: {counts[0]} passed, {counts[1]} failed, {counts[2]} skipped, "
              f"{time.monotonic() - start:.1f} s", flush=True)
    print(f"{totals[0]} passed, {totals[1]} failed, {totals[2]} skipped")
    return 1 if totals[1] or not totals[0] else 0


if __name__ == "__main__":
    sys.exit(main())
