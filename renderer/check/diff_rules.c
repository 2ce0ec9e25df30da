// Rules that hold a version of an asset against an earlier one; renderer/against measures them.
#include <math.h>

#include "check/rules.h"

const struct check_rule check_rule_diff_joints = {
	.info = {
		.id = "diff/joints",
		.unit = "joints",
		.catches = "joints added, removed, renamed or moved to another parent",
		.definition = "Joints of both versions are paired by their names; of the "
			      "others, those with the same parent and the same rest place (to "
			      "0.0001 figure lengths) count as renamed. The value is the number "
			      "of joints that are added, removed, renamed or have another "
			      "parent.",
		.effect = "Clips, sockets and code that name a joint no longer find it, or "
			  "it follows something else.",
		.fix = "Restore the names and parents of the joints, or adapt all that "
		       "names them.",
		.blender = "Append the earlier armature (File > Append), and compare names and "
			   "parents in the Outliner and in Bone properties > Relations.",
		.maya = "Reference the earlier file (File > Create Reference), and compare both "
			"hierarchies in the Outliner.",
		.message = "{value:#} {value|joint differs|joints differ} from the earlier "
			   "version: {text}",
		.example = "2 joints differ from the earlier version: LeftPaw, RightPaw",
		.cost = CHECK_COST_TABLE,
		.limits = {INFINITY, 1, INFINITY},
	}};

const struct check_rule check_rule_diff_rest = {
	.info = {
		.id = "diff/rest",
		.unit = "L",
		.catches = "joints that rest elsewhere",
		.definition = "For each joint of both versions, the difference of its rest "
			      "transforms: 2 sin(angle / 2) times its reach, plus its "
			      "translation, plus its change of scale times its reach.",
		.effect = "Clips and retargeting made for the earlier rest pose are off by "
			  "as much.",
		.fix = "Restore the rest pose of {joint}, or bake the clips anew.",
		.blender = "Append the earlier armature (File > Append), and compare head, tail "
			   "and roll of the bone in Edit Mode (sidebar > Item).",
		.maya = "Go to the bind pose (Skin > Go to Bind Pose), and compare translate, "
			"rotate and Joint Orient with a reference to the earlier file.",
		.message = "{joint} rests {value:%} of the figure's length from where it did",
		.example = "Head rests 3.47 % of the figure's length from where it did",
		.cost = CHECK_COST_JOINTS,
		.limits = {.001, .01, .1},
	}};

const struct check_rule check_rule_diff_clips_removed = {
	.info = {
		.id = "diff/clips_removed",
		.unit = "clips",
		.catches = "clips that are gone",
		.definition = "The number of clips of the earlier version whose name no clip "
			      "has any more.",
		.effect = "What plays one of these clips finds none.",
		.fix = "Export the missing clips, or adapt all that plays them.",
		.blender = "Push the actions down to NLA tracks (Action Editor > Push Down), so "
			   "that they are exported.",
		.maya = "Check the clips' names and ranges in the exporter's list of takes.",
		.message = "{value:#} {value|clip|clips} of the earlier version {value|is|are} "
			   "gone: {text}",
		.example = "2 clips of the earlier version are gone: twist, bend",
		.cost = CHECK_COST_TABLE,
		.limits = {INFINITY, 1, INFINITY},
	}};

const struct check_rule check_rule_diff_clips_added = {
	.info = {
		.id = "diff/clips_added",
		.unit = "clips",
		.catches = "clips that are new",
		.definition = "The number of clips whose name no clip of the earlier version "
			      "has.",
		.effect = "Nothing, if they are meant to be there.",
		.fix = "Leave out the clips that are not meant to be exported.",
		.blender = "Mute the NLA tracks that are not wanted, or unlink the actions "
			   "(Shift-click the X beside the name in the Action Editor).",
		.maya = "Remove the clips that are not wanted from the exporter's list of takes.",
		.message = "{value:#} {value|clip is|clips are} new: {text}",
		.example = "2 clips are new: twist 2, twist 3",
		.cost = CHECK_COST_TABLE,
		.limits = {1, INFINITY, INFINITY},
	}};

