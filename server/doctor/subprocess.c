// Subprocesses.
#include "doctor/subprocess.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/utf8.h"

#define POLL_INTERVAL_MS 2

static _Noreturn void child(const struct subprocess *subprocess, int output, void *shared) {
	if (output >= 0) {
		dup2(output, STDERR_FILENO);
	}
	subprocess->work(subprocess->argument, shared);
	// Not exit(): drivers' exit handlers have crashed.
	_exit(0);
}

/* False on a timeout; the process is killed then. */
static bool wait_for(pid_t process, double seconds, int *status) {
	const double end_s = clock_now_s() + seconds;
	const struct timespec pause = {0, POLL_INTERVAL_MS * 1000000L};
	while (waitpid(process, status, WNOHANG) == 0) {
		if (clock_now_s() > end_s) {
			kill(process, SIGKILL);
			// Do not wait for a process that hangs in the kernel.
			nanosleep(&pause, NULL);
			waitpid(process, status, WNOHANG);
			return false;
		}
		nanosleep(&pause, NULL);
	}
	return true;
}

static bool check_status(
	const struct subprocess *subprocess, bool ended, int status, struct error *err) {
	if (!ended) {
		return error_set(
			err, ERROR_INTERNAL, "did not come back within %g s", subprocess->seconds);
	}
	if (WIFSIGNALED(status)) {
		return error_set(err, ERROR_INTERNAL, "crashed: signal %d, %s", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	}
	return WEXITSTATUS(status) == 0 ||
		error_set(err, ERROR_INTERNAL, "ended the process with status %d",
			WEXITSTATUS(status));
}

/* Leaves out repeated lines: drivers repeat messages for every way that they try. */
static void read_output(int file, char *output, size_t size) {
	char text[8192];
	const ssize_t length = pread(file, text, sizeof text - 1, 0);
	text[length > 0 ? length : 0] = '\0';
	char *rest = text, *line;
	while ((line = strsep(&rest, "\n"))) {
		const size_t used = strlen(output);
		if (*line && !strstr(output, line)) {
			snprintf(output + used, size - used, "%s%s", used ? "; " : "", line);
		}
	}
	utf8_trim(output);
}

bool subprocess_run(const struct subprocess *subprocess, struct error *err) {
	memset(subprocess->out, 0, subprocess->out_bytes);
	subprocess->output[0] = '\0';
	void *shared = mmap(NULL, subprocess->out_bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const int output = memory_file_open("output");
	const pid_t process = shared == MAP_FAILED ? -1 : fork();
	if (process == 0) {
		child(subprocess, output, shared);
	}
	bool ok = false;
	if (process < 0) {
		error_set(err, ERROR_INTERNAL, "cannot start a subprocess: %s", strerror(errno));
	} else {
		int status = 0;
		const bool ended = wait_for(process, subprocess->seconds, &status);
		ok = check_status(subprocess, ended, status, err);
		memcpy(subprocess->out, shared, subprocess->out_bytes);
	}
	if (shared != MAP_FAILED) {
		munmap(shared, subprocess->out_bytes);
	}
	if (output >= 0) {
		read_output(output, subprocess->output, subprocess->output_bytes);
		close(output);
	}
	return ok;
}
