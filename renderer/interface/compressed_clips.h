/* Clips to compressed files of motion: .pclip, or GLBs with few keys. Any thread. */
#pragma once

#include "base/buffer.h"
#include "base/clip_progress.h"
#include "base/settings.h"
#include "interface/clips.h"

struct skin_library;

struct compress_job {
	struct bake_job pose; // its subject is the rig, and the pose that is baked; else unused
	const struct value *clips; // list of names or indices; NULL = all of the rig, or the pose
	bool is_pose;              // the pose, baked as the job says, is the only clip
	double rate;               // samples a second; 0 = each clip's own
	double tolerance;          // > 0: metres, or a share of the rig's diagonal at rest
	bool is_share;
	const struct value *tolerance_source; // where errors about it point; NULL = none
	enum motion_codec codec;
	double shell_m; // radius; 0 = 3 cm for a figure of a human's size
	/* Of .pclip files: samples that are decoded together, 0 = all, or a power of two from 2 to
	 * 32768; with the clips' names; with the skeleton. */
	int segment_samples;
	bool names, self_contained;
	/* Of GLBs: bytes that one may have, also before it is reduced; without the joints that are
	 * needless to the only clip (model/prune.h). */
	const char *generator;
	size_t max_bytes;
	bool prune;
	/* The skin, by the subject's skinning and examples, on the CPU. */
	bool at_skin;        // the tolerance is that of its vertices, in place of the shell
	bool reports_skin;   // its error is reported in any case
	bool free_unskinned; // at_skin: nothing is promised of joints that no vertex follows; else
			     // the tolerance is that of their shells
	struct skin_library *library;         // of methods' data; NULL = only those without any
	const struct value *metric_source;    // where errors about it point; NULL = none
	const struct clip_progress *progress; // NULL = nobody is told
};

/* Distances in metres between motion as it was and as the file has it, at the samples and at
 * quarters between them: at the shell, which is joints' origins and three points around each; or at
 * the skin, which is its vertices. */
struct compressed_error {
	double max_m, p99_m, rms_m;
	double max_at_samples_m; // between samples nothing counts
	const char
		*joint; // of the greatest, which its vertex follows most; NULL = the rig has none
	int vertex;     // of the greatest; -1 = it is at the shell
	double time_s;  // of the greatest
	double unskinned_m; // at the skin: the greatest at the shells of joints that no vertex
			    // follows; 0 where nothing is promised of them
};

struct compressed_clip {
	const char *name; // the rig's, or in the arena
	size_t bytes;     // of its part of the file
	size_t raw_bytes; // of its keys as float32
	int samples;      // of GLBs: moments at which the clip has keys
	int keys;         // of GLBs: of all channels in the file; else 0
	bool is_left;     // of GLBs: few keys cannot do, or would be no smaller
	double rate, duration_s;
	double tolerance_m;            // that was kept
	struct compressed_error error; // at what the tolerance is for
	struct compressed_error other; // at the other one; only with at_skin or reports_skin
};

struct compressed_clips {
	const struct compressed_clip *items; // [count], in the arena
	size_t count;
	double shell_m; // its radius
	bool at_skin;   // errors are at the skin, and others at the shell
	bool has_others;
	size_t file_bytes; // of all clips together
};

/* Appends the file, and measures what decoding its bytes gives. A GLB has the rig's nodes and the
 * clips, no mesh (export/clip.h).
 * Fails with ERROR_UNKNOWN_CLIP or ERROR_INVALID_VALUE at the place of a clip that is not there, or
 * is named twice; at tolerance_source with ERROR_INVALID_VALUE for a tolerance that cannot be kept,
 * saying what could be; with ERROR_TOO_LARGE; like renderer_bake_clip, like
 * renderer_vertices where the skin is measured, and with the stop's error. */
bool renderer_compress_clips(const struct compress_job *job, struct arena *arena,
	struct buffer *out, struct compressed_clips *report, struct error *err);

/* The same clip by clip, for whoever tells how far it is; nobody is told by the job's progress.
 *
 * arena  of the compression and its report; it and all that the job points to are borrowed until
 *        the end
 * NULL with *err. */
struct clip_compression;
struct clip_compression *renderer_compression_create(
	const struct compress_job *job, struct arena *arena, struct error *err);

/* Steps that are left, each a clip: 0 from the beginning with CODEC_KEYS, which looks at all clips
 * together. */
size_t renderer_compression_left(const struct clip_compression *compression);

/* The clip of the next step; NULL = none is left. */
const char *renderer_compression_next(const struct clip_compression *compression);

/* Encodes the next clip. After an error only renderer_compression_destroy() may be called. */
bool renderer_compression_step(struct clip_compression *compression, struct error *err);

/* Once no step is left: measures, and appends the file. */
bool renderer_compression_finish(struct clip_compression *compression, struct buffer *out,
	struct compressed_clips *report, struct error *err);

/* compression may be NULL. */
void renderer_compression_destroy(struct clip_compression *compression);
