/* Skinning methods side by side: how far apart they put vertices, as numbers and as pictures. */
#pragma once

#include "interface/pictures.h"

struct compare_job {
	struct posed_subject subject;            // skinning is ignored
	const struct skinning_settings *methods; // [count]
	size_t count;                            // at least 2
	size_t worst;                            // vertices to list of each pair, at most
	size_t max_bytes;                        // that the posed vertices may take in memory
};

/* One of the joints that move a vertex. */
struct compared_joint {
	int joint; // position in rig->joints
	float weight;
};

/* A vertex in two poses that differ there. */
struct compared_vertex {
	int vertex;
	double distance; // greater than 0
	float a[3], b[3];
	const struct compared_joint *joints; // [joint_count] greatest weight first
	size_t joint_count;
};

/* Two methods, a < b by their positions in the job, and how far apart they put the vertices. */
struct compared_pair {
	size_t a, b;
	double max, mean, rms;               // over all vertices
	const struct compared_vertex *worst; // [worst_count] farthest first
	size_t worst_count;
};

struct compared_method {
	struct skinning_report report;
	double volume; // within all triangles; of an open surface it means little
};

struct comparison {
	double diagonal;                       // of the rest pose's bounds
	double rest_volume;                    // of the rest pose, skinned with the default method
	bool closed;                           // whether the triangles enclose a volume at all
	const struct compared_method *methods; // [count]
	size_t count;
	const struct compared_pair *pairs; // [pair_count] 0 and 1, 0 and 2, ..., 1 and 2, ...
	size_t pair_count;
};

/* Skins one pose with several methods and measures how they differ. What is in *out lies in the
 * arena. Fails like renderer_vertices, and with ERROR_TOO_LARGE. */
bool renderer_compare(struct renderer *renderer, const struct compare_job *job, struct arena *arena,
	struct comparison *out, struct error *err);

struct compare_frame_job {
	struct compare_job compare; // worst is not looked at; of VIEW_HEAT the first two methods
	const char *const *labels;  // [compare.count] what people read of each method
	struct picture_settings picture;
	enum comparison_view view;
	double scale; // distance at which the colours of VIEW_HEAT end; 0 = the greatest
};

/* Draws one picture and appends it as a file: a cell with its label for each method, or the first
 * one's mesh in colours of its distance to the second's, with a scale. The camera fits what all
 * methods make of the pose. reports is [compare.count]; what drawing took is in those of the meshes
 * drawn. Fails like renderer_frame and renderer_compare, and with ERROR_INVALID_VALUE where the
 * picture is too small for its text. */
bool renderer_compare_frame(struct renderer *renderer, const struct compare_frame_job *job,
	struct buffer *out, struct skinning_report *reports, struct error *err);
