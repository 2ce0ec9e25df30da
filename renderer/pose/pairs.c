// Joints of the left and of the right side, told by their names.
#include "pose/pairs.h"

#include <stdlib.h>
#include <string.h>

struct named {
	const char *name;
	int joint;
};

struct pairing {
	const struct rig *rig;
	const struct named *names; // [joint_count] sorted
	char *other;               // room for the longest name and 2 bytes more
	int *partners;
};

/* A mark of the left side and the same of the right. */
struct mark {
	const char *left, *right;
	/* Whether the mark stands for a side at name[at]. NULL = anywhere. */
	bool (*stands)(const char *name, size_t at);
};

static bool is_lower(char c) {
	return c >= 'a' && c <= 'z';
}

static bool is_upper(char c) {
	return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c) {
	return is_lower(c) || is_upper(c);
}

static bool stands_alone(const char *name, size_t at) {
	return !(at > 0 && is_letter(name[at - 1])) && !is_letter(name[at + 1]);
}

static bool stands_at_end(const char *name, size_t at) {
	return at > 0 && is_lower(name[at - 1]) && !is_letter(name[at + 1]);
}

static bool stands_at_beginning(const char *name, size_t at) {
	return !(at > 0 && is_letter(name[at - 1])) && is_upper(name[at + 1]);
}

static const struct mark marks[] = {
	{"Left", "Right", NULL},
	{"left", "right", NULL},
	{"LEFT", "RIGHT", NULL},
	{"L", "R", stands_alone},
	{"l", "r", stands_alone},
	{"L", "R", stands_at_end},
	{"l", "r", stands_at_beginning},
};

static int compare_names(const void *a, const void *b) {
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

/* The joint whose name is the other one with the mark at this place turned round, -1 if none. */
static int find_other(
	const struct pairing *pairing, const char *name, const struct mark *mark, size_t at) {
	memcpy(pairing->other, name, at);
	strcpy(pairing->other + at, mark->right);
	strcat(pairing->other, name + at + strlen(mark->left));
	const struct named wanted = {.name = pairing->other};
	const struct named *found = bsearch(&wanted, pairing->names,
		(size_t)pairing->rig->joint_count, sizeof *pairing->names, compare_names);
	return found && pairing->partners[found->joint] < 0 ? found->joint : -1;
}

/* The same for each place where the name has the mark. */
static int find_by_mark(const struct pairing *pairing, const char *name, const struct mark *mark) {
	for (const char *place = name; (place = strstr(place, mark->left)); place++) {
		const size_t at = (size_t)(place - name);
		if (!mark->stands || mark->stands(name, at)) {
			const int other = find_other(pairing, name, mark, at);
			if (other >= 0) {
				return other;
			}
		}
	}
	return -1;
}

static void pair(const struct pairing *pairing, int joint) {
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		const int other =
			find_by_mark(pairing, pairing->rig->joints[joint].name, &marks[i]);
		if (other >= 0) {
			pairing->partners[joint] = other;
			pairing->partners[other] = joint;
			return;
		}
	}
}

void pairs_by_name(const struct rig *rig, int *partners, struct arena *arena) {
	struct named *names = arena_alloc(arena, (size_t)rig->joint_count, sizeof *names);
	size_t longest = 0;
	for (int i = 0; i < rig->joint_count; i++) {
		names[i] = (struct named){rig->joints[i].name, i};
		const size_t length = strlen(rig->joints[i].name);
		longest = length > longest ? length : longest;
	}
	qsort(names, (size_t)rig->joint_count, sizeof *names, compare_names);
	const struct pairing pairing = {rig, names, arena_alloc(arena, longest + 2, 1), partners};
	for (int i = 0; i < rig->joint_count; i++) {
		if (partners[i] < 0) {
			pair(&pairing, i);
		}
	}
	for (int i = 0; i < rig->joint_count; i++) {
		partners[i] = partners[i] < 0 ? i : partners[i];
	}
}
