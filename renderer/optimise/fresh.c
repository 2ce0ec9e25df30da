// Accessors that take the place of those of animations.
#include "optimise/fresh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/memory.h"

void fresh_init(struct fresh *fresh, const struct parts *parts, bool meshopt, struct arena *arena) {
	*fresh = (struct fresh){.parts = parts, .meshopt = meshopt};
	fresh->slots = arena_alloc(arena, (size_t)parts->accessor_count + 1, sizeof(int));
	for (int i = 0; i < parts->accessor_count; i++) {
		if (parts_is_free(&parts->accessors[i])) {
			fresh->slots[fresh->free_count++] = i;
		}
	}
}

void fresh_finish(struct fresh *fresh) {
	for (int i = 0; i < FRESH_STREAMS; i++) {
		buffer_finish(&fresh->streams[i]);
	}
	free(fresh->accessors);
}

static int slot_of(const struct fresh *fresh, int i) {
	return i < fresh->free_count ? fresh->slots[i]
				     : fresh->parts->accessor_count + i - fresh->free_count;
}

int fresh_at(const struct fresh *fresh, int slot) {
	if (slot >= fresh->parts->accessor_count) {
		const int i = slot - fresh->parts->accessor_count + fresh->free_count;
		return i < fresh->count ? i : -1;
	}
	int low = 0, high = fresh->free_count < fresh->count ? fresh->free_count : fresh->count;
	while (low < high) {
		const int middle = (low + high) / 2;
		if (fresh->slots[middle] < slot) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	const int used = fresh->free_count < fresh->count ? fresh->free_count : fresh->count;
	return low < used && fresh->slots[low] == slot ? low : -1;
}

static bool is_same(const struct fresh *fresh, const struct fresh_accessor *a,
	const struct fresh_accessor *b, const void *bytes) {
	return a->hash == b->hash && a->is_short == b->is_short && a->is_time == b->is_time &&
		a->width == b->width && a->count == b->count &&
		memcmp(fresh->streams[a->stream].data + a->at, bytes, a->size) == 0;
}

static enum fresh_stream stream_of(const struct fresh *fresh, const struct fresh_accessor *add) {
	if (!fresh->meshopt || add->is_time) {
		return FRESH_TIMES;
	}
	return add->is_short      ? FRESH_SHORTS
		: add->width == 3 ? FRESH_VECTORS
		: add->width == 4 ? FRESH_ROTATIONS
				  : FRESH_WEIGHTS;
}

size_t fresh_stride(enum fresh_stream stream) {
	static const size_t strides[FRESH_STREAMS] = {4, 4, 8, 12, 16};
	return strides[stream];
}

const char *fresh_filter(enum fresh_stream stream) {
	return stream == FRESH_TIMES ? NULL : stream == FRESH_SHORTS ? "QUATERNION" : "EXPONENTIAL";
}

int fresh_add(struct fresh *fresh, struct fresh_accessor add, const void *bytes) {
	add.stream = stream_of(fresh, &add);
	add.size = (size_t)add.count * (size_t)add.width *
		(add.is_short ? sizeof(int16_t) : sizeof(float));
	add.hash = fnv_mix(FNV_START, bytes, add.size);
	for (int i = 0; i < fresh->count; i++) {
		if (is_same(fresh, &fresh->accessors[i], &add, bytes)) {
			return slot_of(fresh, i);
		}
	}
	add.at = fresh->streams[add.stream].size;
	buffer_append(&fresh->streams[add.stream], bytes, add.size);
	if (fresh->count == fresh->room) {
		fresh->room = 2 * fresh->room + 64;
		fresh->accessors =
			xrealloc(fresh->accessors, (size_t)fresh->room, sizeof *fresh->accessors);
	}
	fresh->accessors[fresh->count] = add;
	return slot_of(fresh, fresh->count++);
}

void fresh_place_views(struct fresh *fresh) {
	const struct parts *parts = fresh->parts;
	int next = 0, last = parts->view_count;
	for (int i = 0; i < FRESH_STREAMS; i++) {
		fresh->views[i] = -1;
		if (fresh->streams[i].size == 0) {
			continue;
		}
		while (next < parts->view_count && !parts_is_free(&parts->views[next])) {
			next++;
		}
		fresh->views[i] = next++;
	}
	while (last > 0 && parts_is_free(&parts->views[last - 1])) {
		last--;
	}
	fresh->view_count = last;
	for (int i = 0; i < FRESH_STREAMS; i++) {
		fresh->view_count = fresh->views[i] >= fresh->view_count ? fresh->views[i] + 1
									 : fresh->view_count;
	}
}

int fresh_accessor_end(const struct fresh *fresh) {
	const struct parts *parts = fresh->parts;
	int end = parts->accessor_count;
	while (end > 0 && parts_is_free(&parts->accessors[end - 1])) {
		end--;
	}
	const int last = fresh->count > 0 ? slot_of(fresh, fresh->count - 1) + 1 : 0;
	return last > end ? last : end;
}

/* Times say how far they reach, as glTF wants it. */
static void write_reach(const struct fresh *fresh, const struct fresh_accessor *accessor,
	struct json_writer *json) {
	float first, last;
	const unsigned char *times = fresh->streams[accessor->stream].data + accessor->at;
	memcpy(&first, times, sizeof first);
	memcpy(&last, times + accessor->size - sizeof last, sizeof last);
	json_write_member_floats(json, "min", &first, 1);
	json_write_member_floats(json, "max", &last, 1);
}

void fresh_write(const struct fresh *fresh, int i, struct json_writer *json) {
	static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
	const struct fresh_accessor *accessor = &fresh->accessors[i];
	json_write_begin_object(json);
	json_write_member_integer(json, "bufferView", fresh->views[accessor->stream]);
	if (accessor->at > 0) {
		json_write_member_integer(json, "byteOffset", (int64_t)accessor->at);
	}
	json_write_member_integer(json, "componentType", accessor->is_short ? 5122 : 5126);
	json_write_member_integer(json, "count", accessor->count);
	if (accessor->is_time) {
		write_reach(fresh, accessor, json);
	}
	if (accessor->is_short) {
		json_write_member_bool(json, "normalized", true);
	}
	json_write_member_string(json, "type", types[accessor->width - 1]);
	json_write_end_object(json);
}
