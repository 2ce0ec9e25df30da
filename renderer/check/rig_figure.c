// The figure at rest: rig/side, rig/symmetry, rig/height.
#include <math.h>

#include "base/vec.h"
#include "check/asset_internal.h"
#include "check/percentile.h"
#include "check/rules.h"

/* Pairs that sides are told from. */
#define PAIRS_MIN 3

#define TOO_FEW "fewer than %d pairs of joints named left and right"

/* Share of L that a swapped pair is the wrong way round by. */
#define SWAPPED 0.02

/* Heights of figures in metres, between which a file's unit is guessed. */
#define LIKELY_LOW 0.3
#define LIKELY_HIGH 3

/* A pair at rest: from right to left, and the middle. */
static void measure_pair(const struct check_asset *asset, const struct check_pair *pair,
	double way[static 3], double middle[static 3]) {
	double left[3], right[3];
	check_joint_origin(asset, pair->left, left);
	check_joint_origin(asset, pair->right, right);
	for (int i = 0; i < 3; i++) {
		way[i] = left[i] - right[i];
		middle[i] = 0.5 * (left[i] + right[i]);
	}
}

/* The plane between left and right: its normal, of length 1 towards the left, and a point of it.
 * False where the pairs have no direction in common. */
static bool find_plane(const struct check_asset *asset, struct arena *arena,
	double normal[static 3], double point[static 3]) {
	double *ways = arena_alloc(arena, (size_t)asset->pair_count, sizeof *ways);
	double *middles = arena_alloc(arena, (size_t)asset->pair_count, sizeof *middles);
	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < asset->pair_count; i++) {
			double way[3], middle[3];
			measure_pair(asset, &asset->pairs[i], way, middle);
			ways[i] = way[k];
			middles[i] = middle[k];
		}
		normal[k] = check_percentile(ways, asset->pair_count, 0.5);
		point[k] = check_percentile(middles, asset->pair_count, 0.5);
	}
	return vec3_normalize(normal);
}

static void find_swapped(
	const struct check_asset *asset, const double normal[static 3], struct check_sink *sink) {
	int count = 0, first = -1;
	for (int i = 0; i < asset->pair_count; i++) {
		double way[3], middle[3];
		measure_pair(asset, &asset->pairs[i], way, middle);
		if (vec3_dot(way, normal) < -SWAPPED * asset->length) {
			first = first < 0 ? asset->pairs[i].left : first;
			count++;
		}
	}
	struct check_value value = check_value(count);
	value.joint = first;
	check_value_param(&value, "pairs", asset->pair_count);
	check_emit(sink, &check_rule_rig_side, &value);
}

/* The distance of a joint from its twin in the mirror. */
static double distance_to_twin(const struct check_asset *asset, const struct check_pair *pair,
	const double normal[static 3], const double point[static 3]) {
	double left[3], right[3], way[3];
	check_joint_origin(asset, pair->left, left);
	check_joint_origin(asset, pair->right, right);
	vec3_sub(left, point, way);
	const double behind = 2 * vec3_dot(way, normal);
	for (int i = 0; i < 3; i++) {
		left[i] -= behind * normal[i];
	}
	vec3_sub(left, right, way);
	return vec3_length(way);
}

static void find_asymmetry(const struct check_asset *asset, const double normal[static 3],
	const double point[static 3], struct check_sink *sink) {
	double greatest = 0;
	int joint = -1;
	for (int i = 0; i < asset->pair_count; i++) {
		const double distance = distance_to_twin(asset, &asset->pairs[i], normal, point);
		if (distance > greatest) {
			greatest = distance;
			joint = asset->pairs[i].left;
		}
	}
	struct check_value value = check_value(greatest / asset->length);
	value.joint = joint;
	check_emit(sink, &check_rule_rig_symmetry, &value);
}

static void look_at_sides(
	const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	double normal[3], point[3];
	if (asset->pair_count >= PAIRS_MIN && find_plane(asset, arena, normal, point)) {
		find_swapped(asset, normal, sink);
		find_asymmetry(asset, normal, point, sink);
		return;
	}
	check_skip(sink, &check_rule_rig_side, TOO_FEW, PAIRS_MIN);
	check_skip(sink, &check_rule_rig_symmetry, TOO_FEW, PAIRS_MIN);
}

static const struct check_pass sides = {.needs = CHECK_NEEDS_LENGTH, .asset = look_at_sides};

