// The assignment of another rig's joints to ours.
#include "pose/retarget/joint_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "pose/find.h"
#include "pose/humanoid/joint_words.h"
#include "pose/pose.h"

const char *const joint_map_names[JOINT_MAP_COUNT + 1] = {
	[JOINT_MAP_AUTO] = "auto", [JOINT_MAP_NAME] = "name", NULL};

const char *joint_match_name(enum joint_match match) {
	static const char *const names[] = {[JOINT_UNMATCHED] = NULL,
		[JOINT_GIVEN] = "map",
		[JOINT_NAME] = "name",
		[JOINT_WORDS] = "words",
		[JOINT_ROLE] = "role",
		[JOINT_PLACE] = "place",
		[JOINT_BONE] = "bone"};
	return names[match];
}

void joint_map_bind(struct joint_map *map, int ours, int theirs, enum joint_match match) {
	if (ours < 0 || theirs < 0 || map->partner[ours] >= 0 || map->follower[theirs] >= 0) {
		return;
	}
	map->partner[ours] = theirs;
	map->follower[theirs] = ours;
	map->match[ours] = match;
	map->bound++;
}

static int role_of(const struct humanoid *roles, int joint) {
	int role = -1;
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		role = roles->joints[i] == joint ? i : role;
	}
	return role;
}

#define CONFIDENCE_WORDS 0.9
#define CONFIDENCE_PLACE 0.6
/* Between two joints that are known. */
#define CONFIDENCE_BETWEEN 0.7
/* Of joints that have one name and are different parts of a humanoid. */
#define CONFIDENCE_CONTRADICTED 0.3

static double confidence_of(const struct joint_map *map, int joint) {
	const int ours = role_of(&map->our_roles, joint);
	const int theirs = role_of(&map->their_roles, map->partner[joint]);
	const bool same = ours >= 0 && ours == theirs;
	const double roles = same
		? fmin(map->our_roles.confidence[ours], map->their_roles.confidence[theirs])
		: CONFIDENCE_BETWEEN;
	switch (map->match[joint]) {
	case JOINT_GIVEN:
	case JOINT_BONE:
		return 1;
	case JOINT_NAME:
	case JOINT_WORDS:
		if (ours >= 0 && theirs >= 0 && !same) {
			return CONFIDENCE_CONTRADICTED;
		}
		return map->match[joint] == JOINT_NAME ? 1 : CONFIDENCE_WORDS;
	case JOINT_ROLE:
		return roles;
	case JOINT_PLACE:
		return fmax(same ? roles : 0, CONFIDENCE_PLACE);
	case JOINT_UNMATCHED:
		break;
	}
	return 0;
}

/* Over the joints without which no humanoid moves, of those that one of the rigs has. */
static double humanoid_confidence(const struct joint_map *map) {
	static const enum humanoid_role needed[] = {HUMANOID_HIPS, HUMANOID_LEFT_UPPER_ARM,
		HUMANOID_LEFT_LOWER_ARM, HUMANOID_LEFT_HAND, HUMANOID_LEFT_UPPER_LEG,
		HUMANOID_LEFT_LOWER_LEG, HUMANOID_LEFT_FOOT};
	const size_t count = sizeof needed / sizeof *needed;
	double sum = 0;
	int all = 0;
	for (size_t i = 0; i < 2 * count - 1; i++) {
		const int role =
			(int)needed[i % count + i / count] + (i < count ? 0 : HUMANOID_SIDE_ROLES);
		const int ours = map->our_roles.joints[role];
		const int theirs = map->their_roles.joints[role];
		all += ours >= 0 || theirs >= 0;
		sum += ours >= 0 && theirs >= 0 && map->partner[ours] == theirs
			? map->confidence[ours]
			: 0;
	}
	return sum / all;
}

