// A comparison of several methods -> the plain structs that protocol/ writes.
#include "describe/describe.h"

static const struct method_comparison *describe_methods_of(
	const struct comparison *comparison, const char *const *labels, struct arena *arena) {
	struct method_comparison *out = arena_alloc(arena, comparison->count, sizeof *out);
	for (size_t i = 0; i < comparison->count; i++) {
		out[i] = (struct method_comparison){
			.method = comparison->methods[i].report.method,
			.device = comparison->methods[i].report.device,
			.label = labels[i],
			.flags = describe_flags(comparison->methods[i].report.flags, arena),
			.fallback_vertices = comparison->methods[i].report.fallback_vertices,
			.batches = describe_batches(&comparison->methods[i].report.batches),
			.volume = comparison->methods[i].volume,
			.rest_volume = comparison->rest_volume,
			.closed = comparison->closed,
		};
	}
	return out;
}

static const struct joint_share *describe_shares(
	const struct rig *rig, const struct compared_vertex *vertex, struct arena *arena) {
	struct joint_share *out = arena_alloc(arena, vertex->joint_count, sizeof *out);
	for (size_t i = 0; i < vertex->joint_count; i++) {
		const struct joint *joint = &rig->joints[vertex->joints[i].joint];
		out[i] = (struct joint_share){joint->name, joint->index, vertex->joints[i].weight};
	}
	return out;
}

static const struct vertex_comparison *describe_worst(
	const struct rig *rig, const struct compared_pair *pair, struct arena *arena) {
	struct vertex_comparison *out = arena_alloc(arena, pair->worst_count, sizeof *out);
	for (size_t i = 0; i < pair->worst_count; i++) {
		const struct compared_vertex *vertex = &pair->worst[i];
		out[i] = (struct vertex_comparison){
			.vertex = vertex->vertex,
			.distance = vertex->distance,
			.a = vertex->a,
			.b = vertex->b,
			.joints = describe_shares(rig, vertex, arena),
			.joint_count = vertex->joint_count,
		};
	}
	return out;
}

void describe_comparison(const struct rig *rig, const struct comparison *comparison,
	const char *const *labels, struct arena *arena, struct comparison_description *out) {
	struct pair_comparison *pairs = arena_alloc(arena, comparison->pair_count, sizeof *pairs);
	for (size_t i = 0; i < comparison->pair_count; i++) {
		const struct compared_pair *pair = &comparison->pairs[i];
		pairs[i] = (struct pair_comparison){
			.a = pair->a,
			.b = pair->b,
			.max = pair->max,
			.mean = pair->mean,
			.rms = pair->rms,
			.worst = describe_worst(rig, pair, arena),
			.worst_count = pair->worst_count,
		};
	}
	*out = (struct comparison_description){
		.vertices = rig->vertex_count,
		.diagonal = comparison->diagonal,
		.methods = describe_methods_of(comparison, labels, arena),
		.method_count = comparison->count,
		.pairs = pairs,
		.pair_count = comparison->pair_count,
	};
}
