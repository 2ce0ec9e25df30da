// Pictures of both versions of a clip against each other.
#include "against/pairing.h"
#include "against/picture_results.h"
#include "against/views.h"
#include "base/stop.h"

/* Work of a picture besides its vertices, in vertices. */
#define PICTURE_WORK 40000

static bool set_picture(const struct against *against, const struct check_step *step, int version,
	const struct view_set *set, size_t view, struct picture_pair *pair, struct error *err) {
	const struct check_against_job *job = against->job;
	const struct view_subject subject = {
		.run = version == 0 ? job->before : job->after,
		.clip = step->facts->name,
		.renderer = job->renderer,
		.stop = job->stop,
	};
	struct buffer rgba = {0};
	const bool ok = view_draw(set, view, &subject, &rgba, err);
	if (ok) {
		picture_pair_set(pair, version, rgba.data);
	}
	buffer_finish(&rgba);
	return ok;
}

static bool compare_views(const struct against *against, const struct check_step *before,
	struct check_step *after, struct arena *arena, struct error *err) {
	static const char *const names[] = {"earlier version", "this version", "difference"};
	const struct check_against_job *job = against->job;
	struct view_set set;
	if (!view_set_make(job->before, before, job->renderer, job->stop, &set, err)) {
		return false;
	}
	struct picture_pair pair = picture_pair_create(arena);
	struct picture_results results = picture_results_create(before->facts->start_s, arena);
	for (size_t view = 0; view < VIEWS_COUNT; view++) {
		if (!set_picture(against, before, 0, &set, view, &pair, err) ||
			!set_picture(against, after, 1, &set, view, &pair, err)) {
			return false;
		}
		const struct picture_difference found = picture_pair_compare(&pair);
		const struct check_camera camera = view_camera(&set, view);
		picture_results_take(&results, &pair, &found, view_time(&set, view), &camera);
	}
	picture_results_emit(&results, names, after);
	return true;
}

/* Work of pictures of so many clips, in vertices that are drawn. */
static double work_of(const struct check_against_job *job, size_t clips) {
	const double vertices =
		(double)job->before->job.rig->vertex_count + job->after->job.rig->vertex_count;
	return (double)clips * VIEWS_COUNT * (2 * PICTURE_WORK + vertices);
}

/* False from the stop, and with ERROR_CONTEXT_LOST. */
static bool compare_clip(const struct against *against, const struct check_step *before,
	struct check_step *after, struct error *err) {
	struct arena *arena = arena_create();
	struct error why = {0};
	const bool drawn = compare_views(against, before, after, arena, &why);
	if (!drawn) {
		picture_results_skip(after->sink, why.text);
	}
	arena_destroy(arena);
	return drawn || view_goes_on(&why) || error_pass(err, &why);
}

bool renderer_check_against_pictures(
	const struct check_against_job *job, size_t step, struct error *err) {
	struct check_step *after = &job->after->steps[step];
	struct arena *arena = arena_create();
	bool ok = stop_check(job->stop, err);
	if (ok && after->clip >= 0 && picture_results_are_wanted(after->sink)) {
		const struct against against = against_pair(job, arena);
		const int before = against.clips[after->clip];
		if (before >= 0 && job->picture_work > 0 &&
			work_of(job, step) > job->picture_work) {
			picture_results_skip(after->sink, "too many clips for pictures of all");
		} else if (before >= 0) {
			ok = compare_clip(&against, &job->before->steps[before], after, err);
		}
	}
	arena_destroy(arena);
	return ok;
}
