"""Resources of a process: memory, descriptors, threads."""
import collections
import os

# own_kib is what nobody else can have a part in: Pss also changes when another process that has the
# same libraries comes or goes.
Sample = collections.namedtuple("Sample", "own_kib pss_kib rss_kib helpers_kib descriptors threads")


def fields(path):
    """The lines "Name:   value kB" of a file of /proc."""
    with open(path, encoding="ascii", errors="replace") as lines:
        pairs = (line.split(":", 1) for line in lines if ":" in line)
        return {name: value.split()[0] for name, value in pairs if value.split()}


def children(pid):
    """The processes below a process, its children's children with them."""
    found = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as text:
            for child in text.read().split():
                found += [int(child), *children(int(child))]
    return found


def pss_kib(pid):
    return int(fields(f"/proc/{pid}/smaps_rollup")["Pss"])


def helpers_kib(pid):
    total = 0
    for child in children(pid):
        try:
            total += pss_kib(child)
        except (OSError, KeyError):
            pass  # it has ended meanwhile
    return total


def sample(pid):
    status = fields(f"/proc/{pid}/status")
    try:
        helpers = helpers_kib(pid)
    except OSError:
        helpers = 0  # the list changed while it was read
    own = int(status["RssAnon"]) + int(status["RssShmem"])
    return Sample(own, pss_kib(pid), int(status["VmRSS"]), helpers,
                  len(os.listdir(f"/proc/{pid}/fd")), int(status["Threads"]))


def keeps_freed_memory(pid):
    """True if the process runs AddressSanitizer, which delays the reuse of memory."""
    with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as maps:
        return "libasan" in maps.read()
