/* The members of a request that say what a picture is like: width, height, background, samples,
 * camera, fit, margin, overlays, shading, those of look.h, quality, lossless. They stand beside
 * others in one object, so reading them begins before it is read, and ends behind. */
#pragma once

#include "base/settings.h"
#include "base/value.h"
#include "coding.h"
#include "look.h"
#include "shading.h"

/* Those that are read here, and the groups behind them. */
#define PICTURE_OWN_MEMBERS 8
#define PICTURE_MEMBERS (PICTURE_OWN_MEMBERS + SHADING_MEMBERS + CODING_MEMBERS + LOOK_MEMBERS)

/* What was there and is to be looked at further. */
struct picture_members {
	const struct value *background, *camera, *samples, *overlays; // NULL = absent
	int fit;                                                      // enum fit
	double margin;                                                // share of each side
	struct shading_members shading;
	struct coding_members coding;
	struct look_members look;
};

/* Makes *out the defaults and lists the members, for value_read_members() to fill *out and
 * *found. */
void picture_begin(struct picture_members *found, struct picture_settings *out,
	struct member members[static PICTURE_MEMBERS]);

/* Fills in what is still missing of *out. Fails like request_read_frame. */
bool picture_end(
	const struct picture_members *found, struct picture_settings *out, struct error *err);
