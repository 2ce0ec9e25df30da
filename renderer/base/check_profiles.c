/* The profiles that are built in, as differences from "game", whose limits the rules have
 * themselves. */
#include "base/check_profile.h"

#include <math.h>
#include <string.h>

const char *const check_profile_names[CHECK_PROFILE_COUNT + 1] = {
	[CHECK_PROFILE_WEB] = "web",
	[CHECK_PROFILE_MOBILE] = "mobile",
	[CHECK_PROFILE_GAME] = "game",
	[CHECK_PROFILE_VRM] = "vrm",
	[CHECK_PROFILE_CINEMATIC] = "cinematic",
	[CHECK_PROFILE_STRICT] = "strict",
};

const char *const check_profile_uses[CHECK_PROFILE_COUNT + 1] = {
	[CHECK_PROFILE_WEB] = "previews and shops",
	[CHECK_PROFILE_MOBILE] = "phones and crowds in VR",
	[CHECK_PROFILE_GAME] = "game engines",
	[CHECK_PROFILE_VRM] = "humanoid avatars",
	[CHECK_PROFILE_CINEMATIC] = "film and close-ups",
	[CHECK_PROFILE_STRICT] = "every small thing, as a note",
};

struct row {
	enum check_profile_id profile;
	const char *rule;
	struct check_limits limits; // NAN = the same as in "game"
	const char *source, *as_of;
};

static const char measured[] = "values of 36 published rigs with 251 clips";
static const char ranks[] = "ranks that social platforms publish for avatars";
static const char practice[] = "common practice of engines and shops";
static const char when[] = "2026-11";

#define WEB CHECK_PROFILE_WEB
#define MOBILE CHECK_PROFILE_MOBILE
#define VRM CHECK_PROFILE_VRM
#define CINEMATIC CHECK_PROFILE_CINEMATIC
#define STRICT CHECK_PROFILE_STRICT
#define KEPT NAN
#define OFF INFINITY
#define MIB 1048576.0
#define MB 1e6

static const struct row rows[] = {
	{STRICT, "rig/weight_sum_strict", {1, OFF, OFF}, measured, when},
	{WEB, "rig/joint_unused", {KEPT, OFF, OFF}, measured, when},
	{MOBILE, "rig/joint_unused", {KEPT, 1, OFF}, measured, when},
	{CINEMATIC, "rig/joint_unused", {KEPT, OFF, OFF}, measured, when},
	{STRICT, "rig/joint_unused", {KEPT, 1, OFF}, measured, when},
	{WEB, "motion/pop", {KEPT, .008, .04}, measured, when},
	{MOBILE, "motion/pop", {KEPT, .008, .04}, measured, when},
	{CINEMATIC, "motion/pop", {KEPT, .002, .01}, measured, when},
	{STRICT, "motion/pop", {KEPT, .002, .01}, measured, when},
	{WEB, "motion/jump", {KEPT, .05, .15}, measured, when},
	{MOBILE, "motion/jump", {KEPT, .05, .15}, measured, when},
	{CINEMATIC, "motion/jump", {KEPT, .015, .05}, measured, when},
	{STRICT, "motion/jump", {KEPT, .015, .05}, measured, when},
	{CINEMATIC, "motion/loop_seam", {.005, .005, .02}, measured, when},
	{STRICT, "motion/loop_seam", {.002, .002, .02}, measured, when},
	{WEB, "contact/slide", {OFF, OFF, OFF}, measured, when},
	{MOBILE, "contact/slide", {KEPT, .06, OFF}, measured, when},
	{CINEMATIC, "contact/slide", {KEPT, .015, .05}, measured, when},
	{STRICT, "contact/slide", {KEPT, .015, .05}, measured, when},
	{WEB, "contact/penetration", {KEPT, .05, .15}, measured, when},
	{MOBILE, "contact/penetration", {KEPT, .05, .15}, measured, when},
	{CINEMATIC, "contact/penetration", {KEPT, .01, .03}, measured, when},
	{STRICT, "contact/penetration", {KEPT, .005, .03}, measured, when},
	{WEB, "motion/bone_length", {.05, .3, OFF}, measured, when},
	{MOBILE, "motion/bone_length", {.05, .3, OFF}, measured, when},
	{VRM, "motion/bone_length", {.03, .03, .1}, measured, when},
	{CINEMATIC, "motion/bone_length", {.03, .03, .1}, measured, when},
	{STRICT, "motion/bone_length", {.01, .01, .1}, measured, when},
	{WEB, "surface/stretch", {KEPT, 4, 8}, measured, when},
	{MOBILE, "surface/stretch", {KEPT, 4, 8}, measured, when},
	{CINEMATIC, "surface/stretch", {KEPT, 2, 4}, measured, when},
	{STRICT, "surface/stretch", {KEPT, 2, 4}, measured, when},
	{WEB, "surface/collapse", {KEPT, .8, .95}, measured, when},
	{MOBILE, "surface/collapse", {KEPT, .8, .95}, measured, when},
	{CINEMATIC, "surface/collapse", {KEPT, .5, .7}, measured, when},
	{STRICT, "surface/collapse", {KEPT, .5, .7}, measured, when},
	{CINEMATIC, "budget/*", {OFF, OFF, OFF}, practice, when},
	{WEB, "budget/vertices", {KEPT, 50e3, 200e3}, practice, when},
	{MOBILE, "budget/vertices", {KEPT, 15e3, 40e3}, ranks, when},
	{STRICT, "budget/vertices", {KEPT, 40e3, OFF}, practice, when},
	{MOBILE, "budget/triangles", {KEPT, 15e3, 32e3}, ranks, when},
	{VRM, "budget/triangles", {KEPT, 32e3, 70e3}, ranks, when},
	{STRICT, "budget/triangles", {KEPT, 32e3, OFF}, practice, when},
	{WEB, "budget/joints", {KEPT, 128, 512}, practice, when},
	{MOBILE, "budget/joints", {KEPT, 75, 128}, ranks, when},
	{STRICT, "budget/joints", {KEPT, 75, OFF}, practice, when},
	{WEB, "budget/draw_calls", {KEPT, 10, 40}, practice, when},
	{MOBILE, "budget/draw_calls", {KEPT, 2, 6}, ranks, when},
	{STRICT, "budget/draw_calls", {KEPT, 4, OFF}, practice, when},
	{MOBILE, "budget/materials", {KEPT, 2, 4}, ranks, when},
	{STRICT, "budget/materials", {KEPT, 4, OFF}, practice, when},
	{WEB, "budget/texture_size", {KEPT, 2048, 4096}, practice, when},
	{MOBILE, "budget/texture_size", {KEPT, 1024, 2048}, ranks, when},
	{VRM, "budget/texture_size", {KEPT, 2048, 4096}, ranks, when},
	{STRICT, "budget/texture_size", {KEPT, 2048, OFF}, practice, when},
	{WEB, "budget/texture_bytes", {KEPT, 64 * MIB, 256 * MIB}, practice, when},
	{MOBILE, "budget/texture_bytes", {KEPT, 18 * MIB, 40 * MIB}, ranks, when},
	{VRM, "budget/texture_bytes", {KEPT, 75 * MIB, 150 * MIB}, ranks, when},
	{STRICT, "budget/texture_bytes", {KEPT, 40 * MIB, OFF}, practice, when},
	{WEB, "budget/bytes", {KEPT, 5 * MB, 25 * MB}, practice, when},
	{MOBILE, "budget/bytes", {KEPT, 3 * MB, 10 * MB}, ranks, when},
	{VRM, "budget/bytes", {KEPT, 15 * MB, 50 * MB}, ranks, when},
	{STRICT, "budget/bytes", {KEPT, 5 * MB, OFF}, practice, when},
	{MOBILE, "budget/morph_targets", {KEPT, 16, 52}, ranks, when},
	{VRM, "budget/morph_targets", {KEPT, 128, 512}, practice, when},
	{STRICT, "budget/morph_targets", {KEPT, 52, OFF}, practice, when},
	{CHECK_PROFILE_GAME, "budget/*", {KEPT, KEPT, KEPT}, practice, when},
};

