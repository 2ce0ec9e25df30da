// A mesh cut into batches of few joints.
#include "skin/batches.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Batches are searched through this often between looks at the stop. */
#define STOP_INTERVAL 256

/* A triangle, or a vertex alone, with its joints. */
struct piece {
	uint16_t slots[BATCH_PIECE_SLOTS]; // ascending, relative to the primitive's first
	int slot_count;
	uint32_t vertices[3]; // of the primitive
	int vertex_count;
	uint32_t triangle; // of the primitive; BATCH_NONE = it is a vertex alone
	uint32_t batch;    // of the primitive's, once it has one
};

/* A batch while it grows. */
struct growing {
	uint16_t *slots; // [slot_count], ascending; owned
	int slot_count;
	uint64_t filter; // a bit for each slot modulo 64
};

struct cutter {
	const struct rig *rig;
	const struct primitive *primitive;
	int limit;
	const struct stop *stop;
	struct piece *pieces; // [piece_count]; owned
	size_t piece_count;
	struct growing *growing; // [growing_count]; owned
	size_t growing_count, growing_room;
	bool *placed; // [primitive->vertex_count]: is in a piece; owned
};

static void add_slot(struct piece *piece, uint16_t slot) {
	int at = 0;
	while (at < piece->slot_count && piece->slots[at] < slot) {
		at++;
	}
	if (at < piece->slot_count && piece->slots[at] == slot) {
		return;
	}
	memmove(piece->slots + at + 1, piece->slots + at,
		(size_t)(piece->slot_count - at) * sizeof *piece->slots);
	piece->slots[at] = slot;
	piece->slot_count++;
}

static void add_vertex(const struct cutter *cutter, struct piece *piece, uint32_t vertex) {
	const int count = cutter->primitive->influence_count;
	const size_t first = cutter->primitive->first_influence + (size_t)vertex * (size_t)count;
	for (size_t i = first; i < first + (size_t)count; i++) {
		// The pivot belongs to it whatever its weight.
		if (i == first || cutter->rig->influence_weights[i] > 0) {
			add_slot(piece, cutter->rig->influence_slots[i]);
		}
	}
	piece->vertices[piece->vertex_count++] = vertex;
}

static void place(struct cutter *cutter, const struct piece *piece) {
	for (int i = 0; i < piece->vertex_count; i++) {
		cutter->placed[piece->vertices[i]] = true;
	}
	cutter->pieces[cutter->piece_count++] = *piece;
}

static void add_triangles(struct cutter *cutter) {
	const struct primitive *primitive = cutter->primitive;
	const uint32_t *indices = cutter->rig->indices + primitive->first_index;
	const bool indexed = primitive->index_count > 0;
	const int count = indexed ? primitive->index_count : primitive->vertex_count;
	for (int i = 0; i + 3 <= count; i += 3) {
		struct piece piece = {.triangle = (uint32_t)i / 3};
		for (int k = i; k < i + 3; k++) {
			add_vertex(cutter, &piece, indexed ? indices[k] : (uint32_t)k);
		}
		if (piece.slot_count <= cutter->limit) {
			place(cutter, &piece);
		}
	}
}

static void add_left_vertices(struct cutter *cutter) {
	for (int i = 0; i < cutter->primitive->vertex_count; i++) {
		if (!cutter->placed[i]) {
			struct piece piece = {.triangle = BATCH_NONE};
			add_vertex(cutter, &piece, (uint32_t)i);
			place(cutter, &piece);
		}
	}
}

static int by_slots(const void *a, const void *b) {
	const struct piece *x = a, *y = b;
	for (int i = 0; i < x->slot_count && i < y->slot_count; i++) {
		if (x->slots[i] != y->slots[i]) {
			return x->slots[i] < y->slots[i] ? -1 : 1;
		}
	}
	if (x->slot_count != y->slot_count) {
		return x->slot_count - y->slot_count;
	}
	return (x->vertices[0] > y->vertices[0]) - (x->vertices[0] < y->vertices[0]);
}

static bool have_same_slots(const struct piece *a, const struct piece *b) {
	return a->slot_count == b->slot_count &&
		memcmp(a->slots, b->slots, (size_t)a->slot_count * sizeof *a->slots) == 0;
}

static uint64_t filter_of(const uint16_t *slots, int count) {
	uint64_t filter = 0;
	for (int i = 0; i < count; i++) {
		filter |= (uint64_t)1 << slots[i] % 64;
	}
	return filter;
}

