// Made-up avatars, read from a table.
#include "made_avatars.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/avatar_face.h"

#define JOINTS_MAX 64
#define BONES_MAX 64
#define PER_SPRING 16

struct avatar *give_avatar(struct rig *rig) {
	struct avatar *avatar = rig_storage(rig, 1, sizeof *avatar, "a test avatar", NULL);
	memset(avatar->bones, -1, sizeof avatar->bones);
	avatar->version = "1.0";
	avatar->thumbnail = -1;
	rig->avatar = avatar;
	return avatar;
}

static int read_numbers(const char *text, double *numbers, int most) {
	int count = 0;
	char *end;
	for (double number = strtod(text, &end); end != text && count < most;
		number = strtod(text, &end)) {
		numbers[count++] = number;
		text = end;
	}
	return count;
}

static void copy(const double *numbers, int count, double *out) {
	memcpy(out, numbers, (size_t)count * sizeof *out);
}

static void add_joint(struct rig *rig, const double n[static 9]) {
	struct joint *joint = &rig->joints[rig->joint_count];
	char name[16];
	snprintf(name, sizeof name, "J%d", rig->joint_count);
	*joint = (struct joint){.name = xstrndup(name, strlen(name)),
		.index = rig->joint_count,
		.parent = (int)n[0]};
	for (int i = 0; i < 4; i++) {
		joint->rest.translation[i % 3] = (float)n[1 + i % 3];
		joint->rest.rotation[i] = (float)n[4 + i];
		joint->rest.scale[i % 3] = (float)n[8];
	}
	rig->joint_count++;
}

static void add_collider(struct avatar *avatar, const char *text) {
	int joint, at = 0;
	char kind[16];
	double n[11];
	const int read = sscanf(text, "%d %15s %n", &joint, kind, &at);
	assert(read == 2 && read_numbers(text + at, n, 11) == 11);
	struct avatar_collider *collider = &avatar->colliders[avatar->collider_count++];
	collider->kind = strcmp(kind, "sphere") == 0 ? AVATAR_SPHERE
		: strcmp(kind, "plane") == 0         ? AVATAR_PLANE
						     : AVATAR_CAPSULE;
	collider->joint = joint;
	collider->inside = n[0] > 0;
	copy(n + 1, 3, collider->offset);
	copy(n + 4, 3, collider->tail);
	copy(n + 7, 3, collider->normal);
	collider->radius = n[10];
}

static void add_spring(struct rig *rig, struct avatar *avatar, const char *text) {
	double n[PER_SPRING];
	const int count = read_numbers(text, n, PER_SPRING);
	struct avatar_spring *spring = &avatar->springs[avatar->spring_count++];
	spring->name = "";
	spring->center = (int)n[0];
	spring->joints = rig_storage(rig, PER_SPRING, sizeof *spring->joints, "springs", NULL);
	spring->colliders =
		rig_storage(rig, PER_SPRING, sizeof *spring->colliders, "springs", NULL);
	for (int i = 1; i < count; i++) {
		spring->colliders[spring->collider_count++] = (int)n[i];
	}
}

static void add_bone(struct avatar *avatar, const double n[static 12]) {
	struct avatar_spring *spring = &avatar->springs[(int)n[0]];
	struct avatar_spring_joint *bone = &spring->joints[spring->joint_count++];
	bone->joint = (int)n[1];
	copy(n + 2, 3, bone->tail);
	bone->hit_radius = n[5];
	bone->stiffness = n[6];
	bone->gravity_power = n[7];
	bone->drag = n[8];
	copy(n + 9, 3, bone->gravity);
}

static void note(float (*rotations)[4], const double n[static 5]) {
	for (int i = 0; i < 4; i++) {
		rotations[(int)n[0]][i] = (float)n[1 + i];
	}
}

static void read_line(struct rig *rig, struct avatar *avatar, const char *word, const char *rest,
	struct spring_findings *findings) {
	double n[PER_SPRING] = {0};
	read_numbers(rest, n, PER_SPRING);
	if (strcmp(word, "joint") == 0) {
		add_joint(rig, n);
	} else if (strcmp(word, "collider") == 0) {
		add_collider(avatar, rest);
	} else if (strcmp(word, "spring") == 0) {
		add_spring(rig, avatar, rest);
	} else if (strcmp(word, "bone") == 0) {
		add_bone(avatar, n);
	} else {
		note(strcmp(word, "swung") == 0 ? findings->swung : findings->settled, n);
	}
}

