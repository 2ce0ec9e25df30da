// The options, and reading a command line by them.
#include "options.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "asset_query.h"
#include "base/check_profile.h"
#include "check_outputs.h"
#include "checks/report.h"
#include "interface/assets.h"
#include "interface/sequences.h"
#include "members.h"
#include "sheet.h"
#include "show.h"

/* Options that no member of a request stands behind, or several do. */
static const struct option own[] = {
	{"--server", GROUP_PROGRAM, OPTION_TEXT, FOR_ANY, NULL,
		"the daemon's address (or POSED_SERVER), also unix:/PATH; default "
		"http://127.0.0.1:8600",
		NULL, NULL},
	{"--token-file", GROUP_PROGRAM, OPTION_FILE, FOR_ANY, NULL,
		"file of the token for the daemon (or POSED_TOKEN, the token itself)", NULL, NULL},
	{"-o", GROUP_PROGRAM, OPTION_FILE, FOR_POSED | FOR_MESH | FOR_CROWD | FOR_CONVERT, NULL,
		"file to write; - is standard output", NULL, NULL},
	{"--units", GROUP_PROGRAM, OPTION_TEXT, FOR_ASSET, NULL,
		"unit of the FILE in place of what it says: m, cm, mm, in, ft, or metres; not of "
		"glTF",
		NULL, NULL},
	{"--up", GROUP_PROGRAM, OPTION_TEXT, FOR_ASSET, NULL,
		"axis of the FILE that points up, in place of what it says; not of glTF",
		asset_up_names, NULL},
	{"--uses", GROUP_PROGRAM, OPTION_TEXT,
		FOR_PICTURES | FOR_CONVERT | FOR_OPTIMISE | FOR_VERTICES | FOR_MESH | FOR_BAKE |
			FOR_COMPRESS,
		NULL,
		"uses, with commas between, that the licence of an avatar's FILE has to allow",
		licence_use_names, NULL},
	{"--json", GROUP_PROGRAM, OPTION_SWITCH, FOR_ANY, NULL,
		"vertices, lists and errors as JSON, also at a terminal", NULL, NULL},
	{"--quiet", GROUP_PROGRAM, OPTION_SWITCH, FOR_ANY, NULL, "print no warnings", NULL, NULL},
	{"--format", GROUP_PROGRAM, OPTION_TEXT, FOR_PICTURES | FOR_CROWD, NULL,
		"of a picture or a sequence (default: the ending of -o)", NULL, NULL},
	{"--show", GROUP_PROGRAM, OPTION_TEXT, FOR_PICTURES | FOR_CROWD, NULL,
		"shows the picture in the terminal", show_ways, NULL},
	{"--tolerance", GROUP_PROGRAM, OPTION_NUMBER, FOR_COMPARE, NULL,
		"distance in the rig's unit from which methods are too far apart: exit status 5",
		NULL, NULL},
	{"--tolerance", GROUP_PROGRAM, OPTION_TEXT, FOR_COMPRESS, NULL,
		"greatest error of compressed clips: 0.1mm, metres, or 0.01% of the rig's diagonal",
		NULL, NULL},
	{"--tolerance", GROUP_PROGRAM, OPTION_TEXT, FOR_CLIP, NULL,
		"greatest error of a baked clip: 0.01mm, metres, 0.001% of the diagonal, or raw",
		NULL, NULL},
	{"--vertices", GROUP_PROGRAM, OPTION_SWITCH, FOR_CROWD, NULL,
		"vertices as float32 instead of a picture", NULL, NULL},
	{"--glb", GROUP_PROGRAM, OPTION_SWITCH, FOR_VERTICES | FOR_CLIP, NULL,
		"vertices as GLB, with materials and textures; a clip with the nodes", NULL, NULL},
	{"--raw", GROUP_PROGRAM, OPTION_SWITCH, FOR_EXAMPLE, NULL,
		"an example's vertices as float32", NULL, NULL},
	{"--targets", GROUP_PROGRAM, OPTION_TEXT, FOR_EXAMPLE, NULL,
		"morph weights by node, in JSON, that make an example's vertices", NULL, NULL},
	{"--map", GROUP_PROGRAM, OPTION_TEXT, FOR_CLIP, NULL,
		"joints of a file's clip: auto, names, or JSON {\"theirs\": \"ours\"}", NULL, NULL},
	{"--scale", GROUP_PROGRAM, OPTION_TEXT, FOR_CLIP, NULL,
		"of a file's translations: hips, none or a number", NULL, NULL},
	{"--cancel", GROUP_PROGRAM, OPTION_TEXT, FOR_FIT, NULL, "id of a fit to cancel", NULL,
		NULL},
	{"--pose", GROUP_WHOLE, OPTION_JSON, FOR_POSED, "pose",
		"a pose expression in JSON instead of --clip", NULL, NULL},
	{"--avatar", GROUP_WHOLE, OPTION_SWITCH, FOR_RESULTS | FOR_CLIP | FOR_BAKE, "avatar",
		"with what a VRM avatar adds to the pose: face, constraints, springs at rest", NULL,
		NULL},
	{"--count", GROUP_COUNT, OPTION_NUMBER, FOR_TRANSITIONS | FOR_SEQUENCES, "count",
		"frames, or transitions to list at most", NULL, NULL},
	{"--times", GROUP_REQUEST, OPTION_NUMBERS, FOR_FRAMES | FOR_SHEET, "times",
		"seconds of each frame, with commas between, instead of --start and the like", NULL,
		NULL},
	{"--turntable", GROUP_TURNTABLE, OPTION_NUMBER, FOR_FRAMES, "count",
		"frames of a camera that goes round", NULL, NULL},
	{"--size", GROUP_SIZE, OPTION_NUMBER, FOR_PICTURES, NULL, "pixels of both sides", NULL,
		NULL},
	{"--options", GROUP_SKINNING, OPTION_PAIRS, FOR_SKINNED, NULL,
		"of the method: name=value,name=value", NULL, NULL},
	{"--shading-options", GROUP_SHADING, OPTION_PAIRS, FOR_PICTURES, NULL,
		"of the shading: joint=Head,legend=true", NULL, NULL},
};

