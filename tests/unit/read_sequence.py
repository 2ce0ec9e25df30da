#!/usr/bin/env python3
"""Decodes a sequence with a program that is not ours and holds it against the frames it is made of.

read_sequence.py FORMAT FILE PIXELS WIDTH HEIGHT: PIXELS has the frames as RGBA, one after another.
Prints for each frame read "GREATEST PSNR ALPHA MILLISECONDS": the greatest difference of a colour
where both are seen, the peak signal-to-noise ratio of those colours (999 = they are equal), the
greatest difference of an alpha, and how long the frame is shown; then "loops N" where the format
tells. Exit status 77 when the decoder is not there.
"""
import itertools
import json
import math
import operator
import shutil
import subprocess
import sys
import tarfile

try:
    from PIL import Image, ImageSequence
except ImportError:
    sys.exit(77)


def frames_of_pillow(path):
    """Each frame's RGBA and milliseconds, then how often they are played."""
    with Image.open(path) as image:
        frames = [(frame.convert("RGBA").tobytes(), float(frame.info.get("duration", 0)))
                  for frame in ImageSequence.Iterator(image)]
        return frames, image.info.get("loop", image.info.get("num_plays"))


def frames_of_sheet(path):
    """The frames at the places that the sheet's own map tells."""
    with Image.open(path) as image:
        places = json.loads(image.text["posed"])
        if (places["width"], places["height"]) != image.size:
            sys.exit(f"{image.size} is not what the map says")
        return [(image.convert("RGBA").crop(
            (at["x"], at["y"], at["x"] + at["w"], at["y"] + at["h"])).tobytes(),
            at["duration"] * 1000) for at in places["frames"]], None


def frames_of_tar(path):
    frames = []
    with tarfile.open(path) as archive:
        for i, member in enumerate(archive):
            if member.name.split(".")[0] != f"frame_{i:04d}" or member.mtime or member.uid:
                sys.exit(f"member {i} is {member.name}")
            with Image.open(archive.extractfile(member)) as image:
                frames.append((image.convert("RGBA").tobytes(), 0.0))
    return frames, None


def lasts_ms(found):
    """The display time of each frame: by the rate, or its own if the times are uneven."""
    begins = [float(packet["pts_time"]) * 1000 for packet in found["packets"]]
    ends = begins[1:] + [float(found["format"]["duration"]) * 1000]
    gaps = [end - begin for begin, end in zip(begins, ends)]
    if len(gaps) > 1 and max(gaps) - min(gaps) > 2:
        return gaps
    frames, seconds = (int(number) for number in found["streams"][0]["r_frame_rate"].split("/"))
    return [1000 * seconds / frames] * len(gaps)


def frames_of_ffmpeg(path, *decoder):
    """The video's frames, as long as they are shown."""
    if not shutil.which("ffmpeg"):
        sys.exit(77)
    probe = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
             "stream=width,height,r_frame_rate:packet=pts_time:format=duration", "-of", "json",
             path]
    found = json.loads(subprocess.run(probe, check=True, capture_output=True).stdout)
    stream = found["streams"][0]
    # Frames as they are: none twice and none left out to keep a rate.
    decode = ["ffmpeg", "-v", "error", *decoder, "-i", path, "-vsync", "passthrough",
              "-sws_flags", "bicubic+accurate_rnd+full_chroma_int", "-f", "rawvideo",
              "-pix_fmt", "rgba", "-"]
    pixels = subprocess.run(decode, check=True, capture_output=True).stdout
    size = stream["width"] * stream["height"] * 4
    return [(pixels[i * size:(i + 1) * size], shown_ms)
            for i, shown_ms in enumerate(lasts_ms(found))], None


def frames_of_webm(path):
    return frames_of_ffmpeg(path, "-c:v", "libvpx-vp9")  # FFmpeg's own decoder leaves alpha out


READERS = {"apng": frames_of_pillow, "webp": frames_of_pillow, "gif": frames_of_pillow,
           "sheet": frames_of_sheet, "tar": frames_of_tar, "mp4": frames_of_ffmpeg,
           "webm": frames_of_webm}


def differences(ours, theirs):
    alphas, others = ours[3::4], theirs[3::4]
    seen = list(map(min, alphas, others))
    apart = [difference for channel in range(3)
             for difference in map(operator.sub, itertools.compress(ours[channel::4], seen),
                                   itertools.compress(theirs[channel::4], seen))]
    greatest = max(map(abs, apart), default=0)
    square = sum(map(operator.mul, apart, apart)) / max(1, len(apart))
    alpha = max(map(abs, map(operator.sub, alphas, others)))
    return greatest, 10 * math.log10(255 ** 2 / square) if square else 999, alpha


def main():
    name, path, pixels = sys.argv[1:4]
    width, height = (int(argument) for argument in sys.argv[4:])
    size = width * height * 4
    with open(pixels, "rb") as file:
        expected = file.read()
    frames, loops = READERS[name](path)
    if len(frames) * size != len(expected):
        sys.exit(f"{len(frames)} frames, expected {len(expected) / size}")
    for i, (rgba, milliseconds) in enumerate(frames):
        if len(rgba) != size:
            sys.exit(f"frame {i} has {len(rgba)} bytes, expected {size}")
        greatest, psnr, alpha = differences(expected[i * size:(i + 1) * size], rgba)
        print(greatest, f"{psnr:.3f}", alpha, f"{milliseconds:.3f}")
    if loops is not None:
        print("loops", loops)


main()
