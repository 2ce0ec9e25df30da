/* Command-line options: what each is called, what it takes and where it goes in a request. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* The member of the request that an option sets. */
enum option_group {
	GROUP_PROGRAM,   // nowhere: it is for the client itself
	GROUP_REQUEST,   // the request's own members
	GROUP_POSE,      // "pose", by its members
	GROUP_WHOLE,     // "pose", as an expression, and what comes on top of it
	GROUP_SKINNING,  // "skinning"
	GROUP_CAMERA,    // "camera"
	GROUP_SHADING,   // "shading"
	GROUP_TIMES,     // "times"
	GROUP_TURNTABLE, // "turntable"
	GROUP_COUNT,     // of what a command makes many of
	GROUP_SIZE,      // width and height
};

enum option_kind {
	OPTION_TEXT,
	OPTION_TEXTS, // one of several: the option may be given again
	OPTION_FILE,  // a path
	OPTION_NUMBER,
	OPTION_NUMBERS, // separated by commas: "1,0.5,0"
	OPTION_NAMES,   // separated by commas: "position,normal"; or a list in JSON
	OPTION_JSON,    // goes in as it is
	OPTION_PAIRS,   // members of its group: "lambda=3,variant=v1"
	OPTION_SWITCH,  // takes no value, or one of its choices
	OPTION_BOOL,    // true or false
};

/* Commands that an option is for, as bits. */
enum command_bits {
	FOR_ANY = 0,
	FOR_POSE = 1 << 0,
	FOR_VERTICES = 1 << 1,
	FOR_FRAME = 1 << 2,
	FOR_COMPARE = 1 << 3,
	FOR_MESH = 1 << 4,
	FOR_EXAMPLE = 1 << 5,
	FOR_FIT = 1 << 6,
	FOR_CLIP = 1 << 7,
	FOR_CROWD = 1 << 8,
	FOR_TRANSITIONS = 1 << 9,
	FOR_BAKE = 1 << 10,
	FOR_FRAMES = 1 << 11,
	FOR_TURNTABLE = 1 << 12,
	FOR_SHEET = 1 << 13,
	FOR_WATCH = 1 << 14,
	FOR_CHECK = 1 << 15,
	FOR_CONVERT = 1 << 16,
	FOR_PUT = 1 << 17,
	FOR_COMPRESS = 1 << 18,
	FOR_OPTIMISE = 1 << 19,
	FOR_SHOW = 1 << 20,
	FOR_SEQUENCES = FOR_FRAMES | FOR_TURNTABLE | FOR_SHEET,
	FOR_DRAWN = FOR_FRAME | FOR_WATCH | FOR_SEQUENCES,
	FOR_PICTURES = FOR_DRAWN | FOR_COMPARE,
	FOR_NUMBERS = FOR_POSE | FOR_VERTICES | FOR_MESH | FOR_BAKE | FOR_SHOW | FOR_COMPRESS,
	FOR_ASSET = FOR_PICTURES | FOR_CONVERT | FOR_PUT | FOR_CLIP | FOR_NUMBERS,
	FOR_RESULTS = FOR_POSE | FOR_VERTICES | FOR_PICTURES,
	FOR_SKINNED = FOR_VERTICES | FOR_DRAWN | FOR_BAKE | FOR_COMPRESS,
	FOR_POSED =
		FOR_RESULTS | FOR_EXAMPLE | FOR_CLIP | FOR_TRANSITIONS | FOR_BAKE | FOR_COMPRESS,
};

struct member;

/* One that is for some commands hides those of its flag that are for others or for every command.
 */
struct option {
	const char *flag; // "--clip"
	enum option_group group;
	enum option_kind kind;
	unsigned commands;          // FOR_ bits; 0 = every command
	const char *member;         // its name in the request; NULL for GROUP_PROGRAM
	const char *help;           // without choices, unit and default
	const char *const *choices; // ended by NULL; NULL = there are no such
	const struct member *row;   // the request's member that it is made of; NULL = it is our own
};

#define OPTIONS_MAX 128

/* Names of formats, of pictures and sequences together. */
#define OPTION_FORMATS_MAX 24

/* All options: those of this program, and one for each member of the requests that it writes. */
struct options {
	struct option items[OPTIONS_MAX];
	size_t count;
	char flags[OPTIONS_MAX][32]; // of those that are made of members
	const char *formats[OPTION_FORMATS_MAX + 1];
};

/* Lists them. The result points into itself: it cannot be copied. */
void options_list(struct options *out);

/* Arguments behind it are no options, whatever they begin with. */
#define OPTIONS_END "--"

/* A command line taken apart. Strings are borrowed from argv, lists are in the arena. */
struct arguments {
	const struct options *options; // borrowed
	unsigned bit;                  // FOR_ bit of the command
	const char **plain;            // [plain_count] that are no options, in order
	size_t plain_count;
	const char *values[OPTIONS_MAX]; // by position in options->items; NULL = not given
	const char **texts[OPTIONS_MAX]; // ended by NULL; of those that may be given again
};

/* Takes a command line apart: "--yaw 30" and "--yaw=30" are the same. Says on standard error what
 * is wrong with it and returns false.
 *
 * bit   FOR_ bit of the command, by which options of the same flag are told apart */
bool arguments_read(int argc, char **argv, const struct options *options, unsigned bit,
	struct arena *arena, struct arguments *out);

/* The value of an option by its flag; NULL = not given. */
const char *arguments_value(const struct arguments *arguments, const char *flag);

/* Gives an option another value, or none: NULL. */
void arguments_set(struct arguments *arguments, const char *flag, const char *value);

/* All values of an option that may be given again, ended by NULL; NULL = not given. */
const char *const *arguments_texts(const struct arguments *arguments, const char *flag);

/* True when results and errors are to be JSON. */
bool arguments_want_json(const struct arguments *arguments);

/* Refuses options that are not for this command (a FOR_ bit), by name on standard error. */
bool arguments_check(const struct arguments *arguments, const char *command, unsigned bit);

/* True when option i is for a command of these FOR_ bits. */
bool option_fits(const struct options *options, size_t i, unsigned bits);

/* True when there are several options of this one's flag. */
bool option_has_namesakes(const struct options *options, size_t i);

/* Prints the options that are for commands of these FOR_ bits to standard output. */
void options_print(const struct options *options, unsigned bits);