/* The number of a piece's slots that a batch lacks. */
static int lacking(const struct growing *batch, const struct piece *piece) {
	int missing = 0, at = 0;
	for (int i = 0; i < piece->slot_count; i++) {
		while (at < batch->slot_count && batch->slots[at] < piece->slots[i]) {
			at++;
		}
		missing += at == batch->slot_count || batch->slots[at] != piece->slots[i];
	}
	return missing;
}

/* The batch that a piece goes to: growing_count where it wants a new one. */
static size_t choose(const struct cutter *cutter, const struct piece *piece) {
	const uint64_t filter = filter_of(piece->slots, piece->slot_count);
	size_t best = cutter->growing_count;
	int least = INT_MAX;
	for (size_t i = 0; i < cutter->growing_count && least > 0; i++) {
		const struct growing *batch = &cutter->growing[i];
		const int room = cutter->limit - batch->slot_count;
		// It lacks no fewer than the filters tell.
		int missing = __builtin_popcountll(filter & ~batch->filter);
		if (missing < least && missing <= room) {
			missing = lacking(batch, piece);
		}
		if (missing < least && missing <= room) {
			least = missing;
			best = i;
		}
	}
	return best;
}

static void open_batch(struct cutter *cutter) {
	if (cutter->growing_count == cutter->growing_room) {
		cutter->growing_room = cutter->growing_room ? 2 * cutter->growing_room : 32;
		cutter->growing =
			xrealloc(cutter->growing, cutter->growing_room, sizeof *cutter->growing);
	}
	cutter->growing[cutter->growing_count++] =
		(struct growing){.slots = xcalloc((size_t)cutter->limit, sizeof(uint16_t))};
}

static void grow(struct growing *batch, const struct piece *piece) {
	for (int i = 0; i < piece->slot_count; i++) {
		int at = 0;
		while (at < batch->slot_count && batch->slots[at] < piece->slots[i]) {
			at++;
		}
		if (at < batch->slot_count && batch->slots[at] == piece->slots[i]) {
			continue;
		}
		memmove(batch->slots + at + 1, batch->slots + at,
			(size_t)(batch->slot_count - at) * sizeof *batch->slots);
		batch->slots[at] = piece->slots[i];
		batch->slot_count++;
	}
	batch->filter |= filter_of(piece->slots, piece->slot_count);
}

/* Gives every piece its batch. */
static bool assign(struct cutter *cutter, struct error *err) {
	qsort(cutter->pieces, cutter->piece_count, sizeof *cutter->pieces, by_slots);
	for (size_t i = 0; i < cutter->piece_count; i++) {
		struct piece *piece = &cutter->pieces[i];
		if (i > 0 && have_same_slots(piece, piece - 1)) {
			piece->batch = piece[-1].batch;
			continue;
		}
		if (i % STOP_INTERVAL == 0 && !stop_check(cutter->stop, err)) {
			return false;
		}
		const size_t batch = choose(cutter, piece);
		if (batch == cutter->growing_count) {
			open_batch(cutter);
		}
		grow(&cutter->growing[batch], piece);
		piece->batch = (uint32_t)batch;
	}
	return true;
}

/* A vertex in a batch. */
struct member {
	uint32_t batch, vertex;
};

