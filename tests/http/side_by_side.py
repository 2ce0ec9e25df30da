"""Runs test classes side by side, each in a process of its own.

Those with `keeps_times = True`, which hold programs to times or do little but wait, begin first and
go before all others on the processor."""
import multiprocessing
import multiprocessing.connection
import os
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import slots  # noqa: E402

KEEP_TIMES_AT_ONCE = 3
FORK = multiprocessing.get_context("fork")  # the cases have been loaded


class Job:
    """A class at work; what it writes lies in a file until it ends."""

    def __init__(self, tests, work):
        self.tests = tests
        self.keeps_times = keeps_times(tests)
        self.written = tempfile.TemporaryFile(mode="w+", errors="replace")
        self.outcome, theirs = FORK.Pipe(duplex=False)
        self.process = FORK.Process(target=self._begin, args=(work, theirs))
        self.process.start()
        theirs.close()

    def _begin(self, work, outcome):
        for stream in (sys.stdout, sys.stderr):
            os.dup2(self.written.fileno(), stream.fileno())
        if self.keeps_times:
            outcome.send(work(self.tests))
            return
        os.nice(slots.NICENESS)
        with slots.held():
            outcome.send(work(self.tests))

    def end(self, died):
        try:
            outcome = self.outcome.recv()
        except EOFError:
            outcome = None
        self.process.join()
        self.outcome.close()
        with self.written:
            self.written.seek(0)
            print(self.written.read(), end="", flush=True)
        return outcome or died(self.tests, self.process.exitcode)


def keeps_times(tests):
    return getattr(type(tests[0]), "keeps_times", False)


def run(classes, work, died):
    """What work(tests) returns for each class, as they end; died(tests, exit status) where its
    process ended without. What was written is printed whole."""
    waiting = {kind: [tests for tests in classes if keeps_times(tests) == kind]
               for kind in (True, False)}
    most = {True: KEEP_TIMES_AT_ONCE, False: slots.count()}
    running = {}
    with slots.shared():
        while running or any(waiting.values()):
            for kind, queue in waiting.items():
                while queue and sum(job.keeps_times == kind for job in running.values()) < most[kind]:
                    job = Job(queue.pop(0), work)
                    running[job.outcome] = job
            for outcome in multiprocessing.connection.wait(list(running)):
                yield running.pop(outcome).end(died)
