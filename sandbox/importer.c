// The caller's side of imports: starts the helper, sends it assets, waits for results.
#include "sandbox/importer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "limits.h"
#include "renderer.h"
#include "sandbox/import_internal.h"
#include "sandbox/sandbox.h"

/* Timeouts of a new helper's greeting, and of its reply after an asset's own time limit. Both take
 * milliseconds unless the machine is stalled. */
#define HELLO_LIMIT_S 30.0
#define REPLY_GRACE_S 10.0

/* Elapsed time of an import: this multiple of its processor time and these seconds, for busy
 * machines; but at most this share of the time until the deadline, to leave some for the response.
 */
#define WALL_FACTOR 4.0
#define WALL_MORE_S 10.0
#define WALL_SHARE 0.95

/* Seconds between checks for a stop. */
#define STOP_INTERVAL_S 0.1

struct importer {
	struct importer_options options;
	pthread_mutex_t mutex; // guards the members below
	pid_t process;         // the helper; 0 = none
	int socket;            // to it; -1 = none
};

/* Processes that read untrusted bytes get nothing of the daemon's environment. Their variables are
 * for speed, since each child starts with untouched memory: symbols bound before the fork, and
 * large pages for a heap that serves all but the largest arrays (a tenth of the time on files with
 * much JSON). Sanitizers, however, are configured by the environment. */
static char **helper_environment(void) {
#if SANDBOX_LIMITS_MEMORY
	static char *environment[] = {"LD_BIND_NOW=1",
		"GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432:"
		"glibc.malloc.trim_threshold=33554432",
		NULL};
	return environment;
#else
	return environ;
#endif
}

/* Starts this program again with its end of the socket. */
static bool spawn(int socket, pid_t *process, struct error *err) {
	char *arguments[] = {"posed", IMPORT_HELPER_ARGUMENT, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, socket, IMPORT_HELPER_SOCKET);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	// Not by its path, which may be another version by now.
	const int failure = posix_spawn(
		process, "/proc/self/exe", &actions, &attributes, arguments, helper_environment());
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return failure == 0 ||
		error_set(err, ERROR_INTERNAL, "import helper: %s", strerror(failure));
}

/* Milliseconds for poll() until a time of clock_now_s(). */
static int milliseconds_until(double end_s) {
	const double left_ms = (end_s - clock_now_s()) * 1000;
	return left_ms <= 0 ? 0 : left_ms > 3600000 ? 3600000 : (int)left_ms + 1;
}

/* True if a file becomes readable, or ends, before a time of clock_now_s(). */
static bool wait_readable(int file, double end_s) {
	struct pollfd event = {.fd = file, .events = POLLIN};
	int count;
	do {
		count = poll(&event, 1, milliseconds_until(end_s));
	} while (count == 0 ? clock_now_s() < end_s : count < 0 && errno == EINTR);
	return count > 0;
}

static void stop_helper(struct importer *importer) {
	if (importer->socket >= 0) {
		close(importer->socket);
	}
	if (importer->process > 0) {
		kill(importer->process, SIGKILL);
		waitpid(importer->process, NULL, 0);
	}
	importer->socket = -1;
	importer->process = 0;
}

/* Takes the greeting; under SANDBOX_REQUIRE it must be the right one. */
static bool receive_hello(struct importer *importer, bool first, struct error *err) {
	struct import_hello hello;
	if (!wait_readable(importer->socket, clock_now_s() + HELLO_LIMIT_S) ||
		recv(importer->socket, &hello, sizeof hello, 0) != sizeof hello) {
		return error_set(err, ERROR_INTERNAL, "the import helper does not start");
	}
	hello.why_not[sizeof hello.why_not - 1] = '\0';
	if (!hello.sandboxed && importer->options.sandbox == SANDBOX_REQUIRE) {
		return error_set(err, ERROR_INTERNAL,
			"--sandbox require: processes that read assets cannot be sandboxed: %s",
			hello.why_not);
	}
	if (!hello.sandboxed && first) {
		log_line(LOG_WARNING, "assets are read in processes without a sandbox: %s",
			hello.why_not);
	}
	return true;
}

/* Under the mutex, or before there are others. */
static bool start_helper(struct importer *importer, bool first, struct error *err) {
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
		return error_set(err, ERROR_INTERNAL, "socketpair: %s", strerror(errno));
	}
	importer->socket = ends[0];
	const bool spawned = spawn(ends[1], &importer->process, err);
	close(ends[1]);
	if (!spawned) {
		importer->process = 0;
	}
	if (!spawned || !receive_hello(importer, first, err)) {
		stop_helper(importer);
		return false;
	}
	return true;
}

