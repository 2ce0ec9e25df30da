// Joints that go out of a GLB: those that move nothing and that nothing names.
#include "optimise/prune_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mat.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/quat.h"
#include "interface/optimise_joints.h"
#include "model/prune.h"
#include "optimise/container.h"
#include "optimise/references.h"

#define UNIFORM 1e-6    // of a scale, within which its numbers are the same
#define MATRIX_OFF 1e-6 // of a matrix's greatest number: what a transform may differ from it
#define MATRIX_NUMBERS 16

int prune_member(struct json_span object, const char *name, int count) {
	uint64_t value;
	const struct json_span span = json_span_member(object, name);
	return span.text && json_span_whole(span, &value) && value < (uint64_t)count ? (int)value
										     : -1;
}

static void list_nodes(struct pruning *pruning) {
	const struct rig *rig = pruning->rig;
	const struct json_span nodes = json_span_member(pruning->parts.json, "nodes");
	struct json_items items = json_items_of(nodes);
	struct json_span name, value;
	const size_t count = json_span_count(nodes);
	pruning->node_count = (int)count;
	pruning->nodes = arena_alloc(pruning->arena, count + 1, sizeof *pruning->nodes);
	pruning->joints = arena_alloc(pruning->arena, count + 1, sizeof(int));
	pruning->goes = arena_alloc(pruning->arena, count + 1, sizeof(bool));
	pruning->instead = arena_alloc(pruning->arena, count + 1, sizeof(int));
	pruning->position = arena_alloc(pruning->arena, count + 1, sizeof(int));
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		pruning->nodes[i] = value;
		pruning->joints[i] = pruning->instead[i] = -1;
	}
	for (int i = 0; i < rig->joint_count; i++) {
		if (rig->joints[i].index >= 0 && rig->joints[i].index < pruning->node_count) {
			pruning->joints[rig->joints[i].index] = i;
		}
	}
}

/* Which joints something uses. */
struct uses {
	struct pruning *pruning;
	bool *used; // [joint_count]
};

static void note_use(void *context, struct json_span number) {
	const struct uses *uses = context;
	uint64_t node;
	if (json_span_whole(number, &node) && node < (uint64_t)uses->pruning->node_count &&
		uses->pruning->joints[node] >= 0) {
		uses->used[uses->pruning->joints[node]] = true;
	}
}

/* Nodes stay that hold something, drive something or have extras or extensions. */
static void note_nodes(struct uses *uses) {
	static const char *const holds[] = {"mesh", "camera", "skin", "extensions", "extras"};
	for (int i = 0; i < uses->pruning->node_count; i++) {
		for (size_t k = 0; k < sizeof holds / sizeof *holds; k++) {
			const struct json_span member =
				json_span_member(uses->pruning->nodes[i], holds[k]);
			if (member.text && uses->pruning->joints[i] >= 0) {
				uses->used[uses->pruning->joints[i]] = true;
			}
		}
	}
}

static void for_each_target(
	const struct pruning *pruning, reference_function *found, void *context) {
	const struct parts *parts = &pruning->parts;
	for (int i = 0; i < parts->animation_count; i++) {
		for (int k = 0; k < parts->animations[i].channel_count; k++) {
			const struct json_span node =
				json_span_member(parts->animations[i].channels[k].target, "node");
			uint64_t whole;
			if (node.text && json_span_whole(node, &whole)) {
				found(context, node);
			}
		}
	}
}

/* Joints of skins that stay, and one of each other. */
static void note_skins(struct uses *uses) {
	for (int i = 0; i < uses->pruning->skin_count; i++) {
		const struct pruned_skin *skin = &uses->pruning->skins[i];
		bool any = false;
		for (int k = 0; k < skin->count; k++) {
			const int joint =
				skin->nodes[k] < 0 ? -1 : uses->pruning->joints[skin->nodes[k]];
			if (joint >= 0) {
				uses->used[joint] |= skin->stays;
				any |= uses->used[joint];
			}
		}
		if (!any && skin->count > 0 && skin->nodes[0] >= 0 &&
			uses->pruning->joints[skin->nodes[0]] >= 0) {
			uses->used[uses->pruning->joints[skin->nodes[0]]] = true;
		}
	}
}

