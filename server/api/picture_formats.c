// The file formats of pictures.
#include "api/picture_formats.h"

#include <string.h>

#include "base/utf8.h"

/* More than there are formats and other types of one route. */
#define TYPES_MAX 32

struct types {
	const char *list[TYPES_MAX + 1]; // [count], ended by NULL
	size_t count;
};

static bool has_type(const char *const *types, const char *type) {
	for (size_t i = 0; types && types[i]; i++) {
		if (strcmp(types[i], type) == 0) {
			return true;
		}
	}
	return false;
}

static void add_others(struct types *types, const char *const *others) {
	for (size_t i = 0; others && others[i] && types->count < TYPES_MAX; i++) {
		types->list[types->count++] = others[i];
	}
}

bool formats_choose(struct request_context *context, const struct formats_choice *choice,
	const struct picture_format **format, struct error *err) {
	struct types types = {0};
	const struct picture_format *offered;
	if (choice->others_first) {
		add_others(&types, choice->others);
	}
	for (size_t i = 0; (offered = picture_format(i)) && types.count < TYPES_MAX; i++) {
		if (!has_type(choice->others, offered->media_type)) {
			types.list[types.count++] = offered->media_type;
		}
	}
	if (!choice->others_first) {
		add_others(&types, choice->others);
	}
	const char *type = context_choose_type(context, types.list, err);
	*format = NULL;
	for (size_t i = 0; type && !has_type(choice->others, type) && !*format; i++) {
		offered = picture_format(i);
		*format = strcmp(offered->media_type, type) == 0 ? offered : NULL;
	}
	return type;
}

const struct picture_format *formats_of_ending(
	struct request_context *context, const char *ending, struct error *err) {
	const struct picture_format *format = picture_format_named(ending);
	if (!format) {
		const char *known[TYPES_MAX + 1] = {NULL};
		for (size_t i = 0; i < TYPES_MAX && picture_format(i); i++) {
			known[i] = picture_format(i)->name;
		}
		char names[128], quoted[UTF8_QUOTED_BYTES];
		value_list_names(known, names, sizeof names);
		utf8_quote(ending, quoted, sizeof quoted);
		error_set(err, ERROR_UNKNOWN_ROUTE,
			"there are no pictures that end with %s; known are: %s", quoted, names);
		return NULL;
	}
	const char *const types[] = {format->media_type, NULL};
	return context_choose_type(context, types, err) ? format : NULL;
}

bool formats_use(struct request_context *context, const struct picture_format *format,
	struct picture_settings *picture, struct error *err) {
	picture->format = format;
	if (format == &picture_rgba) {
		context_header(context, "Posed-Size", "%dx%d", picture->width, picture->height);
	}
	return picture_format_check(format, picture->background[3] >= 1, err);
}