static struct avatar *make_room(struct rig *rig) {
	struct avatar *avatar = give_avatar(rig);
	avatar->colliders =
		rig_storage(rig, PER_SPRING, sizeof *avatar->colliders, "colliders", NULL);
	avatar->springs = rig_storage(rig, PER_SPRING, sizeof *avatar->springs, "springs", NULL);
	return avatar;
}

struct rig *next_sprung(FILE *table, struct spring_findings *findings) {
	char line[512], word[16];
	struct rig *rig = NULL;
	struct avatar *avatar = NULL;
	long before = ftell(table);
	for (; fgets(line, sizeof line, table); before = ftell(table)) {
		int at = 0;
		if (line[0] == '#' || sscanf(line, "%15s%n", word, &at) != 1) {
			continue;
		}
		if (strcmp(word, "case") != 0) {
			read_line(rig, avatar, word, line + at, findings);
			continue;
		}
		if (rig) {
			break;
		}
		memset(findings, 0, sizeof *findings);
		sscanf(line + at, "%63s", findings->name);
		rig = rig_create();
		rig->joints = rig_storage(rig, JOINTS_MAX, sizeof *rig->joints, "rig", NULL);
		avatar = make_room(rig);
	}
	if (rig) {
		fseek(table, before, SEEK_SET);
	}
	return rig;
}

/* A spring of a joint without joints below it. */
static void dress_spring(struct rig *rig, struct avatar *avatar, int joint) {
	struct avatar_spring *spring = &avatar->springs[avatar->spring_count++];
	*spring = (struct avatar_spring){.name = "", .center = joint > 15 ? 0 : -1};
	spring->joints = rig_storage(rig, 1, sizeof *spring->joints, "springs", NULL);
	spring->joints[spring->joint_count++] = (struct avatar_spring_joint){
		.joint = joint,
		.tail = {0.02, 0.1, 0},
		.hit_radius = 0.02,
		.stiffness = 1,
		.gravity_power = 0.5,
		.drag = 0.4,
		.gravity = {0, -1, 0},
	};
	spring->colliders = rig_storage(rig, 1, sizeof *spring->colliders, "springs", NULL);
	spring->colliders[spring->collider_count++] = 0;
}

/* A smile that keeps the mouth from speaking, a blink that is on or off, and a vowel. */
static void dress_face(struct rig *rig, struct avatar *avatar) {
	static const struct avatar_expression expressions[] = {
		{.name = "happy",
			.preset = AVATAR_PRESET_happy,
			.overrides = {[AVATAR_MOUTHS] = AVATAR_OVERRIDE_BLEND}},
		{.name = "aa", .preset = AVATAR_PRESET_aa},
		{.name = "blink", .preset = AVATAR_PRESET_blink, .binary = true},
	};
	avatar->expression_count = 3;
	avatar->expressions = rig_storage(rig, 3, sizeof *expressions, "expressions", NULL);
	memcpy(avatar->expressions, expressions, sizeof expressions);
	avatar->bones[AVATAR_BONE_head] = 4;
	avatar->bones[AVATAR_BONE_leftEye] = 5;
	avatar->has_look_at = true;
	const struct avatar_range range = {90, 10};
	avatar->look_at =
		(struct avatar_look_at){0, false, {0, 0.06, 0}, range, range, range, range};
	rig_add_face(rig, NULL);
}

void dress_as_avatar(struct rig *rig) {
	struct avatar *avatar = make_room(rig);
	const int count = rig->joint_count;
	avatar->colliders[avatar->collider_count++] = (struct avatar_collider){
		.kind = AVATAR_SPHERE, .joint = 0, .offset = {0, 0.3, 0}, .radius = 0.4};
	for (int i = count - 1; i > 0 && avatar->spring_count < 4; i--) {
		bool is_leaf = true;
		for (int k = i + 1; k < count; k++) {
			is_leaf = is_leaf && rig->joints[k].parent != i;
		}
		if (is_leaf && rig->joints[i].parent >= 0) {
			dress_spring(rig, avatar, i);
		}
	}
	static const struct avatar_constraint constraints[] = {
		{.kind = AVATAR_ROTATION, .joint = 6, .source = 1, .weight = 0.5},
		{.kind = AVATAR_ROLL, .joint = 7, .source = 6, .axis = {0, 1, 0}, .weight = 1},
		{.kind = AVATAR_AIM, .joint = 8, .source = 4, .axis = {0, 0, -1}, .weight = 0.7},
	};
	avatar->constraint_count = 3;
	avatar->constraints = rig_storage(rig, 3, sizeof constraints[0], "constraints", NULL);
	memcpy(avatar->constraints, constraints, sizeof constraints);
	dress_face(rig, avatar);
}