static bool is_uniform(const double scale[static 3]) {
	return fabs(scale[0] - scale[1]) <= UNIFORM * fabs(scale[0]) &&
		fabs(scale[0] - scale[2]) <= UNIFORM * fabs(scale[0]) && scale[0] != 0;
}

/* A transform in double precision. */
struct place {
	double translation[3], rotation[4], scale[3];
};

static struct place place_of(const struct transform *transform) {
	struct place place;
	for (int k = 0; k < 4; k++) {
		place.rotation[k] = (double)transform->rotation[k];
	}
	for (int k = 0; k < 3; k++) {
		place.translation[k] = (double)transform->translation[k];
		place.scale[k] = (double)transform->scale[k];
	}
	quat_normalize(place.rotation);
	return place;
}

/* outer * inner, of which the outer one scales evenly. */
static struct place compose(const struct place *outer, const struct place *inner) {
	const double *q = outer->rotation, *p = inner->translation;
	struct place out = *inner;
	double cross[3], twice[3];
	for (int k = 0; k < 3; k++) {
		const int a = (k + 1) % 3, b = (k + 2) % 3;
		cross[k] = q[a] * p[b] - q[b] * p[a] + q[3] * p[k];
	}
	for (int k = 0; k < 3; k++) {
		const int a = (k + 1) % 3, b = (k + 2) % 3;
		twice[k] = p[k] + 2 * (q[a] * cross[b] - q[b] * cross[a]);
		out.scale[k] = outer->scale[0] * inner->scale[k];
	}
	for (int k = 0; k < 3; k++) {
		out.translation[k] = outer->translation[k] + outer->scale[0] * twice[k];
	}
	quat_multiply(outer->rotation, inner->rotation, out.rotation);
	return out;
}

/* True when the rig's transform of a node is the one of the file: matrices can shear. */
static bool is_as_in_file(const struct pruning *pruning, int node) {
	const struct json_span text = json_span_member(pruning->nodes[node], "matrix");
	const struct transform *rest = &pruning->rig->joints[pruning->joints[node]].rest;
	double matrix[12], greatest = 0, off = 0;
	mat_from_transform(rest->translation, rest->rotation, rest->scale, matrix);
	struct json_items items = json_items_of(text);
	struct json_span name, value;
	for (int i = 0; text.text && i < MATRIX_NUMBERS && json_items_next(&items, &name, &value);
		i++) {
		double number = 0;
		number_read_decimal(value.text, value.text + value.size, &number);
		if (i % 4 < 3) {
			greatest = fmax(greatest, fabs(number));
			off = fmax(off, fabs(number - matrix[4 * (i % 4) + i / 4]));
		}
	}
	return off <= MATRIX_OFF * greatest;
}

static bool is_driven(const struct pruning *pruning, int joint) {
	const struct rig *rig = pruning->rig;
	for (int i = 0; i < rig->clip_count; i++) {
		for (int k = 0; k < rig->clips[i].channel_count; k++) {
			if (rig->clips[i].channels[k].joint == joint) {
				return true;
			}
		}
	}
	return false;
}

/* Joints that are left or that have such below them, [joint_count] in the arena. */
static const bool *find_left(const struct pruning *pruning, const bool *needless) {
	const struct rig *rig = pruning->rig;
	bool *left = arena_alloc(pruning->arena, (size_t)rig->joint_count + 1, sizeof *left);
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		left[i] |= !needless[i];
		if (left[i] && rig->joints[i].parent >= 0) {
			left[rig->joints[i].parent] = true;
		}
	}
	return left;
}

/* The one child of a joint that has any left; -1 = none or several. */
static int only_child(const struct pruning *pruning, const bool *left, int joint) {
	int child = -1;
	for (int i = joint + 1; i < pruning->rig->joint_count; i++) {
		if (pruning->rig->joints[i].parent == joint && left[i]) {
			if (child >= 0) {
				return -1;
			}
			child = i;
		}
	}
	return child;
}

/* True when a child can take over the transform of its parent. Avatars' rules are about local
 * transforms, which then are others. */
static bool can_fold(
	const struct pruning *pruning, int joint, int child, const struct place *place) {
	const struct rig *rig = pruning->rig;
	return is_uniform(place->scale) && !is_driven(pruning, child) && !rig->avatar &&
		is_as_in_file(pruning, rig->joints[joint].index) &&
		is_as_in_file(pruning, rig->joints[child].index);
}

