// The table of skinning methods: adding one means its name here, one file beside it, its shader.
#include "skin/method.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"

extern const struct skinning_method lbs_method, dqs_method, skin_rigid_method, parts_rigid_method,
	joint_ball_method, bridge_blend_method, twist_bones_method, sjb_method, sjbbe_method,
	bones_blend_method, sbs_method, dqs_bulgefree_method, lbs_dqs_mix_method, cor_method,
	log_blend_method, swing_twist_method, stbs_method, psd_method, sbe_method, eigenskin_method,
	mwe_method, anim_space_method, delta_mush_method, ddm_method, vol_correct_method,
	vertex_keyframe_method;

static const struct skinning_method *const methods[] = {
	&lbs_method,
	&dqs_method,
	&skin_rigid_method,
	&parts_rigid_method,
	&joint_ball_method,
	&bridge_blend_method,
	&twist_bones_method,
	&sjb_method,
	&sjbbe_method,
	&bones_blend_method,
	&sbs_method,
	&dqs_bulgefree_method,
	&lbs_dqs_mix_method,
	&cor_method,
	&log_blend_method,
	&swing_twist_method,
	&stbs_method,
	&psd_method,
	&sbe_method,
	&eigenskin_method,
	&mwe_method,
	&anim_space_method,
	&delta_mush_method,
	&ddm_method,
	&vol_correct_method,
	&vertex_keyframe_method,
};

#define METHOD_COUNT (sizeof methods / sizeof *methods)

const struct skinning_method *skin_method(size_t i) {
	return i < METHOD_COUNT ? methods[i] : NULL;
}

size_t skin_method_index(const struct skinning_method *method) {
	size_t i = 0;
	while (methods[i] != method) {
		i++;
		assert(i < METHOD_COUNT);
	}
	return i;
}

bool skin_method_is_base(const struct skinning_method *method) {
	return method->kernel.skin && !(method->recipe && method->recipe->makes_rig);
}

const struct skinning_method *skin_method_find(const struct value *id, struct error *err) {
	if (!id) {
		return methods[0];
	}
	const char *known[METHOD_COUNT + 1] = {NULL};
	for (size_t i = 0; i < METHOD_COUNT; i++) {
		if (id->kind == VALUE_STRING && strcmp(id->string, methods[i]->id) == 0) {
			return methods[i];
		}
		known[i] = methods[i]->id;
	}
	char names[1024];
	value_list_names(known, names, sizeof names);
	if (id->kind == VALUE_STRING) {
		char requested[120];
		utf8_quote(id->string, requested, sizeof requested);
		value_error(id, err, ERROR_UNKNOWN_METHOD, "no skinning method %s; there are %s",
			requested, names);
	} else {
		value_error(id, err, ERROR_INVALID_VALUE, "%s is no skinning method; there are %s",
			value_kind_name(id->kind), names);
	}
	return NULL;
}
