"""The operations and schemas of the API's description."""
from described import description

METHODS = ("get", "put", "post", "patch", "delete")


def schemas():
    """By name."""
    return description()["components"]["schemas"]


def operations(status=None):
    """The operationId of every call, or of those that may be answered with a status."""
    return {
        path[method]["operationId"]
        for path in description()["paths"].values() for method in METHODS if method in path
        if status is None or status in path[method]["responses"]
    }
