"""Writes what the decoder in Python makes of all .pclip files of a folder; see test_pclip_clients.c."""
import array
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "clients" / "python"))
from posed import pclip  # noqa: E402

if "--without-numpy" in sys.argv:
    pclip.numpy = None
elif "--numpy" in sys.argv and pclip.numpy is None:
    sys.exit("numpy is not here: Debian's python3-numpy has it")
BULK = "--bulk" in sys.argv
SAMPLES = 48
TIMES = 40


def tried(call, *arguments):
    try:
        return call(*arguments)
    except ValueError:
        return None


def rest_of(path):
    numbers = array.array("f", path.read_bytes())
    own = [numbers[i:i + 10] for i in range(0, len(numbers), 10)]
    return [pclip.PclipJoint(str(i), -1, rest[:3], rest[3:7], rest[7:]) for i, rest in enumerate(own)]


def flat(rows):
    return [float(number) for row in rows for number in (row if hasattr(row, "__len__") else [row])]


def write_clip(file, i, joints, out):
    clip = tried(file.open, i, joints)
    out.extend([int(clip is not None)])
    if clip is None:
        return
    count = clip.info.sample_count
    out.extend([count, sum(map(len, clip.channels))])
    for k in range(min(count, SAMPLES)):
        numbers = tried(clip.load, k)
        out.extend([0] if numbers is None else [1, *(math.floor(number + 0.5) for number in numbers)])
    times = [clip.info.duration_s * (k * 7 % TIMES - 1) / (TIMES - 3) for k in range(TIMES)]
    for pose in bulk(clip, times) if BULK else (tried(clip.sample, time_s) for time_s in times):
        out.extend([int(pose is not None)])
        if pose is not None:
            for part in (pose.translations, pose.rotations, pose.scales, pose.weights):
                out.frombytes(array.array("f", flat(part)).tobytes())


def bulk(clip, times):
    """All at once, or one by one where some are damaged."""
    poses = tried(clip.poses, times)
    if poses is None:
        return [tried(clip.sample, time_s) for time_s in times]
    parts = zip(poses.translations, poses.rotations, poses.scales, poses.weights)
    return [pclip.PclipPose(*each) for each in parts]


def write_file(path):
    out = array.array("i")
    file = tried(pclip.PclipFile, path.read_bytes())
    joints = None if file is None else file.joints if file.joints is not None else rest_of(path.parent / "rest")
    fits = file is not None and len(joints) == file.joint_count
    out.extend([-1 if file is None else len(file.parts) if fits else -2])
    for i in range(min(len(file.parts), 8) if fits else 0):
        write_clip(file, i, joints, out)
    path.with_name(path.name + ".py").write_bytes(out.tobytes())


for each in sorted(pathlib.Path(sys.argv[-1]).glob("*.pclip")):
    write_file(each)
