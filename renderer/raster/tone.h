/* Light of any strength -> what a screen shows. Behind raster/functions.h; see
 * shaders/include/tone.glsl. */
#pragma once

#include "base/settings.h"
#include "raster/functions.h"

KERNEL lanes lanes3_most(struct lanes3 a) {
	return lanes_greater(a.x, lanes_greater(a.y, a.z));
}

KERNEL lanes lanes3_least(struct lanes3 a) {
	return lanes_less(a.x, lanes_less(a.y, a.z));
}

KERNEL struct lanes3 lanes3_clamp(struct lanes3 a) {
	return (struct lanes3){
		lanes_clamp(a.x, 0, 1), lanes_clamp(a.y, 0, 1), lanes_clamp(a.z, 0, 1)};
}

KERNEL struct lanes3 lanes3_mix(struct lanes3 a, struct lanes3 b, lanes share) {
	return (struct lanes3){
		lanes_mix(a.x, b.x, share), lanes_mix(a.y, b.y, share), lanes_mix(a.z, b.z, share)};
}

KERNEL struct lanes3 lanes3_all(lanes a) {
	return (struct lanes3){a, a, a};
}

KERNEL struct lanes3 lanes3_multiply(struct lanes3 a, struct lanes3 b) {
	return (struct lanes3){a.x * b.x, a.y * b.y, a.z * b.z};
}

KERNEL bool lanes_any(lane_mask mask) {
	return !lanes_all(~mask);
}

/* Source: Khronos PBR Neutral Tone Mapper, specification of May 2024. */
KERNEL struct lanes3 tone_neutral(struct lanes3 light) {
	const float start = 0.8F - 0.04F, desaturation = 0.15F, room = 1 - start;
	const lanes least = lanes3_least(light);
	const lanes taken =
		lanes_select(least < 0.08F, least - 6.25F * least * least, 0.04F + (lanes){0});
	light = lanes3_subtract(light, lanes3_all(taken));
	const lanes peak = lanes3_most(light);
	const lane_mask high = peak >= start;
	if (!lanes_any(high)) {
		return light;
	}
	const lanes lifted = lanes_greater(peak, start + (lanes){0});
	const lanes bent = 1 - room * room / (lifted + (room - start));
	const lanes faded = 1 - 1 / (desaturation * (lifted - bent) + 1);
	const struct lanes3 scaled = lanes3_scale(light, bent / lifted);
	return lanes3_select(high, lanes3_mix(scaled, lanes3_all(bent), faded), light);
}

KERNEL lanes aces_curve(lanes v) {
	return (v * (v + 0.0245786F) - 0.000090537F) /
		(v * (0.983729F * v + 0.4329510F) + 0.238081F);
}

/* Source: Hill's fit of the Academy's reference rendering and output transforms, with the exposure
 * of 1 / 0.6 that brings it near other curves, as three.js has it. */
KERNEL struct lanes3 tone_aces(struct lanes3 light) {
	const struct lanes3 v = lanes3_scale(light, 1 / 0.6F + (lanes){0});
	const lanes r = aces_curve((v.x * 0.59719F + v.y * 0.35458F) + v.z * 0.04823F);
	const lanes g = aces_curve((v.x * 0.07600F + v.y * 0.90834F) + v.z * 0.01566F);
	const lanes b = aces_curve((v.x * 0.02840F + v.y * 0.13383F) + v.z * 0.83777F);
	return lanes3_clamp((struct lanes3){
		(r * 1.60475F - g * 0.53108F) - b * 0.07367F,
		(g * 1.10813F - r * 0.10208F) - b * 0.00605F,
		(b * 1.07602F - r * 0.00327F) - g * 0.07276F,
	});
}

KERNEL struct lanes3 tone_mapped(struct lanes3 light, enum tone_mapping tone) {
	return tone == TONE_ACES      ? tone_aces(light)
		: tone == TONE_LINEAR ? lanes3_clamp(light)
				      : tone_neutral(light);
}
