// Rotation centres: which vertices have which.
#include "skin/centres.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "skin/rigid.h"

/* METHODS A7: how far apart bind positions count as one, for rigs the size of people; a share of
 * the coordinates where those are greater. */
#define MEETING_TOLERANCE 1e-4

/* Vertices between two looks at whether to go on. */
#define STOP_STRIDE 65536

struct set {
	uint32_t hash;
	size_t start; // of its slots
	int count;
	double weighted[4]; // sum of weights times bind positions; of weights
	int row;            // in the palette
};

/* Sets that vertices have, each once. */
struct sets {
	struct set *items; // [vertex_count], of which count are used
	int count;
	uint32_t *slots; // [influence_count]
	size_t slot_count;
	int *table; // [table_mask + 1] positions in items plus 1, by hash; 0 = free
	size_t table_mask;
};

struct sorting {
	const struct rig *rig;
	double (*origins)[3]; // [slot_count] bind positions
	int *parents;         // [slot_count] slots
	struct sets sets;
	int *set_of; // [vertex_count]
};

static void sorting_begin(struct sorting *sorting, const struct rig *rig, struct arena *arena) {
	const size_t slots = (size_t)rig->slot_count, vertices = (size_t)rig->vertex_count;
	*sorting = (struct sorting){.rig = rig,
		.origins = arena_alloc(arena, slots, sizeof *sorting->origins),
		.parents = arena_alloc(arena, slots, sizeof *sorting->parents),
		.set_of = arena_alloc(arena, vertices, sizeof *sorting->set_of)};
	rigid_origins(rig, sorting->origins);
	rigid_slot_parents(rig, arena, sorting->parents);
	struct sets *sets = &sorting->sets;
	sets->items = arena_alloc(arena, vertices, sizeof *sets->items);
	sets->slots = arena_alloc(arena, rig->influence_count, sizeof *sets->slots);
	sets->table_mask = 1;
	while (sets->table_mask < vertices * 2) {
		sets->table_mask = sets->table_mask * 2 + 1;
	}
	sets->table = arena_alloc(arena, sets->table_mask + 1, sizeof *sets->table);
}

/* Puts a slot among the count ascending ones that are there, once. Returns how many there are. */
static int insert(uint32_t *slots, int count, uint32_t slot) {
	int at = count;
	while (at > 0 && slots[at - 1] > slot) {
		at--;
	}
	if (at > 0 && slots[at - 1] == slot) {
		return count;
	}
	memmove(slots + at + 1, slots + at, (size_t)(count - at) * sizeof *slots);
	slots[at] = slot;
	return count + 1;
}

/* The slots that move a vertex, ascending, written behind those of all sets. Returns how many. */
static int gather(struct sorting *sorting, const struct primitive *primitive, size_t influence) {
	const struct rig *rig = sorting->rig;
	uint32_t *slots = sorting->sets.slots + sorting->sets.slot_count;
	int count = 0;
	for (size_t k = influence; k < influence + (size_t)primitive->influence_count; k++) {
		if (k == influence || rig->influence_weights[k] > 0) {
			const int slot = primitive->first_slot + rig->influence_slots[k];
			count = insert(slots, count, (uint32_t)slot);
		}
	}
	return count;
}

/* FNV-1a. */
static uint32_t hash_of(const uint32_t *slots, int count) {
	uint32_t hash = 0x811c9dc5u;
	for (int i = 0; i < count; i++) {
		hash = (hash ^ (slots[i] & 0xff)) * 0x01000193u;
		hash = (hash ^ (slots[i] >> 8)) * 0x01000193u;
	}
	return hash;
}

/* The set of the count slots behind all sets'; a new one takes them. */
static int intern(struct sets *sets, int count) {
	const uint32_t *slots = sets->slots + sets->slot_count;
	const uint32_t hash = hash_of(slots, count);
	size_t at = hash & sets->table_mask;
	for (; sets->table[at] > 0; at = (at + 1) & sets->table_mask) {
		const struct set *set = &sets->items[sets->table[at] - 1];
		if (set->hash == hash && set->count == count &&
			memcmp(sets->slots + set->start, slots, (size_t)count * sizeof *slots) ==
				0) {
			return sets->table[at] - 1;
		}
	}
	sets->items[sets->count] =
		(struct set){.hash = hash, .start = sets->slot_count, .count = count};
	sets->slot_count += (size_t)count;
	sets->table[at] = ++sets->count;
	return sets->count - 1;
}

/* Adds a vertex' part in where the middle of its set lies. */
static void weigh(const struct sorting *sorting, const struct primitive *primitive,
	size_t influence, struct set *set) {
	const struct rig *rig = sorting->rig;
	for (size_t k = influence; k < influence + (size_t)primitive->influence_count; k++) {
		const double weight = rig->influence_weights[k];
		const double *origin =
			sorting->origins[primitive->first_slot + rig->influence_slots[k]];
		for (int i = 0; i < 3; i++) {
			set->weighted[i] += weight * origin[i];
		}
		set->weighted[3] += weight;
	}
}

static bool sort_vertices(struct sorting *sorting, const struct stop *stop, struct error *err) {
	for (int p = 0; p < sorting->rig->primitive_count; p++) {
		const struct primitive *primitive = &sorting->rig->primitives[p];
		size_t influence = primitive->first_influence;
		for (int i = 0; i < primitive->vertex_count; i++) {
			const int set =
				intern(&sorting->sets, gather(sorting, primitive, influence));
			weigh(sorting, primitive, influence, &sorting->sets.items[set]);
			sorting->set_of[primitive->first_vertex + i] = set;
			influence += (size_t)primitive->influence_count;
			if (i % STOP_STRIDE == STOP_STRIDE - 1 && !stop_check(stop, err)) {
				return false;
			}
		}
	}
	return stop_check(stop, err);
}

