// The table of options and reading a command line by it.
#include "options.h"

#include <stdio.h>
#include <string.h>

const struct option options[] = {
	{"--server", GROUP_PROGRAM, OPTION_TEXT, FOR_ANY, NULL,
		"the daemon's address (or POSED_SERVER), also unix:/PATH; default "
		"http://127.0.0.1:8600"},
	{"--token-file", GROUP_PROGRAM, OPTION_TEXT, FOR_ANY, NULL,
		"file of the token for the daemon (or POSED_TOKEN, the token itself)"},
	{"-o", GROUP_PROGRAM, OPTION_TEXT, FOR_POSED | FOR_MESH | FOR_CROWD, NULL,
		"file to write; - is standard output"},
	{"--json", GROUP_PROGRAM, OPTION_SWITCH, FOR_ANY, NULL,
		"vertices, lists and what went wrong as JSON, also at a terminal"},
	{"--format", GROUP_PROGRAM, OPTION_TEXT, FOR_PICTURES | FOR_CROWD, NULL,
		"of pictures: png, webp, jpg, rgba; of sequences: apng, webp, gif, sheet, "
		"sheet_json, tar, mp4, webm; default what -o ends with"},
	{"--show", GROUP_PROGRAM, OPTION_TEXT, FOR_PICTURES | FOR_CROWD, NULL,
		"shows the picture in the terminal: auto, kitty, iterm2 or sixel"},
	{"--tolerance", GROUP_PROGRAM, OPTION_NUMBER, FOR_COMPARE, NULL,
		"distance in the rig's unit from which methods are too far apart: exit status 5"},
	{"--vertices", GROUP_PROGRAM, OPTION_SWITCH, FOR_CROWD, NULL,
		"vertices as float32 instead of a picture"},
	{"--glb", GROUP_PROGRAM, OPTION_SWITCH, FOR_VERTICES | FOR_CLIP, NULL,
		"vertices as GLB, with materials and textures; a clip with the nodes"},
	{"--raw", GROUP_PROGRAM, OPTION_SWITCH, FOR_EXAMPLE, NULL,
		"an example's vertices as float32"},
	{"--targets", GROUP_PROGRAM, OPTION_TEXT, FOR_EXAMPLE, NULL,
		"morph weights by node, in JSON, that make an example's vertices"},
	{"--map", GROUP_PROGRAM, OPTION_TEXT, FOR_CLIP, NULL,
		"names, or auto: a file's clip is brought to a rig of other joints"},
	{"--cancel", GROUP_PROGRAM, OPTION_TEXT, FOR_FIT, NULL, "id of a fit to call off"},
	{"--clip", GROUP_POSE, OPTION_TEXT, FOR_POSED, "clip", "name or index of a clip"},
	{"--time", GROUP_POSE, OPTION_NUMBER, FOR_POSED, "time", "seconds within the clip"},
	{"--phase", GROUP_POSE, OPTION_NUMBER, FOR_POSED, "phase", "0 to 1 instead of --time"},
	{"--loop", GROUP_POSE, OPTION_TEXT, FOR_POSED, "loop", "clamp, repeat or ping_pong"},
	{"--pose", GROUP_REQUEST, OPTION_JSON, FOR_POSED, "pose",
		"a pose expression in JSON instead of --clip"},
	{"--duration", GROUP_REQUEST, OPTION_NUMBER, FOR_CLIP | FOR_BAKE, "duration",
		"seconds that are baked"},
	{"--rate", GROUP_REQUEST, OPTION_NUMBER, FOR_CLIP | FOR_TRANSITIONS | FOR_BAKE, "rate",
		"its frames a second, or moments a second to look at"},
	{"--count", GROUP_COUNT, OPTION_NUMBER, FOR_TRANSITIONS | FOR_SEQUENCES, "count",
		"frames, or transitions to list at most"},
	{"--fps", GROUP_REQUEST, OPTION_NUMBER, FOR_SEQUENCES, "fps", "frames a second"},
	{"--loops", GROUP_REQUEST, OPTION_NUMBER, FOR_SEQUENCES, "loops",
		"times that a sequence is shown; 0 is for ever"},
	{"--columns", GROUP_REQUEST, OPTION_NUMBER, FOR_SEQUENCES, "columns",
		"frames side by side in a sheet"},
	{"--dither", GROUP_REQUEST, OPTION_BOOL, FOR_SEQUENCES, "dither",
		"true or false: whether a GIF's colours are dithered"},
	{"--times", GROUP_REQUEST, OPTION_NUMBERS, FOR_FRAMES | FOR_SHEET, "times",
		"seconds of each frame, with commas between, instead of --start and the like"},
	{"--start", GROUP_TIMES, OPTION_NUMBER, FOR_FRAMES | FOR_SHEET, "start",
		"seconds into the pose's time of the first frame"},
	{"--end", GROUP_TIMES, OPTION_NUMBER, FOR_FRAMES | FOR_SHEET, "end",
		"seconds before which the last frame is"},
	{"--turntable", GROUP_TURNTABLE, OPTION_NUMBER, FOR_FRAMES, "count",
		"frames of a camera that goes round"},
	{"--start-yaw", GROUP_TURNTABLE, OPTION_NUMBER, FOR_FRAMES | FOR_TURNTABLE, "start_yaw",
		"degrees where it begins"},
	{"--degrees", GROUP_TURNTABLE, OPTION_NUMBER, FOR_FRAMES | FOR_TURNTABLE, "degrees",
		"how far it goes; default 360"},
	{"--as", GROUP_REQUEST, OPTION_TEXT, FOR_BAKE, "as",
		"morph or joints, GLBs; vertex_texture or joint_texture, tars"},
	{"--name", GROUP_REQUEST, OPTION_TEXT, FOR_BAKE, "name", "of a baked animation"},
	{"--prune", GROUP_REQUEST, OPTION_BOOL, FOR_BAKE | FOR_CLIP, "prune",
		"true: without the joints that nothing needs"},
	{"--precision", GROUP_REQUEST, OPTION_TEXT, FOR_BAKE, "precision",
		"of a vertex texture: half or float"},
	{"--space", GROUP_REQUEST, OPTION_TEXT, FOR_POSE, "space", "local, world or both"},
	{"--attributes", GROUP_REQUEST, OPTION_NAMES, FOR_VERTICES | FOR_EXAMPLE, "attributes",
		"position,normal,tangent"},
	{"--skinning", GROUP_SKINNING, OPTION_TEXT, FOR_SKINNED, "method",
		"a skinning method's id"},
	{"--device", GROUP_SKINNING, OPTION_TEXT, FOR_SKINNED, "device", "auto, gpu or cpu"},
	{"--normals", GROUP_SKINNING, OPTION_TEXT, FOR_SKINNED, "normals", "how normals follow"},
	{"--options", GROUP_SKINNING, OPTION_PAIRS, FOR_SKINNED, NULL,
		"of the method: name=value,name=value"},
	{"--width", GROUP_REQUEST, OPTION_NUMBER, FOR_PICTURES, "width", "pixels"},
	{"--height", GROUP_REQUEST, OPTION_NUMBER, FOR_PICTURES, "height", "pixels"},
	{"--size", GROUP_SIZE, OPTION_NUMBER, FOR_PICTURES, NULL, "pixels of both sides"},
	{"--samples", GROUP_REQUEST, OPTION_NUMBER, FOR_PICTURES, "samples", "samples per pixel"},
	{"--background", GROUP_REQUEST, OPTION_TEXT, FOR_PICTURES, "background",
		"#rrggbb or #rrggbbaa; default transparent"},
	{"--fit", GROUP_REQUEST, OPTION_TEXT, FOR_PICTURES, "fit", "pose, clip or rest"},
	{"--margin", GROUP_REQUEST, OPTION_NUMBER, FOR_PICTURES, "margin",
		"share of each side that is kept free; default 0.02"},
	{"--shadow", GROUP_REQUEST, OPTION_SWITCH, FOR_PICTURES, "shadow",
		"a soft shadow on the ground"},
	{"--grid", GROUP_REQUEST, OPTION_SWITCH, FOR_PICTURES, "grid", "a grid on the ground"},
	{"--shading", GROUP_SHADING, OPTION_TEXT, FOR_PICTURES, "mode",
		"what surfaces are coloured by: material, plain, matcap, checker, weights, ..."},
	{"--shading-options", GROUP_SHADING, OPTION_PAIRS, FOR_PICTURES, NULL,
		"of that: joint=Head,legend=true"},
	{"--overlays", GROUP_REQUEST, OPTION_NAMES, FOR_DRAWN, "overlays",
		"skeleton,wireframe,normals,bounds,trails,onion; or a list in JSON"},
	{"--environment", GROUP_REQUEST, OPTION_TEXT, FOR_PICTURES, "environment",
		"light from all around: studio, soft, neutral or none"},
	{"--exposure", GROUP_REQUEST, OPTION_NUMBER, FOR_PICTURES, "exposure", "in stops"},
	{"--tone-mapping", GROUP_REQUEST, OPTION_TEXT, FOR_PICTURES, "tone_mapping",
		"neutral, aces or linear"},
	{"--lights", GROUP_REQUEST, OPTION_BOOL, FOR_PICTURES, "lights",
		"true or false: whether the file's own lights shine"},
	{"--quality", GROUP_REQUEST, OPTION_NUMBER, FOR_PICTURES, "quality",
		"1 to 100, of formats that lose something, as WebP does then"},
	{"--lossless", GROUP_REQUEST, OPTION_BOOL, FOR_PICTURES, "lossless",
		"true or false: whether WebP or a tar loses nothing; default without --quality"},
	{"--worst", GROUP_REQUEST, OPTION_NUMBER, FOR_COMPARE, "worst",
		"vertices to list of each pair of methods"},
	{"--view", GROUP_REQUEST, OPTION_TEXT, FOR_COMPARE, "view",
		"a picture instead: side_by_side or heat"},
	{"--scale", GROUP_REQUEST, OPTION_NUMBER, FOR_COMPARE, "scale",
		"distance at which the colours end"},
	{"--camera", GROUP_CAMERA, OPTION_TEXT, FOR_PICTURES, "preset",
		"front, back, left, right, side, three_quarter, top, head or bust"},
	{"--node", GROUP_CAMERA, OPTION_TEXT, FOR_PICTURES, "node",
		"name or index of a node with a camera of the file's"},
	{"--yaw", GROUP_CAMERA, OPTION_NUMBER, FOR_PICTURES, "yaw", "degrees from the front"},
	{"--pitch", GROUP_CAMERA, OPTION_NUMBER, FOR_PICTURES, "pitch", "degrees from the horizon"},
	{"--distance", GROUP_CAMERA, OPTION_NUMBER, FOR_PICTURES, "distance", "eye to target"},
	{"--fov", GROUP_CAMERA, OPTION_NUMBER, FOR_PICTURES, "fov", "vertical degrees"},
	{"--target", GROUP_CAMERA, OPTION_NUMBERS, FOR_PICTURES, "target", "x,y,z"},
	{"--eye", GROUP_CAMERA, OPTION_NUMBERS, FOR_PICTURES, "eye", "x,y,z"},
	{"--up", GROUP_CAMERA, OPTION_NUMBERS, FOR_PICTURES, "up", "x,y,z"},
	{"--orthographic", GROUP_CAMERA, OPTION_SWITCH, FOR_PICTURES, "orthographic",
		"parallel lines of sight"},
	{"--view-height", GROUP_CAMERA, OPTION_NUMBER, FOR_PICTURES, "height",
		"what an orthographic picture's height shows, in the rig's units"},
	{NULL, GROUP_PROGRAM, OPTION_SWITCH, FOR_ANY, NULL, NULL},
};

