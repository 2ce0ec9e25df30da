// The error that other programs leave in a GLB's clips, by the same measure as pose optimise: at
// the shell of the original's joints, at its keys and at quarters of the way between.
//
// bench_optimise ORIGINAL MADE...
//
// Joints and clips correspond by their names; those that meshes hang on do not count, since the
// scale of packed vertices may be in their nodes. For each file and clip it prints the greatest
// error and the root of the mean square, in millimetres, and where it is.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compress/measure.h"
#include "interface/optimise.h"
#include "pose/pose.h"
#include "pose/sample/sampler.h"
#include "renderer.h"

#define BAD_NUMBER 2

static struct rig *read_rig(const char *path) {
	struct buffer bytes = {0};
	struct error err = {0};
	FILE *file = fopen(path, "rb");
	char piece[65536];
	for (size_t count; file && (count = fread(piece, 1, sizeof piece, file)) > 0;) {
		buffer_append(&bytes, piece, count);
	}
	struct rig *rig = renderer_import(bytes.data, bytes.size, &err);
	if (file) {
		fclose(file);
	}
	buffer_finish(&bytes);
	if (!rig) {
		fprintf(stderr, "%s: %s\n", path, err.text);
		exit(BAD_NUMBER);
	}
	return rig;
}

static int find_joint(const struct rig *rig, const char *name) {
	int found = -1;
	for (int i = 0; i < rig->joint_count; i++) {
		found = strcmp(rig->joints[i].name, name) == 0 ? i : found;
	}
	return found;
}

static const struct clip *find_clip(const struct rig *rig, const char *name) {
	for (int i = 0; i < rig->clip_count; i++) {
		if (strcmp(rig->clips[i].name, name) == 0) {
			return &rig->clips[i];
		}
	}
	return NULL;
}

struct found {
	double max_m, squares;
	int joint;
	double time_s;
};

/* One clip, beside the one of that name. */
static struct found measure(const struct rig *rig, const struct clip *clip, const struct rig *made,
	const struct clip *other, const int *joints) {
	struct arena *arena = arena_create();
	struct error err = {0};
	const struct source_job sampled = {.rig = rig, .clip = clip};
	struct source source;
	struct found found = {0};
	const struct error_shell shell =
		error_shell_make(rig, error_shell_default_radius(rig), arena);
	struct pose pose = pose_rest(made, arena);
	double(*world)[12] = arena_alloc(arena, (size_t)made->joint_count, sizeof *world);
	if (!source_make_at_keys(&sampled, arena, &source, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(BAD_NUMBER);
	}
	for (int m = 0; m < source.moment_count; m++) {
		double greatest = 0;
		clip_sample(made, other, source_moment_s(&source, m), &pose);
		pose_to_world(made, &pose, world);
		for (int i = 0; i < rig->joint_count; i++) {
			const double off = joints[i] < 0
				? 0
				: sqrt(error_shell_square(shell.distance[i], world[joints[i]],
					  source.world[(size_t)m * (size_t)rig->joint_count +
						  (size_t)i]));
			greatest = fmax(greatest, off);
			if (off > found.max_m) {
				found = (struct found){
					off, found.squares, i, source_moment_s(&source, m)};
			}
		}
		found.squares += greatest * greatest / source.moment_count;
	}
	arena_destroy(arena);
	return found;
}

static void compare(const struct rig *rig, const char *path) {
	struct rig *made = read_rig(path);
	int *joints = xcalloc((size_t)rig->joint_count, sizeof *joints), lost = 0;
	double greatest = 0;
	for (int i = 0; i < rig->joint_count; i++) {
		joints[i] = find_joint(made, rig->joints[i].name);
		lost += joints[i] < 0;
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		joints[rig->primitives[i].joint] = -1;
	}
	for (int i = 0; i < rig->clip_count; i++) {
		const struct clip *clip = &rig->clips[i], *other = find_clip(made, clip->name);
		if (!other) {
			printf("%s: no clip %s\n", path, clip->name);
			continue;
		}
		const struct found found = measure(rig, clip, made, other, joints);
		printf("%-30s %10.4f %10.4f mm  %s at %.3f s\n", clip->name, 1000 * found.max_m,
			1000 * sqrt(found.squares), rig->joints[found.joint].name, found.time_s);
		greatest = fmax(greatest, found.max_m);
	}
	printf("%s: %.4f mm, tolerance by default %.4f mm; %d of %d joints are not there\n", path,
		1000 * greatest, 1000 * renderer_optimise_tolerance(rig), lost, rig->joint_count);
	free(joints);
	rig_release(made);
}

int main(int argc, char **argv) {
	struct rig *rig = argc > 1 ? read_rig(argv[1]) : NULL;
	for (int i = 2; i < argc; i++) {
		compare(rig, argv[i]);
	}
	rig_release(rig);
	return argc > 2 ? 0 : BAD_NUMBER;
}