static double skeleton_confidence(const struct joint_map *map, struct arena *arena) {
	const struct rig *const rigs[2] = {map->ours, map->theirs};
	bool *skinned[2];
	int counts[2] = {0, 0};
	for (int r = 0; r < 2; r++) {
		skinned[r] = arena_alloc(arena, (size_t)rigs[r]->joint_count, sizeof **skinned);
		skeleton_mark_skinned(rigs[r], skinned[r]);
		for (int i = 0; i < rigs[r]->joint_count; i++) {
			counts[r] += skinned[r][i];
		}
	}
	double sum = 0;
	for (int i = 0; i < map->ours->joint_count; i++) {
		const bool counts_in =
			map->partner[i] >= 0 && (skinned[0][i] || skinned[1][map->partner[i]]);
		sum += counts_in ? map->confidence[i] : 0;
	}
	const int smaller = counts[0] < counts[1] ? counts[0] : counts[1];
	return smaller > 0 ? fmin(sum / smaller, 1) : 0;
}

/* Bodies whose thighs point so differently from where the arms are do not move alike. */
#define POSTURES_DIFFER 0.5

static void judge(struct joint_map *map, struct arena *arena) {
	const double ours = map->our_roles.posture_cosine;
	const double theirs = map->their_roles.posture_cosine;
	const bool differ = ours < 1 && theirs < 1 && fabs(ours - theirs) > POSTURES_DIFFER;
	for (int i = 0; i < map->ours->joint_count; i++) {
		const double share = differ && map->match[i] == JOINT_ROLE ? 0.5 : 1;
		map->confidence[i] = confidence_of(map, i) * share;
	}
	const bool humanoids = map->our_roles.joints[HUMANOID_HIPS] >= 0 &&
		map->their_roles.joints[HUMANOID_HIPS] >= 0;
	map->whole = humanoids ? humanoid_confidence(map) : skeleton_confidence(map, arena);
}

static void begin(const struct rig *ours, const struct rig *theirs, struct arena *arena,
	struct joint_map *map) {
	const size_t our_count = (size_t)ours->joint_count;
	const size_t their_count = (size_t)theirs->joint_count;
	*map = (struct joint_map){
		.ours = ours,
		.theirs = theirs,
		.partner = arena_alloc(arena, our_count, sizeof *map->partner),
		.match = arena_alloc(arena, our_count, sizeof *map->match),
		.confidence = arena_alloc(arena, our_count, sizeof *map->confidence),
		.follower = arena_alloc(arena, their_count, sizeof *map->follower),
	};
	memset(map->partner, -1, our_count * sizeof *map->partner);
	memset(map->follower, -1, their_count * sizeof *map->follower);
	humanoid_find(ours, arena, &map->our_roles);
	humanoid_find(theirs, arena, &map->their_roles);
}

/* The keys by which a joint is found. */
struct key {
	const char *text; // NULL = by nothing
	int joint;
};

static int compare_keys(const void *a, const void *b) {
	const struct key *x = a, *y = b;
	const int order = strcmp(x->text, y->text);
	return order ? order : (x->joint > y->joint) - (x->joint < y->joint);
}

