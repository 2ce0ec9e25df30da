/* The table of rules, in the order of reports. A new rule is a row here and its file. */
#pragma once

#include "check/rule.h"

#define CHECK_RULES(X) \
	X(file_refused) \
	X(rig_weight_sum) \
	X(rig_weight_sum_strict) \
	X(rig_weight_zero) \
	X(rig_weight_invalid) \
	X(rig_joint_index) \
	X(rig_weight_duplicate) \
	X(rig_influences) \
	X(rig_joint_unused) \
	X(rig_name_duplicate) \
	X(rig_name_missing) \
	X(rig_side) \
	X(rig_symmetry) \
	X(rig_height) \
	X(rig_nonuniform_scale) \
	X(rig_bind_rest) \
	X(rig_weight_island) \
	X(mesh_nonfinite) \
	X(mesh_normal_length) \
	X(mesh_winding) \
	X(mesh_degenerate) \
	X(mesh_duplicate_triangles) \
	X(mesh_duplicate_vertices) \
	X(mesh_unreferenced) \
	X(mesh_texel_density) \
	X(clip_still) \
	X(clip_duration) \
	X(clip_start_offset) \
	X(clip_rate) \
	X(clip_name_duplicate) \
	X(clip_missing_track) \
	X(clip_one_sided) \
	X(clip_key_order) \
	X(clip_nonfinite) \
	X(clip_quat_length) \
	X(clip_quat_sign) \
	X(clip_quat_sign_cubic) \
	X(clip_overshoot) \
	X(clip_redundant) \
	X(clip_frame_short) \
	X(clip_rest_frame) \
	X(motion_pop) \
	X(motion_jump) \
	X(motion_turn) \
	X(motion_jitter) \
	X(motion_stutter) \
	X(motion_loop_seam) \
	X(motion_loop_velocity) \
	X(motion_root_drift) \
	X(motion_root_travel) \
	X(motion_bone_length) \
	X(motion_scale) \
	X(motion_speed) \
	X(motion_knee) \
	X(motion_joint_limit) \
	X(motion_smoothness) \
	X(contact_slide) \
	X(contact_penetration) \
	X(contact_float) \
	X(surface_nonfinite) \
	X(surface_spike) \
	X(surface_stretch) \
	X(surface_shrink) \
	X(surface_collapse) \
	X(surface_twist) \
	X(surface_inverted) \
	X(surface_volume) \
	X(surface_tear) \
	X(surface_bounds) \
	X(surface_method) \
	X(surface_self_intersection) \
	X(lod_shape) \
	X(lod_joints) \
	X(lod_order) \
	X(budget_vertices) \
	X(budget_triangles) \
	X(budget_joints) \
	X(budget_draw_calls) \
	X(budget_materials) \
	X(budget_texture_size) \
	X(budget_texture_bytes) \
	X(budget_bytes) \
	X(budget_morph_targets) \
	X(diff_joints) \
	X(diff_rest) \
	X(diff_clips_removed) \
	X(diff_clips_added) \
	X(diff_duration) \
	X(diff_rate) \
	X(diff_motion) \
	X(diff_shape) \
	X(diff_surface) \
	X(diff_topology) \
	X(diff_uv) \
	X(diff_materials) \
	X(picture_difference) \
	X(picture_ssim) \
	X(picture_flip)

#define CHECK_DECLARE_RULE(name) extern const struct check_rule check_rule_##name;
CHECK_RULES(CHECK_DECLARE_RULE)
#undef CHECK_DECLARE_RULE

/* [check_rule_count] */
extern const struct check_rule *const check_rules[];
extern const int check_rule_count;
