// Shared by rules that count flaws of a file's vertices.
#include "check/flaws.h"

#include <math.h>

static void add(
	const struct check_asset *asset, int index, enum vertex_flaw flaw, struct check_flaw *out) {
	const struct vertex_flaws *flaws = &asset->facts->primitives[index].flaws[flaw];
	const struct primitive *p = &asset->rig->primitives[index];
	out->count += flaws->count;
	out->worst = fmax(out->worst, flaws->worst);
	for (int i = 0; i < flaws->listed && out->listed < CHECK_ELEMENTS_MAX; i++) {
		out->vertices[out->listed++] =
			(uint32_t)(p->first_vertex + asset->facts->vertices[flaws->first + i]);
	}
}

struct check_flaw check_flaw_of(
	const struct check_asset *asset, enum vertex_flaw flaw, bool skinned) {
	struct check_flaw out = {0};
	for (int i = 0; i < asset->rig->primitive_count; i++) {
		if (asset->rig->primitives[i].skinned || !skinned) {
			add(asset, i, flaw, &out);
			out.of += asset->rig->primitives[i].vertex_count;
		}
	}
	return out;
}

static void emit(struct check_sink *sink, const struct check_rule *rule,
	const struct check_flaw *flaw, double number) {
	struct check_value value = check_value(number);
	value.vertices = flaw->vertices;
	value.vertex_count = flaw->listed;
	check_value_param(&value, "vertices", flaw->count);
	check_value_param(&value, "worst", flaw->worst);
	check_emit(sink, rule, &value);
}

void check_emit_flaw(
	struct check_sink *sink, const struct check_rule *rule, const struct check_flaw *flaw) {
	emit(sink, rule, flaw, flaw->count);
}

void check_emit_flaw_share(
	struct check_sink *sink, const struct check_rule *rule, const struct check_flaw *flaw) {
	emit(sink, rule, flaw, flaw->of > 0 ? (double)flaw->count / flaw->of : 0);
}
