// The format of a picture or a sequence.
#include "picture_kind.h"

#include <stdio.h>
#include <string.h>

#include "forms.h"
#include "sheet.h"
#include "show.h"

/* The name that is asked for; NULL = none. */
static const char *wanted(const struct arguments *arguments, char ending[static ENDING_BYTES]) {
	const char *named = arguments_value(arguments, "--format");
	return named ? named : ending_read(arguments, ending) ? ending : NULL;
}

static bool check_show(const struct arguments *arguments, const char *media_type) {
	const char *way = arguments_value(arguments, "--show");
	return !way || show_check(way, media_type);
}

bool picture_kind(const struct arguments *arguments, const struct picture_format **format) {
	char ending[ENDING_BYTES];
	const char *name = wanted(arguments, ending);
	*format = picture_format_named(!name ? "png" : strcmp(name, "jpeg") == 0 ? "jpg" : name);
	if (!*format) {
		fprintf(stderr, "pose: no format \"%s\" of pictures; there are:", name);
		for (size_t i = 0; picture_format(i); i++) {
			fprintf(stderr, " %s", picture_format(i)->name);
		}
		fputc('\n', stderr);
		return false;
	}
	return ending_check(arguments, (*format)->name, (*format)->media_type) &&
		check_show(arguments, (*format)->media_type);
}

/* True when it makes a file: parts that keep to the clock have no end. */
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

/* APNGs are called PNGs, too. */
static bool check_ending(const struct arguments *arguments, const struct sequence_choice *choice) {
	char ending[ENDING_BYTES];
	const bool is_png = strcmp(choice->name, "apng") == 0 && ending_read(arguments, ending) &&
		strcmp(ending, "png") == 0;
	return is_png ||
		ending_check(arguments,
			choice->map_alone ? SHEET_MAP_ENDING : choice->format->ending,
			choice->name);
}

bool sequence_kind(
	const struct arguments *arguments, const char *standard, struct sequence_choice *choice) {
	char ending[ENDING_BYTES];
	const char *named = wanted(arguments, ending);
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
	return check_ending(arguments, choice) && check_show(arguments, choice->format->media_type);
}

bool sheet_kind(const struct arguments *arguments, struct sequence_choice *choice) {
	if (!sequence_kind(arguments, "sheet", choice)) {
		return false;
	}
	if (choice->format != sequence_format_named("sheet")) {
		fprintf(stderr,
			"pose: a sheet is a PNG, or its map in JSON; \"pose frames\" makes %s\n",
			choice->name);
		return false;
	}
	return true;
}