struct importer *importer_create(const struct importer_options *options, struct error *err) {
	struct importer *importer = xcalloc(1, sizeof *importer);
	importer->options = *options;
	importer->socket = -1;
	pthread_mutex_init(&importer->mutex, NULL);
	if (!start_helper(importer, true, err)) {
		importer_destroy(importer);
		return NULL;
	}
	return importer;
}

void importer_destroy(struct importer *importer) {
	if (!importer) {
		return;
	}
	stop_helper(importer);
	pthread_mutex_destroy(&importer->mutex);
	free(importer);
}

/* Sends one message with its descriptors; false when the helper is gone. */
static bool send_request(int socket, const struct import_request *request,
	const int descriptors[static IMPORT_DESCRIPTORS]) {
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(IMPORT_DESCRIPTORS * sizeof(int))];
	} control = {0};
	struct iovec part = {(void *)request, sizeof *request};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.room,
		.msg_controllen = sizeof control.room,
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(IMPORT_DESCRIPTORS * sizeof(int));
	memcpy(CMSG_DATA(head), descriptors, IMPORT_DESCRIPTORS * sizeof(int));
	ssize_t sent;
	do {
		sent = sendmsg(socket, &message, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent == sizeof *request;
}

/* Sends to the helper, or to a new one if it is gone. *process is the receiver. */
static bool submit(struct importer *importer, const struct import_request *request,
	const int descriptors[static IMPORT_DESCRIPTORS], pid_t *process, struct error *err) {
	pthread_mutex_lock(&importer->mutex);
	bool sent = importer->socket >= 0 && send_request(importer->socket, request, descriptors);
	if (!sent) {
		log_line(LOG_WARNING, "the import helper is gone; starting another");
		stop_helper(importer);
		sent = start_helper(importer, false, err) &&
			(send_request(importer->socket, request, descriptors) ||
				error_set(
					err, ERROR_INTERNAL, "import helper: %s", strerror(errno)));
	}
	*process = importer->process;
	pthread_mutex_unlock(&importer->mutex);
	return sent;
}

/* Stops a helper that does not reply. */
static void drop_helper(struct importer *importer, pid_t process) {
	pthread_mutex_lock(&importer->mutex);
	if (importer->process == process) {
		stop_helper(importer);
	}
	pthread_mutex_unlock(&importer->mutex);
}

/* Waits for the helper's reply, its end, or a timeout. False when the import is stopped. */
static bool wait_for_reply(
	const struct import_asset *asset, int reply, double end_s, struct error *err) {
	double now_s = clock_now_s();
	while (now_s < end_s) {
		if (wait_readable(reply, fmin(now_s + STOP_INTERVAL_S, end_s))) {
			return true;
		}
		if (!stop_check(asset->stop, err)) {
			return false;
		}
		now_s = clock_now_s();
	}
	return true;
}

enum attempt { ATTEMPT_ENDED, ATTEMPT_LOST, ATTEMPT_FAILED };

/* Waits for the end of the child; ATTEMPT_LOST when the helper is lost. */
static enum attempt await(struct importer *importer, const struct import_asset *asset, int reply,
	pid_t process, struct import_outcome *outcome, struct error *err) {
	const double end_s = clock_now_s() + outcome->request.wall_seconds + REPLY_GRACE_S;
	if (!wait_for_reply(asset, reply, end_s, err)) {
		return ATTEMPT_FAILED;
	}
	const bool readable = wait_readable(reply, 0);
	if (readable &&
		read(reply, &outcome->reply, sizeof outcome->reply) == sizeof outcome->reply) {
		return ATTEMPT_ENDED;
	}
	log_line(LOG_ERROR, "the import helper %s in the middle of an import",
		readable ? "died" : "did not reply");
	drop_helper(importer, process);
	return ATTEMPT_LOST;
}

static uint64_t memory_budget(const struct importer *importer, uint64_t asset_bytes) {
	// The asset itself is mapped, too; callers check its size against LIMIT_ASSET_BYTES.
	const uint64_t bytes =
		LIMIT_IMPORT_BYTES_FREE + asset_bytes * (LIMIT_IMPORT_BYTES_PER_BYTE + 1);
	const uint64_t most = importer->options.memory_bytes < LIMIT_IMPORT_BYTES_MAX
		? importer->options.memory_bytes
		: LIMIT_IMPORT_BYTES_MAX;
	return bytes < most ? bytes : most;
}

/* Limit of elapsed time of an import. */
static double wall_budget_s(const struct importer *importer, const struct import_asset *asset) {
	const double max_s = importer->options.seconds * WALL_FACTOR + WALL_MORE_S;
	const double deadline_s = asset->stop ? atomic_load(&asset->stop->deadline_s) : 0;
	return deadline_s <= 0 ? max_s : fmin(max_s, (deadline_s - clock_now_s()) * WALL_SHARE);
}

static int open_memory(const char *name, struct error *err) {
	const int file = memory_file_open(name);
	if (file < 0) {
		error_set(err, ERROR_INTERNAL, "memory file: %s", strerror(errno));
	}
	return file;
}

/* Has the source read into outcome->result once. */
static enum attempt attempt(struct importer *importer, const struct import_asset *asset, int source,
	struct import_outcome *outcome, struct error *err) {
	int reply[2];
	if (pipe2(reply, O_CLOEXEC) != 0) {
		error_set(err, ERROR_INTERNAL, "pipe: %s", strerror(errno));
		return ATTEMPT_FAILED;
	}
	const int descriptors[IMPORT_DESCRIPTORS] = {source, outcome->result, reply[1]};
	pid_t process;
	const bool sent = submit(importer, &outcome->request, descriptors, &process, err);
	close(reply[1]); // only the helper has it now, so that its exit ends the pipe
	const enum attempt ended =
		sent ? await(importer, asset, reply[0], process, outcome, err) : ATTEMPT_FAILED;
	close(reply[0]);
	return ended;
}

static bool file_size(int file, uint64_t *size, struct error *err) {
	struct stat status;
	if (fstat(file, &status) != 0) {
		return error_set(err, ERROR_INTERNAL, "fstat: %s", strerror(errno));
	}
	*size = (uint64_t)status.st_size;
	return true;
}

/* No asset can harm the helper: an operator killed it, or the kernel for lack of memory. One more
 * attempt, with another helper and another result file, is therefore worthwhile. */
static struct rig *exchange(struct importer *importer, const struct import_asset *asset, int source,
	struct asset_facts **facts, struct error *err) {
	uint64_t size = 0;
	if (!file_size(source, &size, err)) {
		return NULL;
	}
	struct import_outcome outcome = {
		.request = {.asset_bytes = size,
			.memory_bytes = memory_budget(importer, size),
			.all_bytes = importer->options.memory_bytes,
			.cpu_seconds = importer->options.seconds,
			.wall_seconds = wall_budget_s(importer, asset),
			.lenient = facts},
	};
	enum attempt ended = ATTEMPT_LOST;
	struct rig *rig = NULL;
	for (int i = 0; i < 2 && ended == ATTEMPT_LOST; i++) {
		outcome.result = open_memory("rig", err);
		if (outcome.result < 0) {
			return NULL;
		}
		ended = attempt(importer, asset, source, &outcome, err);
		rig = ended == ATTEMPT_ENDED ? import_outcome_take(&outcome, facts, err) : NULL;
		close(outcome.result);
	}
	if (ended == ATTEMPT_LOST) {
		error_set(err, ERROR_OVERLOADED,
			"the process that runs imports died twice during this one; try again");
	}
	return rig;
}

/* Copies the asset to a sealed memory file; -1 with *err. */
static int copy_asset(const struct import_asset *asset, struct error *err) {
	const int file = open_memory("asset", err);
	if (file >= 0 &&
		(!memory_file_write(file, asset->bytes, asset->size) || !memory_file_seal(file))) {
		error_set(err, ERROR_INTERNAL, "memory file: %s", strerror(errno));
		close(file);
		return -1;
	}
	return file;
}

static struct rig *import_bytes(
	const void *bytes, size_t size, struct asset_facts **facts, struct error *err) {
	return facts ? renderer_import_lenient(bytes, size, facts, err)
		     : renderer_import(bytes, size, err);
}

static struct rig *read_here(
	const struct import_asset *asset, struct asset_facts **facts, struct error *err) {
	if (asset->bytes || asset->file < 0) {
		return import_bytes(asset->bytes, asset->size, facts, err);
	}
	size_t size;
	void *bytes = file_read(asset->file, &size, err);
	struct rig *rig = bytes ? import_bytes(bytes, size, facts, err) : NULL;
	free(bytes);
	return rig;
}

/* A strict import where facts is NULL. */
static struct rig *read_any(struct importer *importer, const struct import_asset *asset,
	struct asset_facts **facts, struct error *err) {
	if (!importer) {
		return read_here(asset, facts, err);
	}
	const int source = asset->file >= 0 ? asset->file : copy_asset(asset, err);
	struct rig *rig = source >= 0 ? exchange(importer, asset, source, facts, err) : NULL;
	if (source >= 0 && asset->file < 0) {
		close(source);
	}
	return rig;
}

struct rig *importer_read(
	struct importer *importer, const struct import_asset *asset, struct error *err) {
	return read_any(importer, asset, NULL, err);
}

struct rig *importer_read_lenient(struct importer *importer, const struct import_asset *asset,
	struct asset_facts **facts, struct error *err) {
	*facts = NULL;
	return read_any(importer, asset, facts, err);
}
