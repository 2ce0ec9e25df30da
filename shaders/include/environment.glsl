// Layout of the texture of light filtered for rough surfaces, for the shaders that write and read
// it. Directions are unfolded from an octahedron onto a square with a border of one texel that
// continues beyond the fold; squares of one roughness follow one another, so that one fetch
// interpolates two of them. A cube map with levels takes twice the time. Source: Cigolle and
// others. A Survey of Efficient Representations for Independent Unit Vectors. JCGT 2014.

// Edge of a square in texels with its border, and how many there are.
const float ENVIRONMENT_SIZE = 48.0;
const float ENVIRONMENT_LAYERS = 8.0;
// Entries of the table of reflection along each side.
const int REFLECTION_SIZE = 32;

// Layer 2 is for a roughness of a quarter, the last for 1.
const vec2 LAYERS = vec2(9.0, -2.0);

float layer_of_roughness(float roughness) {
	return roughness * (LAYERS.x + LAYERS.y * roughness);
}

float roughness_of_layer(float layer) {
	return (sqrt(LAYERS.x * LAYERS.x + 4.0 * LAYERS.y * layer) - LAYERS.x) / (2.0 * LAYERS.y);
}

vec2 folded(vec2 p) {
	return (1.0 - abs(p.yx)) * vec2(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0);
}

// Of any length -> a place in the texture.
vec3 place_of_light(vec3 direction, float roughness) {
	vec2 p = direction.xz / (abs(direction.x) + abs(direction.y) + abs(direction.z));
	p = direction.y < 0.0 ? folded(p) : p;
	return vec3(p * (0.5 - 1.0 / ENVIRONMENT_SIZE) + 0.5,
		(layer_of_roughness(roughness) + 0.5) / ENVIRONMENT_LAYERS);
}

// The direction of a texel.
vec3 direction_of_light(ivec2 texel) {
	vec2 p = (vec2(texel) + 0.5 - 0.5 * ENVIRONMENT_SIZE) / (0.5 * ENVIRONMENT_SIZE - 1.0);
	// Beyond an edge the square goes on at its other half.
	p = abs(p.x) > 1.0 ? vec2(sign(p.x) * 2.0 - p.x, -p.y) : p;
	p = abs(p.y) > 1.0 ? vec2(-p.x, sign(p.y) * 2.0 - p.y) : p;
	float y = 1.0 - abs(p.x) - abs(p.y);
	p = y < 0.0 ? folded(p) : p;
	return normalize(vec3(p.x, y, p.y));
}
