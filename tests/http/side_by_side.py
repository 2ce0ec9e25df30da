"""Runs test classes side by side, each in a process of its own.

Those with `keeps_times = True`, which hold programs to times or do little but wait, begin first and
go before all others on the processor. Those with `shares_process = True`, or whose shares_daemon()
is, run one after another in a few processes, which keep what is expensive to start."""
import contextlib
import multiprocessing
import multiprocessing.connection
import os
import pathlib
import sys
import tempfile
import traceback

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import slots  # noqa: E402

KEEP_TIMES_AT_ONCE = 3
FORK = multiprocessing.get_context("fork")  # the cases have been loaded

_at_end = []


def at_end(function):
    """A function that each process calls behind its last class, which has failed if that raises."""
    _at_end.append(function)
    return function


class Line:
    """Classes that processes take one after another."""

    def __init__(self, classes):
        self.classes = classes
        self.taken = FORK.Value("i", 0)

    def is_empty(self):
        return self.taken.value >= len(self.classes)

    def take(self):
        """The number of a class, or None."""
        with self.taken.get_lock():
            number = self.taken.value
            self.taken.value += 1
        return number if number < len(self.classes) else None


class Job:
    """A process at work on a line; what it writes lies in a file until a class ends."""

    def __init__(self, line, work, died):
        self.line = line
        self.keeps_times = keeps_times(line.classes[0])
        self.tests = None  # of the class that runs
        self.written = tempfile.TemporaryFile(mode="a+", errors="replace")
        self.told, theirs = FORK.Pipe(duplex=False)
        self.process = FORK.Process(target=self._begin, args=(work, died, theirs))
        self.process.start()
        theirs.close()

    def _begin(self, work, died, tell):
        for stream in (sys.stdout, sys.stderr):
            os.dup2(self.written.fileno(), stream.fileno())
        if not self.keeps_times:
            os.nice(slots.NICENESS)
        last = None
        while not self.line.is_empty():
            with contextlib.nullcontext() if self.keeps_times else slots.held():
                number = self.line.take()
                if number is None:
                    break
                last = self.line.classes[number]
                tell.send(number)
                outcome = work(last)
                sys.stdout.flush()
                tell.send(outcome)
        try:
            for function in _at_end:
                function()
        except Exception:
            traceback.print_exc(file=sys.stdout)
            outcome = died(last, "a shared part that did not end well")
            sys.stdout.flush()
            tell.send(outcome)

    def hear(self, died):
        """(True while the process lives, the outcome of a class that has ended or None)."""
        try:
            told = self.told.recv()
        except EOFError:
            self.process.join()
            self.told.close()
            outcome = died(self.tests, self.process.exitcode) if self.tests else None
            self._print()
            self.written.close()
            return False, outcome
        if isinstance(told, int):
            self.tests = self.line.classes[told]
            return True, None
        self.tests = None
        self._print()
        return True, told

    def _print(self):
        self.written.seek(0)
        print(self.written.read(), end="", flush=True)
        self.written.truncate(0)


def keeps_times(tests):
    return getattr(type(tests[0]), "keeps_times", False)


def shares_process(kind):
    return getattr(kind, "shares_process", False) or (
        hasattr(kind, "shares_daemon") and kind.shares_daemon())


def lines(classes):
    """Those that wait for a process, as often as they may have one."""
    shared = [tests for tests in classes if shares_process(type(tests[0]))]
    for tests in classes:
        if not shares_process(type(tests[0])):
            yield Line([tests])
    if shared:
        yield from [Line(shared)] * min(slots.count(), len(shared))


def run(classes, work, died):
    """Yields the result of work(tests) for each class, as they end; died(tests, exit status) for a
    process that ended without one. Prints each class's output as a whole."""
    waiting = {kind: list(lines([tests for tests in classes if keeps_times(tests) == kind]))
               for kind in (True, False)}
    most = {True: KEEP_TIMES_AT_ONCE, False: slots.count()}
    running = {}
    with slots.shared():
        while running or any(waiting.values()):
            for kind, queue in waiting.items():
                while queue and sum(job.keeps_times == kind for job in running.values()) < most[kind]:
                    job = Job(queue.pop(0), work, died)
                    running[job.told] = job
            for told in multiprocessing.connection.wait(list(running)):
                goes_on, outcome = running[told].hear(died)
                if not goes_on:
                    line = running.pop(told).line
                    if outcome and not line.is_empty():
                        waiting[keeps_times(line.classes[0])].append(line)
                if outcome:
                    yield outcome
