// .pclip files.
#include "compress/pclip_write.h"

#include <string.h>

#include "base/fnv.h"
#include "compress/codec.h"
#include "pclip.h"

#define FILE_SELF_CONTAINED 1
#define FILE_NAMES 2
#define CLIP_TICKS 2
#define VERSION 1

void pclip_put(struct buffer *out, uint64_t number, int bytes) {
	unsigned char *at = buffer_reserve(out, (size_t)bytes);
	for (int i = 0; i < bytes; i++) {
		at[i] = (unsigned char)(number >> (8 * i));
	}
	out->size += (size_t)bytes;
}

static void put_float(struct buffer *out, float number) {
	uint32_t bits;
	memcpy(&bits, &number, sizeof bits);
	pclip_put(out, bits, 4);
}

void pclip_put_varint(struct buffer *out, size_t number) {
	for (; number >= 128; number >>= 7) {
		pclip_put(out, (number & 127) | 128, 1);
	}
	pclip_put(out, number, 1);
}

static void put_text(struct buffer *out, const char *text) {
	pclip_put_varint(out, strlen(text));
	buffer_append(out, text, strlen(text));
}

static void put_block(struct buffer *out, const struct buffer *block) {
	pclip_put_varint(out, block->size);
	buffer_append(out, block->data, block->size);
}

static void write_head(const struct layout *layout, const struct pclip_track *first,
	struct symbols *symbols, struct buffer *out) {
	struct buffer head = {0};
	struct pclip_coder coder = symbols_coder(symbols);
	pclip_code_head(
		&coder, layout->tracks, layout->track_count, layout->source->joint_count, first);
	symbols_write(symbols, &head);
	put_block(out, &head);
	buffer_finish(&head);
}

static void add_counts(const struct symbols *symbols, uint64_t (*counts)[PCLIP_SYMBOLS]) {
	for (int i = 0; i < PCLIP_TABLES; i++) {
		for (int k = 0; k < PCLIP_SYMBOLS; k++) {
			counts[i][k] += symbols_counts(symbols)[i][k];
		}
	}
}

void pclip_write_part(struct layout *layout, const struct pclip_part *part,
	const struct pclip_track *first, const int32_t *values, struct buffer *out) {
	const struct source *source = layout->source;
	const bool moves = layout->channel_count > 0;
	const int length =
		moves && part->segment_samples < source->sample_count ? part->segment_samples : 0;
	struct symbols *symbols = symbols_create();
	struct buffer head = {0}, body = {0};
	if (moves) {
		part->codec->prepare(layout, values, length);
	}
	write_head(layout, first, symbols, &head);
	const int flags = moves ? part->codec->write(layout, values, length, symbols, &body) : 0;
	if (part->counts) {
		add_counts(symbols, part->counts);
	}
	int log_length = 0;
	while (length >> log_length > 1) {
		log_length++;
	}
	pclip_put(out, (uint64_t)((int)part->codec->number | log_length << 4), 1);
	pclip_put(out, (uint64_t)(flags | (source->ticks ? CLIP_TICKS : 0)), 1);
	pclip_put_varint(out, (size_t)source->sample_count);
	put_float(out, (float)source->rate);
	put_float(out, (float)source->duration_s);
	put_float(out, (float)layout->tolerance_m);
	if (part->name) {
		put_text(out, part->name);
	}
	for (int i = 1; source->ticks && i < source->sample_count; i++) {
		pclip_put_varint(out, source->ticks[i] - source->ticks[i - 1]);
	}
	buffer_append(out, head.data, head.size);
	buffer_append(out, body.data, body.size);
	buffer_finish(&head);
	buffer_finish(&body);
	symbols_destroy(symbols);
}

static void put_rest(struct buffer *out, const struct transform *rest) {
	for (int i = 0; i < 3; i++) {
		put_float(out, rest->translation[i]);
	}
	for (int i = 0; i < 4; i++) {
		put_float(out, rest->rotation[i]);
	}
	for (int i = 0; i < 3; i++) {
		put_float(out, rest->scale[i]);
	}
}

uint64_t pclip_skeleton_hash(const struct rig *rig) {
	struct buffer bytes = {0};
	for (int i = 0; i < rig->joint_count; i++) {
		pclip_put(&bytes, (uint64_t)(uint32_t)rig->joints[i].parent, 4);
		put_rest(&bytes, &rig->joints[i].rest);
	}
	const uint64_t hash = fnv_mix(FNV_START, bytes.data, bytes.size);
	buffer_finish(&bytes);
	return hash;
}

static void put_skeleton(const struct rig *rig, struct buffer *out) {
	struct buffer block = {0};
	for (int i = 0; i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		pclip_put_varint(&block, joint->parent < 0 ? 0 : (size_t)(i - joint->parent));
		put_text(&block, joint->name);
		put_rest(&block, &joint->rest);
	}
	put_block(out, &block);
	buffer_finish(&block);
}

/* The head, with the checksum of what follows it. */
static void put_file(int flags, int clip_count, const struct buffer *body, struct buffer *out) {
	buffer_append(out, "PCLP", 4);
	pclip_put(out, VERSION, 1);
	pclip_put(out, (uint64_t)flags, 1);
	pclip_put(out, (uint64_t)clip_count, 2);
	pclip_put(out, pclip_checksum(body->data, body->size), 4);
	buffer_append(out, body->data, body->size);
}

void pclip_write_file(const struct rig *rig, bool self_contained, bool names,
	const struct buffer *parts, int part_count, struct buffer *out) {
	struct buffer body = {0};
	pclip_put(&body, pclip_skeleton_hash(rig), 8);
	pclip_put_varint(&body, (size_t)rig->joint_count);
	pclip_put_varint(&body, (size_t)rig->weight_count);
	if (self_contained) {
		put_skeleton(rig, &body);
	}
	for (int i = 0; i < part_count; i++) {
		put_block(&body, &parts[i]);
	}
	put_file((self_contained ? FILE_SELF_CONTAINED : 0) | (names ? FILE_NAMES : 0), part_count,
		&body, out);
	buffer_finish(&body);
}

static size_t varint_bytes(const unsigned char *at) {
	size_t bytes = 1;
	while (at[bytes - 1] & 128) {
		bytes++;
	}
	return bytes;
}

void pclip_write_as(
	const struct pclip_file *file, double rate, double duration_s, struct buffer *out) {
	struct buffer body = {0}, times = {0};
	pclip_put(&body, file->skeleton, 8);
	pclip_put_varint(&body, (size_t)file->joint_count);
	pclip_put_varint(&body, (size_t)file->weight_count);
	const size_t clip = body.size;
	buffer_append(&body, file->bytes + file->clips_at, file->size - file->clips_at);
	// The clip's length, codec, flags and number of samples come before its times.
	unsigned char *at = body.data + clip;
	at += varint_bytes(at) + 2;
	at += varint_bytes(at);
	put_float(&times, (float)rate);
	put_float(&times, (float)duration_s);
	memcpy(at, times.data, times.size);
	put_file(file->has_names ? FILE_NAMES : 0, file->clip_count, &body, out);
	buffer_finish(&times);
	buffer_finish(&body);
}
