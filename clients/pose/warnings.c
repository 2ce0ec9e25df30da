// Warnings about assets.
#include "warnings.h"

#include <stdio.h>

#include "base/json_write.h"
#include "files.h"
#include "renderer.h"

static void print_json(const char *path, const char *words) {
	struct buffer line = {0};
	struct json_writer json = {.out = &line};
	json_write_begin_object(&json);
	if (path) {
		json_write_member_string(&json, "file", path);
	}
	json_write_member_string(&json, "warning", words);
	json_write_end_object(&json);
	fprintf(stderr, "%.*s\n", (int)line.size, (const char *)line.data);
	buffer_finish(&line);
}

void warning_print(const struct arguments *arguments, const char *path, const char *words) {
	const char *file = path && file_is_input(path) ? "standard input" : path;
	if (arguments_value(arguments, "--quiet")) {
		return;
	}
	if (arguments_want_json(arguments)) {
		print_json(file, words);
	} else {
		fprintf(stderr, "pose: %s%swarning: %s\n", file ? file : "", file ? ": " : "",
			words);
	}
}

void warnings_print_rig(
	const struct arguments *arguments, const char *path, const struct rig *rig) {
	for (int i = 0; i < rig->warning_count; i++) {
		warning_print(arguments, path, rig->warnings[i]);
	}
}
