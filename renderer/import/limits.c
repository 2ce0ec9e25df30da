// Limits on the memory that a file may claim for its rig: a multiple of its own size.
#include "import/limits.h"

#include "model/rig.h"

size_t claim_allowed(size_t file_bytes) {
	return IMPORT_BYTES_FREE + IMPORT_BYTES_PER_BYTE * file_bytes;
}

bool claim_bytes(size_t *left, size_t bytes, const char *what, struct error *err) {
	if (bytes > *left) {
		return error_set(err, ERROR_TOO_LARGE,
			"%s: %zu bytes, but a file of this size may only fill %zu more", what,
			bytes, *left);
	}
	*left -= bytes;
	return true;
}

void *claim_storage(struct rig *rig, size_t *left, size_t count, size_t size, const char *what,
	struct error *err) {
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) {
		error_set(err, ERROR_TOO_LARGE, "%s: %zu x %zu bytes overflow", what, count, size);
		return NULL;
	}
	return claim_bytes(left, bytes, what, err) ? rig_storage(rig, count, size, what, err)
						   : NULL;
}
