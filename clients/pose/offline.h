/* Results without a daemon: the renderer in this process, with assets that reader.h reads. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"
#include "files.h"
#include "options.h"
#include "renderer.h"

/* The form of vertices. */
enum offline_vertices { OFFLINE_OCTETS, OFFLINE_JSON, OFFLINE_GLB };

struct offline_job {
	const struct arguments *arguments; // of the command, by which warnings are printed
	const char *path;                  // of the asset; also names it in results
	const struct buffer *asset;
	const struct buffer
		*request; // the API's body, of which "rig" is ignored; NULL = none is sent
	const struct picture_format *format;    // of a picture; NULL = the numbers
	const struct sequence_format *sequence; // of a sequence
	bool map_alone;                         // of its sheet the map is wanted
	enum offline_vertices vertices;
	bool report_alone;     // of compression the report is wanted, not the file
	unsigned uses;         // that the licence of an avatar has to allow
	struct output *output; // receives a sequence while it is made; NULL = appended to out
};

/* Appends to out what the daemon would answer. */
typedef bool (*offline_function)(
	const struct offline_job *job, struct buffer *out, struct error *err);

/* POST /v1/frame, /v1/frames and /v1/compare. Fail as the daemon would, and where the output does,
 * which has said why. */
bool offline_frame(const struct offline_job *job, struct buffer *out, struct error *err);
bool offline_frames(const struct offline_job *job, struct buffer *out, struct error *err);
bool offline_compare(const struct offline_job *job, struct buffer *out, struct error *err);

/* POST /v1/pose, /v1/vertices and /v1/bake, and without a request GET /v1/rigs/{rig} and its
 * mesh.glb, likewise. Packed vertices are refused: the box that they lie in would be lost. */
bool offline_pose(const struct offline_job *job, struct buffer *out, struct error *err);
bool offline_vertices(const struct offline_job *job, struct buffer *out, struct error *err);
bool offline_bake(const struct offline_job *job, struct buffer *out, struct error *err);
bool offline_describe(const struct offline_job *job, struct buffer *out, struct error *err);
bool offline_mesh(const struct offline_job *job, struct buffer *out, struct error *err);

/* POST /v1/compress likewise, with progress on standard error. */
bool offline_compress(const struct offline_job *job, struct buffer *out, struct error *err);

/* True when an argument is a file rather than a rig's name: it has a slash, is standard input, or
 * is there and no folder. */
bool offline_is_file(const char *subject);

/* The exit status of a command that took its argument for a rig's name: says, where it failed and a
 * file may have been meant, that there is none. Returns the status. */
int offline_end_rig(const struct arguments *arguments, const char *rig, int status);

/* Reads the asset at job->path and makes the answer. The exit status, with what is wrong on
 * standard error. job->arguments and path are set; asset and uses are filled in here. */
int offline_make(struct offline_job *job, offline_function function, struct buffer *answer);