static const char *const levels[] = {"error", "warning", "note", "never", NULL};

static const char *const picture_choices[] = {"none", "stills", "animated", NULL};

static const char *const normal_bits_choices[] = {"8", "16", NULL};

/* Options of checks and of optimising, some of which have the flag of another command's option. */
static const struct option of_files[] = {
	{"-o", GROUP_PROGRAM, OPTION_FILE, FOR_OPTIMISE, NULL,
		"file to write, or a folder, with / at its end if it is to be made", NULL, NULL},
	{"--tolerance", GROUP_PROGRAM, OPTION_TEXT, FOR_OPTIMISE, NULL,
		"distance that points may be off: 0.1mm, metres, or 0.05% of the diagonal; "
		"default: "
		"0.1 mm for a figure of 1.8 m",
		NULL, NULL},
	{"--meshopt", GROUP_PROGRAM, OPTION_SWITCH, FOR_OPTIMISE, NULL,
		"pack keys and meshes with EXT_meshopt_compression, which readers then need", NULL,
		NULL},
	{"--quantise-mesh", GROUP_PROGRAM, OPTION_SWITCH, FOR_OPTIMISE, NULL,
		"make vertices integers (KHR_mesh_quantization), which readers then need", NULL,
		NULL},
	{"--normal-bits", GROUP_PROGRAM, OPTION_TEXT, FOR_OPTIMISE, NULL,
		"of numbers of normals and tangents with --quantise-mesh; default: 8",
		normal_bits_choices, NULL},
	{"--prune", GROUP_PROGRAM, OPTION_SWITCH, FOR_OPTIMISE, NULL,
		"take out joints that move nothing and that nothing names", NULL, NULL},
	{"--profile", GROUP_PROGRAM, OPTION_FILE, FOR_CHECK, NULL,
		"limits to check by: a name, or a rules file", check_profile_names, NULL},
	{"--rules", GROUP_PROGRAM, OPTION_FILE, FOR_CHECK, NULL,
		"rules file that changes the profile's limits", NULL, NULL},
	{"--only", GROUP_PROGRAM, OPTION_TEXTS, FOR_CHECK, NULL,
		"id of a rule, or a glob such as motion/*, to check alone; may be given again",
		NULL, NULL},
	{"--skip", GROUP_PROGRAM, OPTION_TEXTS, FOR_CHECK, NULL,
		"id of a rule, or a glob, to leave out; may be given again", NULL, NULL},
	{"--clip", GROUP_PROGRAM, OPTION_TEXTS, FOR_CHECK, NULL,
		"name of a clip, or a glob, to check alone; may be given again", NULL, NULL},
	{"--fail-on", GROUP_PROGRAM, OPTION_TEXT, FOR_CHECK, NULL,
		"level of findings from which on the exit status is 5", levels, NULL},
	{"--html-pictures", GROUP_PROGRAM, OPTION_TEXT, FOR_CHECK, NULL,
		"pictures of findings in the page; default: stills", picture_choices, NULL},
	{"--against", GROUP_PROGRAM, OPTION_FILE, FOR_CHECK, NULL,
		"an earlier version of the asset: report what differs", NULL, NULL},
	{"--pictures", GROUP_PROGRAM, OPTION_FILE, FOR_CHECK, NULL,
		"folder of approved pictures: report what looks different", NULL, NULL},
	{"--approve", GROUP_PROGRAM, OPTION_SWITCH, FOR_CHECK, NULL,
		"store pictures that no approved one is like in the folder of --pictures", NULL,
		NULL},
	{"--baseline", GROUP_PROGRAM, OPTION_FILE, FOR_CHECK, NULL,
		"earlier report in JSON: only new findings, and worse ones, count", NULL, NULL},
	{"--update-baseline", GROUP_PROGRAM, OPTION_FILE, FOR_CHECK, NULL,
		"file for this run's report, for the next run's --baseline", NULL, NULL},
	{"--jobs", GROUP_PROGRAM, OPTION_NUMBER, FOR_CHECK, NULL,
		"threads that check; default: one for each core", NULL, NULL},
	{"--list-rules", GROUP_PROGRAM, OPTION_SWITCH, FOR_CHECK, NULL,
		"print a table of all rules with the profile's limits", NULL, NULL},
	{"--explain", GROUP_PROGRAM, OPTION_TEXT, FOR_CHECK, NULL,
		"id of a rule: print what it measures, its limits, an example, and how to mend a "
		"fault",
		NULL, NULL},
	{"--metrics-labels", GROUP_PROGRAM, OPTION_SWITCH, FOR_CHECK, NULL,
		"name files and clips in --openmetrics, too", NULL, NULL},
	{"--timing", GROUP_PROGRAM, OPTION_SWITCH, FOR_CHECK, NULL,
		"put times into reports, which else are the same for the same input", NULL, NULL},
	{"--quiet", GROUP_PROGRAM, OPTION_SWITCH, FOR_CHECK, NULL,
		"print no findings, only errors of the command itself", NULL, NULL},
};

