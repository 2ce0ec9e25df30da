// Data of skinning methods.
#include "model/skin_data.h"

#include <stdatomic.h>
#include <stdlib.h>

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