#define ROWS (sizeof rows / sizeof *rows)

struct check_profile check_profile_builtin(enum check_profile_id id) {
	static const int influences[CHECK_PROFILE_COUNT] = {4, 4, 8, 4, CHECK_ANY_INFLUENCES, 4};
	struct check_profile profile = {
		.name = check_profile_names[id],
		.base = id,
		.version = CHECK_RULES_VERSION,
		.settings = {.height = {.05, 20},
			.influences = influences[id],
			.unused_share = .2,
			.self_intersection_ms = 2000,
			.surface_samples = 1024},
	};
	struct check_settings *settings = &profile.settings;
	if (id == WEB) {
		settings->height[0] = .01;
		settings->height[1] = 100;
	}
	if (id == VRM || id == STRICT) {
		settings->height[0] = .3;
		settings->height[1] = 3;
	}
	if (id == MOBILE || id == STRICT) {
		settings->unused_share = 0;
	}
	settings->required_vrm = id == VRM;
	return profile;
}

static double kept_or(double limit, double kept) {
	return isnan(limit) ? kept : limit;
}

/* Gives a rule a note in the profile that says everything: at half of what a warning takes, or an
 * error where there is no warning. */
static void note_everything(struct check_limits *limits, bool below) {
	const double next = isfinite(limits->warning) ? limits->warning : limits->error;
	const double note = below ? next * 2 : next / 2;
	if (isfinite(next) && !isfinite(limits->note)) {
		limits->note = note;
	}
}

struct check_limits check_profile_builtin_limits(
	enum check_profile_id id, const struct check_rule_info *rule) {
	struct check_limits limits = rule->limits;
	for (size_t i = 0; i < ROWS; i++) {
		const struct check_limits *by = &rows[i].limits;
		if (rows[i].profile == id && check_glob(rows[i].rule, rule->id)) {
			limits.note = kept_or(by->note, limits.note);
			limits.warning = kept_or(by->warning, limits.warning);
			limits.error = kept_or(by->error, limits.error);
		}
	}
	if (id == STRICT) {
		note_everything(&limits, rule->below);
	}
	return limits;
}

struct check_profile_source check_profile_builtin_source(
	enum check_profile_id id, const char *rule) {
	struct check_profile_source own = {NULL, NULL}, game = {measured, when};
	for (size_t i = 0; i < ROWS; i++) {
		const struct check_profile_source source = {rows[i].source, rows[i].as_of};
		if (check_glob(rows[i].rule, rule)) {
			own = rows[i].profile == id ? source : own;
			game = rows[i].profile == CHECK_PROFILE_GAME ? source : game;
		}
	}
	return own.source ? own : game;
}

const char *check_profile_row(size_t i, enum check_profile_id *id) {
	if (i >= ROWS) {
		return NULL;
	}
	*id = rows[i].profile;
	return rows[i].rule;
}
