// The forms of answers that are no pictures.
#include "forms.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "interface/sequences.h"

const struct form form_json = {NULL, "json", "application/json", "JSON", ANSWER_TEXT};
const struct form form_json_requested = {"--json", "json", "application/json", "JSON", ANSWER_TEXT};
const struct form form_glb = {"--glb", "glb", "model/gltf-binary", "a GLB", ANSWER_BYTES};
const struct form form_octets = {
	NULL, NULL, "application/octet-stream", "numbers as float32", ANSWER_BYTES};
const struct form form_tar_gzip = {NULL, "gz", "application/gzip", "a tar.gz", ANSWER_BYTES};
const struct form form_tar = {NULL, "tar", "application/x-tar", "a tar", ANSWER_BYTES};
const struct form form_pia = {NULL, "pia", "text/plain", "a PIA", ANSWER_TEXT};
const struct form form_pis = {NULL, "pis", "text/plain", "a PIS", ANSWER_TEXT};
const struct form form_pclip = {
	NULL, "pclip", "application/vnd.posed.pclip", "compressed clips", ANSWER_BYTES};
const struct form form_bvh = {NULL, "bvh", "text/plain", "a BVH", ANSWER_TEXT};

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
	const struct form *requested = NULL;
	for (size_t i = 0; i < count; i++) {
		if (!forms[i]->flag || !arguments_value(arguments, forms[i]->flag)) {
			continue;
		}
		if (requested) {
			fprintf(stderr, "pose: %s and %s are two answers; give one of them\n",
				requested->flag, forms[i]->flag);
			return NULL;
		}
		requested = forms[i];
	}
	const struct form *ending = requested ? NULL : find_ending(arguments, forms, count);
	const struct form *chosen = requested ? requested : ending ? ending : forms[0];
	return form_fits(arguments, chosen) ? chosen : NULL;
}

bool form_fits(const struct arguments *arguments, const struct form *form) {
	return ending_check(arguments, form->ending, form->title);
}

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
	static const char *const others[] = {"json", "glb", "gltf", "pia", "pis", "bvh", "pclip"};
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
