"""Runs the cases of a folder and closes with one line, "NAME: N passed, N failed, N skipped"."""
import re
import sys
import time
import unittest


class Counting(unittest.TextTestResult):
    """Counts cases, not sub-tests: a case has failed if any part of it has."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.failed_cases = set()
        self.skipped_cases = set()
        self.ran = set()
        self.begun = {}
        self.seconds = {}

    def startTest(self, test):
        super().startTest(test)
        self.ran.add(test.id())
        self.begun[test.id()] = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        self.seconds[test.id()] = time.monotonic() - self.begun[test.id()]

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.failed_cases.add(test.id())

    def addError(self, test, err):
        super().addError(test, err)
        self.failed_cases.add(test.id())

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.failed_cases.add(test.id())

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.skipped_cases.add(getattr(test, "test_case", test).id())
        print(f"SKIPPED {test.id()}: {reason}", flush=True)


def flatten(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flatten(test)
        else:
            yield test


def spread(names, wanted):
    """A class that did not start stands for all of its cases: "setUpClass (module.Class)"."""
    cases = set()
    for name in names:
        match = re.fullmatch(r"setUpClass \((.+)\)", name)
        cases |= {case for case in wanted if case.startswith(match[1] + ".")} if match else {name}
    return cases


def chosen(folder, words):
    sys.path.insert(0, str(folder))
    tests = flatten(unittest.defaultTestLoader.discover(str(folder), top_level_dir=str(folder)))
    return unittest.TestSuite(
        test for test in tests if not words or any(word in test.id() for word in words)
    )


def main(name, folder, words):
    """Runs all cases of a folder, or those whose names contain one of the words."""
    suite = chosen(folder, words)
    wanted = [test.id() for test in flatten(suite)]
    runner = unittest.TextTestRunner(stream=sys.stdout, resultclass=Counting, verbosity=0)
    result = runner.run(suite)
    failed = spread(result.failed_cases, wanted)
    skipped = spread(result.skipped_cases, wanted) - failed
    passed = result.ran - failed - skipped
    slowest = sorted(result.seconds.items(), key=lambda item: -item[1])[:5]
    print("slowest: " + ", ".join(f"{case} {seconds:.1f} s" for case, seconds in slowest))
    print(f"{name}: {len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed else 0
