// The joints of a self-contained .pclip file, such as `pose compress RIG CLIP --self-contained
// true` makes, at a time of its first clip: name, translation and rotation.
//
//   cc clip.c ../../../build/pclip.c -I../../../build -lm -o clip && ./clip walk.pclip 0.4
#include "pclip.h"

#include <stdio.h>
#include <stdlib.h>

static void *read_file(const char *path, size_t *size) {
	FILE *file = fopen(path, "rb");
	unsigned char *bytes = NULL;
	size_t room = 0;
	for (*size = 0; file && *size == room;
		*size += fread(bytes + *size, 1, room - *size, file)) {
		room = room ? 2 * room : 1 << 16;
		unsigned char *more = realloc(bytes, room);
		if (!more) {
			abort();
		}
		bytes = more;
	}
	if (file) {
		fclose(file);
	}
	return bytes;
}

static void print_pose(const struct pclip_file *file, const struct pclip_transform *pose) {
	for (int i = 0; i < file->joint_count; i++) {
		const char *name;
		int length, parent;
		struct pclip_transform rest;
		pclip_joint(file, i, &name, &length, &parent, &rest);
		const float *t = pose[i].translation, *r = pose[i].rotation;
		printf("%.*s (parent %d): %g %g %g, %g %g %g %g\n", length, name, parent,
			(double)t[0], (double)t[1], (double)t[2], (double)r[0], (double)r[1],
			(double)r[2], (double)r[3]);
	}
}

int main(int argc, char **argv) {
	size_t size;
	void *bytes = argc == 3 ? read_file(argv[1], &size) : NULL;
	struct pclip_file file;
	const char *why = "clip: give a .pclip file and a time in seconds";
	if (!bytes || !pclip_read(bytes, size, &file, &why) || !file.self_contained) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	const size_t joints = (size_t)file.joint_count, weights = (size_t)file.weight_count;
	struct pclip_transform *rest = calloc(joints + 1, sizeof *rest);
	struct pclip_transform *pose = calloc(joints + 1, sizeof *pose);
	float *morph_weights = calloc(weights + 1, sizeof *morph_weights);
	void *memory = malloc(pclip_memory(&file));
	for (int i = 0; i < file.joint_count; i++) {
		const char *name;
		int length, parent;
		pclip_joint(&file, i, &name, &length, &parent, &rest[i]);
	}
	struct pclip *clip = pclip_open(&file, 0, rest, memory, &why);
	const bool good = clip && pclip_sample(clip, strtod(argv[2], NULL), pose, morph_weights);
	if (good) {
		print_pose(&file, pose);
	} else {
		fprintf(stderr, "%s\n", why);
	}
	free(memory);
	free(morph_weights);
	free(pose);
	free(rest);
	free(bytes);
	return good ? 0 : 1;
}
