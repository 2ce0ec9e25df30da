/* Videos through FFmpeg's libraries, which are loaded when they are needed: posed runs without. In
 * ffmpeg.c, or in ffmpeg_none.c where posed is built without FFmpeg's headers. */
#pragma once

#include "image/sequence.h"

/* A kind of video, as FFmpeg knows it. Options are "name=value:name=value". */
struct video_kind {
	const char *name;            // "mp4", for messages
	const char *muxer, *encoder; // "mp4", "libx264"
	bool has_alpha;              // where frames have it
	const char *muxer_options, *encoder_options;
	int worst_crf, best_crf; // of quality 0 and 100
};

/* Refuses with ERROR_NOT_ACCEPTABLE and what is missing where a kind cannot be made. */
bool video_check(const struct video_kind *kind, struct error *err);

/* As those of struct sequence_format. kind stays the caller's until close. */
bool video_pack(const struct video_kind *kind, const struct sequence_settings *settings,
	const unsigned char *rgba, struct buffer *packed, struct error *err);
void *video_open(const struct video_kind *kind, const struct sequence_settings *settings,
	struct buffer *out, struct error *err);
bool video_add(void *sequence, const struct buffer *packed, struct buffer *out, struct error *err);
bool video_end(void *sequence, struct buffer *out, struct error *err);
void video_close(void *sequence);