/* The first of the sorted keys with a text, or its insertion point. */
static size_t find_first(const struct key *keys, size_t count, const char *text) {
	size_t low = 0, high = count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (strcmp(keys[middle].text, text) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* True when two joints are different parts of a humanoid. */
static bool are_different(const struct joint_map *map, int ours, int theirs) {
	const int a = role_of(&map->our_roles, ours), b = role_of(&map->their_roles, theirs);
	return a >= 0 && b >= 0 && a != b;
}

/* Pairs joints of one key, in the order of the rigs. Sorts theirs. */
static void bind_keys(
	struct joint_map *map, const struct key *ours, struct key *theirs, enum joint_match match) {
	size_t count = 0;
	for (int i = 0; i < map->theirs->joint_count; i++) {
		if (theirs[i].text && map->follower[i] < 0) {
			theirs[count++] = theirs[i];
		}
	}
	qsort(theirs, count, sizeof *theirs, compare_keys);
	for (int i = 0; i < map->ours->joint_count; i++) {
		const char *text = map->partner[i] < 0 ? ours[i].text : NULL;
		if (!text) {
			continue;
		}
		size_t at = find_first(theirs, count, text);
		while (at < count && map->follower[theirs[at].joint] >= 0 &&
			strcmp(theirs[at].text, text) == 0) {
			at++;
		}
		if (at < count && strcmp(theirs[at].text, text) == 0 &&
			!(match == JOINT_WORDS && are_different(map, i, theirs[at].joint))) {
			joint_map_bind(map, i, theirs[at].joint, match);
		}
	}
}

static struct key *name_keys(const struct rig *rig, struct arena *arena) {
	struct key *keys = arena_alloc(arena, (size_t)rig->joint_count, sizeof *keys);
	for (int i = 0; i < rig->joint_count; i++) {
		keys[i] = (struct key){rig->joints[i].name, i};
	}
	return keys;
}

/* Side, number without zeros before it, words. Names without words have no key. */
static struct key *word_keys(const struct rig *rig, struct arena *arena) {
	const struct joint_words *words = joint_words_of(rig, arena);
	struct key *keys = arena_alloc(arena, (size_t)rig->joint_count, sizeof *keys);
	for (int i = 0; i < rig->joint_count; i++) {
		const char *number = words[i].number + strspn(words[i].number, "0");
		keys[i].joint = i;
		if (*words[i].text) {
			keys[i].text = arena_printf(
				arena, "%d %s %s", (int)words[i].side, number, words[i].text);
		}
	}
	return keys;
}

/* Pairs what lies between two joints of each rig by its share of the way. */
static void bind_between(struct joint_map *map, enum humanoid_role from, enum humanoid_role to,
	struct arena *arena) {
	const struct rig *const rigs[2] = {map->ours, map->theirs};
	const struct humanoid *const roles[2] = {&map->our_roles, &map->their_roles};
	int *between[2], counts[2] = {0, 0};
	for (int r = 0; r < 2; r++) {
		const int above = roles[r]->joints[from], below = roles[r]->joints[to];
		between[r] = arena_alloc(arena, (size_t)rigs[r]->joint_count, sizeof *between[r]);
		if (above < 0 || below < 0) {
			return;
		}
		for (int i = rigs[r]->joints[below].parent; i > above;
			i = rigs[r]->joints[i].parent) {
			between[r][counts[r]++] = i;
		}
	}
	for (int i = 0; counts[1] > 0 && i < counts[0]; i++) {
		const int share = (2 * i + 1) * counts[1] / (2 * counts[0]);
		joint_map_bind(map, between[0][i], between[1][share], JOINT_ROLE);
	}
}

static void bind_roles(struct joint_map *map, struct arena *arena) {
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		const int ours = map->our_roles.joints[i], theirs = map->their_roles.joints[i];
		const bool same = ours >= 0 && theirs >= 0 &&
			strcmp(map->ours->joints[ours].name, map->theirs->joints[theirs].name) == 0;
		joint_map_bind(map, ours, theirs, same ? JOINT_NAME : JOINT_ROLE);
	}
	bind_between(map, HUMANOID_SPINE, HUMANOID_CHEST, arena);
	bind_between(map, HUMANOID_NECK, HUMANOID_HEAD, arena);
}

/* Counts the joints that share their name. */
static int count_namesakes(const struct joint_map *map, struct arena *arena) {
	struct key *keys = name_keys(map->theirs, arena);
	const size_t count = (size_t)map->theirs->joint_count;
	qsort(keys, count, sizeof *keys, compare_keys);
	int namesakes = 0;
	for (int i = 0; i < map->ours->joint_count; i++) {
		const char *name = map->ours->joints[i].name;
		const size_t at = find_first(keys, count, name);
		namesakes += at < count && strcmp(keys[at].text, name) == 0;
	}
	return namesakes;
}

static int smaller_count(const struct joint_map *map) {
	const int ours = map->ours->joint_count, theirs = map->theirs->joint_count;
	return ours < theirs ? ours : theirs;
}

/* True when a rig's limbs were found by its shape alone. */
static bool is_nameless(const struct humanoid *roles) {
	bool nameless = false;
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		nameless = nameless || roles->found[i] == HUMANOID_BY_SHAPE;
	}
	return nameless;
}

/* Pairs all joints of two hierarchies of one shape in order, unless that makes pairs of different
 * parts of a humanoid. */
static void bind_twins(struct joint_map *map, struct arena *arena) {
	struct joint_map twins;
	if (!joint_map_same_shape(map->ours, map->theirs, arena)) {
		return;
	}
	begin(map->ours, map->theirs, arena, &twins);
	joint_map_bind_places(&twins, arena);
	for (int i = 0; i < map->ours->joint_count; i++) {
		if (twins.partner[i] >= 0 && are_different(map, i, twins.partner[i])) {
			return;
		}
	}
	*map = twins;
}

