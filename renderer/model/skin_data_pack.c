// Data of skinning methods as bytes.
#include "model/skin_data_pack.h"

#include <assert.h>
#include <string.h>

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
