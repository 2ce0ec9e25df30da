#!/usr/bin/env python3
"""Replays the harnesses' seeds and crashers, or lets libFuzzer look for more.

run.py replay BUILD: every file below seeds/<harness>/ and crashers/<harness>/ through
BUILD/tests/fuzz/<harness>; a crash, a leak or 10 s over one file is a failure.
run.py fuzz BUILD SECONDS [HARNESS...]: each harness so long, starting from those files and from
what earlier runs found (BUILD/corpus/<harness>/). What crashes it lands in crashers/<harness>/.
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FILE_LIMIT_S = 10
# Words that a harness's readers compare with, which mutations would take long to find.
WORDS_FROM = {
    "fuzz_check": ["protocol/checks"],
    "fuzz_glb": ["renderer/import", "renderer/model"],
    "fuzz_prism": ["renderer/import"],
    "fuzz_query": ["protocol"],
    "fuzz_request": ["protocol", "renderer/pose", "renderer/skin"],
}
# Harnesses that begin with another one's files besides their own, and mutate as it does.
LIKE = {"fuzz_asset_check": "fuzz_glb", "fuzz_optimise": "fuzz_glb"}
WORD = re.compile(r'"([A-Za-z_][A-Za-z0-9_]{1,40})"')
NUMBERS = ["-1", "1e38", "2147483648", "5120", "5121", "5122", "5123", "5125", "5126"]


def harnesses(build):
    return {
        path.stem: build / "tests" / "fuzz" / path.stem for path in sorted(HERE.glob("fuzz_*.c"))
    }


def inputs(harness):
    names = (harness, LIKE.get(harness, harness))
    folders = {HERE / kind / name: None for name in names for kind in ("seeds", "crashers")}
    return [f for folder in folders if folder.is_dir() for f in sorted(folder.iterdir())]


def replay_file(program, path):
    """The error, or None."""
    try:
        done = subprocess.run(
            [program, path], capture_output=True, text=True, errors="replace", timeout=FILE_LIMIT_S
        )
    except subprocess.TimeoutExpired:
        return f"over {FILE_LIMIT_S} s"
    return None if done.returncode == 0 else f"ended with {done.returncode}\n{done.stderr[-3000:]}"


def replay(build):
    counts = {"passed": 0, "failed": 0}
    for harness, program in harnesses(build).items():
        files = inputs(harness)
        if not files:
            counts["failed"] += 1
            print(f"FAILED  {harness} has no seeds")
        for path in files:
            wrong = replay_file(program, path)
            counts["failed" if wrong else "passed"] += 1
            if wrong:
                print(f"FAILED  {harness} on {path.relative_to(ROOT)}: {wrong}")
    print(f"fuzz: {counts['passed']} passed, {counts['failed']} failed, 0 skipped")
    return counts["failed"]


def write_dictionary(harness, path):
    words = set(NUMBERS)
    for folder in WORDS_FROM.get(LIKE.get(harness, harness), []):
        for source in (ROOT / folder).rglob("*.c"):
            words |= set(WORD.findall(source.read_text()))
    path.write_text("".join(f'"{word}"\n' for word in sorted(words)))


def fuzz(build, seconds, wanted):
    failed = 0
    for harness, program in harnesses(build).items():
        if wanted and harness not in wanted:
            continue
        corpus = build / "corpus" / harness
        crashers = HERE / "crashers" / harness
        corpus.mkdir(parents=True, exist_ok=True)
        crashers.mkdir(parents=True, exist_ok=True)
        dictionary = build / "corpus" / f"{harness}.dict"
        write_dictionary(harness, dictionary)
        command = [program, corpus, *{path.parent: None for path in inputs(harness)}, crashers]
        command += [f"-dict={dictionary}", f"-artifact_prefix={crashers}/"]
        command += [f"-max_total_time={seconds}", f"-timeout={FILE_LIMIT_S}", "-rss_limit_mb=2048"]
        command += ["-max_len=65536", "-print_final_stats=1", "-close_fd_mask=1"]
        print(f"{harness}: {seconds} s", flush=True)
        with open(build / "corpus" / f"{harness}.log", "w") as log:
            done = subprocess.run(command, stderr=log)
        text = pathlib.Path(log.name).read_text(errors="replace")
        stats = re.findall(r"stat::(number_of_executed_units|new_units_added):\s+(\d+)", text)
        covered = re.findall(r"cov: (\d+)", text)[-1:]
        print(f"{harness}: {dict(stats)}, {covered} edges", flush=True)
        if done.returncode != 0:
            failed += 1
            print(f"FAILED  {harness} ended with {done.returncode}:\n{text[-6000:]}", flush=True)
    return failed


def main():
    build = ROOT / sys.argv[2]
    if sys.argv[1] == "replay":
        return replay(build)
    return fuzz(build, int(sys.argv[3]), sys.argv[4:])


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
