// A request's body as it comes.
#include "http/body.h"

#include <assert.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"

/* Bytes from which on a body lies in a file: below, a copy is cheaper than a file; and as many
 * clients as there can be connections may each send this much without a descriptor. */
#define FILE_BYTES ((size_t)1 << 20)

/* Moves what there is into a file. Without one (too many are open) it stays where it is. */
static bool move_to_file(struct body *body) {
	body->file = memory_file_open("body");
	if (body->file < 0) {
		return true;
	}
	body->in_file = true;
	const bool moved = memory_file_write(body->file, body->plain.data, body->plain.size);
	buffer_finish(&body->plain);
	return moved;
}

bool body_append(struct body *body, const void *bytes, size_t size) {
	assert(!body->mapped);
	if (!body->in_file && body->size + size > FILE_BYTES && !move_to_file(body)) {
		return false;
	}
	if (!body->in_file) {
		buffer_append(&body->plain, bytes, size);
	} else if (!memory_file_write(body->file, bytes, size)) {
		return false;
	}
	body->size += size;
	return true;
}

bool body_complete(struct body *body) {
	if (!body->in_file) {
		return true;
	}
	if (!memory_file_seal(body->file)) {
		return false;
	}
	void *mapped = mmap(NULL, body->size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, body->file, 0);
	body->mapped = mapped == MAP_FAILED ? NULL : mapped;
	return body->mapped;
}

const void *body_bytes(const struct body *body) {
	return body->in_file ? body->mapped : body->plain.data;
}

int body_file(const struct body *body) {
	return body->in_file ? body->file : -1;
}

void body_finish(struct body *body) {
	buffer_finish(&body->plain);
	if (body->mapped) {
		munmap(body->mapped, body->size);
	}
	if (body->in_file) {
		close(body->file);
	}
	*body = (struct body){0};
}
