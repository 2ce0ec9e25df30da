// The members of a request that say what a picture is like.
#include "picture.h"

#include <stddef.h>
#include <string.h>

#include "base/number.h"
#include "limits.h"
#include "url_text.h"

#define AT(field) offsetof(struct picture_settings, field)

static const char *const environments[] = {
	[ENVIRONMENT_STUDIO] = "studio",
	[ENVIRONMENT_SOFT] = "soft",
	[ENVIRONMENT_NEUTRAL] = "neutral",
	[ENVIRONMENT_PRODUCT] = "product",
	[ENVIRONMENT_DRAMATIC] = "dramatic",
	[ENVIRONMENT_NONE] = "none",
	NULL,
};

static const char *const shadows[] = {"contact", "cast", NULL};

static const char *const tones[] = {
	[TONE_NEUTRAL] = "neutral", [TONE_ACES] = "aces", [TONE_LINEAR] = "linear", NULL};

const char *const fit_names[FIT_REST + 2] = {
	[FIT_POSE] = "pose", [FIT_CLIP] = "clip", [FIT_REST] = "rest"};

static const struct member members[] = {
	{"width", MEMBER_INTEGER, .offset = AT(width), .least = 1, .most = LIMIT_SIDE_PIXELS,
		.standard = 512, .parameter = "width", .unit = "pixels", .help = "of the picture"},
	{"height", MEMBER_INTEGER, .offset = AT(height), .least = 1, .most = LIMIT_SIDE_PIXELS,
		.standard = 512, .parameter = "height", .unit = "pixels", .help = "of the picture"},
	{"background", MEMBER_UNREAD, .parameter = "background",
		.help = "#rrggbb, #rrggbbaa or transparent, which is the default"},
	{"samples", MEMBER_INTEGER, .offset = AT(samples), .least = 1, .most = LIMIT_SAMPLES,
		.standard = 4, .parameter = "samples",
		.help = "samples per pixel: 1, 2, 4, 8 or 16"},
	{.name = "camera", .type = MEMBER_UNREAD},
	{"fit", MEMBER_CHOICE, .offset = AT(fit), .choices = fit_names, .parameter = "fit",
		.help = "the vertices that fill the frame"},
	// The share itself, until the camera has been read.
	{"margin", MEMBER_NUMBER, .offset = AT(camera.margin_change), .least = 0,
		.most = CAMERA_MARGIN_MAX, .standard = CAMERA_MARGIN, .parameter = "margin",
		.help = "share of the frame that stays free at each side"},
	{.name = "shading", .type = MEMBER_UNREAD},
	{"quality", MEMBER_INTEGER, .offset = AT(quality), .least = 1, .most = 100,
		.parameter = "quality",
		.help = "of lossy formats; WebP and tar are lossy where it is given"},
	{"lossless", MEMBER_BOOL, .offset = AT(lossy), .negated = true, .standard = true,
		.parameter = "lossless", .text = TEXT_BOOL,
		.help = "whether WebP and tar are lossless; default without --quality"},
	{"environment", MEMBER_CHOICE, .offset = AT(look.environment), .choices = environments,
		.parameter = "environment", .help = "light from all around"},
	{"exposure", MEMBER_NUMBER, .offset = AT(look.exposure), .least = -LIMIT_EXPOSURE_STOPS,
		.most = LIMIT_EXPOSURE_STOPS, .parameter = "exposure", .unit = "stops",
		.help = "brightness: each stop doubles the light"},
	{"auto_exposure", MEMBER_BOOL, .offset = AT(look.auto_exposure),
		.parameter = "auto_exposure",
		.help = "whether the exposure follows the brightness of the figure"},
	{"tone_mapping", MEMBER_CHOICE, .offset = AT(look.tone_mapping), .choices = tones,
		.parameter = "tone_mapping", .help = "how light becomes colours of the screen"},
	{"lights", MEMBER_BOOL, .offset = AT(look.no_lights), .negated = true, .standard = true,
		.parameter = "lights", .help = "whether the file's own lights shine"},
	{"shadow", MEMBER_CHOICE, .offset = AT(look.shadow), .choices = shadows,
		.first_choice = SHADOW_CONTACT, .may_be_bool = true, .parameter = "shadow",
		.help = "on the ground, by contact; or cast by the key light, also on the figure"},
	{"grid", MEMBER_BOOL, .offset = AT(look.grid), .parameter = "grid",
		.help = "a grid on the ground"},
};