static int by_batch(const void *a, const void *b) {
	const struct member *x = a, *y = b;
	return x->batch != y->batch ? (x->batch > y->batch) - (x->batch < y->batch)
				    : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* All vertices of all pieces by batch, each once. *count is how many. */
static struct member *list_members(const struct cutter *cutter, size_t *count, struct error *err) {
	struct member *members =
		try_calloc(cutter->piece_count * 3 + 1, sizeof *members, "batches", err);
	size_t all = 0;
	for (size_t i = 0; members && i < cutter->piece_count; i++) {
		const struct piece *piece = &cutter->pieces[i];
		for (int k = 0; k < piece->vertex_count; k++) {
			members[all++] = (struct member){piece->batch, piece->vertices[k]};
		}
	}
	if (members) {
		qsort(members, all, sizeof *members, by_batch);
	}
	*count = 0;
	for (size_t i = 0; i < all; i++) {
		if (*count == 0 || by_batch(&members[*count - 1], &members[i]) != 0) {
			members[(*count)++] = members[i];
		}
	}
	return members;
}

static size_t count_triangles(const struct primitive *primitive) {
	const int corners =
		primitive->index_count > 0 ? primitive->index_count : primitive->vertex_count;
	return primitive->topology == TOPOLOGY_TRIANGLES ? (size_t)corners / 3 : 0;
}

/* Says of the primitive's triangles which of all batches they are in. */
static void put_triangles(const struct cutter *cutter, struct batches *out) {
	const size_t count = count_triangles(cutter->primitive);
	out->triangles =
		xrealloc(out->triangles, out->triangle_count + count + 1, sizeof *out->triangles);
	uint32_t *own = out->triangles + out->triangle_count;
	memset(own, 0xff, count * sizeof *own);
	for (size_t i = 0; i < cutter->piece_count; i++) {
		const struct piece *piece = &cutter->pieces[i];
		if (piece->triangle != BATCH_NONE) {
			own[piece->triangle] = (uint32_t)out->count + piece->batch;
		}
	}
	out->triangle_count += count;
}

static void put_batches(const struct cutter *cutter, struct batches *out) {
	const size_t primitive = (size_t)(cutter->primitive - cutter->rig->primitives);
	out->list = xrealloc(out->list, out->count + cutter->growing_count + 1, sizeof *out->list);
	size_t matrices = out->matrix_count;
	for (size_t i = 0; i < cutter->growing_count; i++) {
		const struct growing *batch = &cutter->growing[i];
		out->list[out->count + i] = (struct skin_batch){
			.primitive = (uint32_t)primitive,
			.first_matrix = (uint32_t)matrices,
			.matrix_count = (uint32_t)batch->slot_count,
			.joint_count = (uint32_t)batch->slot_count,
		};
		matrices += (size_t)batch->slot_count;
	}
	out->slots = xrealloc(out->slots, matrices + 1, sizeof *out->slots);
	for (size_t i = 0; i < cutter->growing_count; i++) {
		const struct growing *batch = &cutter->growing[i];
		for (int k = 0; k < batch->slot_count; k++) {
			out->slots[out->matrix_count++] =
				(uint32_t)cutter->primitive->first_slot + batch->slots[k];
		}
	}
}

/* Adds the primitive's batches to all. */
static bool put(struct cutter *cutter, struct batches *out, struct error *err) {
	size_t count;
	struct member *members = list_members(cutter, &count, err);
	if (!members) {
		return false;
	}
	put_triangles(cutter, out);
	put_batches(cutter, out);
	out->rows = xrealloc(out->rows, out->row_count + count + 1, sizeof *out->rows);
	memset(cutter->placed, 0, (size_t)cutter->primitive->vertex_count * sizeof *cutter->placed);
	for (size_t i = 0; i < count; i++) {
		struct skin_batch *batch = &out->list[out->count + members[i].batch];
		if (batch->row_count++ == 0) {
			batch->first_row = (uint32_t)out->row_count;
		}
		bool *placed = &cutter->placed[members[i].vertex];
		out->rows[out->row_count++] =
			((uint32_t)cutter->primitive->first_vertex + members[i].vertex) |
			(*placed ? BATCH_REPEATED : 0);
		*placed = true;
	}
	out->count += cutter->growing_count;
	free(members);
	return true;
}

static void cutter_finish(struct cutter *cutter) {
	for (size_t i = 0; i < cutter->growing_count; i++) {
		free(cutter->growing[i].slots);
	}
	free(cutter->growing);
	free(cutter->pieces);
	free(cutter->placed);
}

static bool cut(struct cutter *cutter, struct batches *out, struct error *err) {
	const struct primitive *primitive = cutter->primitive;
	const size_t vertices = (size_t)primitive->vertex_count;
	const size_t most = ((size_t)primitive->index_count + vertices) / 3 + vertices;
	cutter->pieces = try_calloc(most + 1, sizeof *cutter->pieces, "batches", err);
	cutter->placed = xcalloc(vertices + 1, sizeof *cutter->placed);
	if (!cutter->pieces) {
		return false;
	}
	if (primitive->topology == TOPOLOGY_TRIANGLES) {
		add_triangles(cutter);
	}
	add_left_vertices(cutter);
	return assign(cutter, err) && put(cutter, out, err);
}

bool batches_make(const struct rig *rig, int limit, const struct stop *stop, struct batches *out,
	struct error *err) {
	assert(limit >= 4);
	*out = (struct batches){0};
	bool ok = true;
	for (int i = 0; ok && i < rig->primitive_count; i++) {
		assert(rig->primitives[i].influence_count <= 4);
		struct cutter cutter = {
			.rig = rig,
			.primitive = &rig->primitives[i],
			.limit = limit,
			.stop = stop,
		};
		ok = cut(&cutter, out, err);
		cutter_finish(&cutter);
	}
	if (!ok) {
		batches_finish(out);
	}
	return ok;
}

void batches_finish(struct batches *batches) {
	free(batches->list);
	free(batches->slots);
	free(batches->rows);
	free(batches->triangles);
	*batches = (struct batches){0};
}
