// Light of any strength -> what a screen shows.

// Keeps colours as they are up to where they would run over, and bends them towards white there.
// Source: Khronos PBR Neutral Tone Mapper, specification of May 2024.
vec3 tone_neutral(vec3 light) {
	const float START = 0.8 - 0.04;
	const float DESATURATION = 0.15;
	float least = min(light.r, min(light.g, light.b));
	light -= least < 0.08 ? least - 6.25 * least * least : 0.04;
	float peak = max(light.r, max(light.g, light.b));
	float room = 1.0 - START;
	float bent = 1.0 - room * room / (max(peak, START) + room - START);
	float faded = 1.0 - 1.0 / (DESATURATION * (max(peak, START) - bent) + 1.0);
	return peak < START ? light : mix(light * (bent / peak), vec3(bent), faded);
}

// Source: Hill's fit of the Academy's reference rendering and output transforms, with the exposure
// of 1 / 0.6 that brings it near other curves, as three.js has it.
vec3 tone_aces(vec3 light) {
	const mat3 INPUT = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566,
		0.83777);
	const mat3 OUTPUT = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367,
		-0.00605, 1.07602);
	vec3 v = INPUT * (light / 0.6);
	v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
	return clamp(OUTPUT * v, 0.0, 1.0);
}

vec3 tone_mapped(vec3 light) {
	return does(SHADED_UNMAPPED)  ? light
		: does(SHADED_ACES)   ? tone_aces(light)
		: does(SHADED_LINEAR) ? clamp(light, 0.0, 1.0)
				      : tone_neutral(light);
}
