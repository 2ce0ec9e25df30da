/* The file formats of pictures. */
#pragma once

#include "http/request_context.h"
#include "renderer.h"

/* Chooses the response's content type among those of all picture formats, but those that stand for
 * others, and these others (ended by NULL; NULL = none), which come first if others_first. *format
 * is NULL when it is one of them. False with ERROR_NOT_ACCEPTABLE. */
struct formats_choice {
	const char *const *others;
	bool others_first;
};

bool formats_choose(struct request_context *context, const struct formats_choice *choice,
	const struct picture_format **format, struct error *err);

/* The format of a link's ending, which is the response's content type. NULL with
 * ERROR_UNKNOWN_ROUTE and all endings, or ERROR_NOT_ACCEPTABLE. */
const struct picture_format *formats_of_ending(
	struct request_context *context, const char *ending, struct error *err);

/* Makes a picture one of this format, and says its size in a header where the file does not. False
 * with the place where the format cannot store it. */
bool formats_use(struct request_context *context, const struct picture_format *format,
	struct picture_settings *picture, struct error *err);