_Static_assert(sizeof options / sizeof *options <= OPTIONS_MAX, "room for every option's value");

/* The option of a flag of [length]. */
static size_t find_part(const char *flag, size_t length) {
	size_t i = 0;
	while (options[i].flag &&
		(strlen(options[i].flag) != length ||
			strncmp(options[i].flag, flag, length) != 0)) {
		i++;
	}
	return i;
}

static size_t find(const char *flag) {
	return find_part(flag, strlen(flag));
}

static bool refuse(const char *problem, const char *subject) {
	fprintf(stderr, "pose: %s \"%s\"; see pose --help\n", problem, subject);
	return false;
}

/* Reads an option whose value is within it or next; *took_next: next is its value. NULL = there is
 * no next. */
static bool read_option(
	const char *word, const char *next, struct arguments *out, bool *took_next) {
	const size_t length = strcspn(word, "=");
	const char *within = word[length] ? word + length + 1 : NULL;
	const size_t at = find_part(word, length);
	if (!options[at].flag) {
		return refuse("no option", word);
	}
	const bool is_switch = options[at].kind == OPTION_SWITCH;
	if (out->values[at]) {
		return refuse("given twice:", word);
	}
	if (is_switch && within) {
		return refuse("no value is taken by", options[at].flag);
	}
	if (!is_switch && !within && !next) {
		return refuse("a value is missing behind", word);
	}
	*took_next = !is_switch && !within;
	out->values[at] = is_switch ? "" : within ? within : next;
	return true;
}

