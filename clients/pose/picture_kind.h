/* The format of a picture or a sequence: --format, or the ending of -o, which does not
 * say another. */
#pragma once

#include "interface/sequences.h"
#include "options.h"

/* The format of a picture; PNG where nothing says so. Checks --show, too. False with the sentence
 * on standard error where no format is called that. */
bool picture_kind(const struct arguments *arguments, const struct picture_format **format);

/* The result of a sequence. */
struct sequence_choice {
	const struct sequence_format *format;
	bool map_alone;   // of a sheet: not the picture, but where its frames are, as JSON
	const char *name; // in the API
};

/* The same of a sequence; `standard` where nothing says so. */
bool sequence_kind(
	const struct arguments *arguments, const char *standard, struct sequence_choice *choice);

/* The same of a sheet: the picture, or the map alone. */
bool sheet_kind(const struct arguments *arguments, struct sequence_choice *choice);