const struct check_rule check_rule_diff_duration = {
	.info = {
		.id = "diff/duration",
		.unit = "seconds",
		.catches = "a clip that takes another time",
		.definition = "The difference of the time from the first to the last key, for "
			      "each clip that both versions have.",
		.effect = "Events, transitions and sounds that are timed by the clip come "
			  "too early or too late.",
		.fix = "Restore the clip's length, or adapt what is timed by it.",
		.blender = "Compare the action's range in the Action Editor's sidebar (Action > "
			   "Manual Frame Range), and Output properties > Frame Rate.",
		.maya = "Compare the time range of the export, and Windows > Settings/Preferences "
			"> Preferences > Time Slider > Framerate.",
		.message = "{clip} takes {after:3} s, and took {before:3} s",
		.example = "twist takes 4.400 s, and took 4.000 s",
		.cost = CHECK_COST_TABLE,
		.by_clip = true,
		.limits = {.001, .05, INFINITY},
	}};

const struct check_rule check_rule_diff_rate = {
	.info = {
		.id = "diff/rate",
		.unit = "per second",
		.catches = "keys at another rate",
		.definition = "The difference of the native rates of keys, for each clip that "
			      "both versions have.",
		.effect = "The motion between keys differs a little, and so does the size "
			  "of the file.",
		.fix = "Export with the frame rate of the earlier version.",
		.blender = "Set Output properties > Frame Rate as it was, and Animation > Sampling "
			   "Rate of the export to 1.",
		.maya = "Set Windows > Settings/Preferences > Preferences > Time Slider > "
			"Framerate as it was.",
		.message = "{clip} has {after} {after|key|keys} a second, and had {before}",
		.example = "Walk has 16.67 keys a second, and had 33.33",
		.cost = CHECK_COST_TABLE,
		.by_clip = true,
		.limits = {1, INFINITY, INFINITY},
	}};

const struct check_rule check_rule_diff_motion = {
	.info = {
		.id = "diff/motion",
		.unit = "L",
		.catches = "joints that move in another way",
		.definition = "At each sample that either version has of a clip, the difference "
			      "of the local transforms of each joint of both versions: 2 "
			      "sin(angle / 2) times its reach in the earlier one, plus its "
			      "translation, plus its change of scale times its reach. The value "
			      "is the greatest; p95 is the 95th percentile over samples of the "
			      "greatest over joints.",
		.effect = "The clip plays differently than before.",
		.fix = "If that is not meant, restore the keys of {joint} at {time:3} s.",
		.blender = "Append the earlier action (File > Append > Action), and compare the "
			   "bone's curves in the Graph Editor.",
		.maya = "Reference the earlier file (File > Create Reference), and compare the "
			"joint's curves in the Graph Editor.",
		.message = "{joint} is off by {value:%} of the figure's length from the "
			   "earlier {clip} at {time:3} s",
		.example = "LeftArm is off by 31.6 % of the figure's length from the earlier Walk "
			   "at 0.540 s",
		.cost = CHECK_COST_JOINTS,
		.by_clip = true,
		.limits = {.001, .02, .1},
	}};

const struct check_rule check_rule_diff_shape = {
	.info = {
		.id = "diff/shape",
		.unit = "L",
		.catches = "a mesh of another shape at rest",
		.definition = "The greatest distance that a vertex of the rest pose has from "
			      "where it was. Meshes with the same vertices and indices are "
			      "compared vertex by vertex, others by the distances of the "
			      "vertices of each from the surface of the other; p99 is the 99th "
			      "percentile.",
		.effect = "The figure looks different even where it does not move.",
		.fix = "If that is not meant, restore the mesh.",
		.blender = "Append the earlier object (File > Append) over this one, and compare "
			   "them with the Wireframe overlay.",
		.maya = "Reference the earlier file (File > Create Reference) over this one, and "
			"look where the surfaces leave one another.",
		.message = "At rest the surface is off by up to {value:%} of the figure's "
			   "length",
		.example = "At rest the surface is off by up to 3.8 % of the figure's length",
		.cost = CHECK_COST_VERTICES,
		.limits = {.001, .02, .1},
	}};

