/* METHODS' tube23, which has the counts of the measured tables: 23 joints a metre apart on +Y, an
 * open tube of radius 0.5 with 31 segments and 71 spans, 4402 triangles that share no vertex. The
 * weights are uniform cubic B-splines of each span's interval, so that a triangle has exactly four
 * joints. */
#pragma once

#include "model/rig.h"

struct rig *rig_tube23(void);

/* Turns each joint by some degrees about a changing axis. */
struct pose;
void tube23_pose(const struct rig *rig, double degrees, struct pose *pose);
