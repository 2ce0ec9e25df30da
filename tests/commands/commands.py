"""The commands that the documents have: in blocks of sh, and in the text between backticks."""
import re
import shlex
import subprocess

from daemon import ROOT

PROGRAMS = re.compile(r"(POSED_\w+=\S+ )?(sudo |build/posed? |posed? |make\b|podman |tests/\S+ |systemctl )")
PLACEHOLDER = re.compile(r"(?<![=\w])(?!POSED_|FUZZ_|SANITIZE)[A-Z]{2,}(?!\w|=)")


def is_whole(lines):
    """True if a shell would not wait for another line."""
    text = "\n".join(lines)
    check = subprocess.run(["bash", "-n", "-c", text], capture_output=True)
    return check.returncode == 0 and not text.endswith("\\")


def in_block(block):
    lines = []
    for line in block.splitlines():
        if not lines and line.startswith("#"):
            continue
        lines.append(line)
        if is_whole(lines):
            command = "\n".join(lines).strip()
            if command:
                yield re.sub(r"\s+#.*$", "", command)
            lines = []
    if lines:
        raise AssertionError("this command does not end:\n" + "\n".join(lines))


def in_text(text):
    """Commands without placeholders. The name of a subcommand alone is to have help."""
    for quoted in re.findall(r"`([^`]+)`", text):
        command = " ".join(quoted.split())
        if not PROGRAMS.match(command) or PLACEHOLDER.search(command):
            continue
        words = shlex.split(command)
        is_mention = len(words) == 2 and words[0].endswith(("pose", "posed")) and words[1].isalpha()
        yield command + " --help" if is_mention else command


def commands(document):
    """All commands of a document, in their order."""
    text = document.read_text(encoding="utf-8")
    for part in re.split(r"^(```.*?^```)$", text, flags=re.M | re.S):
        if part.startswith("```sh\n"):
            yield from in_block(part[len("```sh\n"):-len("```")])
        elif not part.startswith("```"):
            yield from in_text(part)


def documents():
    found = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")),
             *sorted((ROOT / "clients").glob("*/README.md"))]
    return {str(path.relative_to(ROOT)): path for path in found}