static bool add_plain(const char *word, struct arguments *out) {
	if (out->plain_count == ARGUMENTS_MAX) {
		return refuse("too many arguments at", word);
	}
	out->plain[out->plain_count++] = word;
	return true;
}

bool arguments_read(int argc, char **argv, struct arguments *out) {
	*out = (struct arguments){0};
	bool ended = false;
	for (int i = 1; i < argc; i++) {
		const bool is_end = !ended && strcmp(argv[i], OPTIONS_END) == 0;
		const bool is_plain = ended || argv[i][0] != '-' || argv[i][1] == '\0';
		bool took_next = false;
		ended |= is_end;
		if (!is_end &&
			!(is_plain ? add_plain(argv[i], out)
				   : read_option(argv[i], i + 1 < argc ? argv[i + 1] : NULL, out,
					     &took_next))) {
			return false;
		}
		i += took_next;
	}
	return true;
}

const char *arguments_value(const struct arguments *arguments, const char *flag) {
	return arguments->values[find(flag)];
}

bool option_fits(const struct option *option, unsigned bits) {
	return option->commands == FOR_ANY || (option->commands & bits) != 0;
}

bool arguments_check(const struct arguments *arguments, const char *command, unsigned bit) {
	for (size_t i = 0; options[i].flag; i++) {
		if (arguments->values[i] && !option_fits(&options[i], bit)) {
			fprintf(stderr, "pose: %s is not for \"pose %s\"; see pose --help\n",
				options[i].flag, command);
			return false;
		}
	}
	return true;
}

void options_print(unsigned bits) {
	for (size_t i = 0; options[i].flag; i++) {
		if (option_fits(&options[i], bits)) {
			printf("  %-14s %s\n", options[i].flag, options[i].help);
		}
	}
}
