/* The commands of `pose`: one row each. */
#pragma once

#include "base/buffer.h"
#include "options.h"

struct command;

/* Returns the exit status. */
typedef int run_command(const struct command *command, const struct arguments *arguments);

struct command {
	const char *name;
	const char *usage; // its arguments; a choice of words is written "put|list"
	const char *help;
	size_t least, most; // arguments behind the name
	unsigned bit;       // FOR_ bit of its options
	run_command *run;
};

/* The table, ended by a NULL name. */
extern const struct command commands[];

run_command run_put, run_list, run_show, run_compatibility, run_delete, run_watch;     // rigs
run_command run_clip, run_example, run_fit;                                            // of a rig
run_command run_pose, run_vertices, run_mesh, run_bake, run_transitions, run_compress; // numbers
run_command run_check, run_convert, run_optimise;
run_command run_frames, run_turntable, run_sheet; // many pictures in one file

/* Puts an asset under a name; what the daemon says goes to standard output. The exit status. */
int rigs_put(const struct arguments *arguments, const char *name, const struct buffer *asset);
