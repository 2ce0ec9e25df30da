/* Pictures out: of a rig, and of many. */
#pragma once

#include "image/encode.h"
#include "interface/vertices.h"

struct sequence_help;

struct frame_job {
	struct posed_subject subject;
	struct picture_settings picture;
	const struct sequence_help *help; // threads that may draw parts of it; NULL = none
};

/* Draws one picture and appends it as the file that picture.format asks for. Fails like
 * renderer_vertices, and as the format does. */
bool renderer_frame(struct renderer *renderer, const struct frame_job *job, struct buffer *out,
	struct skinning_report *report, struct error *err);

/* Appends the pixels of a picture file of a known size, RGBA with straight alpha. Any thread. False
 * with ERROR_BROKEN_ASSET, ERROR_UNSUPPORTED_ASSET, or ERROR_INVALID_VALUE for another size. */
bool renderer_picture_read(const void *bytes, size_t size, int width, int height,
	struct buffer *rgba, struct error *err);

/* One of many figures in a picture. All of a picture have the same sources, skinning and stop. */
struct crowd_instance {
	struct posed_subject subject;
	double placement[12];      // rows: from the rig's world to that of the picture
	const struct value *joint; // of another that it is attached to; NULL = of none
	size_t to;                 // position of that one
};

struct attach_job {
	struct crowd_instance *instances; // [count]
	const size_t *order;              // [count] each behind the one that it is attached to
	size_t count;
};

/* Brings instances that are attached to others' joints there: with the placement of the other and
 * the joint's matrix in its pose, which is evaluated once, before its own placement. False with
 * ERROR_UNKNOWN_JOINT, ERROR_INVALID_VALUE where one gets farther than float32 reaches, or the
 * pose's error; *culprit is the instance that it is about. */
bool renderer_attach(const struct attach_job *job, size_t *culprit, struct error *err);

struct crowd_job {
	const struct crowd_instance *instances; // [count]
	size_t count;
	struct picture_settings picture; // FIT_POSE or FIT_REST
	size_t max_vertices;             // of all instances together
	const struct stop *stop;         // that of the instances; NULL = never
};

/* Draws one picture of all of them and appends it as a file: opaque surfaces in any order, then
 * blended ones, those of the farthest instance first. Rigs, clips and meshes are in memory once; an
 * instance takes the matrices of its pose, and vertices only while it is drawn, some tens of
 * megabytes of them at a time. Fails like renderer_vertices, with *culprit the instance that the
 * error is about (count = none of them), and with ERROR_TOO_LARGE. */
bool renderer_crowd(struct renderer *renderer, const struct crowd_job *job, struct buffer *out,
	struct skinning_report *report, size_t *culprit, struct error *err);
