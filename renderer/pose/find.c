// Clips and joints by what a request calls them.
#include "pose/find.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "base/utf8.h"
#include "model/plain_names.h"

static const struct clip *clip_by_index(const struct rig *rig, double index) {
	return index >= 0 && index < rig->clip_count && index == floor(index)
		? &rig->clips[(int)index]
		: NULL;
}

static const struct clip *clip_by_text(const struct rig *rig, const char *text) {
	const int found = rig_find_clip(rig, text);
	return found >= 0 ? &rig->clips[found] : clip_by_index(rig, number_read_index(text));
}

void pose_suggest_clips(const struct rig *rig, const char *unknown, struct error *err) {
	char names[400 + 4]; // room for "..." behind a cut list
	const size_t room = sizeof names - 4;
	size_t used = 0;
	struct nearest nearest = {.unknown = unknown};
	for (int i = 0; i < rig->clip_count; i++) {
		const char *name = rig->clips[i].name;
		if (used < room) {
			used += (size_t)snprintf(
				names + used, room - used, "%s%s", i ? ", " : "", name);
		}
		if (unknown) {
			nearest_offer_motion(&nearest, name);
		}
	}
	if (used >= room) {
		utf8_trim(names);
		strcpy(names + strlen(names), "...");
	}
	error_suggest(err, "; the rig has %s", rig->clip_count > 0 ? names : "no clips");
	// In a short list all names are near.
	if (unknown && rig->clip_count > NEAREST_COUNT) {
		char nearby[160];
		nearest_write(&nearest, nearby, sizeof nearby);
		error_suggest(err, "; nearest: %s", nearby);
	}
}

static bool refuse_clip(const struct rig *rig, const struct value *value, struct error *err) {
	const bool named = value->kind == VALUE_STRING;
	char unknown[160];
	if (named) {
		utf8_quote(value->string, unknown, sizeof unknown);
	} else {
		snprintf(unknown, sizeof unknown, "%.15g", value->number);
	}
	struct error why = {0};
	error_set(&why, ERROR_UNKNOWN_CLIP, "no clip %s", unknown);
	pose_suggest_clips(rig, named ? value->string : NULL, &why);
	return value_pass(value, err, &why);
}

const struct clip *pose_find_clip(
	const struct rig *rig, const struct value *value, struct error *err) {
	const struct clip *clip = NULL;
	if (value->kind == VALUE_STRING) {
		clip = clip_by_text(rig, value->string);
	} else if (value->kind == VALUE_NUMBER) {
		clip = clip_by_index(rig, value->number);
	} else {
		value_error(value, err, ERROR_INVALID_VALUE,
			"\"clip\" is %s, must be a clip's name or index",
			value_kind_name(value->kind));
		return NULL;
	}
	if (!clip) {
		refuse_clip(rig, value, err);
	}
	return clip;
}

void pose_suggest_joints(const struct rig *rig, const char *unknown, struct error *err) {
	struct nearest nearest = {.unknown = unknown};
	for (int i = 0; i < rig->joint_count; i++) {
		nearest_offer(&nearest, rig->joints[i].name);
	}
	char names[320];
	nearest_write(&nearest, names, sizeof names);
	error_suggest(err, "; the nearest: %s", names);
}

static void refuse_joint(
	const struct rig *rig, const struct value *place, const char *name, struct error *err) {
	char unknown[160];
	utf8_quote(name, unknown, sizeof unknown);
	struct error why = {0};
	error_set(&why, ERROR_UNKNOWN_JOINT, "no joint %s among the rig's %d", unknown,
		rig->joint_count);
	pose_suggest_joints(rig, name, &why);
	value_pass(place, err, &why);
}

/* By name or, if no joint has that name, by index; -1 if there is none. */
static int joint_by_text(const struct rig *rig, const char *text) {
	const int joint = rig_find_joint(rig, text);
	const int index = joint < 0 ? number_read_index(text) : -1;
	return index >= 0 ? rig_find_joint_by_index(rig, index) : joint;
}

int pose_find_joint(const struct rig *rig, const struct value *member, struct error *err) {
	const int joint = joint_by_text(rig, member->key);
	if (joint < 0) {
		refuse_joint(rig, member, member->key, err);
		return -1;
	}
	const char *name = rig->joints[joint].name;
	if (strcmp(name, member->key) != 0 && value_member(member->parent, name)) {
		char quoted[160];
		utf8_quote(name, quoted, sizeof quoted);
		value_error(member, err, ERROR_INVALID_VALUE,
			"joint %s is %s, which has a member of its own here", member->key, quoted);
		return -1;
	}
	return joint;
}

int pose_read_joint(const struct rig *rig, const struct value *value, struct error *err) {
	if (value->kind == VALUE_STRING) {
		const int joint = joint_by_text(rig, value->string);
		if (joint < 0) {
			refuse_joint(rig, value, value->string, err);
		}
		return joint;
	}
	if (value->kind != VALUE_NUMBER) {
		value_error(value, err, ERROR_INVALID_VALUE,
			"a joint is %s, must be its name or index", value_kind_name(value->kind));
		return -1;
	}
	const bool whole = value->number >= 0 && value->number <= INT_MAX &&
		value->number == floor(value->number);
	const int joint = whole ? rig_find_joint_by_index(rig, (int)value->number) : -1;
	if (joint < 0) {
		value_error(value, err, ERROR_UNKNOWN_JOINT, "no joint of index %.15g in the file",
			value->number);
	}
	return joint;
}

struct named {
	const char *name;
	int joint;
};

struct pairing {
	const struct rig *rig;
	const char *const *plain;  // [joint_count] names without exporters' numbers
	const struct named *names; // [joint_count] sorted
	char *other;               // room for the longest name and 2 bytes more
	int *partners;
};

/* A mark of the left side and the same of the right. */
struct mark {
	const char *left, *right;
	/* True when the mark stands for a side at name[at]. NULL = anywhere. */
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
		const int other = find_by_mark(pairing, pairing->plain[joint], &marks[i]);
		if (other >= 0) {
			pairing->partners[joint] = other;
			pairing->partners[other] = joint;
			return;
		}
	}
}

void pairs_by_name(const struct rig *rig, int *partners, struct arena *arena) {
	struct named *names = arena_alloc(arena, (size_t)rig->joint_count, sizeof *names);
	const char **plain = plain_names_of(rig, arena);
	size_t longest = 0;
	for (int i = 0; i < rig->joint_count; i++) {
		names[i] = (struct named){plain[i], i};
		const size_t length = strlen(plain[i]);
		longest = length > longest ? length : longest;
	}
	qsort(names, (size_t)rig->joint_count, sizeof *names, compare_names);
	const struct pairing pairing = {
		rig, plain, names, arena_alloc(arena, longest + 2, 1), partners};
	for (int i = 0; i < rig->joint_count; i++) {
		if (partners[i] < 0) {
			pair(&pairing, i);
		}
	}
	for (int i = 0; i < rig->joint_count; i++) {
		partners[i] = partners[i] < 0 ? i : partners[i];
	}
}
