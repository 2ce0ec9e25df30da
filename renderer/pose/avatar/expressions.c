// Expressions of avatars: from weights to morph weights.
#include "pose/avatar/expressions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int expression_find(const struct avatar *avatar, const char *name) {
	int i = 0;
	while (i < avatar->expression_count && strcmp(avatar->expressions[i].name, name) != 0) {
		i++;
	}
	return i < avatar->expression_count ? i : -1;
}

static float clamp_share(float share) {
	return share > 0 ? fminf(share, 1) : 0;
}

/* What is left of expressions of a kind after all overrides. */
static float find_rest(const struct avatar *avatar, const float *values, int kind) {
	double lost = 0;
	for (int i = 0; i < avatar->expression_count; i++) {
		const struct avatar_expression *expression = &avatar->expressions[i];
		const enum avatar_override override = expression->overrides[kind];
		if (avatar_preset_kind(expression->preset) == kind) {
			continue; // nothing overrides its own kind
		}
		if (override == AVATAR_OVERRIDE_BLOCK) {
			lost += values[i] > 0 ? 1 : 0;
		} else if (override == AVATAR_OVERRIDE_BLEND) {
			lost += values[i];
		}
	}
	return clamp_share((float)(1 - lost));
}

void expressions_weigh(const struct avatar *avatar, const float *weights, float *values) {
	float rest[AVATAR_KIND_COUNT];
	for (int i = 0; i < avatar->expression_count; i++) {
		const float weight = clamp_share(weights[i]);
		values[i] = avatar->expressions[i].binary ? weight > 0.5f : weight;
	}
	for (int kind = 0; kind < AVATAR_KIND_COUNT; kind++) {
		rest[kind] = find_rest(avatar, values, kind);
	}
	for (int i = 0; i < avatar->expression_count; i++) {
		const int kind = avatar_preset_kind(avatar->expressions[i].preset);
		values[i] *= kind >= 0 ? rest[kind] : 1;
		if (avatar->expressions[i].binary && values[i] < 1) {
			values[i] = 0;
		}
	}
}

/* Sets what expressions name to 0, to be added to. */
static void clear_morphs(const struct avatar *avatar, struct pose *pose) {
	for (int i = 0; i < avatar->expression_count; i++) {
		for (int k = 0; k < avatar->expressions[i].morph_count; k++) {
			pose->weights[avatar->expressions[i].morphs[k].weight] = 0;
		}
	}
}

static void add_morphs(const struct avatar *avatar, const float *values, struct pose *pose) {
	for (int i = 0; i < avatar->expression_count; i++) {
		for (int k = 0; k < avatar->expressions[i].morph_count; k++) {
			const struct avatar_morph *morph = &avatar->expressions[i].morphs[k];
			const float sum = pose->weights[morph->weight] + morph->amount * values[i];
			pose->weights[morph->weight] = isfinite(sum) ? sum : 0;
		}
	}
}

/* Marks the joints whose weights expressions name. */
static void drive(const struct rig *rig, struct pose *pose) {
	const struct avatar *avatar = rig->avatar;
	bool *named = xcalloc((size_t)rig->weight_count + 1, sizeof *named);
	for (int i = 0; i < avatar->expression_count; i++) {
		for (int k = 0; k < avatar->expressions[i].morph_count; k++) {
			named[avatar->expressions[i].morphs[k].weight] = true;
		}
	}
	for (int i = 0; i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		for (int k = 0; k < joint->weight_count; k++) {
			if (named[joint->first_weight + k]) {
				pose->driven[i] |= 1 << CHANNEL_WEIGHTS;
			}
		}
	}
	free(named);
}

static float *find_face(const struct rig *rig, const struct pose *pose) {
	const int joint = rig_face_joint(rig);
	return joint >= 0 ? pose->weights + rig->joints[joint].first_weight : NULL;
}

void expressions_of_pose(const struct rig *rig, const struct pose *pose, float *weights) {
	const size_t count = (size_t)rig->avatar->expression_count;
	const float *face = find_face(rig, pose);
	for (size_t i = 0; i < count; i++) {
		weights[i] = face ? face[i] : 0;
	}
}

void expressions_apply(const struct rig *rig, const float *weights, struct pose *pose) {
	const struct avatar *avatar = rig->avatar;
	const size_t count = (size_t)avatar->expression_count;
	float *values = xcalloc(count + 1, sizeof *values);
	expressions_weigh(avatar, weights, values);
	clear_morphs(avatar, pose);
	add_morphs(avatar, values, pose);
	drive(rig, pose);
	float *numbers = find_face(rig, pose);
	if (numbers) {
		const struct avatar_face face = avatar_face_of(avatar, numbers);
		memmove(face.weights, weights, count * sizeof *weights);
		memcpy(face.shown, values, count * sizeof *values);
		pose->driven[rig_face_joint(rig)] |= 1 << CHANNEL_WEIGHTS;
	}
	free(values);
}
