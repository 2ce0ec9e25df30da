// What this variant of a program does: three numbers of bits, which it is compiled with.
//   VARIANT  SHADED_*
//   MAPS     the textures that the material has, by MAP_*
//   SECOND   those of them that lie by the second texture coordinates
//   MOVED    those whose coordinates are transformed

bool does(int bit) {
	return (VARIANT & bit) != 0;
}

bool has(int map) {
	return (MAPS >> map & 1) != 0;
}
