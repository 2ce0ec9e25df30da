// A user's argument in JSON.
#include "json_argument.h"

#include <stdio.h>
#include <string.h>

#include "json_read.h"

bool json_argument_write(struct json_writer *json, const char *name, const char *text) {
	struct arena *arena = arena_create();
	struct error err = {0};
	const size_t length = strlen(text);
	const bool ok = json_read(arena, text, length, &err);
	arena_destroy(arena);
	if (!ok) {
		fprintf(stderr, "pose: %s: %s\n", name, err.text);
		return false;
	}
	if (json->separate) {
		buffer_append(json->out, ",", 1);
	}
	buffer_append(json->out, text, length);
	json->separate = true;
	return true;
}
