"""The Python modules that Debian packages."""
import importlib
import sys
import unittest


def debian_module(name):
    """A module of a Debian package, also where another Python runs the tests; skips without it."""
    folder = "/usr/lib/python3/dist-packages"
    try:
        return importlib.import_module(name)
    except ImportError:
        sys.path.append(folder)
    try:
        return importlib.import_module(name)
    except ImportError:
        raise unittest.SkipTest(f"the Python module {name} is not here")
    finally:
        sys.path.remove(folder)
