// The steps of a file's check, which threads that have nothing else to do help with.
#include "api/asset_check_internal.h"
#include "base/clock.h"

/* The clip of a step of the file itself; NULL for other steps. */
static const char *name_of(const struct asset_check *work, size_t i) {
	return i < work->steps.own ? renderer_check_step_name(work->run, i) : NULL;
}

static bool run_step(struct asset_check *work, size_t i, struct error *err) {
	return i < work->steps.own
		? renderer_check_step(work->run, i, err)
		: renderer_check_step(work->before_run, i - work->steps.own, err);
}

size_t check_steps_begin(struct asset_check *work) {
	struct check_steps *steps = &work->steps;
	steps->own = renderer_check_steps(work->run);
	steps->count = steps->own + (work->before_run ? renderer_check_steps(work->before_run) : 0);
	atomic_store(&steps->next, 0);
	atomic_store(&steps->failed, false);
	steps->shown = 0;
	steps->seconds = arena_alloc(work->arena, steps->count, sizeof *steps->seconds);
	steps->errors = arena_alloc(work->arena, steps->count, sizeof *steps->errors);
	size_t clips = 0;
	for (size_t i = 0; i < steps->count; i++) {
		steps->seconds[i] = -1;
		clips += name_of(work, i) != NULL;
	}
	return clips;
}

bool check_steps_are_done(const struct asset_check *work) {
	return work->steps.shown == work->steps.count;
}

static void take(struct asset_check *work, size_t i) {
	struct check_steps *steps = &work->steps;
	const double begun_s = clock_now_s();
	if (!run_step(work, i, &steps->errors[i])) {
		atomic_store(&steps->failed, true);
		return;
	}
	steps->seconds[i] = clock_now_s() - begun_s;
	if (name_of(work, i)) {
		atomic_fetch_add(&work->clips_done, 1);
	}
}

/* Takes the next step; false when there is none for this turn. */
static bool take_next(struct asset_check *work) {
	struct check_steps *steps = &work->steps;
	if (atomic_load(&steps->enough) || atomic_load(&steps->failed)) {
		return false;
	}
	const size_t i = atomic_fetch_add(&steps->next, 1);
	if (i >= steps->count) {
		return false;
	}
	take(work, i);
	return true;
}

/* On a thread that helps, for as long as no other job waits for it. */
static bool help(void *task, struct renderer *renderer) {
	(void)renderer;
	struct asset_check *work = task;
	const struct sequence_help *helpers = assistants_help(work->helpers);
	while (!helpers->is_wanted(helpers->context) && take_next(work)) {
	}
	return true;
}

static bool is_out_of_time(const struct check_steps *steps) {
	return steps->turn->seconds > 0 && clock_now_s() - steps->begun_s >= steps->turn->seconds;
}

/* The first error in the order of the steps, whichever thread was first. */
static bool tell_error(const struct check_steps *steps, struct error *err) {
	size_t i = 0;
	while (i < steps->count && steps->errors[i].code == ERROR_NONE) {
		i++;
	}
	return error_pass(err, &steps->errors[i]);
}

/* Events of the steps that are done, in their order. */
static void show(struct asset_check *work, struct buffer *out) {
	struct check_steps *steps = &work->steps;
	for (; steps->shown < steps->count && steps->seconds[steps->shown] >= 0; steps->shown++) {
		const char *clip = name_of(work, steps->shown);
		if (clip && out) {
			check_event_clip(work->inputs[work->file_count].path, clip,
				++work->clips_shown, work->clips, steps->seconds[steps->shown],
				out);
		}
	}
}

bool check_steps_take(struct asset_check *work, const struct check_turn *turn, struct error *err) {
	struct check_steps *steps = &work->steps;
	const struct sequence_help *helpers = assistants_help(work->helpers);
	steps->turn = turn;
	steps->begun_s = clock_now_s();
	atomic_store(&steps->enough, false);
	helpers->ask(helpers->context, help, work);
	while (take_next(work)) {
		if (is_out_of_time(steps)) {
			atomic_store(&steps->enough, true);
		}
	}
	helpers->end(helpers->context);
	if (atomic_load(&steps->failed)) {
		return tell_error(steps, err);
	}
	show(work, turn->events);
	return true;
}

struct check_progress asset_check_progress(const struct asset_check *work) {
	return (struct check_progress){atomic_load(&work->clips_done), atomic_load(&work->clips)};
}
