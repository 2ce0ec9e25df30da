// The forms in which what is no picture comes.
#include "forms.h"

#include <stdio.h>
#include <string.h>

#include "ending.h"

const struct form form_json = {NULL, "json", "application/json", "JSON", ANSWER_TEXT};
const struct form form_json_asked = {"--json", "json", "application/json", "JSON", ANSWER_TEXT};
const struct form form_glb = {"--glb", "glb", "model/gltf-binary", "a GLB", ANSWER_BYTES};
const struct form form_octets = {
	NULL, NULL, "application/octet-stream", "numbers as float32", ANSWER_BYTES};
const struct form form_tar = {NULL, "tar", "application/x-tar", "a tar", ANSWER_BYTES};

static const struct form *find_ending(
	const struct arguments *arguments, const struct form *const *forms, size_t count) {
	char ending[ENDING_BYTES];
	const bool ends = ending_read(arguments, ending);
	for (size_t i = 0; ends && i < count; i++) {
		if (forms[i]->ending && strcmp(forms[i]->ending, ending) == 0) {
			return forms[i];
		}
	}
	return NULL;
}

const struct form *form_choose(
	const struct arguments *arguments, const struct form *const *forms, size_t count) {
	const struct form *asked = NULL;
	for (size_t i = 0; i < count; i++) {
		if (!forms[i]->flag || !arguments_value(arguments, forms[i]->flag)) {
			continue;
		}
		if (asked) {
			fprintf(stderr, "pose: %s and %s are two answers; give one of them\n",
				asked->flag, forms[i]->flag);
			return NULL;
		}
		asked = forms[i];
	}
	const struct form *ending = asked ? NULL : find_ending(arguments, forms, count);
	const struct form *chosen = asked ? asked : ending ? ending : forms[0];
	return form_fits(arguments, chosen) ? chosen : NULL;
}

bool form_fits(const struct arguments *arguments, const struct form *form) {
	return ending_check(arguments, form->ending, form->title);
}