const struct member_table picture_members = MEMBER_TABLE(NULL, members);

static const char *const views[] = {
	[VIEW_THIRD_PERSON] = "third_person", [VIEW_FIRST_PERSON] = "first_person", NULL};

static const struct member view_members[] = {
	{"view", MEMBER_CHOICE, .offset = AT(view), .choices = views, .parameter = "view",
		.help = "the meshes of a VRM avatar: what others see of it, or it of itself"},
};

const struct member_table view_member = MEMBER_TABLE(NULL, view_members);

static const struct member variant_members[] = {
	{"variant", MEMBER_ANY, .offset = AT(variant), .parameter = "variant",
		.help = "name or index of a variant of the materials (KHR_materials_variants)"},
};

const struct member_table variant_member = MEMBER_TABLE(NULL, variant_members);

static const struct member overlay_members[] = {
	{"overlays", MEMBER_UNREAD, .choices = overlay_names, .parameter = "overlays",
		.text = TEXT_NAMES,
		.help = "drawn over the figure, with commas between, or a list in JSON"},
};

const struct member_table overlays_member = MEMBER_TABLE(NULL, overlay_members);

static bool check_samples(const struct value *value, int samples, struct error *err) {
	if (samples & (samples - 1)) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"samples\" is %d, must be 1, 2, 4, 8 or 16", samples);
	}
	return true;
}

/* A quality alone asks for a lossy file. */
static bool check_quality(
	const struct value *request, struct picture_settings *out, struct error *err) {
	const struct value *quality = value_member(request, "quality");
	out->lossy = value_member(request, "lossless") ? out->lossy : quality != NULL;
	return !quality || out->lossy ||
		value_error(quality, err, ERROR_INVALID_VALUE,
			"\"quality\" is of files that lose something, and \"lossless\" is true");
}

bool request_read_picture(
	const struct value *request, struct picture_settings *out, struct error *err) {
	const double margin = out->camera.margin_change;
	if (!check_quality(request, out, err) ||
		!camera_read(value_member(request, "camera"), &out->camera, err)) {
		return false;
	}
	out->camera.margin_change = margin - CAMERA_MARGIN;
	return color_read(value_member(request, "background"), out->background, err) &&
		check_samples(value_member(request, "samples"), out->samples, err) &&
		shading_read(value_member(request, "shading"), &out->shading, err) &&
		overlays_read(value_member(request, "overlays"), &out->overlays, err);
}

bool color_read(const struct value *value, double color[static 4], struct error *err) {
	if (!value) {
		return true;
	}
	if (value->kind == VALUE_STRING && strcmp(value->string, "transparent") == 0) {
		memset(color, 0, 4 * sizeof *color);
		return true;
	}
	const char *text = value->kind == VALUE_STRING ? value->string : "";
	const size_t length = strlen(text);
	bool good = text[0] == '#' && (length == 7 || length == 9);
	color[3] = 1;
	for (size_t i = 0; good && 2 * i + 1 < length; i++) {
		const int high = hex_digit_value(text[1 + 2 * i]);
		const int low = hex_digit_value(text[2 + 2 * i]);
		good = high >= 0 && low >= 0;
		color[i] = (high * 16 + low) / 255.0;
	}
	if (!good) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"%s\" is %s%s%s, must be \"#rrggbb\", \"#rrggbbaa\" or \"transparent\"",
			value->key, *text ? "\"" : "", *text ? text : value_kind_name(value->kind),
			*text ? "\"" : "");
	}
	return true;
}
