// Reflection by a thin film on a surface: its two boundaries' light interferes. Behind ggx.glsl.
// Source: KHR_materials_iridescence, after Belcour, Barla. A Practical Extension to Microfacet Theory
// for the Modeling of Varying Iridescence. SIGGRAPH 2017.

// The cosine of so many turns of a whole.
float turned_cosine(float turns) {
	return cos((turns - floor(turns + 0.5)) * 2.0 * PI);
}

// The sensitivity of eyes to light whose waves are shifted by a difference of paths in nanometres
// and by parts of a turn, as linear light of sRGB.
vec3 film_sensitivity(float path, vec3 shift) {
	const vec3 VALUE = vec3(5.4856e-13, 4.4201e-13, 5.2481e-13);
	const vec3 PLACE = vec3(1.6810e+06, 1.7953e+06, 2.2084e+06);
	const vec3 VARIANCE = vec3(4.3278e+09, 9.3046e+09, 6.6121e+09);
	const mat3 TO_SRGB = mat3(3.2404542, -0.9692660, 0.0556434, -1.5371385, 1.8760108,
		-0.2040259, -0.4985314, 0.0415560, 1.0572252);
	// Longer paths leave nothing of the waves.
	path = min(path * 1e-9, 2e-4);
	float square = 4.0 * PI * PI * path * path;
	vec3 waves = vec3(turned_cosine(PLACE.x * path + shift.x),
		turned_cosine(PLACE.y * path + shift.y), turned_cosine(PLACE.z * path + shift.z));
	vec3 xyz = VALUE * sqrt(2.0 * PI * VARIANCE) * waves * exp(-square * VARIANCE);
	xyz.x += 9.7470e-14 * sqrt(2.0 * PI * 4.5282e+09) *
		turned_cosine(2.2399e+06 * path + shift.x) * exp(-4.5282e+09 * square);
	return TO_SRGB * (xyz / 1.0685e-7);
}

// The share of light that goes back to an eye at this cosine, from a surface in air that reflects
// front without the film.
vec3 film_reflection(float cosine, float index, float thickness, vec3 front) {
	// A film that gets thinner than any wave ends.
	index = mix(1.0, index, smoothstep(0.0, 0.03, thickness));
	float below_square = 1.0 - (1.0 - cosine * cosine) / (index * index);
	float below = sqrt(max(below_square, 0.0));
	float outer_front = square_of((index - 1.0) / (index + 1.0));
	float outer = mix(outer_front, 1.0, grazing(cosine)), goes_in = 1.0 - outer;
	vec3 root = sqrt(clamp(front, 0.0, 0.9999));
	vec3 base_index = (1.0 + root) / (1.0 - root);
	vec3 ratio = (base_index - index) / (base_index + index);
	vec3 inner = mix(ratio * ratio, vec3(1.0), grazing(below));
	// Half a turn at each boundary to what is denser.
	vec3 shift = 0.5 + mix(vec3(0.5), vec3(0.0), greaterThanEqual(base_index, vec3(index)));
	vec3 both = clamp(outer * inner, 1e-5, 0.9999), back = goes_in * goes_in * inner / (1.0 - both);
	vec3 sum = outer + back, share = back - goes_in, amplitude = sqrt(both);
	float path = 2.0 * index * thickness * below;
	for (int m = 1; m <= 2; m++) {
		share *= amplitude;
		sum += share * 2.0 * film_sensitivity(float(m) * path, float(m) * shift);
	}
	return max(sum, 0.0);
}

// The reflection from the front that Schlick's formula makes this of at a cosine.
vec3 film_front(float cosine, vec3 reflection) {
	float more = min(grazing(cosine), 0.9999);
	return clamp((reflection - more) / (1.0 - more), 0.0, 1.0);
}
