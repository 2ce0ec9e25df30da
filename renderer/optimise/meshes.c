// Vertices and indices through meshoptimizer's codec, without loss.
#include "interface/optimise_meshes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "export/packer.h"
#include "optimise/container.h"
#include "optimise/edits.h"
#include "optimise/elements.h"
#include "optimise/parts.h"

#define MESHOPT "EXT_meshopt_compression"
#define ALIGNMENT 4u
#define STRIDE_MAX 256
#define JSON_BYTES 170 // that packing a view adds, about
#define INDEX_BYTES_MIN 2

enum use { USE_NONE, USE_ELEMENTS, USE_INDICES, USE_OTHER };

/* A buffer view and what becomes of it. */
struct packed_view {
	enum use use;
	uint64_t stride;
	bool is_packed;
	size_t at, size;      // packed, among the new bytes
	uint64_t unpacked_at; // in the buffer that stands for what is packed
};

struct packing {
	struct arena *arena;
	struct parts parts;
	struct edits edits;
	struct packed_view *views; // [view_count]
	bool *indices;             // [accessor_count] those of primitives
	bool *elements;            // [accessor_count] attributes, targets and matrices
	struct buffer packed;
	uint64_t unpacked;
	int fallback; // buffer that stands for what is packed; -1 = there is none yet
};

static uint64_t whole(struct json_span object, const char *name, uint64_t otherwise) {
	uint64_t value;
	return json_span_whole(json_span_member(object, name), &value) ? value : otherwise;
}

static void mark(struct packing *packing, struct json_span number, bool *marks) {
	uint64_t at;
	if (json_span_whole(number, &at) && at < (uint64_t)packing->parts.accessor_count) {
		marks[at] = true;
	}
}

static void mark_named(void *context, const struct mesh_name *named) {
	struct packing *packing = context;
	mark(packing, named->accessor,
		named->use == MESH_INDICES ? packing->indices : packing->elements);
}

static void mark_accessors(struct packing *packing) {
	const struct json_span json = packing->parts.json;
	struct json_items items = json_items_of(json_span_member(json, "meshes"));
	struct json_span name, value;
	while (json_items_next(&items, &name, &value)) {
		mesh_walk(value, mark_named, packing);
	}
	items = json_items_of(json_span_member(json, "skins"));
	while (json_items_next(&items, &name, &value)) {
		mark(packing, json_span_member(value, "inverseBindMatrices"), packing->elements);
	}
}

/* Notes a view's use by an accessor. */
static void note_accessor(struct packing *packing, int i) {
	const struct part *accessor = &packing->parts.accessors[i];
	if (accessor->view < 0) {
		return;
	}
	struct packed_view *view = &packing->views[accessor->view];
	const uint64_t size = elements_bytes(accessor->text);
	const uint64_t stride =
		whole(packing->parts.views[accessor->view].text, "byteStride", size);
	const enum use use = packing->indices[i] == packing->elements[i] ? USE_OTHER
		: packing->indices[i]                                    ? USE_INDICES
									 : USE_ELEMENTS;
	const bool is_first = view->use == USE_NONE;
	view->use = is_first || (view->use == use && view->stride == stride) ? use : USE_OTHER;
	view->stride = stride;
}

/* True when no other view has bytes of this one or of what fills it up. */
static bool is_alone(const struct packing *packing, int index) {
	const struct part *view = &packing->parts.views[index];
	for (int i = 0; i < packing->parts.view_count; i++) {
		const struct part *other = &packing->parts.views[i];
		if (i != index && other->size > 0 && other->at < view->at + view->size &&
			view->at < other->at + other->size &&
			!(packing->views[i].use == USE_NONE &&
				json_span_is(other->text, PLACEHOLDER_VIEW))) {
			return false;
		}
	}
	return true;
}

static bool can_pack(const struct packing *packing, int index) {
	const struct packed_view *view = &packing->views[index];
	const struct part *part = &packing->parts.views[index];
	const bool elements =
		view->use == USE_ELEMENTS && view->stride % 4 == 0 && view->stride <= STRIDE_MAX;
	const bool indices =
		view->use == USE_INDICES && (view->stride == INDEX_BYTES_MIN || view->stride == 4);
	return (elements || indices) && view->stride > 0 && part->size > 0 &&
		part->at % ALIGNMENT == 0 && part->size % view->stride == 0 &&
		!json_span_member(part->text, "extensions").text && is_alone(packing, index);
}

