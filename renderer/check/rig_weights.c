// Weights as the file has them: rig/weight_sum, weight_zero, weight_invalid, joint_index,
// weight_duplicate.
#include <math.h>

#include "check/flaws.h"
#include "check/rules.h"

static void look(const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	const struct {
		enum vertex_flaw flaw;
		const struct check_rule *rule;
	} rows[] = {
		{VERTEX_WEIGHT_SUM, &check_rule_rig_weight_sum},
		{VERTEX_WEIGHT_SUM_STRICT, &check_rule_rig_weight_sum_strict},
		{VERTEX_WEIGHT_ZERO, &check_rule_rig_weight_zero},
		{VERTEX_WEIGHT_INVALID, &check_rule_rig_weight_invalid},
		{VERTEX_JOINT_INDEX, &check_rule_rig_joint_index},
		{VERTEX_JOINT_TWICE, &check_rule_rig_weight_duplicate},
	};
	(void)arena;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct check_flaw flaw = check_flaw_of(asset, rows[i].flaw, true);
		check_emit_flaw(sink, rows[i].rule, &flaw);
	}
}

static const struct check_pass pass = {.needs = CHECK_NEEDS_SKIN, .asset = look};

const struct check_rule check_rule_rig_weight_sum = {
	.info =
		{
			.id = "rig/weight_sum",
			.unit = "vertices",
			.catches = "weights that do not sum to 1",
			.definition = "The number of skinned vertices whose weights differ from 1 "
				      "in sum by more "
				      "than 0.001, or by more than half a step of integer weights, "
				      "in the file's "
				      "own data.",
			.effect = "Engines that do not divide by the sum draw spikes that grow "
				  "with the "
				  "distance from the origin.",
			.fix = "Normalise the weights of {vertices:#} {vertices|vertex|vertices}.",
			.blender = "In Weight Paint mode choose Weights > Normalize All, with Lock "
				   "Active off and no group locked.",
			.maya = "Choose Skin > Normalize Weights; set Normalize Weights of the "
				"skinCluster to Interactive, so that sums stay 1.",
			.message = "The weights of {vertices:#} {vertices|vertex|vertices} do not "
				   "sum to 1: {vertices|their|the worst} sum is off by {worst}",
			.example = "The weights of 253 vertices do not sum to 1: the worst sum is "
				   "off by 0.2",
			.khronos = "ACCESSOR_WEIGHTS_NON_NORMALIZED",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 1, INFINITY},
		},
	.pass = &pass,
};

const struct check_rule check_rule_rig_weight_sum_strict = {
	.info =
		{
			.id = "rig/weight_sum_strict",
			.unit = "vertices",
			.catches = "weights beyond the specification's tolerance",
			.definition = "The number of skinned vertices whose weights differ from 1 "
				      "in sum by more "
				      "than glTF allows, 2e-7 for each weight. Nobody sees that: "
				      "only the profile "
				      "\"strict\" notes it.",
			.effect = "None that anybody can see.",
			.fix = "Normalise the weights of {vertices:#} {vertices|vertex|vertices} "
			       "in double precision.",
			.blender = "In Weight Paint mode choose Weights > Normalize All.",
			.maya = "Choose Skin > Normalize Weights.",
			.message =
				"The weights of {vertices:#} {vertices|vertex|vertices} sum to 1 "
				"only roughly: {vertices|their|the worst} sum is off by {worst}",
			.example = "The weights of 5886 vertices sum to 1 only roughly: the worst "
				   "sum is off by 0.00001004",
			.khronos = "ACCESSOR_WEIGHTS_NON_NORMALIZED",
			.cost = CHECK_COST_TABLE,
			.limits = CHECK_LIMITS_OFF,
		},
	.pass = &pass,
};

const struct check_rule check_rule_rig_weight_zero = {
	.info =
		{
			.id = "rig/weight_zero",
			.unit = "vertices",
			.catches = "vertices without any weight",
			.definition = "The number of skinned vertices whose weights are below "
				      "0.000001 in sum.",
			.effect = "The vertices stay behind, or vanish, when the figure moves.",
			.fix = "Assign {vertices:#} {vertices|vertex|vertices} to a joint.",
			.blender = "In Edit Mode choose Select > Select All by Trait > Ungrouped "
				   "Vertices, and assign them to a bone's group (Data properties > "
				   "Vertex Groups > Assign).",
			.maya = "Select the vertices and run Skin > Hammer Skin Weights, or give "
				"them weights in the Component Editor's Smooth Skins tab.",
			.message = "{vertices:#} {vertices|vertex|vertices} of the skin "
				   "{vertices|has|have} no weight at all",
			.example = "520 vertices of the skin have no weight at all",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, INFINITY, 1},
		},
	.pass = &pass,
};

const struct check_rule check_rule_rig_weight_invalid = {
	.info =
		{
			.id = "rig/weight_invalid",
			.unit = "vertices",
			.catches = "weights that are negative or no numbers",
			.definition = "The number of skinned vertices with a weight that is "
				      "negative, infinite or "
				      "no number.",
			.effect = "The vertices vanish or shoot away in many players.",
			.fix = "Set the weights of {vertices:#} {vertices|vertex|vertices} again.",
			.blender = "In Weight Paint mode choose Weights > Clean for all groups, "
				   "then Weights > Normalize All.",
			.maya = "Choose Skin > Prune Small Weights, then Skin > Normalize Weights.",
			.message = "{vertices:#} {vertices|vertex|vertices} {vertices|has|have} a "
				   "weight that is negative or no number",
			.example = "3 vertices have a weight that is negative or no number",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, INFINITY, 1},
		},
	.pass = &pass,
};

const struct check_rule check_rule_rig_joint_index = {
	.info =
		{
			.id = "rig/joint_index",
			.unit = "vertices",
			.catches = "joints beyond the skin's",
			.definition = "The number of skinned vertices with a weight above 0 for a "
				      "joint that the "
				      "skin does not have.",
			.effect = "The vertices follow whatever lies behind the skin's matrices in "
				  "memory, "
				  "or the file is refused.",
			.fix = "Bind {vertices:#} {vertices|vertex to a joint of its|vertices to "
			       "joints of their} skin.",
			.blender = "Remove vertex groups that belong to no bone (Data properties > "
				   "Vertex Groups), and export again.",
			.maya = "Add the missing joints with Skin > Edit Influences > Add "
				"Influence, or bind again (Skin > Bind Skin) with all joints, and "
				"export again.",
			.message = "{vertices:#} {vertices|vertex names a joint that its|vertices "
				   "name a joint that their} skin does not have",
			.example = "5 vertices name a joint that their skin does not have",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, INFINITY, 1},
		},
	.pass = &pass,
};

const struct check_rule check_rule_rig_weight_duplicate = {
	.info =
		{
			.id = "rig/weight_duplicate",
			.unit = "vertices",
			.catches = "a joint twice in one vertex",
			.definition = "The number of skinned vertices that name one joint twice "
				      "with weights above "
				      "0.",
			.effect = "Engines that look joints up count one of the two weights only.",
			.fix = "Merge the weights of {vertices:#} {vertices|vertex|vertices}.",
			.blender = "Add one group to the other with a Vertex Weight Mix modifier "
				   "(Mix Mode: Add), apply it, remove the other group, and run "
				   "Weights > Normalize All.",
			.maya = "Run Skin > Edit Influences > Remove Influence for the joint's "
				"duplicate.",
			.message = "{vertices:#} {vertices|vertex|vertices} {vertices|names|name} "
				   "the same joint twice",
			.example = "40 vertices name the same joint twice",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 1, INFINITY},
		},
	.pass = &pass,
};
