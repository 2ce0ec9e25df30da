// Linear light -> sRGB, where the target does not encode.
// The sRGB curve; its power is a polynomial in the fourth root, within 5e-5 of it.
vec3 encode(vec3 light) {
	vec3 s = sqrt(light);
	vec3 q = sqrt(s);
	vec3 power = -0.0650813 + q * 0.1999536 +
		s * (1.1120896 + q * -0.3234317 + s * 0.0764925);
	return mix(light * 12.92, power, greaterThan(light, vec3(0.0031308)));
}
