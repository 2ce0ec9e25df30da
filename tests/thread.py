#!/usr/bin/env python3
"""make test-thread: the HTTP tests with a daemon under ThreadSanitizer, for its races alone.

thread.py BUILD_FOLDER [WORD...]. Ten times slower, the daemon does not keep times that some tests
hold it to; what they say of such a run is shown, and decides nothing. What decides: whether the
sanitizer reported anything.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SUMMARY = re.compile(r"^SUMMARY: ThreadSanitizer: (.*)$", re.M)


def run(build, words, folder):
    """The closing line of the tests; None if they did not run to their end."""
    environment = {**os.environ,
                   "POSED_BINARY": str(ROOT / build / "posed"),
                   "POSE_BINARY": str(ROOT / build / "pose"),
                   "TSAN_OPTIONS": f"halt_on_error=0 exitcode=0 log_path={folder}/report "
                                   f"suppressions={ROOT / 'tests/races.txt'} print_suppressions=0"}
    done = subprocess.run([sys.executable, ROOT / "tests/http/run.py", *words], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    lines = re.findall(r"^(?:FAIL|ERROR): .*$|^http: .*$", done.stdout, re.M)
    print("\n".join(lines))
    return lines[-1] if lines and lines[-1].startswith("http: ") else None


def main():
    with tempfile.TemporaryDirectory(prefix="posed-thread-") as folder:
        closing = run(sys.argv[1], sys.argv[2:], folder)
        reports = [path.read_text() for path in pathlib.Path(folder).iterdir()]
    races = sorted({found for report in reports for found in SUMMARY.findall(report)})
    print("\n".join(reports))
    for race in races:
        print(f"RACE: {race}")
    print(f"thread: {len(races)} places reported" if closing else "thread: the tests did not run")
    return 1 if races or not closing else 0


if __name__ == "__main__":
    sys.exit(main())
