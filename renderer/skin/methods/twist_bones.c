/* Twist bones: between a joint and the one above it N - 1 helpers take a share each of the rotation
 * between the two, so that linear blending never has to bridge more than an N-th of it.
 *
 * How far along the way a vertex is, its weights say: where a joint has w and the one above it v,
 * their sum goes to the two helpers around N w / (v + w), by linear tents. Where a vertex has more
 * joints of a chain, each shares its weight out among its neighbours by theirs. A vertex of one
 * joint therefore keeps it. (METHODS measures the distance along the bone instead, which leaves a
 * vertex beside the joint with the two joints themselves, and so the candy wrapper as it was.)
 *
 * A helper's rotation is its share of the twist about the bone above and, in front of it, of the
 * swing; its stretch and the joint's displacement grow linearly. So helper 0 is the joint above,
 * and helper N the joint. Where the joint above is scaled to nothing, helpers are blends of
 * matrices. Sources: Weber. Run-Time Skin Deformation. GDC 2000. METHODS A6. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/quat.h"
#include "skin/block.h"
#include "skin/bones.h"
#include "skin/method.h"
#include "skin/motion.h"
#include "skin/normal.h"
#include "skin/palette.h"
#include "skin/rigid.h"

/* A matrix; the helpers' follow the slots'. */
#define ENTRY_FLOATS PALETTE_MATRIX_FLOATS

enum { HELPERS };

/* Sections of the data. */
enum {
	SECTION_HELPERS, // [][3]: slot above, slot, share as a float
	SECTION_STARTS,  // [vertex_count + 1]: where each vertex' entries begin
	SECTION_ENTRIES, // which matrix: slots, then helpers
	SECTION_WEIGHTS, // floats, of the entries
	SECTION_COUNT,
};

skin_kernel twist_bones_skin, twist_bones_skin_avx2;

static const struct field matrix_field = {ENTRY_FLOATS, 0};

/* One vertex' matrices blended by weight. */
KERNEL void blend_vertex(const struct block *block, int lane, float *blended) {
	enum { PARTS = 16 / LANE_COUNT };
	const struct skin_data *data = block->job->data;
	const uint32_t *starts =
		skin_data_read_words(data, SECTION_STARTS) + block_vertex(block, lane);
	const uint32_t *entries = skin_data_read_words(data, SECTION_ENTRIES);
	const float *weights = skin_data_read_floats(data, SECTION_WEIGHTS);
	lanes m[PARTS] = {{0}};
	for (uint32_t at = starts[0]; at < starts[1]; at++) {
		const float *next = block->job->palette + (size_t)entries[at] * ENTRY_FLOATS;
		for (int i = 0; i < PARTS; i++) {
			m[i] += weights[at] * lanes_load(next + i * LANE_COUNT);
		}
	}
	for (int i = 0; i < PARTS; i++) {
		lanes_store(m[i], blended + i * LANE_COUNT);
	}
}

KERNEL struct lanes_matrix blend(const struct block *block) {
	float blended[LANE_COUNT][16] __attribute__((aligned(32)));
	for (int i = 0; i < LANE_COUNT; i++) {
		blend_vertex(block, i, blended[i]);
	}
	return block_columns_of(lanes_load4(blended[0], 16), lanes_load4(blended[0] + 4, 16),
		lanes_load4(blended[0] + 8, 16));
}

KERNEL void skin_block(const struct block *block) {
	const struct lanes_matrix m = blend(block);
	normal_put_mapped(block, &m, matrix_field);
}

LANES_TARGET void LANES_NAME(twist_bones_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		skin_block(block);
	}
}

#ifndef LANES_AVX2
static const struct skin_option helpers_option = {
	.name = "helpers",
	.title = "into how many steps the rotation between two joints is divided",
	.kind = SKIN_OPTION_INTEGER,
	.least = 2,
	.most = 8,
	.standard = 4,
	.derives = true,
};