static void find(enum joint_map_kind kind, struct joint_map *map, struct arena *arena) {
	const struct rig *ours = map->ours, *theirs = map->theirs;
	const bool humanoids = map->our_roles.joints[HUMANOID_HIPS] >= 0 &&
		map->their_roles.joints[HUMANOID_HIPS] >= 0;
	const bool nameless = is_nameless(&map->our_roles) || is_nameless(&map->their_roles);
	const bool by_roles = kind == JOINT_MAP_AUTO && humanoids;
	if (by_roles && count_namesakes(map, arena) * 2 < smaller_count(map)) {
		if (nameless) {
			bind_twins(map, arena);
		}
		bind_roles(map, arena);
	}
	bind_keys(map, name_keys(ours, arena), name_keys(theirs, arena), JOINT_NAME);
	if (by_roles) {
		bind_roles(map, arena);
	}
	bind_keys(map, word_keys(ours, arena), word_keys(theirs, arena), JOINT_WORDS);
	if (kind == JOINT_MAP_AUTO && (!humanoids || nameless)) {
		joint_map_bind_places(map, arena);
	}
}

void joint_map_find(enum joint_map_kind kind, const struct rig *ours, const struct rig *theirs,
	struct arena *arena, struct joint_map *map) {
	begin(ours, theirs, arena, map);
	find(kind, map, arena);
	judge(map, arena);
}

void joint_map_bones(const struct rig *ours, const struct rig *theirs, struct arena *arena,
	struct joint_map *map) {
	begin(ours, theirs, arena, map);
	map->our_roles.joints[HUMANOID_HIPS] = ours->avatar->bones[AVATAR_BONE_hips];
	map->their_roles.joints[HUMANOID_HIPS] = theirs->avatar->bones[AVATAR_BONE_hips];
	memset(map->our_roles.apart, 0, sizeof map->our_roles.apart);
	memset(map->their_roles.apart, 0, sizeof map->their_roles.apart);
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		joint_map_bind(map, ours->avatar->bones[i], theirs->avatar->bones[i], JOINT_BONE);
	}
	judge(map, arena);
}

bool joint_map_is_played(const struct rig *ours, const struct rig *theirs) {
	return ours->avatar && theirs->avatar && theirs->avatar->is_motion &&
		ours->avatar->bones[AVATAR_BONE_hips] >= 0 &&
		theirs->avatar->bones[AVATAR_BONE_hips] >= 0;
}

bool joint_map_is_of_face(const struct rig *ours, const struct rig *theirs) {
	return ours->avatar && !ours->avatar->is_motion && theirs->avatar &&
		theirs->avatar->is_motion && theirs->avatar->bones[AVATAR_BONE_hips] < 0;
}

static bool read_pair(struct joint_map *map, const struct value *member, struct error *err) {
	const int theirs = pose_find_joint(map->theirs, member, err);
	const int ours = theirs < 0 ? -1 : pose_read_joint(map->ours, member, err);
	if (theirs < 0 || ours < 0) {
		return false;
	}
	if (map->partner[ours] >= 0) {
		char name[UTF8_QUOTED_BYTES], other[UTF8_QUOTED_BYTES];
		utf8_quote(map->ours->joints[ours].name, name, sizeof name);
		utf8_quote(map->theirs->joints[map->partner[ours]].name, other, sizeof other);
		return value_error(member, err, ERROR_INVALID_VALUE,
			"joint %s follows %s already; each of ours follows one", name, other);
	}
	joint_map_bind(map, ours, theirs, JOINT_GIVEN);
	return true;
}

bool joint_map_read(const struct value *object, const struct rig *ours, const struct rig *theirs,
	struct arena *arena, struct joint_map *map, struct error *err) {
	begin(ours, theirs, arena, map);
	for (size_t i = 0; i < object->count; i++) {
		if (!read_pair(map, &object->items[i], err)) {
			return false;
		}
	}
	judge(map, arena);
	return map->bound > 0 ||
		value_error(object, err, ERROR_INVALID_VALUE,
			"the map has no pairs, must be {\"their joint\": \"our joint\", ...}");
}
