"""What the API's description lists."""
from case import debian_module
from daemon import ROOT

METHODS = ("get", "put", "post", "patch", "delete")


def operations(status=None):
    """The operationId of every call, or of those that may be answered with a status."""
    yaml = debian_module("yaml")
    document = yaml.safe_load((ROOT / "protocol" / "openapi.yaml").read_text(encoding="utf-8"))
    return {
        path[method]["operationId"]
        for path in document["paths"].values() for method in METHODS if method in path
        if status is None or status in path[method]["responses"]
    }
