// The result of a process that read an asset; nothing of it is trusted.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "model/asset_facts.h"
#include "model/rig_pack.h"
#include "sandbox/import_internal.h"

static bool refuse_late(const struct import_outcome *outcome, struct error *err) {
	return error_set(err, ERROR_TOO_LARGE,
		"reading the asset took more than %g s of processor time",
		outcome->request.cpu_seconds);
}

/* The asset may be valid. */
static bool refuse_slow(const struct import_outcome *outcome, struct error *err) {
	return error_set(err, ERROR_OVERLOADED,
		"reading the asset got %.3g s of processor time in %.3g s, and did not finish; try "
		"again",
		outcome->reply.cpu_seconds, outcome->reply.seconds);
}

static bool refuse_crowded(struct error *err) {
	return error_set(err, ERROR_OVERLOADED,
		"the assets being read use all the memory for imports; try again");
}

static bool refuse_memory(const struct import_outcome *outcome, struct error *err) {
	return error_set(err, ERROR_TOO_LARGE,
		"reading the asset takes more than %llu MiB of memory, the limit for %llu bytes",
		(unsigned long long)outcome->request.memory_bytes >> 20,
		(unsigned long long)outcome->request.asset_bytes);
}

static bool refuse_signal(const struct import_outcome *outcome, int number, struct error *err) {
	if (number == SIGXCPU) {
		return refuse_late(outcome, err);
	}
	log_line(LOG_WARNING,
		"the process that read an asset of %llu bytes ended by signal %d "
		"(%s) after %.3f s and %llu MiB",
		(unsigned long long)outcome->request.asset_bytes, number, strsignal(number),
		outcome->reply.seconds, (unsigned long long)outcome->reply.peak_bytes >> 20);
	if (number == SIGKILL) {
		// Not by the helper, but by an operator, or by the kernel for lack of memory.
		return error_set(err, ERROR_OVERLOADED,
			"the process that read the asset was killed, perhaps for lack of memory; "
			"try again");
	}
	return error_set(
		err, ERROR_BROKEN_ASSET, "the reader failed (signal %d) on this asset", number);
}

static bool check_end(const struct import_outcome *outcome, struct error *err) {
	const int status = outcome->reply.status;
	if (status == -1) {
		log_line(LOG_ERROR, "cannot start a process to read an asset: %s",
			strerror(outcome->reply.failure));
		return error_set(err, ERROR_OVERLOADED,
			"no further process can be started to read the asset; try again");
	}
	switch (outcome->reply.end) {
	case IMPORT_END_OWN:
		break;
	case IMPORT_END_CPU:
		return refuse_late(outcome, err);
	case IMPORT_END_WALL:
		return refuse_slow(outcome, err);
	case IMPORT_END_CROWDED:
		return refuse_crowded(err);
	}
	if (WIFSIGNALED(status)) {
		return refuse_signal(outcome, WTERMSIG(status), err);
	}
	switch (WEXITSTATUS(status)) {
	case IMPORT_EXIT_WRITTEN:
		return true;
	case IMPORT_EXIT_OUT_OF_MEMORY:
	case IMPORT_EXIT_NO_ROOM:
		return refuse_memory(outcome, err);
	default:
		log_line(LOG_WARNING, "the process that read an asset exited with %d",
			WEXITSTATUS(status));
		return error_set(err, ERROR_BROKEN_ASSET,
			"the reader failed (exit %d) on this asset", WEXITSTATUS(status));
	}
}

static bool is_text(const char *text, size_t room) {
	const char *end = memchr(text, '\0', room);
	return end && utf8_is_valid(text, (size_t)(end - text));
}

/* Passes on the child's error if its code is possible for an import. */
static bool pass_on(const struct error *from, struct error *err) {
	switch ((unsigned)from->code) {
	case ERROR_UNSUPPORTED_MEDIA_TYPE:
	case ERROR_BROKEN_ASSET:
	case ERROR_UNSUPPORTED_ASSET:
	case ERROR_TOO_LARGE:
	case ERROR_INTERNAL:
		break;
	default:
		return error_set(err, ERROR_INTERNAL, "a reader's error has code %d", from->code);
	}
	if (!is_text(from->text, sizeof from->text) ||
		!is_text(from->pointer, sizeof from->pointer)) {
		return error_set(err, ERROR_INTERNAL, "a reader's error has no text");
	}
	return *(const unsigned char *)&from->has_pointer == 1
		? error_at(err, from->code, from->pointer, "%s", from->text)
		: error_set(err, from->code, "%s", from->text);
}

