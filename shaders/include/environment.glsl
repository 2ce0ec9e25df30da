// How light that was filtered for rough surfaces lies in the levels of its cube map: for who fills
// it, and for who looks it up.

// Edge of the first level's faces in pixels, and the last level that is looked at.
const int ENVIRONMENT_SIZE = 64;
const int ENVIRONMENT_LAST = 4;
// Entries of the table of reflection along each side.
const int REFLECTION_SIZE = 32;

// Level 1 is for a roughness of 0.2, level 4 for 1.
const vec2 LEVELS = vec2(5.25, -1.25);

float level_of_roughness(float roughness) {
	return roughness * (LEVELS.x + LEVELS.y * roughness);
}

float roughness_of_level(float level) {
	return (sqrt(LEVELS.x * LEVELS.x + 4.0 * LEVELS.y * level) - LEVELS.x) / (2.0 * LEVELS.y);
}
