// Light from all around, as a few numbers describe it.
#include "draw/sky.h"

#include <math.h>

#include "base/elementary.h"

const struct sky skies[ENVIRONMENT_NONE] = {
	/* Key from the left above, a wide fill from the right, light from overhead, and two strips
	 * from behind that part the edges from the background. */
	[ENVIRONMENT_STUDIO] =
		{
			.zenith = {0.33F, 0.34F, 0.36F},
			.horizon = {0.22F, 0.225F, 0.235F},
			.nadir = {0.15F, 0.14F, 0.135F},
			.boxes =
				{
					{-42, 38, 0.55F, 0.55F, 0.12F, {3.5F, 3.35F, 3.1F}},
					{62, 12, 0.45F, 0.75F, 0.15F, {0.75F, 0.78F, 0.84F}},
					{0, 86, 0.7F, 0.5F, 0.15F, {0.9F, 0.9F, 0.9F}},
					{148, 24, 0.22F, 0.9F, 0.08F, {4.2F, 4.4F, 4.7F}},
					{-140, 20, 0.16F, 0.9F, 0.08F, {3.0F, 3.0F, 3.1F}},
				},
			.box_count = 5,
		},
	[ENVIRONMENT_SOFT] =
		{
			.zenith = {1.35F, 1.38F, 1.45F},
			.horizon = {0.92F, 0.93F, 0.95F},
			.nadir = {0.42F, 0.40F, 0.38F},
		},
	[ENVIRONMENT_NEUTRAL] =
		{
			.zenith = {1, 1, 1},
			.horizon = {1, 1, 1},
			.nadir = {1, 1, 1},
		},
	/* As things for sale are lit: two wide boxes in front and one overhead over a bright floor,
	 * and two strips that smooth surfaces show at their sides. */
	[ENVIRONMENT_PRODUCT] =
		{
			.zenith = {0.56F, 0.56F, 0.57F},
			.horizon = {0.46F, 0.46F, 0.465F},
			.nadir = {0.42F, 0.42F, 0.42F},
			.boxes =
				{
					{-50, 30, 0.8F, 0.9F, 0.2F, {1.14F, 1.13F, 1.11F}},
					{55, 25, 0.8F, 0.9F, 0.2F, {0.74F, 0.75F, 0.76F}},
					{0, 86, 0.9F, 0.7F, 0.2F, {0.65F, 0.65F, 0.65F}},
					{125, 15, 0.14F, 0.9F, 0.06F, {3.0F, 3.0F, 3.0F}},
					{-125, 15, 0.14F, 0.9F, 0.06F, {3.0F, 3.0F, 3.0F}},
				},
			.box_count = 5,
		},
	[ENVIRONMENT_DRAMATIC] =
		{
			.zenith = {0.03F, 0.03F, 0.04F},
			.horizon = {0.025F, 0.025F, 0.035F},
			.nadir = {0.01F, 0.01F, 0.012F},
			.boxes =
				{
					{-70, 30, 0.4F, 0.6F, 0.1F, {5.4F, 5.0F, 4.6F}},
					{35, 5, 0.5F, 0.6F, 0.2F, {0.16F, 0.18F, 0.22F}},
					{0, 86, 0.4F, 0.3F, 0.1F, {0.5F, 0.5F, 0.5F}},
					{150, 25, 0.22F, 0.9F, 0.08F, {7.0F, 7.8F, 9.2F}},
					{-145, 20, 0.16F, 0.9F, 0.08F, {6.4F, 6.2F, 6.0F}},
				},
			.box_count = 5,
		},
};

void soft_box_rows(const struct soft_box *box, float rows[static 16]) {
	double yaw_sine, yaw_cosine, pitch_sine, pitch_cosine;
	angle_sine_cosine((double)box->yaw_deg / 360 + 1, &yaw_sine, &yaw_cosine);
	angle_sine_cosine((double)box->pitch_deg / 360 + 1, &pitch_sine, &pitch_cosine);
	const float numbers[16] = {
		(float)(yaw_sine * pitch_cosine),
		(float)pitch_sine,
		(float)(yaw_cosine * pitch_cosine),
		box->softness,
		(float)yaw_cosine,
		0,
		(float)-yaw_sine,
		box->half_width,
		(float)(-yaw_sine * pitch_sine),
		(float)pitch_cosine,
		(float)(-yaw_cosine * pitch_sine),
		box->half_height,
		box->radiance[0],
		box->radiance[1],
		box->radiance[2],
		0,
	};
	for (int i = 0; i < 16; i++) {
		rows[i] = numbers[i];
	}
}

struct baked_sky sky_bake(const struct sky *sky) {
	struct baked_sky baked = {.sky = sky};
	for (int i = 0; i < sky->box_count; i++) {
		soft_box_rows(&sky->boxes[i], baked.boxes[i]);
	}
	return baked;
}

static double smoothstep(double from, double to, double x) {
	const double t = fmin(fmax((x - from) / (to - from), 0), 1);
	return t * t * (3 - 2 * t);
}

static double inside(double place, double size, double soft) {
	return 1 - smoothstep(size - soft, size + soft, fabs(place));
}

static double along_row(const double d[static 3], const float row[static 3]) {
	return d[0] * (double)row[0] + d[1] * (double)row[1] + d[2] * (double)row[2];
}

static double box_share(const float box[static 16], const double d[static 3]) {
	const double along = along_row(d, box);
	if (!(along > 1e-3)) {
		return 0;
	}
	return inside(along_row(d, box + 4) / along, (double)box[7], (double)box[3]) *
		inside(along_row(d, box + 8) / along, (double)box[11], (double)box[3]);
}

void sky_radiance(const struct baked_sky *baked, const double d[static 3], double out[static 4]) {
	const struct sky *sky = baked->sky;
	const float *end = d[1] > 0 ? sky->zenith : sky->nadir;
	const double height = smoothstep(0, 1, fabs(d[1]));
	for (int k = 0; k < 3; k++) {
		out[k] = (double)sky->horizon[k] * (1 - height) + (double)end[k] * height;
	}
	out[3] = 0;
	for (int i = 0; i < sky->box_count; i++) {
		const double share = box_share(baked->boxes[i], d);
		out[3] = i == 0 ? share : out[3];
		for (int k = 0; k < 3; k++) {
			out[k] += share * (double)baked->boxes[i][12 + k];
		}
	}
}

#define DIRECTIONS_ABOVE 512

double sky_luminance_above(const struct sky *sky) {
	const struct baked_sky baked = sky_bake(sky);
	double sum = 0;
	for (int i = 0; i < DIRECTIONS_ABOVE; i++) {
		// Evenly by the cosine.
		const double square = (i + 0.5) / DIRECTIONS_ABOVE, across = sqrt(1 - square);
		double sine, cosine, seen[4];
		angle_sine_cosine(i * 0.381966011250105, &sine, &cosine);
		const double d[3] = {across * cosine, sqrt(square), across * sine};
		sky_radiance(&baked, d, seen);
		sum += 0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2];
	}
	return sum / DIRECTIONS_ABOVE;
}
