// The worst of a clip's pictures, by each of their rules.
#include "against/picture_results.h"

#include <math.h>
#include <string.h>

#include "against/views.h"
#include "check/rules.h"
#include "image/canvas.h"
#include "image/encode.h"

/* Colours of a picture of differences. */
#define HEAT_STEPS 255

const struct check_rule *const picture_rules[PICTURE_RULES] = {
	&check_rule_picture_difference, &check_rule_picture_ssim, &check_rule_picture_flip};

struct picture_results picture_results_create(double time_s, struct arena *arena) {
	struct picture_results results;
	for (size_t i = 0; i < PICTURE_RULES; i++) {
		const double same = picture_rules[i]->info.below ? 1 : 0;
		results.of[i] = (struct picture_worst){
			.value = same, .time_s = time_s, .pair = picture_pair_create(arena)};
	}
	return results;
}

void picture_results_take(struct picture_results *results, const struct picture_pair *pair,
	const struct picture_difference *found, double time_s, const struct check_camera *camera) {
	const double values[PICTURE_RULES] = {found->channel, found->ssim, found->flip};
	for (size_t i = 0; i < PICTURE_RULES; i++) {
		struct picture_worst *worst = &results->of[i];
		const bool below = picture_rules[i]->info.below;
		if (below ? values[i] >= worst->value : values[i] <= worst->value) {
			continue;
		}
		worst->value = values[i];
		worst->p99 = found->flip_p99;
		worst->time_s = time_s;
		worst->camera = *camera;
		worst->differs = true;
		picture_pair_copy(pair, &worst->pair);
	}
}

bool picture_results_fit(const struct check_sink *sink, const struct picture_difference *found) {
	const double values[PICTURE_RULES] = {found->channel, found->ssim, found->flip};
	bool fits = true;
	for (size_t i = 0; i < PICTURE_RULES; i++) {
		fits &= check_level_in(sink, picture_rules[i], values[i]) == CHECK_OK;
	}
	return fits;
}

bool picture_results_are_wanted(const struct check_sink *sink) {
	bool any = false;
	for (size_t i = 0; i < PICTURE_RULES; i++) {
		any |= check_wants(sink, picture_rules[i]);
	}
	return any;
}

/* --- The step --- */

/* FLIP of each pixel on the heat scale. */
static void paint_difference(const struct picture_pair *pair, unsigned char *rgba) {
	unsigned char scale[HEAT_STEPS + 1][3];
	for (int i = 0; i <= HEAT_STEPS; i++) {
		heat_color((double)i / HEAT_STEPS, scale[i]);
	}
	for (int p = 0; p < VIEW_PIXELS; p++) {
		const int x = p % VIEW_SIDE - pair->low[0], y = p / VIEW_SIDE - pair->low[1];
		const bool inside = x >= 0 && x < pair->size[0] && y >= 0 && y < pair->size[1];
		const double flip = inside ? pair->map[y * pair->size[0] + x] : 0;
		memcpy(&rgba[4 * p], scale[(int)(fmin(flip, 1) * HEAT_STEPS + 0.5)], 3);
		rgba[4 * p + 3] = 255;
	}
}

static void add_shown(struct check_shown *shown, const char *name, const unsigned char *rgba,
	struct arena *arena) {
	const struct picture picture = {.width = VIEW_SIDE, .height = VIEW_SIDE, .rgba = rgba};
	struct buffer png = {0};
	struct error err = {0};
	if (encode_png(&picture, &png, &err)) {
		unsigned char *bytes = arena_alloc(arena, png.size, 1);
		memcpy(bytes, png.data, png.size);
		shown->pictures[shown->count++] =
			(struct check_picture){name, "image/png", bytes, png.size};
	}
	buffer_finish(&png);
}

static void show(const struct picture_worst *worst, const struct check_rule *rule,
	const char *const names[static 3], struct check_step *step) {
	if (!worst->differs || !check_wants(step->sink, rule) ||
		check_level_in(step->sink, rule, worst->value) == CHECK_OK ||
		step->shown_count == CHECK_SHOWN_MAX) {
		return;
	}
	struct check_shown *shown = &step->shown[step->shown_count++];
	*shown = (struct check_shown){.rule = rule, .camera = worst->camera};
	struct arena *scratch = arena_create();
	unsigned char *heat = arena_alloc(scratch, VIEW_PIXELS, 4);
	const unsigned char *pixels[3] = {worst->pair.pixels[0], worst->pair.pixels[1], heat};
	paint_difference(&worst->pair, heat);
	for (int i = 0; i < 3; i++) {
		add_shown(shown, names[i], pixels[i], step->sink->arena);
	}
	arena_destroy(scratch);
}

void picture_results_emit(const struct picture_results *results, const char *const names[static 3],
	struct check_step *step) {
	for (size_t i = 0; i < PICTURE_RULES; i++) {
		const struct picture_worst *worst = &results->of[i];
		struct check_value value = check_value(worst->value);
		value.time_s = worst->time_s;
		check_value_param(&value, "yaw", worst->camera.yaw_deg);
		if (picture_rules[i] == &check_rule_picture_flip) {
			check_value_param(&value, "p99", worst->p99);
		}
		check_emit(step->sink, picture_rules[i], &value);
		show(worst, picture_rules[i], names, step);
	}
}

void picture_results_skip(struct check_sink *sink, const char *reason) {
	for (size_t i = 0; i < PICTURE_RULES; i++) {
		check_skip(sink, picture_rules[i], "%s", reason);
	}
}
