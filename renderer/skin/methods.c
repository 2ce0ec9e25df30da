// The table of skinning methods: adding one means one row here, one file beside it, one shader.
#include "skin/methods.h"

#include <string.h>

#include "base/utf8.h"
#include "skin/dqs.h"
#include "skin/lbs.h"

static const struct skinning_method methods[] = {
	{
		.id = "lbs",
		.title = "linear blend skinning: matrices blended by weight",
		.shader = "lbs.comp",
		.entry_floats = LBS_ENTRY_FLOATS,
		.prepare = lbs_prepare,
		.skin = lbs_skin,
	},
	{
		.id = "dqs",
		.title = "dual quaternion skinning: rigid motions blended by weight, no collapse "
			 "in twists",
		.shader = "dqs.comp",
		.entry_floats = DQS_ENTRY_FLOATS,
		.prepare = dqs_prepare,
		.skin = dqs_skin,
	},
};

#define METHOD_COUNT (sizeof methods / sizeof *methods)

const struct skinning_method *skin_method(size_t i) {
	return i < METHOD_COUNT ? &methods[i] : NULL;
}

const struct skinning_method *skin_method_find(const struct value *id, struct error *err) {
	if (!id) {
		return &methods[0];
	}
	const char *known[METHOD_COUNT + 1] = {NULL};
	for (size_t i = 0; i < METHOD_COUNT; i++) {
		if (id->kind == VALUE_STRING && strcmp(id->string, methods[i].id) == 0) {
			return &methods[i];
		}
		known[i] = methods[i].id;
	}
	char names[512];
	value_list_names(known, names, sizeof names);
	if (id->kind == VALUE_STRING) {
		char asked[120];
		utf8_quote(id->string, asked, sizeof asked);
		value_error(id, err, ERROR_UNKNOWN_METHOD, "no skinning method %s; there are %s",
			asked, names);
	} else {
		value_error(id, err, ERROR_INVALID_VALUE, "%s is no skinning method; there are %s",
			value_kind_name(id->kind), names);
	}
	return NULL;
}
