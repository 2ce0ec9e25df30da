// Data of skinning methods.
#include "model/skin_data.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/rig.h"

/* Sections start where a cache line does. */
#define ALIGNMENT_WORDS 16

static atomic_uint_least64_t last_id;

struct skin_data *skin_data_create(const size_t *lengths, int section_count, struct error *err) {
	size_t total = 0;
	for (int i = 0; i < section_count; i++) {
		if (lengths[i] > UINT32_MAX / 8 || total > UINT32_MAX / 8) {
			error_set(err, ERROR_TOO_LARGE, "the method's data is too large");
			return NULL;
		}
		total += (lengths[i] + ALIGNMENT_WORDS - 1) / ALIGNMENT_WORDS * ALIGNMENT_WORDS;
	}
	struct skin_data *data = xcalloc(1, sizeof *data);
	data->words = try_calloc(total + 1, sizeof *data->words, "a method's data", err);
	if (!data->words) {
		free(data);
		return NULL;
	}
	data->id = atomic_fetch_add(&last_id, 1) + 1;
	data->word_count = total;
	data->section_count = section_count;
	data->references = 1;
	uint32_t start = 0;
	for (int i = 0; i < section_count; i++) {
		data->sections[i] = start;
		data->lengths[i] = (uint32_t)lengths[i];
		start += (uint32_t)((lengths[i] + ALIGNMENT_WORDS - 1) / ALIGNMENT_WORDS *
			ALIGNMENT_WORDS);
	}
	return data;
}

uint32_t *skin_data_words(struct skin_data *data, int section) {
	return data->words + data->sections[section];
}

float *skin_data_floats(struct skin_data *data, int section) {
	return (float *)(void *)skin_data_words(data, section);
}

const uint32_t *skin_data_read_words(const struct skin_data *data, int section) {
	return data ? data->words + data->sections[section] : NULL;
}

const float *skin_data_read_floats(const struct skin_data *data, int section) {
	return (const float *)(const void *)skin_data_read_words(data, section);
}

struct skin_data *skin_data_retain(const struct skin_data *data) {
	struct skin_data *shared = (struct skin_data *)data;
	if (shared) {
		__atomic_fetch_add(&shared->references, 1, __ATOMIC_RELAXED);
	}
	return shared;
}

void skin_data_release(const struct skin_data *data) {
	struct skin_data *shared = (struct skin_data *)data;
	if (shared && __atomic_sub_fetch(&shared->references, 1, __ATOMIC_ACQ_REL) == 0) {
		rig_release(shared->rig);
		free(shared->words);
		free(shared);
	}
}

const char *skin_flag_name(int bit) {
	static const char *const names[] = {"SJB_CONSTRAINT", "PSD_SINGULAR", "SHEAR_LOST",
		"W_TRUNC", "DDM_TRUNC", "OPEN_PARTS", "EXAMPLE_UNUSED", "OUTSIDE_SUPPORT",
		"PSD_CONDITION", "VOLUME_SHORT"};
	return bit < (int)(sizeof names / sizeof *names) ? names[bit] : NULL;
}

static const char magic[8] = "posedsk1";

struct head {
	char magic[8];
	uint32_t flags;
	int32_t fallback_vertices, section_count;
	uint32_t lengths[SKIN_SECTIONS_MAX];
	uint32_t padding;
	double residual_max, residual_rms;
	uint64_t word_count;
};

void skin_data_pack(const struct skin_data *data, struct buffer *out) {
	assert(!data->rig);
	struct head head = {
		.flags = data->flags,
		.fallback_vertices = data->fallback_vertices,
		.section_count = data->section_count,
		.residual_max = data->residual_max,
		.residual_rms = data->residual_rms,
		.word_count = data->word_count,
	};
	memcpy(head.magic, magic, sizeof magic);
	memcpy(head.lengths, data->lengths, sizeof head.lengths);
	buffer_append(out, &head, sizeof head);
	buffer_append(out, data->words, data->word_count * sizeof *data->words);
}

struct skin_data *skin_data_unpack(const void *bytes, size_t size) {
	struct head head;
	if (size < sizeof head) {
		return NULL;
	}
	memcpy(&head, bytes, sizeof head);
	if (memcmp(head.magic, magic, sizeof magic) != 0 || head.section_count < 0 ||
		head.section_count > SKIN_SECTIONS_MAX) {
		return NULL;
	}
	size_t lengths[SKIN_SECTIONS_MAX];
	for (int i = 0; i < SKIN_SECTIONS_MAX; i++) {
		lengths[i] = head.lengths[i];
	}
	struct skin_data *data = skin_data_create(lengths, head.section_count, NULL);
	if (!data || data->word_count != head.word_count ||
		size - sizeof head != data->word_count * sizeof *data->words) {
		skin_data_release(data);
		return NULL;
	}
	memcpy(data->words, (const char *)bytes + sizeof head, size - sizeof head);
	data->flags = head.flags;
	data->fallback_vertices = head.fallback_vertices;
	data->residual_max = head.residual_max;
	data->residual_rms = head.residual_rms;
	return data;
}

void skin_batch_counts_add(struct skin_batch_counts *all, const struct skin_batch_counts *more) {
	if (more->count == 0) {
		return;
	}
	const bool first = all->count == 0;
	all->count += more->count;
	all->vertices += more->vertices;
	all->gained += more->gained;
	all->fewest_joints = first || more->fewest_joints < all->fewest_joints ? more->fewest_joints
									       : all->fewest_joints;
	all->max_joints = more->max_joints > all->max_joints ? more->max_joints : all->max_joints;
}
