"""Runs the cases of a folder and closes with one line, "NAME: N passed, N failed, N skipped"."""
import gc
import io
import os
import pathlib
import re
import resource
import sys
import time
import unittest

import side_by_side


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


class Outcome:
    """The outcomes of cases, by name."""

    def __init__(self):
        self.passed, self.failed, self.skipped, self.seconds = set(), set(), set(), {}
        self.processor_s = {}  # by class

    def add(self, other):
        for name, value in vars(other).items():
            getattr(self, name).update(value)


def names(tests):
    return [test.id() for test in tests]


def processes():
    """(process, its parent, its processor time with that of those it has waited for) of each."""
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(errors="replace").rpartition(") ")[2].split()
        except OSError:
            continue  # it has ended
        ticks = sum(map(int, fields[11:15]))
        yield int(path.parent.name), int(fields[1]), ticks / os.sysconf("SC_CLK_TCK")


def processor_s():
    """Processor time of this process, of those that it has waited for, and of its descendants, such as
    a browser that classes share."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    total = sum(usage.ru_utime + usage.ru_stime for usage in used)
    everyone = list(processes())
    family = [os.getpid()]
    for ancestor in family:
        for process, parent, seconds in everyone:
            if parent == ancestor:
                family.append(process)
                total += seconds
    return total


def run(tests):
    """Runs the cases of a class. Only failures are reported."""
    before = processor_s()
    report = io.StringIO()
    runner = unittest.TextTestRunner(stream=report, resultclass=Counting, verbosity=0)
    result = runner.run(unittest.TestSuite(tests))
    outcome = Outcome()
    outcome.failed = spread(result.failed_cases, names(tests))
    outcome.skipped = spread(result.skipped_cases, names(tests)) - outcome.failed
    outcome.passed = result.ran - outcome.failed - outcome.skipped
    outcome.seconds = result.seconds
    outcome.processor_s[tests[0].id().rpartition(".")[0]] = processor_s() - before
    if outcome.failed:
        print(report.getvalue())
    return outcome


def died(tests, status):
    """The outcome of a class whose process ended before its cases."""
    print(f"FAILED {type(tests[0]).__name__}: its process ended with {status}")
    outcome = Outcome()
    outcome.failed = set(names(tests))
    return outcome


def chosen(folder, words):
    """The cases of each class."""
    sys.path.insert(0, str(folder))
    classes = {}
    tests = unittest.defaultTestLoader.discover(str(folder), top_level_dir=str(folder))
    for test in flatten(tests):
        if not words or any(word in test.id() for word in words):
            classes.setdefault(type(test), []).append(test)
    return classes


def longest(seconds):
    first = sorted(seconds.items(), key=lambda item: -item[1])[:int(os.environ.get("MOST", "5"))]
    return ", ".join(f"{name} {value:.1f} s" for name, value in first)


def main(name, folder, words):
    """Runs all cases of a folder, or those whose names contain one of the words."""
    total = Outcome()
    classes = list(chosen(folder, words).values())
    gc.freeze()  # the modules, which every process that is forked for a class would go through
    for outcome in side_by_side.run(classes, run, died):
        total.add(outcome)
    print("slowest: " + longest(total.seconds))
    print(f"processor time: {sum(total.processor_s.values()):.1f} s, most of it: "
          + longest(total.processor_s))
    print(f"{name}: {len(total.passed)} passed, {len(total.failed)} failed, "
          f"{len(total.skipped)} skipped")
    return 1 if total.failed else 0