static const struct skin_option *const options[] = {[HELPERS] = &helpers_option, NULL};

/* Numbers of one kind that become more. */
struct list {
	uint32_t *numbers; // [count]; owned
	size_t count, room;
};

static void list_add(struct list *list, uint32_t number) {
	if (list->count == list->room) {
		list->room = list->room ? 2 * list->room : 1024;
		list->numbers = xrealloc(list->numbers, list->room, sizeof *list->numbers);
	}
	list->numbers[list->count++] = number;
}

static uint32_t bits_of(float number) {
	uint32_t bits;
	memcpy(&bits, &number, sizeof bits);
	return bits;
}

/* The data while it is made. */
struct maker {
	const struct rig *rig;
	uint32_t steps;           // N
	const struct bone *bones; // [slot_count]
	uint32_t *first;     // [slot_count]: entry of the first helper below each; 0 = none; owned
	struct list helpers; // [][3]
	struct list starts, entries, weights;
};

/* A vertex' joints, each once. */
struct mix {
	int count;
	int *slots;      // [count] of the rig
	double *weights; // [count]
	double *shared;  // [count]: the neighbours' weights
	int *above;      // [count]: which of these is above; -1 = none
};

static void add_influence(struct mix *mix, int slot, double weight) {
	for (int i = 0; i < mix->count; i++) {
		if (mix->slots[i] == slot) {
			mix->weights[i] += weight;
			return;
		}
	}
	mix->slots[mix->count] = slot;
	mix->weights[mix->count++] = weight;
}

static void gather(const struct maker *maker, const struct primitive *primitive, size_t influence,
	struct mix *mix) {
	const struct rig *rig = maker->rig;
	mix->count = 0;
	for (size_t i = influence; i < influence + (size_t)primitive->influence_count; i++) {
		if (i == influence || rig->influence_weights[i] > 0) {
			add_influence(mix, primitive->first_slot + rig->influence_slots[i],
				(double)rig->influence_weights[i]);
		}
	}
	for (int i = 0; i < mix->count; i++) {
		mix->shared[i] = 0;
	}
	for (int i = 0; i < mix->count; i++) {
		mix->above[i] = -1;
		for (int k = 0; k < mix->count; k++) {
			if (mix->slots[k] == maker->bones[mix->slots[i]].parent &&
				mix->weights[i] > 0 && mix->weights[k] > 0) {
				mix->above[i] = k;
				mix->shared[i] += mix->weights[k];
				mix->shared[k] += mix->weights[i];
			}
		}
	}
}

/* The entry of a helper below a slot: 0 is the joint above, N the slot itself. */
static uint32_t entry_of(struct maker *maker, int slot, uint32_t step) {
	if (step == 0 || step == maker->steps) {
		return (uint32_t)(step == 0 ? maker->bones[slot].parent : slot);
	}
	if (maker->first[slot] == 0) {
		maker->first[slot] =
			(uint32_t)maker->rig->slot_count + (uint32_t)maker->helpers.count / 3;
		for (uint32_t i = 1; i < maker->steps; i++) {
			list_add(&maker->helpers, (uint32_t)maker->bones[slot].parent);
			list_add(&maker->helpers, (uint32_t)slot);
			list_add(&maker->helpers, bits_of((float)i / (float)maker->steps));
		}
	}
	return maker->first[slot] + step - 1;
}

static void add_entry(struct maker *maker, uint32_t entry, double weight) {
	if (weight > 0) {
		list_add(&maker->entries, entry);
		list_add(&maker->weights, bits_of((float)weight));
	}
}