/* Folds roots that nothing uses into their only child, transforms and all.
 *
 * places  [joint_count] of joints that take a root's place: where they then are
 * folded  [joint_count] which those are */
static void fold_roots(const struct pruning *pruning, const bool *used, const bool *needless,
	bool *gone, struct place *places, bool *folded) {
	const struct rig *rig = pruning->rig;
	const bool *left = find_left(pruning, needless);
	memcpy(gone, needless, (size_t)rig->joint_count * sizeof *gone);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		if ((parent >= 0 && !gone[parent]) || used[i]) {
			continue;
		}
		const int child = only_child(pruning, left, i);
		if (child < 0) {
			continue;
		}
		const bool is_identity = needless[i] && !folded[i];
		const struct place own = folded[i] ? places[i] : place_of(&rig->joints[i].rest);
		if (!is_identity && !can_fold(pruning, i, child, &own)) {
			continue;
		}
		gone[i] = true;
		pruning->instead[rig->joints[i].index] = rig->joints[child].index;
		if (!is_identity) {
			const struct place rest = place_of(&rig->joints[child].rest);
			places[child] = compose(&own, &rest);
			folded[child] = true;
		}
	}
}

static void write_renumbered(void *context, struct json_span number) {
	struct pruning *pruning = context;
	uint64_t node;
	if (json_span_whole(number, &node) && node < (uint64_t)pruning->node_count &&
		pruning->position[node] >= 0) {
		edits_replace_whole(&pruning->edits, number, (uint64_t)pruning->position[node]);
	}
}

/* A list of nodes without those that go, or with what takes their place. False where none is left.
 */
static bool write_list(struct pruning *pruning, struct json_span list) {
	struct json_items items = json_items_of(list);
	struct json_span name, value;
	struct buffer text = {0};
	struct json_writer json = {.out = &text};
	int count = 0;
	json_write_begin_list(&json);
	while (json_items_next(&items, &name, &value)) {
		uint64_t whole;
		int node = json_span_whole(value, &whole) && whole < (uint64_t)pruning->node_count
			? (int)whole
			: -1;
		while (node >= 0 && pruning->instead[node] >= 0) {
			node = pruning->instead[node];
		}
		if (node >= 0 && pruning->position[node] >= 0) {
			json_write_integer(&json, pruning->position[node]);
			count++;
		}
	}
	json_write_end_list(&json);
	if (count > 0) {
		edits_replace(&pruning->edits, list, (const char *)text.data, text.size);
	}
	buffer_finish(&text);
	return count > 0;
}

static void insert_place(
	struct pruning *pruning, int node, const struct place *place, bool has_more) {
	static const char *const names[] = {"translation", "rotation", "scale"};
	const double *const numbers[] = {place->translation, place->rotation, place->scale};
	struct buffer text = {0};
	struct json_writer json = {.out = &text};
	for (int i = 0; i < 3; i++) {
		float floats[4];
		for (int k = 0; k < (i == 1 ? 4 : 3); k++) {
			floats[k] = (float)numbers[i][k];
		}
		json_write_member_floats(&json, names[i], floats, i == 1 ? 4 : 3);
	}
	buffer_append(&text, ",", has_more);
	edits_insert(
		&pruning->edits, pruning->nodes[node].text + 1, (const char *)text.data, text.size);
	buffer_finish(&text);
}

/* A node that stays. place: that it has then; NULL = as it was. */
static void write_node(struct pruning *pruning, int node, const struct place *place) {
	static const char *const of_place[] = {"matrix", "translation", "rotation", "scale"};
	const struct json_span text = pruning->nodes[node];
	const size_t count = json_span_count(text);
	bool *goes = arena_alloc(pruning->arena, count + 1, sizeof *goes);
	struct json_items items = json_items_of(text);
	struct json_span name, value;
	size_t left = count;
	bool any = false;
	for (size_t i = 0; json_items_next(&items, &name, &value); i++) {
		for (size_t k = 0; place && k < sizeof of_place / sizeof *of_place; k++) {
			goes[i] |= json_span_is(name, of_place[k]);
		}
		goes[i] |= json_span_is(name, "children") && !write_list(pruning, value);
		left -= goes[i];
		any |= goes[i];
	}
	if (any) {
		edits_remove(&pruning->edits, text, goes);
	}
	if (place) {
		insert_place(pruning, node, place, left > 0);
	}
}

