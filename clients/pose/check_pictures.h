/* Pictures of findings, for the HTML report of a check, and of two versions of an asset. */
#pragma once

#include "base/arena.h"
#include "base/check.h"
#include "check_approved.h"
#include "check_options.h"
#include "interface/against.h"
#include "interface/checks.h"

/* Draws pictures, on the thread that made it. */
struct check_pictures;

/* NULL where the options want no pictures, and none are to be compared with others. */
struct check_pictures *check_pictures_create(
	const struct check_options *options, size_t files, bool compared);
void check_pictures_destroy(struct check_pictures *pictures); // takes NULL

/* Draws findings of a file, the worst first, into the arena. The earlier version may be NULL. */
void check_pictures_draw(struct check_pictures *pictures, const struct check_against_job *versions,
	struct arena *arena, struct check_file *file);

/* Compares pictures of an asset with those of an earlier version, where there can be any. */
void check_pictures_against(
	struct check_pictures *pictures, const struct check_against_job *versions);

/* Compares them with approved ones, or approves them. */
void check_pictures_approved(struct check_pictures *pictures, struct check_approved *approved,
	struct check_approved_asset *asset);

/* The reason why there are none, in the arena; NULL = there are. Takes NULL. */
const char *check_pictures_lack(const struct check_pictures *pictures, struct arena *arena);
