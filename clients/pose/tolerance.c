// Holding a comparison to a tolerance.
#include "tolerance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "json_text.h"
#include "status.h"

bool tolerance_is_valid(const char *text) {
	char *end;
	const double number = strtod(text, &end);
	const bool ok = end != text && !*end && isfinite(number) && number >= 0;
	if (!ok) {
		fprintf(stderr, "pose: --tolerance takes a number from 0, not \"%s\"\n", text);
	}
	return ok;
}

static const char *label_of(const struct value *methods, const struct value *position) {
	const size_t i = position ? (size_t)position->number : 0;
	const struct value *label =
		methods && i < methods->count ? value_member(&methods->items[i], "label") : NULL;
	return label && label->kind == VALUE_STRING ? label->string : "?";
}

/* Says which pairs are too far apart. */
static int check_pairs(const struct value *comparison, const char *tolerance) {
	const struct value *methods = value_member(comparison, "methods");
	const struct value *pairs = value_member(comparison, "pairs");
	int status = STATUS_FINE;
	for (size_t i = 0; pairs && i < pairs->count; i++) {
		const struct value *pair = &pairs->items[i];
		const struct value *most = value_member(pair, "max");
		if (most && most->number > strtod(tolerance, NULL)) {
			fprintf(stderr,
				"pose: %s and %s are up to %.6g apart, more than the tolerance of "
				"%s\n",
				label_of(methods, value_member(pair, "a")),
				label_of(methods, value_member(pair, "b")), most->number,
				tolerance);
			status = STATUS_APART;
		}
	}
	return status;
}

int tolerance_check(const struct buffer *comparison, const char *tolerance) {
	struct arena *arena = arena_create();
	const struct value *read = json_read(arena, comparison->data, comparison->size, NULL);
	const int status =
		read && read->kind == VALUE_OBJECT ? check_pairs(read, tolerance) : STATUS_FAILED;
	arena_destroy(arena);
	return status;
}
