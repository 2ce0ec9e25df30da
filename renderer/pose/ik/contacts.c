// When a foot stands on the ground.
#include "pose/ik/contacts.h"

#include <string.h>

#include "base/vec.h"

static double height_of(const struct ground *ground, const double position[static 3]) {
	double v[3];
	vec3_sub(position, ground->point, v);
	return vec3_dot(v, ground->normal);
}

/* Speed relative to the ground, over the samples on both sides. */
static double speed_at(const double (*positions)[3], int count, int i, double step_s,
	const struct ground *ground) {
	const int before = i > 0 ? i - 1 : i, after = i < count - 1 ? i + 1 : i;
	double v[3];
	vec3_sub(positions[after], positions[before], v);
	vec3_scale(v, 1 / ((after - before) * step_s), v);
	vec3_sub(v, ground->velocity, v);
	return vec3_length(v);
}

/* The correction from a foot's position to its contact. */
static void hold(const struct contact *contact, const struct ground *ground, double sole,
	double time_s, const double position[static 3], double offset[static 3]) {
	double along[3];
	for (int k = 0; k < 3; k++) {
		along[k] = contact->anchor[k] + ground->velocity[k] * (time_s - contact->begin_s) -
			position[k];
	}
	const double level = vec3_dot(along, ground->normal), rise = sole - contact->lowest;
	for (int k = 0; k < 3; k++) {
		offset[k] = along[k] + (rise - level) * ground->normal[k];
	}
}

static struct contact measure(const double (*positions)[3], int first, int last, double start_s,
	double step_s, const struct ground *ground, double sole) {
	struct contact contact = {
		.begin_s = start_s + first * step_s, .end_s = start_s + last * step_s};
	contact.lowest = height_of(ground, positions[first]);
	for (int i = first; i <= last; i++) {
		const double height = height_of(ground, positions[i]);
		contact.lowest = height < contact.lowest ? height : contact.lowest;
		for (int k = 0; k < 3; k++) {
			contact.anchor[k] +=
				(positions[i][k] - ground->velocity[k] * (i - first) * step_s) /
				(last - first + 1);
		}
	}
	hold(&contact, ground, sole, contact.begin_s, positions[first], contact.enter);
	hold(&contact, ground, sole, contact.end_s, positions[last], contact.leave);
	return contact;
}

int contacts_find(const double (*positions)[3], int count, double start_s, double step_s,
	const struct ground *ground, const struct contact_rule *rule, double from_s, double to_s,
	struct contact *out, int most) {
	double lowest = height_of(ground, positions[0]);
	for (int i = 1; i < count; i++) {
		const double height = height_of(ground, positions[i]);
		lowest = height < lowest ? height : lowest;
	}
	int found = 0, first = -1;
	for (int i = 0; i <= count; i++) {
		const bool stands = i < count &&
			height_of(ground, positions[i]) - lowest < rule->height &&
			speed_at(positions, count, i, step_s, ground) < rule->speed;
		if (stands) {
			first = first < 0 ? i : first;
		} else if (first >= 0) {
			const bool near = start_s + first * step_s <= to_s &&
				start_s + (i - 1) * step_s >= from_s;
			if (near && found < most) {
				out[found] = measure(positions, first, i - 1, start_s, step_s,
					ground, rule->sole);
			}
			found += near;
			first = -1;
		}
	}
	return found;
}

/* 1 at the contact, 0 from fade_s away on, without a jolt. */
static double nearness(double away_s, double fade_s) {
	if (!(away_s < fade_s)) {
		return 0;
	}
	const double x = 1 - away_s / fade_s;
	return x * x * (3 - 2 * x);
}

void contacts_offset(const struct contact *contacts, int count, const struct ground *ground,
	double sole, double fade_s, double time_s, const double position[static 3],
	double offset[static 3]) {
	double sum = 0;
	memset(offset, 0, 3 * sizeof *offset);
	for (int i = 0; i < count; i++) {
		const struct contact *contact = &contacts[i];
		if (time_s >= contact->begin_s && time_s <= contact->end_s) {
			hold(contact, ground, sole, time_s, position, offset);
			return;
		}
		const bool before = time_s < contact->begin_s;
		const double away_s = before ? contact->begin_s - time_s : time_s - contact->end_s;
		const double share = nearness(away_s, fade_s);
		for (int k = 0; k < 3; k++) {
			offset[k] += share * (before ? contact->enter[k] : contact->leave[k]);
		}
		sum += share;
	}
	vec3_scale(offset, sum > 1 ? 1 / sum : 1, offset);
}
