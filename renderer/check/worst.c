// The worst values of a rule, one for each joint.
#include "check/worst.h"

#include <math.h>

struct check_worst_list check_worst_make(const struct check_asset *asset, struct arena *arena) {
	struct check_worst_list list = {.joint_count = asset->rig->joint_count, .arena = arena};
	list.joints = arena_alloc(arena, (size_t)list.joint_count, sizeof *list.joints);
	return list;
}

static struct check_worst *worst_at(struct check_worst_list *list, int joint) {
	if (!list->joints[joint]) {
		list->joints[joint] = arena_alloc(list->arena, 1, sizeof(struct check_worst));
		list->joints[joint]->sample = -1;
	}
	return list->joints[joint];
}

bool check_worst_take(struct check_worst_list *list, int joint, double value, int sample) {
	struct check_worst *worst = worst_at(list, joint);
	if (!(value > worst->value)) {
		return false;
	}
	worst->value = value;
	worst->sample = sample;
	worst->count = 0;
	return true;
}

void check_worst_add(
	struct check_worst_list *list, int joint, double value, int sample, uint32_t element) {
	struct check_worst *worst = worst_at(list, joint);
	if (worst->sample != sample || 2 * value < worst->value ||
		worst->count == CHECK_ELEMENTS_MAX) {
		return;
	}
	for (size_t i = 0; i < worst->count; i++) {
		if (worst->elements[i] == element) {
			return;
		}
	}
	worst->elements[worst->count++] = element;
}

void check_worst_emit(const struct check_worst_list *list, const struct check_clip *clip,
	const struct check_rule *rule, enum check_worst_kind kind, const struct check_series *curve,
	struct check_sink *sink) {
	const struct check_value none = check_value(0);
	check_emit(sink, rule, &none);
	for (int i = 0; i < list->joint_count; i++) {
		const struct check_worst *worst = list->joints[i];
		if (!worst || !(worst->value > 0)) {
			continue;
		}
		struct check_value value = check_value_at(clip, worst->value, i, worst->sample);
		if (kind == CHECK_WORST_VERTICES) {
			value.vertices = worst->elements;
			value.vertex_count = worst->count;
		} else {
			value.triangles = worst->elements;
			value.triangle_count = worst->count;
		}
		if (curve) {
			value.curve = check_series_around(curve, worst->sample);
		}
		value.joins_joints = true;
		check_value_param(&value, "elements", (double)worst->count);
		check_emit(sink, rule, &value);
	}
}

double check_least_limit(const struct check_sink *sink, const struct check_rule *rule) {
	const struct check_limits limits = check_limits_of(sink, rule);
	return fmin(limits.note, fmin(limits.warning, limits.error));
}
