// Instances that are attached to joints of others.
#include <math.h>
#include <stdint.h>

#include "base/mat.h"
#include "interface/pictures.h"
#include "pose/find.h"
#include "pose/operations.h"

#define NONE SIZE_MAX

/* For each instance those attached to it, as lists. */
struct holdings {
	size_t *first; // [count] the first that is attached to an instance; NONE = nobody is
	size_t *next;  // [count] the next that is attached to the same
};

static struct holdings list_holdings(const struct attach_job *job, struct arena *arena) {
	const struct holdings holdings = {
		.first = arena_alloc(arena, job->count, sizeof *holdings.first),
		.next = arena_alloc(arena, job->count, sizeof *holdings.next),
	};
	for (size_t i = 0; i < job->count; i++) {
		holdings.first[i] = NONE;
	}
	for (size_t i = job->count; i-- > 0;) {
		const struct crowd_instance *instance = &job->instances[i];
		if (instance->joint) {
			holdings.next[i] = holdings.first[instance->to];
			holdings.first[instance->to] = i;
		}
	}
	return holdings;
}

static bool is_within_float32(const double m[static 12]) {
	int i = 0;
	while (i < 12 && isfinite((float)m[i])) {
		i++;
	}
	return i == 12;
}

/* Places what is attached to an instance by that one's pose. */
static bool place(const struct crowd_instance *holder, const struct pose *pose,
	struct crowd_instance *held, struct error *err) {
	const int joint = pose_read_joint(holder->subject.rig, held->joint, err);
	if (joint < 0) {
		return false;
	}
	double way[12];
	pose_joint_world(holder->subject.rig, pose, joint, way);
	mat_multiply(holder->placement, way, way);
	mat_multiply(way, held->placement, held->placement);
	return is_within_float32(held->placement) ||
		value_error(held->joint, err, ERROR_INVALID_VALUE,
			"the joint takes the instance farther than float32 reaches");
}

static bool place_held(const struct attach_job *job, const struct holdings *holdings, size_t i,
	struct arena *arena, size_t *culprit, struct error *err) {
	const struct crowd_instance *holder = &job->instances[i];
	const struct posed_subject *subject = &holder->subject;
	struct pose_run run = {.arena = arena, .sources = subject->sources, .stop = subject->stop};
	struct pose_context context = pose_context_make(subject->rig, arena, &run);
	struct pose pose;
	*culprit = i;
	bool ok = stop_check(subject->stop, err) &&
		pose_evaluate(&context, subject->pose, &pose, err);
	for (size_t k = holdings->first[i]; ok && k != NONE; k = holdings->next[k]) {
		*culprit = k;
		ok = place(holder, &pose, &job->instances[k], err);
	}
	return ok;
}

bool renderer_attach(const struct attach_job *job, size_t *culprit, struct error *err) {
	struct arena *arena = arena_create(), *spare = arena_create();
	const struct holdings holdings = list_holdings(job, arena);
	bool ok = true;
	for (size_t i = 0; ok && i < job->count; i++) {
		if (holdings.first[job->order[i]] != NONE) {
			ok = place_held(job, &holdings, job->order[i], spare, culprit, err);
			arena_reset(spare);
		}
	}
	arena_destroy(spare);
	arena_destroy(arena);
	return ok;
}