static void write_scenes(struct pruning *pruning) {
	struct json_items items = json_items_of(json_span_member(pruning->parts.json, "scenes"));
	struct json_span name, scene;
	while (json_items_next(&items, &name, &scene)) {
		const struct json_span nodes = json_span_member(scene, "nodes");
		if (nodes.text && !write_list(pruning, nodes)) {
			edits_remove_member(&pruning->edits, scene, "nodes");
		}
	}
}

/* Sets which nodes go, and where the others then are. Returns how many are left. */
static int number_nodes(struct pruning *pruning, const bool *gone) {
	int count = 0;
	for (int i = 0; i < pruning->node_count; i++) {
		pruning->goes[i] = pruning->joints[i] >= 0 && gone[pruning->joints[i]];
		pruning->position[i] = pruning->goes[i] ? -1 : count++;
	}
	return count;
}

static bool write_pruned(struct pruning *pruning, const struct place *places, const bool *folded,
	struct buffer *out, struct error *err) {
	const struct parts *parts = &pruning->parts;
	pruning->bin = xcalloc(parts->bin_size + 1, 1);
	memcpy(pruning->bin, parts->bin ? parts->bin : pruning->bin, parts->bin_size);
	for (int i = 0; i < pruning->node_count; i++) {
		const int joint = pruning->joints[i];
		if (!pruning->goes[i]) {
			write_node(pruning, i, joint >= 0 && folded[joint] ? &places[joint] : NULL);
		}
	}
	edits_remove(&pruning->edits, json_span_member(parts->json, "nodes"), pruning->goes);
	write_scenes(pruning);
	prune_skins_write(pruning);
	for_each_target(pruning, write_renumbered, pruning);
	bool done = references_of_extensions(parts->json, write_renumbered, pruning, err);
	if (done) {
		struct buffer json = {0};
		edits_apply(&pruning->edits, parts->json, &json);
		const struct container made = {{(const char *)json.data, json.size},
			parts->bin ? pruning->bin : NULL, parts->bin_size, parts->rest,
			parts->rest_size};
		done = container_write(&made, out, err);
		buffer_finish(&json);
	}
	free(pruning->bin);
	return done;
}

static bool prune(struct pruning *pruning, const struct prune_job *job,
	struct optimise_pruned *report, struct buffer *out, struct error *err) {
	const size_t count = (size_t)job->rig->joint_count + 1;
	bool *used = arena_alloc(pruning->arena, count, sizeof *used);
	bool *gone = arena_alloc(pruning->arena, count, sizeof *gone);
	bool *folded = arena_alloc(pruning->arena, count, sizeof *folded);
	struct place *places = arena_alloc(pruning->arena, count, sizeof *places);
	struct uses uses = {pruning, used};
	if (!parts_read(job->bytes, job->size, pruning->arena, &pruning->parts, err)) {
		return false;
	}
	list_nodes(pruning);
	prune_skins_find(pruning);
	prune_mark_used(job->rig, NULL, used);
	note_nodes(&uses);
	for_each_target(pruning, note_use, &uses);
	if (!references_of_extensions(pruning->parts.json, note_use, &uses, err)) {
		return false;
	}
	note_skins(&uses);
	const bool *needless = prune_find_unused(job->rig, used, pruning->arena);
	fold_roots(pruning, used, needless, gone, places, folded);
	*report = (struct optimise_pruned){pruning->node_count, number_nodes(pruning, gone)};
	if (report->nodes_after == 0 || report->nodes_after == report->nodes_before) {
		report->nodes_after = report->nodes_before;
		buffer_append(out, job->bytes, job->size);
		return true;
	}
	return write_pruned(pruning, places, folded, out, err);
}

bool renderer_optimise_prune(const struct prune_job *job, struct optimise_pruned *report,
	struct buffer *out, struct error *err) {
	struct arena *arena = arena_create();
	struct pruning pruning = {.rig = job->rig, .arena = arena, .edits = {.arena = arena}};
	const bool done = prune(&pruning, job, report, out, err);
	arena_destroy(arena);
	return done;
}
