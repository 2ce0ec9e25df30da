// Tolerances of the command line.
#include "tolerance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tolerance_read(const struct arguments *arguments, struct tolerance *out) {
	static const struct {
		const char *unit;
		double metres, share;
	} units[] = {{"", 1, 0}, {"mm", 1e-3, 0}, {"cm", 1e-2, 0}, {"m", 1, 0}, {"%", 0, 1e-2}};
	const char *text = arguments_value(arguments, "--tolerance");
	char *end;
	*out = (struct tolerance){0};
	if (!text) {
		return true;
	}
	const double number = strtod(text, &end);
	const bool is_number = end != text && number > 0 && isfinite(number);
	for (size_t i = 0; is_number && i < sizeof units / sizeof *units; i++) {
		if (strcmp(end, units[i].unit) == 0) {
			*out = (struct tolerance){
				number * units[i].metres, number * units[i].share};
			return true;
		}
	}
	fprintf(stderr,
		"pose: --tolerance is \"%s\", must be a number above 0, in metres or with mm, cm, "
		"m "
		"or %%\n",
		text);
	return false;
}
