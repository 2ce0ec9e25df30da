// The microfacets of glTF 2.0, Appendix B. alpha is the square of the roughness that materials have.

float square_of(float x) {
	return x * x;
}

// The distribution of facets along the half vector; square is alpha squared.
float ggx_distribution(float square, float normal_half) {
	return square / (PI * square_of(normal_half * normal_half * (square - 1.0) + 1.0));
}

// The visibility of facets, over four times both cosines.
float ggx_visibility(float square, float normal_light, float normal_eye) {
	float towards_eye = normal_light * sqrt(normal_eye * normal_eye * (1.0 - square) + square);
	float towards_light =
		normal_eye * sqrt(normal_light * normal_light * (1.0 - square) + square);
	return 0.5 / max(towards_eye + towards_light, 1e-7);
}

// Schlick's share of the reflection at grazing angles.
float grazing(float cosine) {
	float x = clamp(1.0 - cosine, 0.0, 1.0);
	float square = x * x;
	return square * square * x;
}