static bool meet(const double a[static 3], const double b[static 3]) {
	double apart[3], greatest = 1;
	vec3_sub(a, b, apart);
	for (int i = 0; i < 3; i++) {
		greatest = fmax(greatest, fabs(a[i]));
	}
	return vec3_length(apart) <= MEETING_TOLERANCE * greatest;
}

/* The first of a set's slots other than parent, if all of those are its children and begin in one
 * point; else -1. */
static int meeting_under(const struct sorting *sorting, const struct set *set, int parent) {
	const uint32_t *slots = sorting->sets.slots + set->start;
	int first = -1;
	for (int i = 0; i < set->count; i++) {
		const int slot = (int)slots[i];
		if (slot == parent) {
			continue;
		}
		first = first < 0 ? slot : first;
		if (sorting->parents[slot] != parent ||
			!meet(sorting->origins[first], sorting->origins[slot])) {
			return -1;
		}
	}
	return first;
}

/* The slot in whose joint all of a set's bones meet; -1 = they do not. */
static int meeting_slot(const struct sorting *sorting, const struct set *set) {
	const int first = (int)sorting->sets.slots[set->start];
	if (set->count == 1) {
		return first;
	}
	// The parent of all others is among them, or is not and the first one's, too.
	const int second = (int)sorting->sets.slots[set->start + 1];
	const int candidates[] = {sorting->parents[first], sorting->parents[second]};
	for (int i = 0; i < 2; i++) {
		const int slot = meeting_under(sorting, set, candidates[i]);
		if (slot >= 0) {
			return slot;
		}
	}
	return -1;
}

/* Gives sets their rows, and counts those that keep one of their own, with their slots. */
static void number_rows(struct sorting *sorting, bool of_joints, size_t *sets, size_t *slots) {
	*sets = *slots = 0;
	for (int i = 0; i < sorting->sets.count; i++) {
		struct set *set = &sorting->sets.items[i];
		set->row = of_joints ? meeting_slot(sorting, set) : -1;
		if (set->row < 0) {
			set->row = sorting->rig->slot_count + (int)(*sets)++;
			*slots += (size_t)set->count;
		}
	}
}

static void write_anchor(const struct sorting *sorting, const struct set *set, float *anchor) {
	double middle[3], reach = 0;
	for (int i = 0; i < 3; i++) {
		middle[i] = set->weighted[i] / set->weighted[3];
		anchor[i] = (float)middle[i];
	}
	for (int i = 0; i < set->count; i++) {
		double apart[3];
		vec3_sub(sorting->origins[sorting->sets.slots[set->start + (size_t)i]], middle,
			apart);
		reach = fmax(reach, vec3_length(apart));
	}
	anchor[3] = (float)reach;
}

static void write_sets(const struct sorting *sorting, struct skin_data *data) {
	uint32_t *starts = skin_data_words(data, CENTRES_STARTS);
	uint32_t *slots = skin_data_words(data, CENTRES_SLOTS);
	float *anchors = skin_data_floats(data, CENTRES_ANCHORS);
	for (int i = 0; i < sorting->sets.count; i++) {
		const struct set *set = &sorting->sets.items[i];
		if (set->row < sorting->rig->slot_count) {
			continue;
		}
		memcpy(slots + *starts, sorting->sets.slots + set->start,
			(size_t)set->count * sizeof *slots);
		write_anchor(sorting, set, anchors);
		starts[1] = starts[0] + (uint32_t)set->count;
		starts++;
		anchors += 4;
	}
}

static void write_vertices(const struct sorting *sorting, bool of_joints, struct skin_data *data) {
	uint32_t *rows = skin_data_words(data, CENTRES_ROWS);
	for (int i = 0; i < sorting->rig->vertex_count; i++) {
		rows[i] = (uint32_t)sorting->sets.items[sorting->set_of[i]].row;
		if (of_joints && rows[i] >= (uint32_t)sorting->rig->slot_count) {
			data->fallback_vertices++;
			data->flags |= SKIN_FLAG_SJB_CONSTRAINT;
		}
	}
}

static struct skin_data *derive(const struct derive_job *job, bool of_joints, struct error *err) {
	struct arena *arena = arena_create();
	struct skin_data *data = NULL;
	struct sorting sorting;
	sorting_begin(&sorting, job->rig, arena);
	if (sort_vertices(&sorting, job->stop, err)) {
		size_t sets, slots;
		number_rows(&sorting, of_joints, &sets, &slots);
		const size_t lengths[CENTRES_SECTIONS] = {
			[CENTRES_ROWS] = (size_t)job->rig->vertex_count,
			[CENTRES_STARTS] = sets + 1,
			[CENTRES_SLOTS] = slots,
			[CENTRES_ANCHORS] = sets * 4,
		};
		data = skin_data_create(lengths, CENTRES_SECTIONS, err);
	}
	if (data) {
		write_sets(&sorting, data);
		write_vertices(&sorting, of_joints, data);
	}
	arena_destroy(arena);
	return data;
}

static struct skin_data *derive_sets(const struct derive_job *job, struct error *err) {
	return derive(job, false, err);
}

static struct skin_data *derive_joints(const struct derive_job *job, struct error *err) {
	return derive(job, true, err);
}

const struct skin_recipe centres_of_sets = {
	.name = "centres_of_sets",
	.version = 1,
	.derive = derive_sets,
};

const struct skin_recipe centres_of_joints = {
	.name = "centres_of_joints",
	.version = 1,
	.derive = derive_joints,
};
