// What Assimp 5.2.5 gets wrong, put right in one place.
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"
#include "import/assimp_import.h"

/* OGRE adds a key's translation to the bone's in the space of its parent (Node::translate,
 * TS_PARENT). Assimp multiplies the bone's matrix with the key's instead, so that it lies in the
 * turned space of the bone: p = bind + R t in place of bind + t. */
void assimp_ogre_translation(const double rest[static 12], double translation[static 3]) {
	const double bind[3] = {rest[3], rest[7], rest[11]};
	double back[12], moved[3];
	if (!mat_invert(rest, back)) {
		return;
	}
	vec3_sub(translation, bind, moved);
	mat_map_direction(back, moved, moved);
	for (int i = 0; i < 3; i++) {
		translation[i] = bind[i] + moved[i];
	}
}

/* Assimp's reader of OBJ takes a number without a digit before its point (".5", "-.5") for none. */
const unsigned char *assimp_complete_numbers(
	const unsigned char *bytes, size_t *size, struct arena *arena) {
	size_t points = 0, used = 0;
	for (size_t i = 1; i < *size; i++) {
		points += bytes[i] == '.';
	}
	unsigned char *out = arena_alloc(arena, *size + points + 1, 1);
	for (size_t i = 0; i < *size; i++) {
		const bool is_first = bytes[i] == '.' && i > 0 && i + 1 < *size &&
			strchr(" \t-+", bytes[i - 1]) && bytes[i + 1] >= '0' && bytes[i + 1] <= '9';
		if (is_first) {
			out[used++] = '0';
		}
		out[used++] = bytes[i];
	}
	*size = used;
	return out;
}

/* Assimp takes the comma between two numbers for a decimal point where the first has none of its
 * own: "0,1" is 0.1. In texts of DirectX commas are between numbers, as in "1,0,0,0", and nowhere
 * in them. */
const unsigned char *assimp_part_numbers(
	const unsigned char *bytes, size_t *size, struct arena *arena) {
	size_t commas = 0, used = 0;
	bool quoted = false;
	for (size_t i = 0; i < *size; i++) {
		commas += bytes[i] == ',';
	}
	unsigned char *out = arena_alloc(arena, *size + commas + 1, 1);
	const bool is_text = *size > 12 && memcmp(bytes + 8, "txt", 3) == 0;
	for (size_t i = 0; i < *size; i++) {
		quoted ^= bytes[i] == '"';
		out[used++] = bytes[i];
		if (is_text && !quoted && bytes[i] == ',') {
			out[used++] = ' ';
		}
	}
	*size = used;
	return out;
}