/* The commands that write the members of each table. */
static const struct use {
	const struct member_table *table;
	unsigned commands;
	const char *only; // the one member that they write; NULL = all
} uses[] = {
	{&clip_pose_members, FOR_POSED, NULL},
	{&pose_members, FOR_POSE, NULL},
	{&attributes_member, FOR_VERTICES | FOR_EXAMPLE, NULL},
	{&skinning_members, FOR_SKINNED, NULL},
	{&picture_members, FOR_PICTURES, NULL},
	{&camera_members, FOR_PICTURES, NULL},
	{&shading_members, FOR_PICTURES, NULL},
	{&view_member, FOR_DRAWN, NULL},
	{&variant_member, FOR_DRAWN, NULL},
	{&overlays_member, FOR_DRAWN, NULL},
	{&frames_members, FOR_SEQUENCES, NULL},
	{&times_members, FOR_FRAMES | FOR_SHEET, NULL},
	{&turntable_members, FOR_FRAMES | FOR_TURNTABLE, NULL},
	{&compare_members, FOR_COMPARE, NULL},
	{&bake_members, FOR_BAKE, NULL},
	{&motion_members, FOR_BAKE, NULL},
	{&bake_members, FOR_CLIP, "prune"},
	{&clip_members, FOR_CLIP, NULL},
	{&transitions_members, FOR_TRANSITIONS, NULL},
	{&compression_request_members, FOR_COMPRESS, NULL},
};

