/* A decoder of .pclip files, motion as posed compresses it: pclip*.c and pclip*.h, plain
 * C11 without a library but libm. docs/clips.md has the format byte by byte.
 *
 *     cc program.c pclip*.c -lm
 *
 * It allocates nothing: an open clip lies in memory that the caller provides. It is for one thread
 * at a time; several threads open the clip once each, over the same bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A joint's local transform: scale first, then rotation, then translation. */
struct pclip_transform {
	float translation[3]; // metres, relative to the parent
	float rotation[4];    // unit quaternion x y z w
	float scale[3];
};

/* Every way in which animated channels are stored; the number is the byte in the file. */
enum pclip_codec {
	PCLIP_BEST = 1,    // predicted and range-coded: the smallest; a segment is decoded in order
	PCLIP_BITS = 2,    // packed in bits: any sample is as near as any other
	PCLIP_BSPLINE = 3, // B-splines, decoded as a clip is opened: likewise, and faster
};

/* A file, held against its checksum. Everything is borrowed from the bytes. */
struct pclip_file {
	const unsigned char *bytes;
	size_t size;
	int clip_count, joint_count;
	int weight_count;    // morph weights of all joints
	uint64_t skeleton;   // hash of the rest pose that the clips are relative to
	bool has_names;      // of clips
	bool self_contained; // it has the skeleton's names, parents and rest pose itself
	size_t skeleton_at;  // where in bytes; pclip_joint() reads it
	size_t clips_at;     // the first clip
};

/* One clip of it. */
struct pclip_info {
	const char *name; // UTF-8, not ended by NUL; NULL = the file has no names
	int name_bytes;
	enum pclip_codec codec;
	int sample_count; // >= 1
	bool even;        // sample i is at i / rate, but the last one at duration_s
	double rate;      // samples a second, or of the ticks that samples are at
	double duration_s;
	double tolerance_m;  // that the encoder has kept to
	int segment_samples; // that are decoded together; 0 = all
};

/* Reads a file. False, with a reason in plain English at *why, for what is not one. */
bool pclip_read(const void *bytes, size_t size, struct pclip_file *file, const char **why);

/* The i-th joint of a self-contained file: its name (UTF-8, not ended by NUL), its parent (-1 = a
 * root; parents come before children) and rest transform. False past the end, or without. */
bool pclip_joint(const struct pclip_file *file, int i, const char **name, int *name_bytes,
	int *parent, struct pclip_transform *rest);

/* Describes the i-th clip. False past the end. */
bool pclip_describe(const struct pclip_file *file, int i, struct pclip_info *info);

/* Bytes of memory that any open clip of the file takes. */
size_t pclip_memory(const struct pclip_file *file);

struct pclip;

/* Opens the i-th clip in the caller's memory, pclip_memory() bytes, aligned as malloc() does it.
 *
 * rest  [joint_count] that the clip is relative to; copied, while the file's bytes are borrowed
 * NULL, with a reason at *why, for a broken one. */
struct pclip *pclip_open(const struct pclip_file *file, int i, const struct pclip_transform *rest,
	void *memory, const char **why);

/* Writes every joint's transform and every morph weight at a time; before the start the first
 * sample holds, after the end the last. Between samples rotations are slerped the shorter way, all
 * else is lerped, and what holds keeps the earlier sample.
 *
 * joints   [joint_count]
 * weights  [weight_count]; those that the clip does not drive stay as they are
 * False for damaged bytes, with unspecified numbers in both. */
bool pclip_sample(
	struct pclip *clip, double time_s, struct pclip_transform *joints, float *weights);

/* The integers of a sample as they were decoded: of each joint and axis that moves, in order, then
 * of morph weights; of splines their numbers there, rounded. Decoders are held against one another
 * by them.
 *
 * numbers  as many as are returned, for which 9 a joint and 1 a weight are room enough; or NULL
 * -1 for damaged bytes and for a sample that is not there. */
int pclip_numbers(struct pclip *clip, int sample, int32_t *numbers);

/* True when the clip drives a channel: of joint i its rotation (kind 0), translation (1) or scale
 * (2); kind 3 is morph weight i. */
bool pclip_drives(const struct pclip *clip, int i, int kind);

/* CRC-32 of zlib, PNG and others. */
uint32_t pclip_checksum(const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
