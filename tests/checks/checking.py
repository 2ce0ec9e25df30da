"""What `pose check` finds in the seeded rigs, and in the sound ones."""
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import subprocess
import tempfile

from faults import FAULTS
from seeding import DEMO

POSE = pathlib.Path(os.environ.get("POSE_BINARY", DEMO.parents[1] / "build" / "pose")).resolve()
LEVELS = ("note", "warning", "error")

Result = collections.namedtuple("Result", "findings time sound")
Result.__doc__ = """The findings of a fault's rule in the seeded rig, worst first; when it has to speak, or None; and the
findings of the rule in the sound rig."""


def check(*arguments):
    """The files of a report, by the names of theirs."""
    done = subprocess.run([POSE, "check", *map(str, arguments), "--quiet", "--fail-on", "never", "--json", "-"],
                          capture_output=True, text=True, timeout=300)
    assert done.returncode in (0, 3), f"{arguments}: {done.stderr}"
    return {pathlib.Path(file["path"]).stem: file for file in json.loads(done.stdout)["files"]}


def findings(file, rule):
    return [finding for finding in file["findings"] if finding["rule"] == rule]


def write(folder, name, glb):
    path = folder / f"{name}.glb"
    path.write_bytes(glb)
    return path


def options(fault, folder):
    if not fault.rules:
        return fault.options
    rules = folder / "rules.json"
    rules.write_text(json.dumps({"version": 1, **fault.rules}))
    return ("--rules", rules)


def run_group(faults, folder):
    """Checks faults of the same options, all in one run, beside the sound rigs."""
    folder.mkdir()
    rigs, times = folder / "rigs", {}
    rigs.mkdir()
    for fault in faults:
        glb, times[fault] = fault.seeded()
        write(rigs, fault.name, glb)
        sound = f"sound {fault.rig} {' '.join(fault.clips)}"
        if not (rigs / f"{sound}.glb").exists():
            write(rigs, sound, fault.sound())
    files = check(rigs, *options(faults[0], folder))
    return {fault: Result(findings(files[fault.name], fault.rule), times[fault], findings(
        files[f"sound {fault.rig} {' '.join(fault.clips)}"], fault.rule)) for fault in faults}


def run_versions(faults, folder):
    """Checks rigs against the sound one, each by its rule alone, and that against itself."""
    folder.mkdir()
    sound, found = write(folder, "sound", faults[0].sound()), {}
    same = check(sound, "--against", sound, "--only", "diff/*", "--only", "picture/*")["sound"]
    for fault in faults:
        glb, time = fault.seeded()
        path = write(folder, fault.name, glb)
        changed = check(path, "--against", sound, "--only", fault.rule)[fault.name]
        found[fault] = Result(findings(changed, fault.rule), time, findings(same, fault.rule))
    return found


@functools.cache
def results():
    """The result of each fault."""
    groups = collections.defaultdict(list)
    for fault in FAULTS:
        alike = [fault.rig, fault.clips] if fault.against else [fault.options, fault.rules]
        groups[fault.against, json.dumps(alike)].append(fault)
    found = {}
    with tempfile.TemporaryDirectory(prefix="posed-faults-") as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(run_versions if against else run_group, faults, pathlib.Path(folder, str(i)))
                for i, ((against, _), faults) in enumerate(groups.items())]
        for job in jobs:
            found.update(job.result())
    return found


def expected(fault, result):
    """The findings that are at the place and time of a fault, and serious enough."""
    return [finding for finding in result.findings
            if (fault.clip is None or finding.get("clip") == fault.clip)
            and (fault.joint is None or finding.get("joint") == fault.joint)
            and (result.time is None or abs(finding.get("time", -1) - result.time) <= fault.tolerance)
            and LEVELS.index(finding["level"]) >= LEVELS.index(fault.level)]
