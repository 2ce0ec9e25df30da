// Rules that hold pictures against those of an earlier version, or approved ones; renderer/against
// measures them.
#include <math.h>

#include "check/rules.h"

const struct check_rule check_rule_picture_difference = {
	.info = {
		.id = "picture/difference",
		.unit = "share",
		.catches = "pixels of another colour",
		.definition = "The greatest difference of a channel of a pixel, as a share of "
			      "the range, in pictures of both versions, or in approved pictures "
			      "and present ones: from the front, the side and between, at three "
			      "moments of a clip, in clay and with materials.",
		.effect = "The figure looks different.",
		.fix = "If that is not meant, compare both versions at {time:3} s; if it is, "
		       "approve the new pictures.",
		.blender = "Open both files with the same camera, render both (F12), and compare "
			   "Slot 1 and Slot 2 in the Image Editor (J).",
		.maya = "Render both files with the same camera, store the pictures with File > "
			"Keep Image in Render View, and compare them.",
		.message = "Pictures of {clip} differ by up to {value:%} of a channel's "
			   "range at {time:3} s",
		.example =
			"Pictures of twist differ by up to 69.8 % of a channel's range at 0.667 s",
		.cost = CHECK_COST_VERTICES,
		.by_clip = true,
		.limits = {.25, INFINITY, INFINITY},
	}};

const struct check_rule check_rule_picture_ssim = {
	.info = {
		.id = "picture/ssim",
		.unit = "similarity",
		.catches = "pictures of another structure",
		.definition = "The structural similarity of these pictures (Wang, Bovik, Sheikh "
			      "and Simoncelli 2004): of luma, with a Gaussian "
			      "window of 11 by 11 pixels and a standard deviation of 1.5, "
			      "averaged over the figure's pixels. The value is the least of all "
			      "pictures; 1 is no difference.",
		.effect = "The figure looks different.",
		.fix = "If that is not meant, compare both versions at {time:3} s; if it is, "
		       "approve the new pictures.",
		.blender = "Open both files with the same camera, render both (F12), and compare "
			   "Slot 1 and Slot 2 in the Image Editor (J).",
		.maya = "Render both files with the same camera, store the pictures with File > "
			"Keep Image in Render View, and compare them.",
		.message = "Pictures of {clip} have a structural similarity of {value:3} at "
			   "{time:3} s",
		.example = "Pictures of twist have a structural similarity of 0.528 at 0.667 s",
		.cost = CHECK_COST_VERTICES,
		.by_clip = true,
		.below = true,
		.limits = {.95, .85, INFINITY},
	}};

const struct check_rule check_rule_picture_flip = {
	.info = {
		.id = "picture/flip",
		.unit = "FLIP",
		.catches = "pictures that look different side by side",
		.definition = "The mean over the figure's box of FLIP (Andersson et al. 2020; "
			      "for screens, at 67 pixels per degree): the difference that an "
			      "observer sees who flips between both pictures. "
			      "p99 is the 99th percentile.",
		.effect = "The figure looks different.",
		.fix = "If that is not meant, compare both versions at {time:3} s; if it is, "
		       "approve the new pictures.",
		.blender = "Open both files with the same camera, render both (F12), and compare "
			   "Slot 1 and Slot 2 in the Image Editor (J).",
		.maya = "Render both files with the same camera, store the pictures with File > "
			"Keep Image in Render View, and compare them.",
		.message = "Pictures of {clip} look different by {value:3} of 1 at {time:3} "
			   "s",
		.example = "Pictures of twist look different by 0.939 of 1 at 0.667 s",
		.cost = CHECK_COST_VERTICES,
		.by_clip = true,
		.limits = {INFINITY, .02, .1},
	}};