/* The unit in which a height would be that of a figure in metres. */
static const char *guess_unit(double height) {
	static const struct {
		double metres;
		const char *words;
	} units[] = {
		{0.01, "as if the file were in centimetres"},
		{0.0254, "as if the file were in inches"},
		{0.3048, "as if the file were in feet"},
		{100, "as if the file had been scaled from centimetres twice"},
		{0.001, "as if the file were in millimetres"},
	};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		const double metres = height * units[i].metres;
		if (metres >= LIKELY_LOW && metres <= LIKELY_HIGH) {
			return units[i].words;
		}
	}
	return "which fits no usual unit";
}

static void look_at_height(
	const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	const double *range = asset->profile->settings.height;
	struct check_value value = check_value(asset->height);
	(void)arena;
	value.judged = asset->height < range[0] || asset->height > range[1];
	value.threshold = asset->height < range[0] ? range[0] : range[1];
	value.text = guess_unit(asset->height);
	check_value_param(&value, "low", range[0]);
	check_value_param(&value, "high", range[1]);
	check_emit(sink, &check_rule_rig_height, &value);
}

static const struct check_pass height = {.needs = CHECK_NEEDS_VERTICES, .asset = look_at_height};

const struct check_rule check_rule_rig_side = {
	.info =
		{
			.id = "rig/side",
			.unit = "pairs",
			.catches = "left and right swapped",
			.definition = "The number of pairs of joints, told by their names, that "
				      "lie the other way "
				      "round at rest than most pairs do, by more than 0.02 of the "
				      "figure's length. "
				      "Needs at least three pairs.",
			.effect = "Mirrored and retargeted animation moves the wrong limb.",
			.fix = "Swap the names of {joint} and its twin.",
			.blender = "Select the bones and choose Armature > Names > Flip Names.",
			.maya = "Rename the joints, or mirror the skeleton again with Skeleton > "
				"Mirror "
				"Joints.",
			.message = "{value:#} of {pairs:#} {pairs|pair|pairs} of joints "
				   "{value|has|have} left and right swapped, {value|that of|the "
				   "first being} {joint}",
			.example = "2 of 9 pairs of joints have left and right swapped, the first "
				   "being LeftForeArm",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, INFINITY, 1},
		},
	.pass = &sides,
};

const struct check_rule check_rule_rig_symmetry = {
	.info =
		{
			.id = "rig/symmetry",
			.unit = "L",
			.catches = "a skeleton that is not the same on both sides",
			.definition = "The greatest distance of a left joint, mirrored in the "
				      "plane between left "
				      "and right, from its twin at rest, as a share of the "
				      "figure's length. A rest "
				      "pose in mid-stride is not the same on both sides, either.",
			.effect = "Mirrored animation does not fit the other side.",
			.fix = "Make {joint} and its twin mirror each other at rest.",
			.blender = "In Edit Mode choose Armature > Symmetrize.",
			.maya = "Choose Skeleton > Mirror Joints.",
			.message = "{joint} is {value:%} of the figure's length away from where "
				   "its twin "
				   "would be in a mirror",
			.example = "LeftForeArm is 7.86 % of the figure's length away from where "
				   "its twin would be in a mirror",
			.cost = CHECK_COST_TABLE,
			.limits = {0.02, INFINITY, INFINITY},
		},
	.pass = &sides,
};

const struct check_rule check_rule_rig_height = {
	.info =
		{
			.id = "rig/height",
			.unit = "asset units",
			.catches = "a slip of unit or scale",
			.definition =
				"The height of the figure at rest in the asset's unit, which in "
				"glTF is the "
				"metre. A warning where it is outside the range of the profile.",
			.effect = "The figure is a hundred times too large or too small beside "
				  "others.",
			.fix = "Scale the asset so that its unit is the metre.",
			.blender = "Set Scene properties > Units > Unit Scale to 1, apply the "
				   "armature's scale (Ctrl+A > Scale), and export again.",
			.maya = "Set Windows > Settings/Preferences > Preferences > Settings > "
				"Linear to meter, or the exporter's scale factor to 0.01.",
			.message = "The figure is {value} {value|unit|units} high, {text}; the "
				   "profile expects {low} to {high}",
			.example = "The figure is 175.1 units high, as if the file were in "
				   "centimetres; the profile expects 0.05 to 20",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 1, INFINITY},
		},
	.pass = &height,
};
