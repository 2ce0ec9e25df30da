// The ending of -o's file name.
#include "ending.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "interface/sequences.h"

bool ending_read(const struct arguments *arguments, char ending[static ENDING_BYTES]) {
	const char *path = arguments_value(arguments, "-o");
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *file = slash ? slash + 1 : path;
	const char *dot = file ? strrchr(file, '.') : NULL;
	const size_t length = dot && dot != file ? strlen(dot + 1) : 0;
	if (length == 0 || length >= ENDING_BYTES) {
		return false;
	}
	for (size_t i = 0; i <= length; i++) {
		ending[i] = (char)tolower((unsigned char)dot[1 + i]);
	}
	if (strcmp(ending, "jpeg") == 0) {
		strcpy(ending, "jpg");
	}
	return true;
}

/* True when an ending stands for a format: others are ignored. */
static bool is_format(const char *ending) {
	static const char *const others[] = {"json", "glb", "gltf"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		if (strcmp(others[i], ending) == 0) {
			return true;
		}
	}
	for (size_t i = 0; sequence_format(i); i++) {
		if (strcmp(sequence_format(i)->ending, ending) == 0) {
			return true;
		}
	}
	return picture_format_named(ending);
}

bool ending_check(const struct arguments *arguments, const char *own, const char *what) {
	char ending[ENDING_BYTES];
	if (!ending_read(arguments, ending) || !is_format(ending) ||
		(own && strcmp(own, ending) == 0)) {
		return true;
	}
	fprintf(stderr, "pose: what comes is %s, not what \"%s\" ends with; see pose --help\n",
		what, arguments_value(arguments, "-o"));
	return false;
}
