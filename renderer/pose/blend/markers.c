// Moments of a cycle that clips have in common.
#include "pose/blend/markers.h"

#include <math.h>
#include <stdio.h>

static bool read_time(const struct value *item, double duration_s, double *out, struct error *err) {
	if (item->kind != VALUE_NUMBER) {
		return value_error(item, err, ERROR_INVALID_VALUE,
			"a marker is %s, must be a time in seconds", value_kind_name(item->kind));
	}
	if (!(item->number >= 0 && item->number < duration_s)) {
		return value_error(item, err, ERROR_INVALID_VALUE,
			"a marker is at %.15g, must be from 0 to below the clip's duration of "
			"%.15g",
			item->number, duration_s);
	}
	*out = item->number;
	return true;
}

bool markers_read(
	const struct value *list, double duration_s, struct markers *markers, struct error *err) {
	*markers = (struct markers){0};
	if (list->kind != VALUE_LIST || list->count == 0 || list->count > MARKERS_MAX) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"a clip's \"markers\" must be a list of 1 to %d times", MARKERS_MAX);
	}
	double over_s = 0;
	for (size_t i = 0; i < list->count; i++) {
		double *times_s = markers->times_s;
		if (!read_time(&list->items[i], duration_s, &times_s[i], err)) {
			return false;
		}
		if (i > 0 && over_s == 0 && times_s[i] < times_s[i - 1]) {
			over_s = duration_s;
		}
		times_s[i] += over_s;
		if (i > 0 &&
			!(times_s[i] > times_s[i - 1] && times_s[i] < times_s[0] + duration_s)) {
			return value_error(&list->items[i], err, ERROR_INVALID_VALUE,
				"markers must come in the order of the cycle, each once");
		}
		markers->count++;
	}
	return true;
}

double markers_time(const struct markers *markers, double duration_s, double phase) {
	if (markers->count == 0) {
		return phase * duration_s;
	}
	const double position = phase * markers->count, before = floor(position);
	const int i = (int)fmin(before, markers->count - 1);
	const double from_s = markers->times_s[i];
	const double to_s =
		i + 1 < markers->count ? markers->times_s[i + 1] : markers->times_s[0] + duration_s;
	return from_s + (to_s - from_s) * (position - i);
}

bool markers_agree(const struct markers *a, const struct markers *b) {
	bool agree = a->count == b->count;
	for (int i = 0; agree && i < a->count; i++) {
		agree = a->sides[i] == b->sides[i] || a->sides[i] == MARKER_GIVEN ||
			b->sides[i] == MARKER_GIVEN;
	}
	return agree;
}

void markers_write(const struct markers *markers, char *text, size_t size) {
	static const char *const sides[] = {
		[MARKER_GIVEN] = "", [MARKER_LEFT] = "left ", [MARKER_RIGHT] = "right "};
	size_t used = (size_t)snprintf(text, size, "%s", markers->count > 0 ? "" : "none");
	for (int i = 0; i < markers->count && used < size; i++) {
		used += (size_t)snprintf(text + used, size - used, "%s%s%.3g", i ? ", " : "",
			sides[markers->sides[i]], markers->times_s[i]);
	}
}