/* Prevents changes to the file after it is checked. */
static bool seal(int file, struct error *err) {
	return memory_file_seal(file) ||
		error_set(err, ERROR_INTERNAL, "sealing a result: %s", strerror(errno));
}

static void unmap(void *block, size_t size) {
	munmap(block, size);
}

/* The asset is valid. */
static bool refuse_without_memory(const struct import_result *result, struct error *err) {
	return error_set(err, ERROR_OVERLOADED,
		"there is no memory for a rig of %llu bytes at the moment; try again",
		(unsigned long long)result->pack_bytes);
}

static bool check_sizes(
	int file, const struct import_result *result, bool lenient, struct error *err) {
	struct stat status;
	uint64_t bytes;
	return (fstat(file, &status) == 0 && result->pack_bytes > 0 &&
		       (result->facts_bytes > 0) == lenient &&
		       !__builtin_add_overflow(result->pack_bytes, result->facts_bytes, &bytes) &&
		       (uint64_t)status.st_size >= IMPORT_PACK_AT &&
		       (uint64_t)status.st_size - IMPORT_PACK_AT == bytes) ||
		error_set(err, ERROR_INTERNAL, "a result has the wrong size");
}

/* The rig was valid, and so would these be, unless the child was compromised. */
static struct asset_facts *read_facts(
	int file, const struct import_result *result, const struct rig *rig, struct error *err) {
	struct error why = {0};
	void *bytes = try_calloc(result->facts_bytes, 1, "facts", &why);
	if (!bytes) {
		refuse_without_memory(result, err);
		return NULL;
	}
	struct asset_facts *facts = NULL;
	const off_t at = (off_t)(IMPORT_PACK_AT + result->pack_bytes);
	if (pread(file, bytes, result->facts_bytes, at) == (ssize_t)result->facts_bytes) {
		facts = asset_facts_unpack(rig, bytes, result->facts_bytes, &why);
	}
	free(bytes);
	if (!facts) {
		log_line(LOG_ERROR, "a process that read an asset wrote no facts: %s", why.text);
		error_set(err, ERROR_BROKEN_ASSET, "the reader failed on this asset");
	}
	return facts;
}

static struct rig *map_rig(int file, const struct import_result *result, struct error *err) {
	void *block = mmap(NULL, result->pack_bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file,
		(off_t)IMPORT_PACK_AT);
	if (block == MAP_FAILED) {
		refuse_without_memory(result, err);
		return NULL;
	}
	struct error why = {0};
	struct rig *rig = rig_unpack(block, result->pack_bytes, unmap, &why);
	if (!rig && why.code == ERROR_TOO_LARGE) {
		refuse_without_memory(result, err);
	} else if (!rig) {
		// Children perform the same check, so that this one was compromised.
		log_line(LOG_ERROR, "a process that read an asset wrote no rig: %s", why.text);
		error_set(err, ERROR_BROKEN_ASSET, "the reader failed on this asset");
	}
	return rig;
}

struct rig *import_outcome_take(
	const struct import_outcome *outcome, struct asset_facts **facts, struct error *err) {
	log_line(LOG_DEBUG, "reading an asset of %llu bytes took %.6f s and %llu KiB",
		(unsigned long long)outcome->request.asset_bytes, outcome->reply.seconds,
		(unsigned long long)outcome->reply.peak_bytes >> 10);
	struct import_result result;
	if (!check_end(outcome, err) || !seal(outcome->result, err)) {
		return NULL;
	}
	if (pread(outcome->result, &result, sizeof result, 0) != sizeof result ||
		result.magic != IMPORT_RESULT_MAGIC) {
		error_set(err, ERROR_INTERNAL, "a reader ended without a result");
		return NULL;
	}
	if (result.failed) {
		pass_on(&result.err, err);
		return NULL;
	}
	if (!check_sizes(outcome->result, &result, facts, err)) {
		return NULL;
	}
	struct rig *rig = map_rig(outcome->result, &result, err);
	if (rig && facts && !(*facts = read_facts(outcome->result, &result, rig, err))) {
		rig_release(rig);
		return NULL;
	}
	return rig;
}