static enum option_group group_of(const struct member_table *table) {
	static const struct {
		const char *object;
		enum option_group group;
	} groups[] = {
		{"pose", GROUP_POSE},
		{"skinning", GROUP_SKINNING},
		{"camera", GROUP_CAMERA},
		{"shading", GROUP_SHADING},
		{"times", GROUP_TIMES},
		{"turntable", GROUP_TURNTABLE},
	};
	for (size_t i = 0; table->object && i < sizeof groups / sizeof *groups; i++) {
		if (strcmp(groups[i].object, table->object) == 0) {
			return groups[i].group;
		}
	}
	return GROUP_REQUEST;
}

static enum option_kind kind_of(const struct member *member) {
	if (member->may_be_bool) {
		return OPTION_SWITCH;
	}
	switch (member_text(member)) {
	case TEXT_WHOLE:
	case TEXT_NUMBER:
		return OPTION_NUMBER;
	case TEXT_NUMBERS:
		return OPTION_NUMBERS;
	case TEXT_NAMES:
		return OPTION_NAMES;
	case TEXT_BOOL:
		// A flag alone stands for what is not so anyway.
		return member->text == TEXT_BOOL || member->standard != 0 ? OPTION_BOOL
									  : OPTION_SWITCH;
	case TEXT_BY_TYPE:
	case TEXT_PLAIN:
		break;
	}
	return OPTION_TEXT;
}

static bool has_flag(const struct option *option, const char *flag, size_t length) {
	return strlen(option->flag) == length && strncmp(option->flag, flag, length) == 0;
}

/* The option of this flag for a command; else the first one for another; else the count. */
static size_t find_option(
	const struct options *options, const char *flag, size_t length, unsigned bit) {
	size_t found = options->count;
	for (size_t i = options->count; i-- > 0;) {
		if (has_flag(&options->items[i], flag, length) &&
			(found == options->count || option_fits(options, i, bit) ||
				!option_fits(options, found, bit))) {
			found = i;
		}
	}
	return found;
}

static size_t find_flag(const struct options *options, const char *flag, size_t length) {
	return find_option(options, flag, length, 0);
}

/* True when an option stands for a member, too: one of another request that takes the same, or of
 * its own in place of the member. */
static bool stands_for(
	const struct option *option, const struct use *use, const struct member *member) {
	return option->member ? option->choices == member->choices
			      : (option->commands & use->commands) != 0;
}

/* Adds a member as an option, unless one that is there stands for it: that is for more commands. */
static void add_member(
	struct options *options, const struct use *use, const struct member *member) {
	assert(options->count < OPTIONS_MAX);
	char *flag = options->flags[options->count];
	const int length = snprintf(flag, sizeof *options->flags, "--%s", member->parameter);
	assert((size_t)length < sizeof *options->flags);
	for (char *c = flag; *c; c++) {
		*c = *c == '_' ? '-' : *c;
	}
	for (size_t i = 0; i < options->count; i++) {
		if (has_flag(&options->items[i], flag, (size_t)length) &&
			stands_for(&options->items[i], use, member)) {
			options->items[i].commands |= use->commands;
			return;
		}
	}
	options->items[options->count++] =
		(struct option){flag, group_of(use->table), kind_of(member), use->commands,
			member->name, member->help, member->choices, member};
}

