// multipart/form-data: a line with the Content-Type, and the body behind it.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "form_data.h"
#include "fuzz.h"
#include "limits.h"

#define SIZE_MAX_BYTES ((size_t)1 << 16)
#define TYPE_MAX_BYTES 256

/* Files lie within the body, one behind the other. */
static void check_files(
	const struct form_file *files, size_t count, const char *body, size_t size) {
	const char *behind = body;
	assert(count > 0 && count <= LIMIT_FORM_FILES);
	for (size_t i = 0; i < count; i++) {
		const char *bytes = files[i].bytes;
		assert(bytes >= behind && files[i].size <= (size_t)(body + size - bytes));
		assert(*files[i].path && utf8_is_valid(files[i].path, strlen(files[i].path)));
		behind = bytes + files[i].size;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	const uint8_t *end = memchr(data, '\n', size < TYPE_MAX_BYTES ? size : TYPE_MAX_BYTES);
	if (!end || size > SIZE_MAX_BYTES) {
		return 0;
	}
	struct arena *arena = arena_create();
	const size_t length = (size_t)(end - data), left = size - length - 1;
	const char *type = arena_strndup(arena, (const char *)data, length);
	// Of its own, so that nothing behind it is read unseen.
	char *body = malloc(left ? left : 1);
	memcpy(body, end + 1, left);
	struct error err = {0};
	size_t count = 0;
	const struct form_file *files = form_data_read(type, body, left, arena, &count, &err);
	assert(files || err.code != ERROR_NONE);
	if (files) {
		check_files(files, count, body, left);
	}
	free(body);
	arena_destroy(arena);
	return 0;
}
