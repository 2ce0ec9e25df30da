// The members of a request that say what a picture is like.
#include "picture.h"

#include <string.h>

#include "camera.h"
#include "color.h"
#include "limits.h"
#include "overlays.h"

static bool check_samples(const struct value *value, int samples, struct error *err) {
	if (samples & (samples - 1)) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"samples\" is %d, must be 1, 2, 4, 8 or 16", samples);
	}
	return true;
}

void picture_begin(struct picture_members *found, struct picture_settings *out,
	struct member members[static PICTURE_MEMBERS]) {
	static const char *const fits[] = {
		[FIT_POSE] = "pose", [FIT_CLIP] = "clip", [FIT_REST] = "rest", NULL};
	const struct member table[PICTURE_OWN_MEMBERS] = {
		{.name = "width",
			.type = MEMBER_INTEGER,
			.out = &out->width,
			.least = 1,
			.most = LIMIT_SIDE_PIXELS},
		{.name = "height",
			.type = MEMBER_INTEGER,
			.out = &out->height,
			.least = 1,
			.most = LIMIT_SIDE_PIXELS},
		{.name = "background", .type = MEMBER_ANY, .out = &found->background},
		{.name = "samples",
			.type = MEMBER_INTEGER,
			.out = &out->samples,
			.least = 1,
			.most = LIMIT_SAMPLES,
			.place = &found->samples},
		{.name = "camera", .type = MEMBER_ANY, .out = &found->camera},
		{.name = "fit", .type = MEMBER_CHOICE, .out = &found->fit, .choices = fits},
		{.name = "margin",
			.type = MEMBER_NUMBER,
			.out = &found->margin,
			.least = 0,
			.most = CAMERA_MARGIN_MOST},
		{.name = "overlays", .type = MEMBER_ANY, .out = &found->overlays},
	};
	*out = (struct picture_settings){.width = 512, .height = 512, .samples = 4};
	*found = (struct picture_members){.fit = FIT_POSE, .margin = CAMERA_MARGIN};
	memcpy(members, table, sizeof table);
	shading_begin(&found->shading, &out->shading, members + PICTURE_OWN_MEMBERS);
	coding_begin(&found->coding, out, members + PICTURE_OWN_MEMBERS + SHADING_MEMBERS);
	look_members_begin(&found->look, &out->look,
		members + PICTURE_OWN_MEMBERS + SHADING_MEMBERS + CODING_MEMBERS);
}

bool picture_end(
	const struct picture_members *found, struct picture_settings *out, struct error *err) {
	out->fit = (enum fit)found->fit;
	look_members_end(&found->look, &out->look);
	if (!coding_end(&found->coding, out, err) ||
		!camera_read(found->camera, &out->camera, err)) {
		return false;
	}
	out->camera.margin_change = found->margin - CAMERA_MARGIN;
	return color_read(found->background, out->background, err) &&
		check_samples(found->samples, out->samples, err) &&
		shading_end(&found->shading, &out->shading, err) &&
		overlays_read(found->overlays, &out->overlays, err);
}