/* Adds an option for each format of reports but text, which comes anyway. */
static void add_reports(struct options *options) {
	for (const struct check_report_format *format = check_report_formats; format->name;
		format++) {
		if (strcmp(format->name, "text") == 0) {
			continue;
		}
		assert(options->count < OPTIONS_MAX);
		char *flag = options->flags[options->count];
		snprintf(flag, sizeof *options->flags, "--%s", format->name);
		options->items[options->count++] = (struct option){
			.flag = flag,
			.group = GROUP_PROGRAM,
			.kind = check_report_has_file(format) ? OPTION_FILE : OPTION_SWITCH,
			.commands = FOR_CHECK,
			.help = format->help,
		};
	}
}

static void list_formats(struct options *options) {
	size_t count = 0;
	const struct picture_format *picture;
	for (size_t i = 0; (picture = picture_format(i)); i++) {
		options->formats[count++] = picture->name;
	}
	const struct sequence_format *sequence;
	for (size_t i = 0; (sequence = sequence_format(i)); i++) {
		if (!sequence->is_live && !picture_format_named(sequence->name)) {
			options->formats[count++] = sequence->name;
		}
	}
	options->formats[count++] = SHEET_MAP_NAME;
	assert(count <= OPTION_FORMATS_MAX);
}

void options_list(struct options *out) {
	*out = (struct options){.count = sizeof own / sizeof *own};
	memcpy(out->items, own, sizeof own);
	list_formats(out);
	out->items[find_flag(out, "--format", strlen("--format"))].choices = out->formats;
	for (size_t u = 0; u < sizeof uses / sizeof *uses; u++) {
		for (size_t i = 0; i < uses[u].table->count; i++) {
			const struct member *member = &uses[u].table->members[i];
			const bool is_used =
				!uses[u].only || strcmp(uses[u].only, member->name) == 0;
			if (member->parameter && !member->not_on_command_line && is_used) {
				add_member(out, &uses[u], member);
			}
		}
	}
	for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++) {
		assert(out->count < OPTIONS_MAX);
		out->items[out->count++] = of_files[i];
	}
	add_reports(out);
}

static bool refuse(const char *problem, const char *subject) {
	fprintf(stderr, "pose: %s \"%s\"; see pose --help\n", problem, subject);
	return false;
}

/* Adds to the texts of an option, of which there are at most `most`. */
static void add_text(
	struct arguments *out, size_t option, const char *text, size_t most, struct arena *arena) {
	if (!out->texts[option]) {
		out->texts[option] = arena_alloc(arena, most + 1, sizeof *out->texts[option]);
	}
	size_t count = 0;
	while (out->texts[option][count]) {
		count++;
	}
	out->texts[option][count] = text;
}

/* True when a word is the value of a switch that may have one. */
static bool is_choice(const struct option *option, const char *word) {
	for (size_t i = 0; word && option->choices && option->choices[i]; i++) {
		if (strcmp(option->choices[i], word) == 0) {
			return true;
		}
	}
	return false;
}

/* Reads an option whose value is within it or next; *took_next: next is its value. NULL = there is
 * no next. */
static bool read_option(
	const char *word, const char *next, struct arguments *out, size_t *found, bool *took_next) {
	const size_t length = strcspn(word, "=");
	const char *within = word[length] ? word + length + 1 : NULL;
	const struct option *options = out->options->items;
	const size_t at = find_option(out->options, word, length, out->bit);
	if (at == out->options->count) {
		return refuse("no option", word);
	}
	const bool is_switch = options[at].kind == OPTION_SWITCH;
	if (out->values[at] && options[at].kind != OPTION_TEXTS) {
		return refuse("given twice:", word);
	}
	if (is_switch && within && !options[at].choices) {
		return refuse("no value is taken by", options[at].flag);
	}
	if (!is_switch && !within && !next) {
		return refuse("a value is missing behind", word);
	}
	*took_next = !within && (!is_switch || is_choice(&options[at], next));
	*found = at;
	out->values[at] = within ? within : *took_next ? next : "";
	return true;
}