/* The contributions of a joint and its parent to the bone between them. */
static void add_bone(struct maker *maker, const struct mix *mix, int i) {
	const int k = mix->above[i];
	const double both = mix->weights[i] * mix->weights[k];
	const double above = both / mix->shared[k], own = both / mix->shared[i];
	const double at = own / (above + own) * maker->steps;
	const uint32_t step = at < maker->steps - 1 ? (uint32_t)at : maker->steps - 1;
	add_entry(maker, entry_of(maker, mix->slots[i], step), (above + own) * (step + 1 - at));
	add_entry(maker, entry_of(maker, mix->slots[i], step + 1), (above + own) * (at - step));
}

static void add_vertex(struct maker *maker, const struct mix *mix) {
	list_add(&maker->starts, (uint32_t)maker->entries.count);
	for (int i = 0; i < mix->count; i++) {
		if (mix->above[i] >= 0) {
			add_bone(maker, mix, i);
		}
		if (mix->shared[i] == 0) {
			add_entry(maker, (uint32_t)mix->slots[i], mix->weights[i]);
		}
	}
}

static void add_primitive(struct maker *maker, const struct primitive *primitive) {
	const size_t count = (size_t)primitive->influence_count;
	struct mix mix = {
		.slots = xcalloc(count, sizeof *mix.slots),
		.weights = xcalloc(count, sizeof *mix.weights),
		.shared = xcalloc(count, sizeof *mix.shared),
		.above = xcalloc(count, sizeof *mix.above),
	};
	for (int i = 0; i < primitive->vertex_count; i++) {
		gather(maker, primitive, primitive->first_influence + (size_t)i * count, &mix);
		add_vertex(maker, &mix);
	}
	free(mix.slots);
	free(mix.weights);
	free(mix.shared);
	free(mix.above);
}

static void copy(struct skin_data *data, int section, const struct list *list) {
	if (list->count > 0) {
		memcpy(skin_data_words(data, section), list->numbers,
			list->count * sizeof *list->numbers);
	}
}

static struct skin_data *collect(const struct maker *maker, struct error *err) {
	const size_t lengths[SECTION_COUNT] = {
		[SECTION_HELPERS] = maker->helpers.count,
		[SECTION_STARTS] = maker->starts.count,
		[SECTION_ENTRIES] = maker->entries.count,
		[SECTION_WEIGHTS] = maker->weights.count,
	};
	struct skin_data *data = skin_data_create(lengths, SECTION_COUNT, err);
	if (data) {
		copy(data, SECTION_HELPERS, &maker->helpers);
		copy(data, SECTION_STARTS, &maker->starts);
		copy(data, SECTION_ENTRIES, &maker->entries);
		copy(data, SECTION_WEIGHTS, &maker->weights);
	}
	return data;
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	struct arena *arena = arena_create();
	struct bone *bones = arena_alloc(arena, (size_t)job->rig->slot_count, sizeof *bones);
	bones_find(job->rig, arena, bones);
	struct maker maker = {
		.rig = job->rig,
		.steps = (uint32_t)job->options->values[HELPERS],
		.bones = bones,
		.first = xcalloc((size_t)job->rig->slot_count + 1, sizeof *maker.first),
	};
	bool ok = true;
	for (int i = 0; ok && i < job->rig->primitive_count; i++) {
		add_primitive(&maker, &job->rig->primitives[i]);
		ok = stop_check(job->stop, err);
	}
	list_add(&maker.starts, (uint32_t)maker.entries.count);
	struct skin_data *data = ok ? collect(&maker, err) : NULL;
	arena_destroy(arena);
	free(maker.first);
	free(maker.helpers.numbers);
	free(maker.starts.numbers);
	free(maker.entries.numbers);
	free(maker.weights.numbers);
	return data;
}

static const struct skin_recipe recipe = {
	.name = "twist_bones",
	.version = 1,
	.derive = derive,
};

static size_t extra_floats(const struct rig *rig, const struct skin_data *data) {
	(void)rig;
	return data->lengths[SECTION_HELPERS] / 3 * ENTRY_FLOATS;
}

/* A joint against the one above it: how it is turned, stretched and displaced in the bind pose. */
struct relation {
	double swing[4], twist[4];
	double stretch[9];
	double about[3], displacement[3];
};

