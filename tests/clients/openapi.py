"""What the API's description lists."""
from case import debian_module
from daemon import ROOT

METHODS = ("get", "put", "post", "patch", "delete")


def operations():
    """The operationId of every call."""
    yaml = debian_module("yaml")
    document = yaml.safe_load((ROOT / "protocol" / "openapi.yaml").read_text(encoding="utf-8"))
    return {
        path[method]["operationId"]
        for path in document["paths"].values() for method in METHODS if method in path
    }
