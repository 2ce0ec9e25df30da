"""Daemons that the classes of a process use one after another: starting one takes longer than most
classes do."""
import side_by_side
from client import Client
from daemon import Daemon

_free = {}  # by their arguments


def take(args=()):
    """A daemon that has no rigs, for the class alone."""
    free = _free.get(tuple(args))
    return free.pop() if free else Daemon(args=args).start()


def rigs(client):
    reply = client.get("/v1/rigs")
    assert reply.status == 200, str(reply)
    return [rig["name"] for rig in reply.json()["rigs"]]


def give_back(daemon):
    """Deletes what the class stored, and stops a daemon that has exited, which is a fault."""
    if daemon.process.poll() is not None:
        daemon.stop()
        return
    client = Client(daemon.port)
    for name in rigs(client):
        client.delete(name)
    left = rigs(client)
    if left:
        daemon.stop()
    assert not left, f"rigs that cannot be deleted: {left}"
    _free.setdefault(tuple(daemon.args), []).append(daemon)


@side_by_side.at_end
def stop():
    while _free:
        for daemon in _free.popitem()[1]:
            daemon.stop()