const struct check_rule check_rule_diff_surface = {
	.info = {
		.id = "diff/surface",
		.unit = "L",
		.catches = "a mesh that deforms in another way",
		.definition = "The greatest distance that a vertex has from where it was, over "
			      "the samples of both versions of a clip. Meshes with the same "
			      "vertices and indices are compared vertex by vertex, at up to 256 "
			      "moments; others at 8 moments, by the distances of the vertices "
			      "of each from the surface of the other. rms is the root of the "
			      "mean square, p99 the 99th percentile.",
		.effect = "The figure looks different while the clip plays.",
		.fix = "If that is not meant, restore the keys, the weights or the mesh.",
		.blender = "Append the earlier object (File > Append), and compare the vertex "
			   "groups of the joint in Weight Paint mode; the Data Transfer modifier "
			   "takes the earlier weights over.",
		.maya = "Reference the earlier file (File > Create Reference), and take its "
			"weights over with Skin > Copy Skin Weights.",
		.message = "The surface is off by up to {value:%} of the figure's length "
			   "from the earlier {clip} at {time:3} s",
		.example = "The surface is off by up to 8.31 % of the figure's length from the "
			   "earlier Walk at 0.570 s",
		.cost = CHECK_COST_VERTICES,
		.by_clip = true,
		.limits = {.001, .02, .1},
	}};

const struct check_rule check_rule_diff_topology = {
	.info = {
		.id = "diff/topology",
		.unit = "elements",
		.catches = "a mesh of other size",
		.definition = "The differences of the numbers of vertices, triangles and "
			      "primitives, added up.",
		.effect = "Costs differ, and data that is made per vertex no longer fits.",
		.fix = "If that is not meant, restore the mesh.",
		.blender = "Compare the counts of the Statistics overlay, the modifiers, and Data "
			   "> Mesh > Apply Modifiers of the export.",
		.maya = "Compare the counts of Display > Heads Up Display > Poly Count, and the "
			"export's options for triangulation.",
		.message = "{vertices_after:#} {vertices_after|vertex|vertices} and "
			   "{triangles_after:#} {triangles_after|triangle|triangles}, against "
			   "{vertices_before:#} and {triangles_before:#} in the earlier version",
		.example = "658 vertices and 1112 triangles, against 658 and 1312 in the earlier "
			   "version",
		.cost = CHECK_COST_TABLE,
		.limits = {1, INFINITY, INFINITY},
	}};

const struct check_rule check_rule_diff_uv = {
	.info = {
		.id = "diff/uv",
		.unit = "vertices",
		.catches = "other texture coordinates",
		.definition = "The number of vertices with other texture coordinates than "
			      "before. Where the meshes have other vertices, those count whose "
			      "place and texture coordinates no vertex of the earlier version "
			      "has.",
		.effect = "Textures made for the earlier version do not fit.",
		.fix = "If that is not meant, restore the UV map, or bake the textures "
		       "anew.",
		.blender =
			"Append the earlier object (File > Append), and compare the UV maps in the "
			"UV Editor; Object > Link/Transfer Data > Copy UV Maps takes them over.",
		.maya = "Reference the earlier file (File > Create Reference); Mesh > Transfer "
			"Attributes takes its UV sets over.",
		.message = "{value:#} {value|vertex has|vertices have} other texture coordinates",
		.example = "657 vertices have other texture coordinates",
		.cost = CHECK_COST_TABLE,
		.limits = {1, INFINITY, INFINITY},
	}};

const struct check_rule check_rule_diff_materials = {
	.info = {
		.id = "diff/materials",
		.unit = "materials",
		.catches = "materials added, removed or changed",
		.definition = "Materials of both versions are paired by their names. The value "
			      "is the number of those that are added or removed, or differ in a "
			      "factor, a mode or a texture.",
		.effect = "The figure looks different.",
		.fix = "If that is not meant, restore the materials.",
		.blender = "Append the earlier material (File > Append > Material), and compare "
			   "the Principled BSDF's values in the Shader Editor.",
		.maya = "Reference the earlier file (File > Create Reference), and compare the "
			"shaders in Hypershade and the Attribute Editor.",
		.message = "{value:#} {value|material differs|materials differ} from the earlier "
			   "version: {text}",
		.example = "2 materials differ from the earlier version: blue, amber",
		.cost = CHECK_COST_TABLE,
		.limits = {1, INFINITY, INFINITY},
	}};
