// Reading the options of a skinning method.
#include "skin/option.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "skin/method.h"

/* Members of a request's `skinning` that are every method's. */
static const char *const common[] = {"method", "device", "normals", "kmax", NULL};

static bool is_among(const char *name, const char *const *names) {
	for (; *names; names++) {
		if (strcmp(name, *names) == 0) {
			return true;
		}
	}
	return false;
}

struct skin_options skin_options_standard(const struct skin_option *const *list) {
	struct skin_options options = {{0}};
	for (int i = 0; list && list[i]; i++) {
		options.values[i] = list[i]->standard;
	}
	return options;
}

int skin_option_find(const struct skin_option *const *list, const struct skin_option *option) {
	for (int i = 0; list && list[i]; i++) {
		if (list[i] == option) {
			return i;
		}
	}
	return -1;
}

static bool read_number(const struct skin_option *option, const struct value *value, double *out,
	struct error *err) {
	const bool whole = option->kind == SKIN_OPTION_INTEGER;
	if (value->kind != VALUE_NUMBER || value->number < option->least ||
		value->number > option->most || (whole && value->number != rint(value->number))) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"%s\" must be %s from %g to %g", option->name,
			whole ? "a whole number" : "a number", option->least, option->most);
	}
	*out = value->number;
	return true;
}

static bool read_boolean(const struct skin_option *option, const struct value *value, double *out,
	struct error *err) {
	*out = value->boolean;
	return value->kind == VALUE_BOOL ||
		value_error(value, err, ERROR_INVALID_VALUE, "\"%s\" is %s, must be true or false",
			option->name, value_kind_name(value->kind));
}

static bool read_choice(const struct skin_option *option, const struct value *value, double *out,
	struct error *err) {
	for (int i = 0; value->kind == VALUE_STRING && option->choices[i]; i++) {
		if (strcmp(value->string, option->choices[i]) == 0) {
			*out = i;
			return true;
		}
	}
	char names[256];
	value_list_names(option->choices, names, sizeof names);
	return value_error(
		value, err, ERROR_INVALID_VALUE, "\"%s\" must be one of: %s", option->name, names);
}

static bool read_base(const struct skin_option *option, const struct value *value, double *out,
	struct error *err) {
	const struct skinning_method *method = skin_method_find(value, err);
	if (!method) {
		return false;
	}
	if (!skin_method_is_base(method)) {
		return value_error(value, err, ERROR_INVALID_VALUE, "\"%s\" is %s, which %s",
			option->name, method->id,
			method->kernel.skin ? "cuts the mesh into parts: nothing builds on these"
					    : "builds on another method itself");
	}
	*out = (double)skin_method_index(method);
	return true;
}

static bool read_value(const struct skin_option *option, const struct value *value, double *out,
	struct error *err) {
	switch (option->kind) {
	case SKIN_OPTION_NUMBER:
	case SKIN_OPTION_INTEGER:
		return read_number(option, value, out, err);
	case SKIN_OPTION_BOOLEAN:
		return read_boolean(option, value, out, err);
	case SKIN_OPTION_CHOICE:
		return read_choice(option, value, out, err);
	case SKIN_OPTION_BASE:
		return read_base(option, value, out, err);
	}
	return false;
}

static bool refuse(const struct skin_option *const *list, const char *method,
	const struct value *value, struct error *err) {
	const char *known[SKIN_OPTIONS_MAX + sizeof common / sizeof *common];
	size_t count = 0;
	for (; common[count]; count++) {
		known[count] = common[count];
	}
	for (int i = 0; list && list[i]; i++) {
		known[count++] = list[i]->name;
	}
	known[count] = NULL;
	char names[256], requested[160];
	value_list_names(known, names, sizeof names);
	utf8_quote(value->key, requested, sizeof requested);
	return value_error(value, err, ERROR_UNKNOWN_MEMBER, "%s has no option %s; known are: %s",
		method, requested, names);
}

bool skin_options_read(const struct skin_option *const *list, const char *method,
	const struct value *object, struct skin_options *out, struct error *err) {
	*out = skin_options_standard(list);
	for (size_t i = 0; object && i < object->count; i++) {
		const struct value *value = &object->items[i];
		int at = 0;
		while (list && list[at] && strcmp(list[at]->name, value->key) != 0) {
			at++;
		}
		const bool known = list && list[at];
		if (known ? !read_value(list[at], value, &out->values[at], err)
			  : !is_among(value->key, common) && !refuse(list, method, value, err)) {
			return false;
		}
	}
	return true;
}

bool skin_option_read_member(const struct skin_option *option, const struct value *object,
	double *out, struct error *err) {
	const struct value *value = object ? value_member(object, option->name) : NULL;
	return !value || read_value(option, value, out, err);
}

static const char *const signs[] = {[SKIN_SIGN_PIVOT] = "pivot",
	[SKIN_SIGN_HIERARCHY] = "hierarchy",
	[SKIN_SIGN_TEMPORAL] = "temporal",
	NULL};
static const char *const scales[] = {[SKIN_SCALE_TWO_PHASE] = "two_phase",
	[SKIN_SCALE_IGNORE] = "ignore",
	[SKIN_SCALE_ERROR] = "error",
	NULL};
static const char *const sources[] = {
	[SKIN_RIGID_FROM_POLAR] = "polar", [SKIN_RIGID_FROM_CHAIN] = "chain", NULL};
static const char *const fallbacks[] = {
	[SKIN_FALLBACK_SBS] = "sbs", [SKIN_FALLBACK_ERROR] = "error", NULL};

static const char sign_title[] =
	"which of a rotation's two quaternions is blended: the nearer to the vertex' strongest "
	"joint's, to the parent joint's, or to that of the frame before in the same answer";

const struct skin_option skin_option_sign = {
	.name = "sign",
	.title = sign_title,
	.kind = SKIN_OPTION_CHOICE,
	.choices = signs,
	.standard = SKIN_SIGN_PIVOT,
};

const struct skin_option skin_option_sign_hierarchy = {
	.name = "sign",
	.title = sign_title,
	.kind = SKIN_OPTION_CHOICE,
	.choices = signs,
	.standard = SKIN_SIGN_HIERARCHY,
};

const struct skin_option skin_option_scale = {
	.name = "scale",
	.title = "joints that scale or shear: blended in a phase of their own, ignored, or "
		 "refused",
	.kind = SKIN_OPTION_CHOICE,
	.choices = scales,
	.standard = SKIN_SCALE_TWO_PHASE,
};

const struct skin_option skin_option_rigid_from = {
	.name = "rigid_from",
	.title = "a joint's rotation: from its matrix, or from the local rotations of its chain",
	.kind = SKIN_OPTION_CHOICE,
	.choices = sources,
	.standard = SKIN_RIGID_FROM_POLAR,
};

const struct skin_option skin_option_fallback = {
	.name = "fallback",
	.title = "vertices whose joints do not meet in one point: skinned by sbs, or refused",
	.kind = SKIN_OPTION_CHOICE,
	.choices = fallbacks,
	.standard = SKIN_FALLBACK_SBS,
};

const struct skin_option skin_option_base = {
	.name = "base",
	.title = "the method that this one builds on",
	.kind = SKIN_OPTION_BASE,
	.standard = 0,
	.derives = true,
};
