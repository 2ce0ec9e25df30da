// The avatars of real VRM files against three-vrm, an independent reader.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "shared_files.h"

#define TABLE "tests/unit/vrm_found.tsv"

/* Of numbers that the table has with seven digits. */
#define TOLERANCE 1e-6

#define LINE_BYTES 512

/* An avatar as lines of the table, each ended by "\n". */
struct text {
	const struct rig *rig;
	struct buffer lines;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...) {
	char line[LINE_BYTES];
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	assert_in_range(length, 0, sizeof line - 1);
	buffer_append(&text->lines, line, (size_t)length);
}

static int node(const struct text *text, int joint) {
	return joint < 0 ? -1 : text->rig->joints[joint].index;
}

static void add_numbers(struct text *text, const double *numbers, int count) {
	for (int i = 0; i < count; i++) {
		add(text, "\t%.17g", numbers[i]);
	}
}

static void add_morph(struct text *text, const char *name, const struct avatar_morph *morph) {
	const struct rig *rig = text->rig;
	int joint = 0;
	while (morph->weight < rig->joints[joint].first_weight ||
		morph->weight >=
			rig->joints[joint].first_weight + rig->joints[joint].weight_count) {
		joint++;
	}
	add(text, "morph\t%s\t%d\t%d\t%.9g\n", name, node(text, joint),
		morph->weight - rig->joints[joint].first_weight, (double)morph->amount);
}

static void add_expression(struct text *text, const struct avatar_expression *e) {
	static const char *const overrides[] = {"none", "block", "blend"};
	static const char *const colors[] = {
		"color", "emissionColor", "shadeColor", "matcapColor", "rimColor", "outlineColor"};
	add(text, "expression\t%s\t%d\t%s\t%s\t%s\n", e->name, e->binary,
		overrides[e->overrides[AVATAR_BLINKS]], overrides[e->overrides[AVATAR_LOOKS]],
		overrides[e->overrides[AVATAR_MOUTHS]]);
	for (int i = 0; i < e->morph_count; i++) {
		add_morph(text, e->name, &e->morphs[i]);
	}
	for (int i = 0; i < e->tint_count; i++) {
		const struct avatar_tint *tint = &e->tints[i];
		add(text, "tint\t%s\t%d\t%s\t%.9g\t%.9g\t%.9g\n", e->name, tint->material,
			colors[tint->color], (double)tint->target[0], (double)tint->target[1],
			(double)tint->target[2]);
	}
	for (int i = 0; i < e->shift_count; i++) {
		const struct avatar_shift *shift = &e->shifts[i];
		add(text, "shift\t%s\t%d\t%.9g\t%.9g\t%.9g\t%.9g\n", e->name, shift->material,
			(double)shift->scale[0], (double)shift->scale[1], (double)shift->offset[0],
			(double)shift->offset[1]);
	}
}

static void add_look_at(struct text *text, const struct avatar_look_at *look) {
	add(text, "look_at\t%s", look->by_expressions ? "expression" : "bone");
	add_numbers(text, look->head_offset, 3);
	const struct avatar_range *const ranges[] = {
		&look->inner, &look->outer, &look->down, &look->up};
	for (int i = 0; i < 4; i++) {
		add(text, "\t%.17g\t%.17g", ranges[i]->input_max_deg, ranges[i]->output);
	}
	add(text, "\n");
}

static void add_springs(struct text *text, const struct avatar *avatar) {
	for (int i = 0; i < avatar->spring_count; i++) {
		const struct avatar_spring *spring = &avatar->springs[i];
		for (int k = 0; k < spring->joint_count; k++) {
			const struct avatar_spring_joint *joint = &spring->joints[k];
			add(text, "spring\t%d", node(text, joint->joint));
			add_numbers(text, joint->tail, 3);
			add_numbers(text, &joint->hit_radius, 1);
			add_numbers(text, &joint->stiffness, 1);
			add_numbers(text, &joint->gravity_power, 1);
			add_numbers(text, joint->gravity, 3);
			add_numbers(text, &joint->drag, 1);
			add(text, "\t%d\t%d\n", node(text, spring->center), spring->collider_count);
		}
	}
	static const char *const kinds[] = {"sphere", "capsule", "plane"};
	for (int i = 0; i < avatar->collider_count; i++) {
		const struct avatar_collider *c = &avatar->colliders[i];
		add(text, "collider\t%d\t%s\t%d", node(text, c->joint), kinds[c->kind], c->inside);
		add_numbers(text, c->offset, 3);
		add_numbers(text, &c->radius, 1);
		add_numbers(text, c->tail, 3);
		add_numbers(text, c->normal, 3);
		add(text, "\n");
	}
}

