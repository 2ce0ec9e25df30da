// What surfaces are coloured by: a mode's name, or an object with its options.
#include "shading.h"

#define NAME_OF(id, name, title) [SHADING_##id] = name,
static const char *const modes[] = {SHADINGS(NAME_OF) NULL};
#undef NAME_OF

void shading_begin(struct shading_members *found, struct shading_settings *out,
	struct member members[static SHADING_MEMBERS]) {
	*out = (struct shading_settings){0};
	*found = (struct shading_members){0};
	members[0] = (struct member){.name = "shading", .type = MEMBER_ANY, .out = &found->shading};
}

/* Reads a mode's name wherever it stands. */
static bool read_mode(const struct value *value, struct shading_settings *out, struct error *err) {
	int mode;
	const struct member member = {
		.name = value->key, .type = MEMBER_CHOICE, .out = &mode, .choices = modes};
	if (!value_read_known_members(value->parent, &member, 1, err)) {
		return false;
	}
	out->mode = (enum shading)mode;
	return true;
}

bool shading_end(
	const struct shading_members *found, struct shading_settings *out, struct error *err) {
	const struct value *value = found->shading, *mode = NULL;
	if (!value) {
		return true;
	}
	if (value->kind != VALUE_OBJECT) {
		return read_mode(value, out, err);
	}
	const struct member member = {
		.name = "mode", .type = MEMBER_ANY, .out = &mode, .required = true};
	return value_read_members(value, &member, 1, err) && read_mode(mode, out, err);
}
