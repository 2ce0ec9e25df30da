// Features of this variant of a program: three bit masks, defined at compile time.
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
