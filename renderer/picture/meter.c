// Metering: a small picture of the figure alone, and what its pixels say.
#include "picture/meter.h"

#include <math.h>
#include <stdlib.h>

#include "base/srgb.h"

/* The longer side of the small picture. */
#define SIDE 64

/* Light is seen up to 1. The first picture is this many stops darker, which is enough for white
 * surfaces in each environment; the next, where most of it is still brighter, four more. */
#define FIRST_STOPS (-2)
#define NEXT_STOPS (-4)
#define LAST_STOPS (-10)

/* Neutral tone mapping makes 247 of this light: what is brighter is blown out. A twentieth of the
 * pixels may be. */
#define BRIGHT 1.35
#define BLOWN_OUT_SHARE 20
/* Darker figures are raised halfway to this mean, in stops, so that black stays darker than grey.
 */
#define MIDDLE 0.3
#define RAISED_STOPS_MAX 2.0
/* Exposures are multiples of one over this, so that rounding does not change them. */
#define STEPS 8

/* Luma of the figure's pixels, in bytes of sRGB. */
struct histogram {
	size_t counts[256];
	size_t count, sum;
};

static void count_pixels(const unsigned char *rgba, size_t pixels, struct histogram *out) {
	*out = (struct histogram){0};
	for (size_t i = 0; i < pixels; i++) {
		const unsigned char *p = rgba + i * 4;
		if (p[3] >= 128) {
			const unsigned luma = (2126U * p[0] + 7152U * p[1] + 722U * p[2]) / 10000U;
			out->counts[luma]++;
			out->sum += luma;
			out->count++;
		}
	}
}

/* The byte that so large a share of the pixels is above. */
static int bright_byte(const struct histogram *histogram) {
	int byte = 255;
	for (size_t above = 0; byte > 0; byte--) {
		above += histogram->counts[byte];
		if (above * BLOWN_OUT_SHARE > histogram->count) {
			break;
		}
	}
	return byte;
}

static struct picture_settings small_picture(const struct picture_settings *picture) {
	struct picture_settings small = *picture;
	const double scale = fmin(1,
		(double)SIDE /
			(picture->width > picture->height ? picture->width : picture->height));
	small.width = (int)fmax(1, scale * picture->width);
	small.height = (int)fmax(1, scale * picture->height);
	small.samples = 1;
	small.look.shadow = SHADOW_NONE;
	small.look.grid = false;
	for (int i = 0; i < 4; i++) {
		small.background[i] = 0;
	}
	return small;
}

static bool measure(struct renderer *renderer, const struct drawing *drawing, int stops,
	struct histogram *out, struct error *err) {
	const struct picture_settings picture = small_picture(drawing->picture);
	struct drawing small = *drawing;
	small.picture = &picture;
	small.overlays = NULL;
	small.job.look.exposure = exp2f((float)stops);
	small.job.look.tone_mapping = TONE_LINEAR;
	unsigned char *rgba = picture_memory(&picture);
	struct area drawn;
	const bool ok = picture_draw(renderer, &small, &drawn, err) &&
		picture_pixels(renderer, &picture, &drawn, rgba, err);
	if (ok) {
		count_pixels(rgba, (size_t)picture.width * (size_t)picture.height, out);
	}
	free(rgba);
	return ok;
}

/* The exposure for what was measured at another. */
static double exposure_for(const struct histogram *histogram, int stops) {
	if (histogram->count == 0) {
		return 0;
	}
	const double bright = srgb_to_linear(bright_byte(histogram) / 255.0);
	const double mean =
		srgb_to_linear((double)histogram->sum / (double)histogram->count / 255.0);
	const double wanted = mean > 0 ? 0.5 * (log2(MIDDLE / mean) + stops) : RAISED_STOPS_MAX;
	const double raised = fmin(fmax(wanted, 0), RAISED_STOPS_MAX);
	const double most = bright > 0 ? log2(BRIGHT / bright) + stops : raised;
	return floor(fmin(raised, most) * STEPS) / STEPS;
}

bool picture_meter(struct renderer *renderer, struct drawing *drawing,
	struct skinning_report *report, struct error *err) {
	const struct picture_settings *picture = drawing->picture;
	if (!picture->look.auto_exposure || picture->shading.mode != SHADING_MATERIAL ||
		drawing->job.paint) {
		return true;
	}
	struct histogram histogram;
	int stops = FIRST_STOPS;
	for (;; stops += NEXT_STOPS) {
		if (!measure(renderer, drawing, stops, &histogram, err)) {
			return false;
		}
		if (bright_byte(&histogram) < 255 || stops <= LAST_STOPS) {
			break;
		}
	}
	report->has_exposure = true;
	report->exposure = picture->look.exposure + exposure_for(&histogram, stops);
	drawing->job.look.exposure = exp2f((float)report->exposure);
	return true;
}
