// The commands of `pose`.
#include "commands.h"

#include <stdint.h>

#include "completion.h"
#include "pictures.h"

const struct command commands[] = {
	{"put", "FILE [RIG]",
		"store an asset and the files that it names (default name: the file's)", 1, 2,
		FOR_PUT, run_put},
	{"list", "", "all rigs", 0, 0, 0, run_list},
	{"show", "RIG", "a rig's joints, clips, materials, warnings", 1, 1, 0, run_show},
	{"compatibility", "RIG OTHER", "what of the other's joints and clips a rig can use", 2, 2,
		0, run_compatibility},
	{"delete", "RIG", "remove a rig", 1, 1, 0, run_delete},
	{"pose", "RIG", "joints of a pose, as JSON", 1, 1, FOR_POSE, run_pose},
	{"vertices", "RIG", "skinned vertices, as float32, --json or --glb", 1, 1, FOR_VERTICES,
		run_vertices},
	{"mesh", "RIG", "the rest pose as a GLB", 1, 1, FOR_MESH, run_mesh},
	{"frame", "RIG|FILE", "a picture; a FILE needs no daemon", 1, 1, FOR_FRAME, run_frame},
	{"frames", "RIG|FILE", "many pictures in one file: a clip as it runs", 1, 1, FOR_FRAMES,
		run_frames},
	{"turntable", "RIG|FILE", "many pictures from all around; default 36", 1, 1, FOR_TURNTABLE,
		run_turntable},
	{"sheet", "RIG|FILE", "a clip's pictures side by side in one PNG", 1, 1, FOR_SHEET,
		run_sheet},
	{"watch", "FILE [RIG]", "draw a file, or put it, again whenever it changes", 1, 2,
		FOR_WATCH, run_watch},
	{"compare", "RIG|FILE METHOD...", "how 2 to 8 methods (ids, or objects in JSON) differ", 3,
		9, FOR_COMPARE, run_compare},
	{"check", "FILE|FOLDER|RIG...",
		"find faults of motion, contact, deformation and mesh; a FILE needs no daemon", 0,
		SIZE_MAX, FOR_CHECK, run_check},
	{"convert", "FILE", "an asset as a GLB with its skins and clips; needs no daemon", 1, 1,
		FOR_CONVERT, run_convert},
	{"bake", "RIG", "a motion as a GLB or a tar of textures: --as says which", 1, 1, FOR_BAKE,
		run_bake},
	{"transitions", "RIG FROM TO",
		"where a clip can go on as another, and keeps to a core pose", 3, 3,
		FOR_TRANSITIONS, run_transitions},
	{"crowd", "FILE", "many figures in one picture; FILE is the request, in JSON", 1, 1,
		FOR_CROWD, run_crowd},
	{"example", "put|list|show|delete RIG [NAME [FILE]]", "poses with their vertices", 2, 4,
		FOR_EXAMPLE, run_example},
	{"clip", "put|list|get|delete RIG [CLIP [FILE]]", "clips beside those in the file", 2, 4,
		FOR_CLIP, run_clip},
	{"fit", "RIG [METHOD]", "make what a method needs of a rig, or list what was made", 1, 2,
		FOR_FIT, run_fit},
	{"completion", "bash|zsh|fish", "a script that completes commands in that shell", 1, 2, 0,
		run_completion},
	{NULL, NULL, NULL, 0, 0, 0, NULL},
};
