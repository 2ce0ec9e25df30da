// Examples made by dual quaternions.
#include "methods_examples.h"

#include <math.h>

#include "base/memory.h"
#include "renderer.h"

static const double angles_deg[] = {45, 90};
#define ANGLES (sizeof angles_deg / sizeof *angles_deg)

/* {"set": "rest", "joints": {name: {"rotation": [0, 0, sin, cos]}}} */
static const struct value *turned(struct arena *arena, const char *joint, double degrees) {
	struct value *numbers = arena_alloc(arena, 4, sizeof *numbers);
	struct value *rotation = arena_alloc(arena, 1, sizeof *rotation);
	struct value *named = arena_alloc(arena, 1, sizeof *named);
	struct value *members = arena_alloc(arena, 2, sizeof *members);
	struct value *pose = arena_alloc(arena, 1, sizeof *pose);
	const double half = degrees * 3.14159265358979323846 / 360;
	for (size_t i = 0; i < 4; i++) {
		numbers[i] = (struct value){.kind = VALUE_NUMBER,
			.number = i == 2 ? sin(half)
				: i == 3 ? cos(half)
					 : 0,
			.parent = rotation,
			.index = i};
	}
	*rotation = (struct value){.kind = VALUE_LIST,
		.count = 4,
		.items = numbers,
		.parent = named,
		.key = "rotation"};
	*named = (struct value){.kind = VALUE_OBJECT,
		.count = 1,
		.items = rotation,
		.parent = &members[1],
		.key = joint};
	members[0] = (struct value){
		.kind = VALUE_STRING, .string = "rest", .parent = pose, .key = "set"};
	members[1] = (struct value){
		.kind = VALUE_OBJECT, .count = 1, .items = named, .parent = pose, .key = "joints"};
	*pose = (struct value){.kind = VALUE_OBJECT, .count = 2, .items = members};
	return pose;
}

static bool sculpt(struct renderer *renderer, const struct rig *rig, struct examples *examples,
	int item, struct error *err) {
	static const enum attribute_bits order[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};
	static const struct value dqs = {.kind = VALUE_STRING, .string = "dqs"};
	struct example *example = &examples->items[item];
	const struct vertices_job job = {
		.subject = {.rig = rig,
			.pose = example->pose,
			.skinning = {.method = &dqs, .device = DEVICE_CPU}},
		.order = order,
		.count = 2,
	};
	struct skinning_report report;
	// Normals lie behind the positions, as in the answer.
	return examples_allocate(examples, item, true, err) &&
		renderer_vertices(renderer, &job, example->positions, &report, err);
}

struct examples *methods_examples(
	const struct rig *rig, const char *const *joints, struct error *err) {
	int count = 0;
	while (joints[count]) {
		count++;
	}
	const struct renderer_options options = {.choice = RENDERER_NONE};
	struct renderer *renderer = renderer_create(&options, err);
	struct examples *examples = examples_create(count * (int)ANGLES, rig->vertex_count);
	bool ok = renderer != NULL;
	for (int i = 0; ok && i < examples->count; i++) {
		const char *joint = joints[i / (int)ANGLES];
		const double degrees = angles_deg[i % (int)ANGLES];
		examples->items[i].name =
			arena_printf(examples->arena, "%02d %s %g", i, joint, degrees);
		examples->items[i].pose = turned(examples->arena, joint, degrees);
		examples->hash[i % 32] ^= (uint8_t)(i + 1);
		ok = sculpt(renderer, rig, examples, i, err);
	}
	renderer_destroy(renderer);
	if (!ok) {
		examples_release(examples);
		return NULL;
	}
	return examples;
}
