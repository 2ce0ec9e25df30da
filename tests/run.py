#!/usr/bin/env python3
"""Runs every test, as many side by side as there are slots, and closes with "N passed, N failed,
N skipped".

run.py BUILD_FOLDER PROGRAM_FOLDER: the tests of tests/unit and tests/gpu, which two programs under
the build folder hold (cmocka, TAP), each in a process of its own, and the suites against the real programs, which print a closing line
"NAME: N passed, N failed, N skipped" of their own. What each has to say comes whole, when it ends.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import time

import slots

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = ("tests/gpu_tests", "tests/unit_tests")  # PROGRAM NAME runs one, PROGRAM lists them
NO_DEVICE = 77  # exit status of a test that found no EGL
# Tests that draw, which run once more with posed's own rasteriser.
DRAWING = ("test_against", "test_crowd", "test_draw", "test_evidence", "test_frame", "test_ground",
           "test_overlays", "test_shading")
SUITES = ("tests/http/run.py", "tests/faults/run.py", "tests/conformance/run.py",
          "tests/viewer/run.py", "tests/clients/run.py", "tests/golden/run.py",
          "tests/commands/run.py", "tests/checks/run.py")
CLOSING = re.compile(r"^\w+: (\d+) passed, (\d+) failed, (\d+) skipped$", re.M)


def run(command, environment):
    """(exit status, standard output and error together, seconds)"""
    begun = time.monotonic()
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout, time.monotonic() - begun


def cmocka(command, environment):
    """The counts of a test, its seconds, and the lines to show of it."""
    name = command[-1]
    with slots.held():
        status, output, seconds = run(
            slots.behind(*command), {**environment, "CMOCKA_MESSAGE_OUTPUT": "TAP"})
    if status == NO_DEVICE:
        return (0, 0, 1), seconds, [f"SKIPPED {name}: no EGL here", output]
    passed = failed = skipped = 0
    shown = []
    for line in output.splitlines():
        if re.match(r"(not )?ok \d+ # SKIP", line):
            skipped += 1  # cmocka calls a skipped test "not ok"
            shown.append(f"SKIPPED {name}: {line.split('SKIP', 1)[1].strip()}")
        elif line.startswith("not ok"):
            failed += 1
        elif line.startswith("ok"):
            passed += 1
    if status != 0 and failed == 0:
        failed = 1  # it died, or a sanitizer spoke at its end
    if passed + failed + skipped == 0:
        failed = 1  # a test that tests nothing
    return (passed, failed, skipped), seconds, [*shown, output] if failed else shown


def drawn_on_cpu(command, environment):
    return cmocka(command, {**environment, "POSED_TEST_RENDERER": "cpu"})


def suite(command, environment):
    """The same of a suite."""
    status, output, seconds = run(command, environment)
    found = CLOSING.findall(output)
    passed, failed, skipped = (int(n) for n in found[-1]) if found else (0, 1, 0)
    if status != 0 and failed == 0:
        failed = 1
    shown = [output] if status else [
        line for line in output.splitlines() if line.startswith(("SKIP", "WARNING"))]
    return (passed, failed, skipped), seconds, shown


def jobs(build):
    """(name, function, its command): the suites, which take longest, and then the others."""
    for script, *arguments in (*((script,) for script in SUITES),
                               ("tests/fuzz/run.py", "replay", build)):
        yield script, suite, [sys.executable, os.path.join(ROOT, script), *arguments]
    for program in (os.path.join(build, program) for program in PROGRAMS):
        listed = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True)
        for name in listed.stdout.split():
            yield name, cmocka, [program, name]
            if name in DRAWING:
                yield f"{name} on the CPU", drawn_on_cpu, [program, name]


def settings(build, programs):
    return {**os.environ,
            "POSED_BINARY": os.path.join(programs, "posed"),
            "POSE_BINARY": os.path.join(programs, "pose"),
            "POSED_FAULTY_BINARY": os.path.join(build, "tests/faults/posed"),
            "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
            "LSAN_OPTIONS": "suppressions=" + os.path.join(ROOT, "tests/leaks.txt")
                            + ":print_suppressions=0"}


def show(name, counts, seconds, lines):
    passed, failed, skipped = counts
    closing = f"{name}: {passed} passed, {failed} failed, {skipped} skipped, {seconds:.1f} s"
    print("\n".join([*lines, closing]), flush=True)
    return counts


def main():
    build, programs = (os.path.join(ROOT, argument) for argument in sys.argv[1:3])
    totals = [0, 0, 0]
    # All suites at once, which take slots for their parts, and beside them the others.
    with (slots.shared(),
          concurrent.futures.ThreadPoolExecutor(len(SUITES) + slots.count()) as pool):
        environment = settings(build, programs)
        running = {pool.submit(function, command, environment): name
                   for name, function, command in jobs(build)}
        try:
            for done in concurrent.futures.as_completed(running):
                counts = show(running[done], *done.result())
                totals = [a + b for a, b in zip(totals, counts)]
        finally:
            for job in running:
                job.cancel()  # what an interrupt keeps from its turn
    print(f"{totals[0]} passed, {totals[1]} failed, {totals[2]} skipped")
    return 1 if totals[1] or not totals[0] else 0


if __name__ == "__main__":
    sys.exit(main())
