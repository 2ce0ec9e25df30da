// Which format a picture or a sequence is to have.
#include "picture_kind.h"

#include <stdio.h>
#include <string.h>

#include "sheet.h"
#include "show.h"

/* The name that is asked for; NULL = none. */
static const char *wanted(const struct arguments *arguments) {
	const char *named = arguments_value(arguments, "--format");
	const char *path = arguments_value(arguments, "-o");
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *file = slash ? slash + 1 : path;
	const char *dot = file ? strrchr(file, '.') : NULL;
	return named ? named : dot && dot != file ? dot + 1 : NULL;
}

static bool check_show(const struct arguments *arguments) {
	const char *way = arguments_value(arguments, "--show");
	return !way || show_check(way);
}

bool picture_kind(const struct arguments *arguments, const struct picture_format **format) {
	const char *name = wanted(arguments);
	*format = picture_format_named(!name ? "png" : strcmp(name, "jpeg") == 0 ? "jpg" : name);
	if (!*format) {
		fprintf(stderr, "pose: no format \"%s\" of pictures; there are:", name);
		for (size_t i = 0; picture_format(i); i++) {
			fprintf(stderr, " %s", picture_format(i)->name);
		}
		fputc('\n', stderr);
	}
	return *format && check_show(arguments);
}

/* Whether it makes a file: parts that keep to the clock have no end. */
static bool makes_file(const struct sequence_format *format) {
	return !format->is_live;
}

/* By its name or its ending; NULL = there is none. */
static const struct sequence_format *find(const char *name) {
	const struct sequence_format *format = sequence_format_named(name);
	for (size_t i = 0; !format && sequence_format(i); i++) {
		format = strcmp(sequence_format(i)->ending, name) == 0 ? sequence_format(i) : NULL;
	}
	return format && makes_file(format) ? format : NULL;
}

static void list_formats(const char *name) {
	fprintf(stderr, "pose: no format \"%s\" of sequences; there are:", name);
	for (size_t i = 0; sequence_format(i); i++) {
		if (makes_file(sequence_format(i))) {
			fprintf(stderr, " %s", sequence_format(i)->name);
		}
	}
	fputs(" " SHEET_MAP_NAME "\n", stderr);
}

bool sequence_kind(
	const struct arguments *arguments, const char *standard, struct sequence_choice *choice) {
	const char *named = wanted(arguments);
	const char *name = named ? named : standard;
	choice->map_alone =
		strcmp(name, SHEET_MAP_NAME) == 0 || strcmp(name, SHEET_MAP_ENDING) == 0;
	choice->format = choice->map_alone ? sequence_format_named("sheet") : find(name);
	if (!choice->format) {
		list_formats(name);
		return false;
	}
	choice->name = choice->map_alone ? SHEET_MAP_NAME : choice->format->name;
	if (choice->map_alone && arguments_value(arguments, "--show")) {
		fputs("pose: --show needs a picture, and " SHEET_MAP_NAME " is none\n", stderr);
		return false;
	}
	return check_show(arguments);
}
