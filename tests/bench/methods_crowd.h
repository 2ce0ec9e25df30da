/* A crowd: copies of one rig, each a moment further in the same clip, skinned and drawn frame after
 * frame. The workload of the thesis' table (METHODS A5): a palette and a draw call for every copy,
 * constant colour, 16 x 16 pixels, no depth, no blending. */
#pragma once

#include "model/rig.h"
#include "renderer.h"
#include "skin/method.h"

struct crowd;

/* The work of a frame of the crowd. */
struct crowd_work {
	const struct skinning_method *method;
	const struct skin_option *option; // a choice that is not to have its standard value; NULL
	const char *choice;               // what is chosen
	bool on_gpu; // skinned by the compute shader; else on the CPU, in one thread
	/* Posed again, skinned, uploaded where need be, and drawn. Else only skinned, again and
	 * again from palettes made beforehand, and not uploaded: the cost of the vertices alone. */
	bool drawn;
	bool at_once; // on the GPU: one dispatch and one draw call for all copies
};

/* The times of some frames. */
struct crowd_times {
	int frames;
	long vertices; // of one frame: of all copies
	double wall_s;
	double cpu_s; // of all threads of this process, also the driver's
	double gpu_s; // by the driver's timer; 0 = it has none
};

/* The rig and motion of a crowd. */
struct crowd_source {
	const char *name;
	const char *path;          // of the asset
	const char *clip;          // its name
	const char *const *joints; // turned for examples (methods_examples.h); ended by NULL
};

/* Reads a rig, of which each work makes copies on the GPU, if the renderer has one. source is
 * borrowed. NULL with *err. */
struct crowd *crowd_create(struct renderer *renderer, const struct crowd_source *source, int copies,
	struct error *err);
void crowd_destroy(struct crowd *crowd); // takes NULL

/* Begins some work, and makes the data that its method needs. False with *err: what the method
 * fails with, or ERROR_NO_RENDERER. */
bool crowd_begin(struct crowd *crowd, const struct crowd_work *work, struct error *err);

/* Makes frames for so many seconds, at least one, each waited for. */
bool crowd_run(struct crowd *crowd, double seconds, struct crowd_times *times, struct error *err);
