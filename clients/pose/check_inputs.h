/* The assets that a check is of. */
#pragma once

#include "asset.h"
#include "checks/baseline.h"
#include "interface/clips.h"
#include "options.h"

struct check_input {
	const char *path;    // as given, or as found in a folder that was given
	struct buffer bytes; // of a rig, and of standard input
	bool is_rig;         // of a daemon
	bool has_bytes;      // else they are to be read from the path
	/* [clip_count] of a rig, that are stored beside its file. */
	const struct clip_file *clips;
	size_t clip_count;
};

struct check_inputs {
	struct check_input *items; // [count]
	size_t count;
	const struct check_input *against; // the earlier version of the only one; NULL = none
};

/* Finds what the arguments from `first` on name, and what --against does: files, folders with the
 * assets in them and in folders below, sorted by path, rigs of the daemon, "-" for standard input.
 * Symbolic links in folders are not followed. Rigs, with
 * their stored clips, and standard input are read. All of it is in the
 * arena. STATUS_OK, or the exit status with the sentence on standard error. */
int check_inputs_find(const struct arguments *arguments, size_t first, struct arena *arena,
	struct check_inputs *out);

/* Reads the report that --baseline names, into the arena; NULL where it names none. STATUS_OK, or
 * the exit status with the sentence on standard error. */
int check_inputs_baseline(
	const struct arguments *arguments, struct arena *arena, const struct check_baseline **out);
