// file/refused: an asset that cannot be read at all.
#include <math.h>

#include "check/rules.h"

const struct check_rule check_rule_file_refused = {
	.info =
		{
			.id = "file/refused",
			.unit = "files",
			.catches = "a file that posed does not read",
			.definition = "The asset is refused as a PUT of it would be, for the "
				      "reason given.",
			.effect = "Most players show nothing, or something else.",
			.fix = "Export the file again, and check it with Khronos' glTF validator.",
			.blender = "Export again with File > Export > glTF 2.0; Blender's importer "
				   "(File > Import) says whether it reads the file.",
			.maya = "Update the exporter's plug-in and export again, or export FBX "
				"(File > Export All) and convert that in Blender.",
			.message = "posed does not read this file",
			.example = "posed does not read this file: nodes[8].children[1]: nodes[6] "
				   "is a child of nodes[5] already",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, INFINITY, 1},
		},
};
