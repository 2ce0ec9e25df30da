// An asset against approved pictures.
#include "interface/approved.h"

#include <string.h>

#include "against/picture_results.h"
#include "against/views.h"
#include "base/stop.h"
#include "image/encode.h"
#include "interface/pictures.h"

/* A clip whose pictures are compared. */
struct approval {
	const struct check_approved_job *job;
	struct check_step *step;
	struct view_set set;
	struct picture_pair pair;       // the approved one, and the present one
	struct picture_pair nearest;    // likewise, of the approved one that is most like it
	struct buffer rgba;             // the present one
	struct picture_results results; // so far
	int lacking;
};

/* True where a view's first difference is the lesser one. */
static bool is_nearer(const struct picture_difference *a, const struct picture_difference *b) {
	return a->flip != b->flip ? a->flip < b->flip : a->channel < b->channel;
}

static bool set_approved(struct approval *approval, const struct check_view *view, size_t i,
	bool *found, struct error *err) {
	const struct approved_pictures *pictures = approval->job->pictures;
	struct buffer png = {0}, rgba = {0};
	struct error why = {0};
	*found = pictures->read(pictures->context, view, i, &png, &why);
	const bool ok = *found
		? renderer_picture_read(png.data, png.size, VIEW_SIDE, VIEW_SIDE, &rgba, &why)
		: why.code == ERROR_NONE;
	if (*found && ok) {
		picture_pair_set(&approval->pair, 0, rgba.data);
	}
	buffer_finish(&png);
	buffer_finish(&rgba);
	return ok ||
		error_set(err, why.code, "approved picture %zu of %s, %d of %d, %s: %s", i + 1,
			view->camera, view->moment, view->moments, view->shading, why.text);
}

/* The difference from the approved picture that is most like the present one. */
static bool find_nearest(struct approval *approval, const struct check_view *view,
	struct picture_difference *out, bool *any, struct error *err) {
	bool fits = false;
	*any = false;
	for (size_t i = 0; !fits; i++) {
		bool found;
		if (!set_approved(approval, view, i, &found, err)) {
			return false;
		}
		if (!found) {
			return true;
		}
		const struct picture_difference apart = picture_pair_compare(&approval->pair);
		if (!*any || is_nearer(&apart, out)) {
			*out = apart;
			picture_pair_copy(&approval->pair, &approval->nearest);
		}
		*any = true;
		fits = picture_results_fit(approval->step->sink, out);
	}
	return true;
}

static bool approve(
	const struct approval *approval, const struct check_view *view, struct error *err) {
	const struct approved_pictures *pictures = approval->job->pictures;
	const struct picture picture = {
		.width = VIEW_SIDE, .height = VIEW_SIDE, .rgba = approval->rgba.data};
	struct buffer png = {0};
	const bool ok = encode_png(&picture, &png, err) &&
		pictures->add(pictures->context, view, &png, err);
	buffer_finish(&png);
	return ok;
}

/* Takes a view whose present picture is set. */
static bool take_view(struct approval *approval, size_t view, struct error *err) {
	const struct check_view about = view_describe(&approval->set, approval->job->run, view);
	const struct check_camera camera = view_camera(&approval->set, view);
	struct picture_difference nearest = {.ssim = 1};
	bool any;
	if (!find_nearest(approval, &about, &nearest, &any, err)) {
		return false;
	}
	const bool fits = any && picture_results_fit(approval->step->sink, &nearest);
	if (!fits && approval->job->pictures->add) {
		return approve(approval, &about, err);
	}
	approval->lacking += !any;
	if (any) {
		picture_results_take(&approval->results, &approval->nearest, &nearest,
			view_time(&approval->set, view), &camera);
	}
	return true;
}

/* The camera of the clip's approved pictures; where there are none to be, *any is false. */
static bool choose_camera(struct approval *approval, bool *any, struct error *err) {
	const struct check_approved_job *job = approval->job;
	const struct approved_pictures *pictures = job->pictures;
	struct view_set *set = &approval->set;
	struct error why = {0};
	set->clip = approval->step->facts;
	const struct check_view clip = view_describe(set, job->run, 0);
	struct check_camera camera;
	*any = pictures->read_camera(pictures->context, &clip, &camera, &why);
	if (*any) {
		memcpy(set->target, camera.target, sizeof set->target);
		set->distance = camera.distance;
		return true;
	}
	if (why.code != ERROR_NONE || !pictures->add_camera) {
		return why.code == ERROR_NONE || error_pass(err, &why);
	}
	*any = true;
	if (!view_set_make(job->run, approval->step, job->renderer, job->stop, set, err)) {
		return false;
	}
	camera = view_camera(set, 0);
	return pictures->add_camera(pictures->context, &clip, &camera, err);
}

static bool take_views(struct approval *approval, struct error *err) {
	const struct check_approved_job *job = approval->job;
	const struct view_subject subject = {
		.run = job->run,
		.clip = approval->step->facts->name,
		.renderer = job->renderer,
		.stop = job->stop,
	};
	bool any, ok = choose_camera(approval, &any, err);
	approval->lacking = any ? 0 : VIEWS_COUNT;
	for (size_t view = 0; ok && any && view < VIEWS_COUNT; view++) {
		approval->rgba.size = 0;
		ok = view_draw(&approval->set, view, &subject, &approval->rgba, err);
		if (ok) {
			picture_pair_set(&approval->pair, 1, approval->rgba.data);
			ok = take_view(approval, view, err);
		}
	}
	return ok;
}

static void tell(struct approval *approval, int *lacking) {
	static const char *const names[] = {"approved", "this version", "difference"};
	if (approval->lacking == VIEWS_COUNT) {
		picture_results_skip(approval->step->sink, approval->job->none);
	} else {
		picture_results_emit(&approval->results, names, approval->step);
		*lacking = approval->lacking;
	}
}

bool renderer_check_approved(
	const struct check_approved_job *job, size_t step, int *lacking, struct error *err) {
	struct check_step *at = &job->run->steps[step];
	struct error why = {0};
	*lacking = 0;
	if (at->clip < 0 || !picture_results_are_wanted(at->sink)) {
		return stop_check(job->stop, err);
	}
	if (!job->renderer) {
		picture_results_skip(at->sink, job->none);
		return true;
	}
	struct arena *arena = arena_create();
	struct approval approval = {
		.job = job,
		.step = at,
		.pair = picture_pair_create(arena),
		.nearest = picture_pair_create(arena),
		.results = picture_results_create(at->facts->start_s, arena),
	};
	const bool taken = stop_check(job->stop, &why) && take_views(&approval, &why);
	if (taken) {
		tell(&approval, lacking);
	} else {
		picture_results_skip(at->sink, why.text);
	}
	buffer_finish(&approval.rgba);
	arena_destroy(arena);
	return taken || view_goes_on(&why) || error_pass(err, &why);
}
