/* A rig's joints at moments evenly apart -> files that hold motion and nothing else. Each format is
 * a file here and a row of MOTION_FORMATS. */
#pragma once

#include "base/buffer.h"
#include "model/rig.h"

/* What all formats are given. */
struct motion {
	const struct rig *rig;
	const char *rig_name; // for files to name one another: "fox"; not empty
	const char *name;     // of the motion
	const char *generator;
	size_t frame_count;            // >= 1
	double rate;                   // frames a second, > 0: frame i is at i / rate
	double duration_s;             // when the last frame is
	const struct transform *local; // [frame_count][rig->joint_count], relative to parents
	/* [frame_count] root motion that is not in the joints: where it has led by then, in the
	 * world; NULL = there is none, or the format does not write it. */
	const double (*movement)[3];
};

struct motion_format {
	const char *media_type;
	bool still; // shows the rest pose and nothing that moves
	bool moves; // writes root motion beside the joints
	/* Fewest bytes that it writes for a frame of so many joints; NULL = it has no frames. */
	size_t (*frame_bytes)(int joint_count);
	/* Appends the file. Fails with ERROR_INVALID_VALUE for what the format cannot hold. */
	bool (*write)(const struct motion *motion, struct buffer *out, struct error *err);
};

/* Prism's animation and its skeleton, text. A PIA names the PIS "RIG.pis". Both have all joints.
 * Root motion beside the joints becomes Prism Movement.
 * prism_write.c has the grammar's source. */
extern const struct motion_format motion_pia, motion_pis;

/* BVH, text, of the joints that move vertices, those above and those below them, but for nodes that
 * hold a skinned mesh, a camera or a light; of all joints where none moves a vertex.
 * bvh.c says how rest poses and scales come through. */
extern const struct motion_format motion_bvh;
