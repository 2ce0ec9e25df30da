// The process that reads one asset.
#include "sandbox/import_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "limits.h"
#include "model/asset_facts.h"
#include "model/rig_pack.h"
#include "renderer.h"
#include "sandbox/sandbox.h"

/* Numbers of its two descriptors; only these and the three standard ones stay open. */
enum { ASSET = 3, RESULT = 4, FIRST_CLOSED = 5 };

/* Niceness relative to the loop, like that of the thread pools. */
#define NICENESS 5

/* Arrays of this size or more are returned to the system as soon as they are written. */
#define GIVE_BACK_BYTES ((size_t)1 << 20)

/* Moves the descriptors to their numbers. */
static bool place_descriptors(int asset, int result) {
	// First to numbers that do not collide.
	const int from = fcntl(asset, F_DUPFD, FIRST_CLOSED);
	const int to = fcntl(result, F_DUPFD, FIRST_CLOSED);
	if (from < 0 || to < 0 || dup2(from, ASSET) < 0 || dup2(to, RESULT) < 0) {
		return false;
	}
	return close_range(FIRST_CLOSED, ~0u, 0) == 0;
}

/* Discards the output of the child, whose messages are part of the result, but keeps that of
 * sanitizers. */
static bool silence(void) {
	const int nowhere = open("/dev/null", O_RDWR);
	if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0) {
		return false;
	}
#if SANDBOX_LIMITS_MEMORY
	return dup2(nowhere, STDERR_FILENO) >= 0;
#else
	return true;
#endif
}

static void on_exhaustion(void) {
	_exit(IMPORT_EXIT_OUT_OF_MEMORY);
}

/* Returns whole pages to the system: rig_pack() no longer needs bytes that it has passed on. */
static void give_back(const void *bytes, size_t size) {
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t start = ((uintptr_t)bytes + page - 1) / page * page;
	const uintptr_t end = ((uintptr_t)bytes + size) / page * page;
	if (size >= GIVE_BACK_BYTES) {
		madvise((void *)start, end - start, MADV_DONTNEED);
	}
}

struct output {
	uint64_t bytes; // written so far
};

static bool write_pack(void *context, const void *bytes, size_t size) {
	struct output *output = context;
	output->bytes += size;
	if (!memory_file_write(RESULT, bytes, size)) {
		return false;
	}
	give_back(bytes, size);
	return true;
}

static _Noreturn void finish(struct import_result *result) {
	result->magic = IMPORT_RESULT_MAGIC;
	const bool written = pwrite(RESULT, result, sizeof *result, 0) == sizeof *result;
	_exit(written ? IMPORT_EXIT_WRITTEN : IMPORT_EXIT_NO_ROOM);
}

/* Packs the facts of a lenient import behind the rig. */
static void write_facts(const struct asset_facts *facts, struct import_result *result) {
	struct buffer packed = {0};
	if (!asset_facts_pack(facts, &packed, NULL)) {
		_exit(IMPORT_EXIT_OUT_OF_MEMORY);
	}
	if (!memory_file_write(RESULT, packed.data, packed.size)) {
		_exit(IMPORT_EXIT_NO_ROOM);
	}
	result->facts_bytes = packed.size;
}

static _Noreturn void read_asset(
	const void *bytes, const struct import_request *request, struct import_result *result) {
	const size_t size = request->asset_bytes;
	struct asset_facts *facts = NULL;
	struct rig *rig = request->lenient
		? renderer_import_lenient(bytes, size, &facts, &result->err)
		: renderer_import(bytes, size, &result->err);
	if (!rig) {
		result->failed = 1;
		finish(result);
	}
	struct output output = {0};
	if (!rig_pack(rig, write_pack, &output)) {
		_exit(IMPORT_EXIT_NO_ROOM);
	}
	result->pack_bytes = output.bytes;
	if (facts) {
		write_facts(facts, result);
	}
	finish(result);
}

static const void *map_asset(const struct import_task *task) {
	static const char nothing[1];
	if (task->request.asset_bytes == 0) {
		return nothing;
	}
	// Private and read-only, so that the child cannot change the daemon's bytes.
	void *bytes = mmap(
		NULL, task->request.asset_bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, ASSET, 0);
	return bytes == MAP_FAILED ? NULL : bytes;
}

void import_child_run(const struct import_task *task) {
	static struct import_result result;
	struct error *err = &result.err;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	// Other requests take precedence.
	setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + NICENESS);
	memory_on_exhaustion(on_exhaustion);
	const struct sandbox_limits limits = {
		.memory_bytes = task->request.memory_bytes,
		.file_bytes = task->request.memory_bytes,
		.cpu_seconds = task->request.cpu_seconds + 1, // the helper kills it first
		.writable = RESULT,
	};
	const void *bytes = NULL;
	if (!place_descriptors(task->asset, task->result) || !silence() ||
		!(bytes = map_asset(task)) || lseek(RESULT, (off_t)IMPORT_PACK_AT, SEEK_SET) < 0) {
		error_set(err, ERROR_INTERNAL, "import: %s", strerror(errno));
	}
	if (err->code == ERROR_NONE) {
		renderer_import_prepare(bytes, task->request.asset_bytes);
	}
	if (err->code == ERROR_NONE && !sandbox_enter(&limits, err) && !task->must_sandbox) {
		*err = (struct error){0}; // the daemon has logged this at startup
	}
	if (err->code != ERROR_NONE) {
		result.failed = 1;
		finish(&result);
	}
	read_asset(bytes, &task->request, &result);
}

void import_child_probe(int why_not) {
	const struct sandbox_limits limits = {
		.memory_bytes = LIMIT_IMPORT_BYTES_FREE,
		.file_bytes = LIMIT_IMPORT_BYTES_FREE,
		.cpu_seconds = 1,
		.writable = why_not,
	};
	struct error err = {0};
	if (sandbox_enter(&limits, &err)) {
		_exit(0);
	}
	memory_file_write(why_not, err.text, strlen(err.text));
	_exit(1);
}