static bool against_above(
	const struct prepare_job *job, int above, int slot, struct relation *relation) {
	double relative[12], rotation[4], start[3], axis[3], moved[3];
	if (!mat_invert(job->matrices[above], relative)) {
		return false;
	}
	mat_multiply(relative, job->matrices[slot], relative);
	mat_polar(relative, rotation, relation->stretch);
	rigid_bind_position(&job->rig->slots[above], start);
	rigid_bind_position(&job->rig->slots[slot], relation->about);
	mat_map_point(relative, relation->about, moved);
	for (int i = 0; i < 3; i++) {
		axis[i] = relation->about[i] - start[i];
		relation->displacement[i] = moved[i] - relation->about[i];
	}
	turns_swing_twist(rotation, axis, relation->swing, relation->twist);
	return true;
}

/* M = M_above * T(about + share * displacement) R S T(-about). */
static void write_helper(const double above[static 12], const struct relation *relation,
	double share, float *entry) {
	double swing[4], twist[4], rotation[4], stretch[12] = MAT_IDENTITY, m[12], at[3];
	quat_power(relation->swing, share, swing);
	quat_power(relation->twist, share, twist);
	quat_multiply(swing, twist, rotation);
	turns_matrix(rotation, m);
	for (int i = 0; i < 9; i++) {
		const int to = i / 3 * 4 + i % 3;
		stretch[to] += share * (relation->stretch[i] - stretch[to]);
	}
	mat_multiply(m, stretch, m);
	mat_map_direction(m, relation->about, at);
	for (int row = 0; row < 3; row++) {
		m[row * 4 + 3] =
			relation->about[row] + share * relation->displacement[row] - at[row];
	}
	mat_multiply(above, m, m);
	palette_write_matrix(m, entry);
}

static void write_mixed(
	const double above[static 12], const double own[static 12], double share, float *entry) {
	double m[12];
	for (int i = 0; i < 12; i++) {
		m[i] = (1 - share) * above[i] + share * own[i];
	}
	palette_write_matrix(m, entry);
}

static bool prepare(const struct prepare_job *job, float *palette, struct error *err) {
	(void)err;
	const size_t slots = (size_t)job->rig->slot_count;
	palette_write_matrices(job->matrices, (int)slots, palette, ENTRY_FLOATS);
	const uint32_t *helpers = skin_data_read_words(job->data, SECTION_HELPERS);
	const float *shares = skin_data_read_floats(job->data, SECTION_HELPERS);
	const size_t count = job->data->lengths[SECTION_HELPERS] / 3;
	struct relation relation;
	bool ok = false;
	for (size_t i = 0; i < count; i++) {
		const int above = (int)helpers[i * 3], slot = (int)helpers[i * 3 + 1];
		const double share = (double)shares[i * 3 + 2];
		float *entry = palette + (slots + i) * ENTRY_FLOATS;
		// Helpers of a joint follow one another.
		if (i == 0 || helpers[i * 3 - 2] != helpers[i * 3 + 1]) {
			ok = against_above(job, above, slot, &relation);
		}
		if (ok) {
			write_helper(job->matrices[above], &relation, share, entry);
		} else {
			write_mixed(job->matrices[above], job->matrices[slot], share, entry);
		}
	}
	return true;
}

const struct skinning_method twist_bones_method = {
	.id = "twist_bones",
	.title = "helper joints between two joints, which take shares of the rotation between them",
	.options = options,
	.normals = 1 << NORMALS_SAME | 1 << NORMALS_COF,
	.recipe = &recipe,
	.kernel =
		{
			.shader = "twist_bones.comp",
			.entry_floats = ENTRY_FLOATS,
			.extra_floats = extra_floats,
			.prepare = prepare,
			.skin = twist_bones_skin,
			.skin_avx2 = twist_bones_skin_avx2,
		},
};
#endif