bool arguments_read(int argc, char **argv, const struct options *options, unsigned bit,
	struct arena *arena, struct arguments *out) {
	const size_t most = argc > 1 ? (size_t)argc - 1 : 0;
	*out = (struct arguments){.options = options, .bit = bit};
	out->plain = arena_alloc(arena, most + 1, sizeof *out->plain);
	bool ended = false;
	for (int i = 1; i < argc; i++) {
		const bool is_end = !ended && strcmp(argv[i], OPTIONS_END) == 0;
		const bool is_plain = ended || argv[i][0] != '-' || argv[i][1] == '\0';
		bool took_next = false;
		size_t at = 0;
		ended |= is_end;
		if (is_plain && !is_end) {
			out->plain[out->plain_count++] = argv[i];
		}
		if (is_plain || is_end) {
			continue;
		}
		const char *next = i + 1 < argc ? argv[i + 1] : NULL;
		if (!read_option(argv[i], next, out, &at, &took_next)) {
			return false;
		}
		if (options->items[at].kind == OPTION_TEXTS) {
			add_text(out, at, out->values[at], most, arena);
		}
		i += took_next;
	}
	return true;
}

static size_t position_of(const struct arguments *arguments, const char *flag) {
	const size_t at = find_option(arguments->options, flag, strlen(flag), arguments->bit);
	assert(at < arguments->options->count);
	return at;
}

const char *arguments_value(const struct arguments *arguments, const char *flag) {
	return arguments->values[position_of(arguments, flag)];
}

void arguments_set(struct arguments *arguments, const char *flag, const char *value) {
	arguments->values[position_of(arguments, flag)] = value;
}

const char *const *arguments_texts(const struct arguments *arguments, const char *flag) {
	return (const char *const *)arguments->texts[position_of(arguments, flag)];
}

bool arguments_want_json(const struct arguments *arguments) {
	const size_t at = position_of(arguments, "--json");
	return arguments->values[at] && arguments->options->items[at].kind == OPTION_SWITCH;
}

bool option_fits(const struct options *options, size_t i, unsigned bits) {
	const struct option *option = &options->items[i];
	bool hidden = false;
	for (size_t k = 0; option->commands == FOR_ANY && bits && k < options->count; k++) {
		const struct option *other = &options->items[k];
		hidden |=
			(other->commands & bits) == bits && strcmp(other->flag, option->flag) == 0;
	}
	return option->commands == FOR_ANY ? !hidden : (option->commands & bits) != 0;
}

bool option_has_namesakes(const struct options *options, size_t i) {
	size_t count = 0;
	for (size_t k = 0; k < options->count; k++) {
		count += strcmp(options->items[k].flag, options->items[i].flag) == 0;
	}
	return count > 1;
}

bool arguments_check(const struct arguments *arguments, const char *command, unsigned bit) {
	const struct options *options = arguments->options;
	for (size_t i = 0; i < options->count; i++) {
		if (arguments->values[i] && !option_fits(options, i, bit)) {
			fprintf(stderr, "pose: %s is not for \"pose %s\"; see pose --help\n",
				options->items[i].flag, command);
			return false;
		}
	}
	return true;
}

/* Prints the choices that an option has, its unit and its default. */
static void print_facts(const struct option *option) {
	for (size_t i = 0; option->choices && option->choices[i]; i++) {
		printf("%s%s", i ? ", " : ": ", option->choices[i]);
	}
	const struct member *row = option->row;
	const bool has_default = row && row->standard != 0 &&
		(row->type == MEMBER_INTEGER || (row->type == MEMBER_NUMBER && row->standard > 0));
	if (row && row->unit) {
		printf(has_default ? " [%s, default %g]" : " [%s]", row->unit, row->standard);
	} else if (has_default) {
		printf(" [default %g]", row->standard);
	}
}

void options_print(const struct options *options, unsigned bits) {
	for (size_t i = 0; i < options->count; i++) {
		const struct option *option = &options->items[i];
		if (option_fits(options, i, bits)) {
			const char *start = option->kind == OPTION_BOOL ? "true or false: " : "";
			printf("  %-14s %s%s", option->flag, start, option->help);
			print_facts(option);
			putchar('\n');
		}
	}
}