static const char *axis_name(const struct avatar_constraint *c) {
	static const char *const rolls[] = {"X", "Y", "Z"};
	static const char *const aims[] = {
		"PositiveX", "PositiveY", "PositiveZ", "NegativeX", "NegativeY", "NegativeZ"};
	for (int k = 0; k < 3; k++) {
		if (c->axis[k] != 0) {
			return c->kind == AVATAR_ROLL ? rolls[k] : aims[c->axis[k] > 0 ? k : k + 3];
		}
	}
	return "-";
}

static void add_constraints(struct text *text, const struct avatar *avatar) {
	static const char *const kinds[] = {"rotation", "roll", "aim"};
	for (int i = 0; i < avatar->constraint_count; i++) {
		const struct avatar_constraint *c = &avatar->constraints[i];
		add(text, "constraint\t%d\t%s\t%d\t%s\t%.17g\n", node(text, c->joint),
			kinds[c->kind], node(text, c->source), axis_name(c), c->weight);
	}
}

static void add_avatar(struct text *text) {
	static const char *const views[] = {"auto", "both", "thirdPersonOnly", "firstPersonOnly"};
	const struct avatar *avatar = text->rig->avatar;
	add(text, "version\t%d\n", !avatar->is_0x);
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		if (avatar->bones[i] >= 0) {
			add(text, "bone\t%s\t%d\n", avatar_bone_names[i],
				node(text, avatar->bones[i]));
		}
	}
	for (int i = 0; i < avatar->expression_count; i++) {
		add_expression(text, &avatar->expressions[i]);
	}
	if (avatar->has_look_at) {
		add_look_at(text, &avatar->look_at);
	}
	for (int i = 0; avatar->views && i < text->rig->joint_count; i++) {
		if (avatar->views[i] != AVATAR_VIEW_AUTO) {
			add(text, "view\t%d\t%s\n", node(text, i), views[avatar->views[i]]);
		}
	}
	add_springs(text, avatar);
	add_constraints(text, avatar);
}

/* The same words, and numbers that are the same within the tolerance. */
static bool is_same(const char *a, const char *b) {
	while (*a && *a != '\n' && *b && *b != '\n') {
		const size_t x = strcspn(a, "\t\n"), y = strcspn(b, "\t\n");
		char *a_end, *b_end;
		const double m = strtod(a, &a_end), n = strtod(b, &b_end);
		const bool numbers = a_end == a + x && b_end == b + y;
		if (!numbers && (x != y || strncmp(a, b, x) != 0)) {
			return false;
		}
		if (numbers && !(fabs(m - n) <= TOLERANCE * fmax(fabs(n), 0.01))) {
			return false;
		}
		a += x + (a[x] == '\t');
		b += y + (b[y] == '\t');
	}
	return (*a == '\0' || *a == '\n') && (*b == '\0' || *b == '\n');
}

/* Takes a line that is the same out of the text. */
static bool take_line(struct text *text, const char *expected) {
	for (char *line = (char *)text->lines.data; line && *line; line = strchr(line, '\n') + 1) {
		if (*line != '#' && is_same(line, expected)) {
			*line = '#';
			return true;
		}
	}
	return false;
}

static struct text read_avatar(const char *path) {
	char shared[LINE_BYTES];
	snprintf(shared, sizeof shared, "vrm/%s", path);
	struct text text = {.rig = shared_rig(shared)};
	assert_non_null(text.rig->avatar);
	add_avatar(&text);
	buffer_append(&text.lines, "", 1);
	return text;
}

/* Ends the test where the text has lines that the table lacks. */
static void finish(struct text *text, const char *path) {
	for (char *line = (char *)text->lines.data; line && *line; line = strchr(line, '\n') + 1) {
		if (*line != '#') {
			fail_msg("%s: three-vrm has no %.*s", path, (int)strcspn(line, "\n"), line);
		}
	}
	buffer_finish(&text->lines);
	rig_release((struct rig *)text->rig);
	*text = (struct text){0};
}

static void avatars_of_real_files_are_as_three_vrm_reads_them(void **state) {
	(void)state;
	FILE *table = fopen(TABLE, "r");
	struct text text = {0};
	char line[LINE_BYTES], path[LINE_BYTES] = "";
	int count = 0;
	assert_non_null(table);
	while (fgets(line, sizeof line, table)) {
		char *part = strchr(line, '\t');
		if (line[0] == '#' || !part) {
			continue;
		}
		*part++ = '\0';
		if (strcmp(line, path) != 0) {
			if (text.rig) {
				finish(&text, path);
			}
			snprintf(path, sizeof path, "%s", line);
			text = read_avatar(path);
		}
		if (!take_line(&text, part)) {
			fail_msg("%s: has no %s", path, part);
		}
		count++;
	}
	finish(&text, path);
	assert_true(count > 800);
	fclose(table);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(avatars_of_real_files_are_as_three_vrm_reads_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
