/* The report that comes with every result. */
#pragma once

#include "base/settings.h"
#include "interface/context.h"
#include "model/skin_data.h"

/* The method and device used for one result, and the time of each part. The GPU works behind the
 * program's back: what it still has to do when drawing is said falls into reading. */
struct skinning_report {
	const char *method;                // id
	const char *device;                // "gpu" or "cpu"
	int vertices;                      // that were skinned
	unsigned flags;                    // bits: what skin_flag_name() has words for
	int fallback_vertices;             // that another method had to skin
	struct skin_batch_counts batches;  // that it cuts the mesh into
	bool fitted;                       // to examples; then
	double residual_max, residual_rms; // distances from them, in the rig's unit
	double dropped_weight;             // the greatest that a vertex lost to kmax; else 0
	bool has_depth;                    // the picture is of depth; then
	double depth_near, depth_far;      // distances along the view, of the least grey and the
					   // greatest that something has
	bool has_exposure;                 // it was measured; then
	double exposure;                   // stops
	struct {
		double pose_s, skin_s, draw_s, read_s, encode_s; // seconds; 0 = not part of it
	} times;
};

/* True if a renderer with this info can skin on "gpu", be that a software driver's. */
bool renderer_has_shaders(const struct renderer_info *info);

/* True if skinning as asked would run on the GPU of a renderer with this info. */
bool renderer_uses_gpu(const struct renderer_info *info, const struct skinning_settings *settings);
