// Work in a process of its own.
#include "doctor/apart.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "import/memory_file.h"

/* Milliseconds between two looks whether it is done. */
#define LOOK_MS 2

static _Noreturn void child(const struct apart_job *job, int words, void *shared) {
	if (words >= 0) {
		dup2(words, STDERR_FILENO);
	}
	job->work(job->argument, shared);
	// Not exit(): drivers' own handlers for it have crashed before.
	_exit(0);
}

/* False when it had to be killed. */
static bool await(pid_t process, double seconds, int *status) {
	const double end_s = clock_now_s() + seconds;
	const struct timespec pause = {0, LOOK_MS * 1000000L};
	while (waitpid(process, status, WNOHANG) == 0) {
		if (clock_now_s() > end_s) {
			kill(process, SIGKILL);
			// A process that hangs inside of the kernel stays: do not wait for it.
			nanosleep(&pause, NULL);
			waitpid(process, status, WNOHANG);
			return false;
		}
		nanosleep(&pause, NULL);
	}
	return true;
}

static bool judge(const struct apart_job *job, bool ended, int status, struct error *err) {
	if (!ended) {
		return error_set(
			err, ERROR_INTERNAL, "did not come back within %g s", job->seconds);
	}
	if (WIFSIGNALED(status)) {
		return error_set(err, ERROR_INTERNAL, "crashed: signal %d, %s", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	}
	return WEXITSTATUS(status) == 0 ||
		error_set(err, ERROR_INTERNAL, "ended the process with status %d",
			WEXITSTATUS(status));
}

/* What was written, each line once: drivers say a thing for every door that they try. */
static void read_words(int file, char *words, size_t room) {
	char text[8192];
	const ssize_t length = pread(file, text, sizeof text - 1, 0);
	text[length > 0 ? length : 0] = '\0';
	char *rest = text, *line;
	while ((line = strsep(&rest, "\n"))) {
		const size_t used = strlen(words);
		if (*line && !strstr(words, line)) {
			snprintf(words + used, room - used, "%s%s", used ? "; " : "", line);
		}
	}
	utf8_trim(words);
}

bool apart_run(const struct apart_job *job, struct error *err) {
	memset(job->out, 0, job->out_bytes);
	job->words[0] = '\0';
	void *shared = mmap(
		NULL, job->out_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const int words = memory_file_open("words");
	const pid_t process = shared == MAP_FAILED ? -1 : fork();
	if (process == 0) {
		child(job, words, shared);
	}
	bool fine = false;
	if (process < 0) {
		error_set(err, ERROR_INTERNAL, "no process of its own: %s", strerror(errno));
	} else {
		int status = 0;
		const bool ended = await(process, job->seconds, &status);
		fine = judge(job, ended, status, err);
		memcpy(job->out, shared, job->out_bytes);
	}
	if (shared != MAP_FAILED) {
		munmap(shared, job->out_bytes);
	}
	if (words >= 0) {
		read_words(words, job->words, job->words_bytes);
		close(words);
	}
	return fine;
}