/* Packs a view, unless that is no fewer bytes. */
static void pack_view(struct packing *packing, int index) {
	const struct part *part = &packing->parts.views[index];
	struct packed_view *view = &packing->views[index];
	const unsigned char *bytes = packing->parts.bin + part->at;
	const size_t before = packing->packed.size, count = part->size / view->stride;
	if (view->use == USE_INDICES) {
		packer_encode_indices(bytes, count, view->stride, &packing->packed);
	} else {
		packer_encode(bytes, count, view->stride, &packing->packed);
	}
	const size_t size = packing->packed.size - before;
	view->is_packed = size > 0 && size + JSON_BYTES < part->size;
	if (!view->is_packed) {
		packing->packed.size = before;
		return;
	}
	view->at = before;
	view->size = size;
	view->unpacked_at = packing->unpacked;
	packing->unpacked += (part->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	buffer_append(&packing->packed, "\0\0\0", (ALIGNMENT - size % ALIGNMENT) % ALIGNMENT);
}

/* The buffer of views that another step has packed; -1 = none. */
static void find_fallback(struct packing *packing, struct json_span *text, int *count) {
	struct json_items items = json_items_of(json_span_member(packing->parts.json, "buffers"));
	struct json_span name, value;
	packing->fallback = -1;
	*count = 0;
	for (int i = 0; json_items_next(&items, &name, &value); i++, ++*count) {
		const struct json_span extension =
			json_span_member(json_span_member(value, "extensions"), MESHOPT);
		if (json_span_is(json_span_member(extension, "fallback"), "true") &&
			!json_span_member(value, "uri").text) {
			packing->fallback = i;
			*text = value;
		}
	}
}

/* Bytes that went before a place of the chunk. */
static uint64_t gone_before(const struct packing *packing, uint64_t at) {
	uint64_t gone = 0;
	for (int i = 0; i < packing->parts.view_count; i++) {
		const struct part *part = &packing->parts.views[i];
		if (packing->views[i].is_packed && part->at < at) {
			gone += part->size / ALIGNMENT * ALIGNMENT;
		}
	}
	return gone;
}

/* A view that stays, at its new place. */
static void move_view(struct packing *packing, int index) {
	const struct part *part = &packing->parts.views[index];
	const uint64_t gone = gone_before(packing, part->at);
	if (part->size > 0 && gone > 0) {
		edits_set_whole(
			&packing->edits, parts_view_source(part), "byteOffset", part->at - gone);
	}
}

static void write_view(struct packing *packing, int index, uint64_t base, uint64_t unpacked_base) {
	const struct part *part = &packing->parts.views[index];
	const struct packed_view *view = &packing->views[index];
	const char *mode = view->use == USE_INDICES ? "INDICES" : "ATTRIBUTES";
	const char *text = arena_printf(packing->arena,
		"\"extensions\":{\"" MESHOPT "\":{\"buffer\":0,\"byteLength\":%zu,"
		"\"byteOffset\":%llu,\"byteStride\":%llu,\"count\":%llu,\"mode\":\"%s\"}},",
		view->size, (unsigned long long)(base + view->at), (unsigned long long)view->stride,
		(unsigned long long)(part->size / view->stride), mode);
	edits_set_whole(&packing->edits, part->text, "buffer", (uint64_t)packing->fallback);
	edits_set_whole(
		&packing->edits, part->text, "byteOffset", unpacked_base + view->unpacked_at);
	edits_insert(&packing->edits, part->text.text + 1, text, strlen(text));
}

/* The chunk without what is packed, and that behind it. */
static void write_bin(const struct packing *packing, struct buffer *out) {
	const struct parts *parts = &packing->parts;
	bool *gone = xcalloc(parts->bin_size / ALIGNMENT + 1, sizeof *gone);
	for (int i = 0; i < parts->view_count; i++) {
		const size_t first = parts->views[i].at / ALIGNMENT;
		for (size_t k = 0;
			packing->views[i].is_packed && k < parts->views[i].size / ALIGNMENT; k++) {
			gone[first + k] = true;
		}
	}
	for (size_t i = 0; i * ALIGNMENT < parts->bin_size; i++) {
		const size_t left = parts->bin_size - i * ALIGNMENT;
		if (!gone[i]) {
			buffer_append(out, parts->bin + i * ALIGNMENT,
				left < ALIGNMENT ? left : ALIGNMENT);
		}
	}
	buffer_append(out, "\0\0\0", (ALIGNMENT - out->size % ALIGNMENT) % ALIGNMENT);
	free(gone);
}

static bool write_packed(struct packing *packing, struct buffer *out, struct error *err) {
	const struct parts *parts = &packing->parts;
	struct json_span fallback = {0}, name, first;
	struct buffer bin = {0}, json = {0};
	int buffer_count;
	find_fallback(packing, &fallback, &buffer_count);
	const bool has_fallback = packing->fallback >= 0;
	const uint64_t before = has_fallback
		? (whole(fallback, "byteLength", 0) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT
		: 0;
	packing->fallback = has_fallback ? packing->fallback : buffer_count;
	write_bin(packing, &bin);
	const uint64_t base = bin.size;
	buffer_append(&bin, packing->packed.data, packing->packed.size);
	for (int i = 0; i < parts->view_count; i++) {
		if (packing->views[i].is_packed) {
			write_view(packing, i, base, before);
		} else {
			move_view(packing, i);
		}
	}
	struct json_items items = json_items_of(json_span_member(parts->json, "buffers"));
	json_items_next(&items, &name, &first);
	edits_set_whole(&packing->edits, first, "byteLength", bin.size);
	if (has_fallback) {
		edits_set_whole(
			&packing->edits, fallback, "byteLength", before + packing->unpacked);
	} else {
		const struct json_span list = json_span_member(parts->json, "buffers");
		const char *text = arena_printf(packing->arena,
			",{\"byteLength\":%llu,\"extensions\":{\"" MESHOPT
			"\":{\"fallback\":true}}}",
			(unsigned long long)packing->unpacked);
		edits_insert(&packing->edits, list.text + list.size - 1, text, strlen(text));
	}
	edits_name_extension(&packing->edits, parts->json, "extensionsUsed", MESHOPT);
	edits_name_extension(&packing->edits, parts->json, "extensionsRequired", MESHOPT);
	edits_apply(&packing->edits, parts->json, &json);
	const struct container made = {{(const char *)json.data, json.size}, bin.data, bin.size,
		parts->rest, parts->rest_size};
	const bool done = container_write(&made, out, err);
	buffer_finish(&bin);
	buffer_finish(&json);
	return done;
}

/* A mesh whose bytes are counted. */
struct count {
	const struct packing *packing;
	struct optimise_mesh *mesh;
};

/* Adds an accessor's bytes to a mesh's. */
static void count_accessor(void *context, const struct mesh_name *named) {
	const struct count *count = context;
	const struct packing *packing = count->packing;
	uint64_t at;
	if (!json_span_whole(named->accessor, &at) ||
		at >= (uint64_t)packing->parts.accessor_count) {
		return;
	}
	const struct part *accessor = &packing->parts.accessors[at];
	const struct packed_view *view =
		accessor->view < 0 ? NULL : &packing->views[accessor->view];
	const uint64_t bytes = whole(accessor->text, "count", 0) * elements_bytes(accessor->text);
	count->mesh->before += bytes;
	count->mesh->after += view && view->is_packed
		? (uint64_t)((double)bytes * (double)view->size /
			  (double)packing->parts.views[accessor->view].size)
		: bytes;
}

static void write_report(const struct packing *packing, struct optimise_meshes *report) {
	const struct json_span meshes = json_span_member(packing->parts.json, "meshes");
	struct json_items items = json_items_of(meshes);
	struct json_span name, value;
	report->count = (int)json_span_count(meshes);
	report->list = xcalloc((size_t)report->count + 1, sizeof *report->list);
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		struct count count = {packing, &report->list[i]};
		mesh_name(value, i, count.mesh->name, sizeof count.mesh->name);
		mesh_walk(value, count_accessor, &count);
	}
}

static bool pack(struct packing *packing, struct optimise_meshes *report, const void *bytes,
	size_t size, struct buffer *out, struct error *err) {
	struct parts *parts = &packing->parts;
	if (!parts_read(bytes, size, packing->arena, parts, err)) {
		return false;
	}
	const size_t accessors = (size_t)parts->accessor_count + 1;
	packing->views =
		arena_alloc(packing->arena, (size_t)parts->view_count + 1, sizeof *packing->views);
	bool *others = arena_alloc(packing->arena, (size_t)parts->view_count + 1, sizeof *others);
	packing->indices = arena_alloc(packing->arena, accessors, sizeof(bool));
	packing->elements = arena_alloc(packing->arena, accessors, sizeof(bool));
	mark_accessors(packing);
	for (int i = 0; i < parts->accessor_count; i++) {
		note_accessor(packing, i);
	}
	parts_note_other_views(parts, others);
	for (int i = 0; i < parts->view_count; i++) {
		packing->views[i].use = others[i] ? USE_OTHER : packing->views[i].use;
		if (can_pack(packing, i)) {
			pack_view(packing, i);
		}
	}
	write_report(packing, report);
	if (packing->packed.size > 0) {
		return write_packed(packing, out, err);
	}
	buffer_append(out, bytes, size);
	return true;
}

bool renderer_optimise_meshes(const void *bytes, size_t size, struct optimise_meshes *report,
	struct buffer *out, struct error *err) {
	struct arena *arena = arena_create();
	struct packing packing = {.arena = arena, .edits = {.arena = arena}};
	*report = (struct optimise_meshes){.list = NULL};
	const bool done = pack(&packing, report, bytes, size, out, err);
	buffer_finish(&packing.packed);
	arena_destroy(arena);
	return done;
}
