// Checks of assets: their inputs, and their turns.
#include "api/asset_check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/asset_body.h"
#include "api/asset_check_internal.h"
#include "base/clock.h"
#include "base/memory.h"
#include "limits.h"
#include "sandbox/importer.h"
#include "store/hash.h"
#include "store/store_clips.h"

/* --- Inputs --- */

static void finish_assistants(void *assistants) {
	assistants_destroy(assistants);
}

static struct asset_check *create(struct service *service) {
	struct arena *arena = arena_create();
	struct asset_check *work = arena_alloc(arena, 1, sizeof *work);
	work->arena = arena;
	work->service = service;
	work->rules.rules = renderer_check_rules(&work->rules.count);
	work->before.hold.source = -1;
	work->helpers = assistants_create(service->pools[EXECUTOR_CPU]);
	arena_defer(arena, finish_assistants, work->helpers);
	return work;
}

void asset_check_destroy(struct asset_check *work) {
	if (!work) {
		return;
	}
	for (size_t i = 0; i < work->input_count; i++) {
		store_release(&work->inputs[i].hold);
		asset_body_finish(&work->inputs[i].body);
	}
	store_release(&work->before.hold);
	free(work->copy);
	// The work lies in its own arena.
	struct arena *arena = work->arena;
	arena_destroy(arena);
}

static void make_inputs(struct asset_check *work, size_t count) {
	work->inputs = arena_alloc(work->arena, count, sizeof *work->inputs);
	work->files = arena_alloc(work->arena, count, sizeof *work->files);
	work->input_count = count;
	for (size_t i = 0; i < count; i++) {
		work->inputs[i].hold.source = -1;
		work->inputs[i].body.file = -1;
	}
}

static bool hold_rig(struct asset_check *work, struct check_input *input, const struct value *place,
	const char *rig, struct error *err) {
	struct error why = {0};
	if (!store_hold(work->service->store, rig, HOLD_SOURCE, work->arena, &input->hold, &why)) {
		return value_pass(place, err, &why);
	}
	input->path = input->hold.summary.name;
	input->content = input->hold.summary.content;
	return true;
}

/* The first rig that is named again; NULL = none. */
static const struct value *find_twice(const struct check_request *request) {
	for (size_t i = 1; i < request->rig_count; i++) {
		for (size_t k = 0; k < i; k++) {
			if (strcmp(request->rigs[i]->string, request->rigs[k]->string) == 0) {
				return request->rigs[i];
			}
		}
	}
	return NULL;
}

static bool hold_rigs(struct asset_check *work, struct error *err) {
	const struct check_request *request = &work->request;
	const struct value *twice = find_twice(request);
	if (twice) {
		return value_error(twice, err, ERROR_INVALID_VALUE,
			"rig \"%.128s\" is to be checked twice", twice->string);
	}
	make_inputs(work, request->rig_count);
	size_t i = 0;
	while (i < request->rig_count &&
		hold_rig(work, &work->inputs[i], request->rigs[i], request->rigs[i]->string, err)) {
		work->clips += (size_t)work->inputs[i].hold.summary.clips;
		i++;
	}
	return i == request->rig_count &&
		(!request->against ||
			hold_rig(work, &work->before, request->against_source, request->against,
				err));
}

struct asset_check *asset_check_of_json(struct request_context *context, struct error *err) {
	struct asset_check *work = create(context->service);
	const struct value *body = context_json_into(context, work->arena, err);
	if (!body || !request_read_check(body, &work->rules, work->arena, &work->request, err) ||
		!asset_check_resolve(work, err) || !hold_rigs(work, err)) {
		asset_check_destroy(work);
		return NULL;
	}
	return work;
}

/* The parameters in the work's own memory. */
static const struct query_parameter *copy_parameters(
	const struct request_context *context, struct arena *arena) {
	struct query_parameter *copy = arena_alloc(arena, context->parameter_count, sizeof *copy);
	for (size_t i = 0; i < context->parameter_count; i++) {
		const struct query_parameter *from = &context->parameters[i];
		copy[i].name = arena_strndup(arena, from->name, strlen(from->name));
		copy[i].value = arena_strndup(arena, from->value, strlen(from->value));
	}
	return copy;
}

static struct asset_check *create_by_query(
	struct request_context *context, bool asset, struct error *err) {
	struct asset_check *work = create(context->service);
	const struct query_parameter *parameters = copy_parameters(context, work->arena);
	if (!query_read_check(parameters, context->parameter_count, asset, &work->rules,
		    work->arena, &work->request, err) ||
		!asset_check_resolve(work, err)) {
		asset_check_destroy(work);
		return NULL;
	}
	make_inputs(work, 1);
	return work;
}

struct asset_check *asset_check_of_rig(struct request_context *context, struct error *err) {
	struct asset_check *work = create_by_query(context, false, err);
	if (work && !hold_rig(work, &work->inputs[0], NULL, context->rig, err)) {
		asset_check_destroy(work);
		return NULL;
	}
	if (work) {
		work->clips += (size_t)work->inputs[0].hold.summary.clips;
	}
	return work;
}

struct asset_check *asset_check_of_body(struct request_context *context, struct error *err) {
	struct asset_check *work = create_by_query(context, true, err);
	if (work) {
		work->inputs[0].path = work->request.path;
		work->context = context;
	}
	return work;
}

const char *asset_check_contents(const struct asset_check *work) {
	if (work->request.timing) {
		return NULL;
	}
	const char *text = work->today ? work->today : "";
	for (size_t i = 0; i < work->input_count; i++) {
		const char *motion = work->inputs[i].hold.motion;
		text = arena_printf(work->arena, "%s %s", text, motion ? motion : "body");
	}
	return work->request.against
		? arena_printf(work->arena, "%s against %s", text, work->before.hold.motion)
		: text;
}

/* --- Reading assets --- */

static bool take_body(
	struct asset_check *work, struct request_context *context, struct error *err) {
	struct check_input *input = &work->inputs[0];
	char hash[HASH_TEXT_BYTES];
	work->context = NULL;
	if (!asset_body_take(context, &input->body, err)) {
		return false;
	}
	hash_bytes(input->body.bytes, input->body.size, hash);
	input->content = arena_printf(work->arena, "sha256:%s", hash);
	return true;
}

bool asset_check_keep_body(
	struct asset_check *work, struct request_context *context, struct error *err) {
	struct check_input *input = &work->inputs[0];
	if (!work->context) {
		return true;
	}
	if (!take_body(work, context, err)) {
		return false;
	}
	if (input->body.packed.size > 0) {
		return true;
	}
	work->copy = malloc(input->body.size ? input->body.size : 1);
	if (!work->copy) {
		return error_set(err, ERROR_OVERLOADED, "no memory for the asset; try again");
	}
	memcpy(work->copy, input->body.bytes, input->body.size);
	input->body.bytes = work->copy;
	input->body.file = -1;
	return true;
}

/* True where the asset is at fault, and not the daemon, the client or a limit. */
static bool is_refusal(enum error_code code) {
	return code == ERROR_BROKEN_ASSET || code == ERROR_UNSUPPORTED_ASSET ||
		code == ERROR_UNSUPPORTED_MEDIA_TYPE;
}

static void release_rig(void *rig) {
	rig_release(rig);
}

static void destroy_facts(void *facts) {
	asset_facts_destroy(facts);
}

/* The rig with the clips that are stored beside its file. NULL with store_add_clips()'s errors. */
static struct rig *add_stored_clips(
	const struct check_input *input, struct rig *take_rig, struct error *err) {
	if (!input->hold.store || store_clip_count(&input->hold) == 0) {
		return take_rig;
	}
	struct rig *rig = store_add_clips(&input->hold, take_rig, err);
	rig_release(take_rig);
	return rig;
}

/* The rig and its facts are the work's. */
static struct rig *read_input(struct asset_check *work, struct check_input *input,
	const struct stop *stop, struct asset_facts **facts, struct error *err) {
	struct import_asset asset = {.file = input->hold.source, .stop = stop};
	if (input->hold.source < 0) {
		asset.bytes = input->body.bytes;
		asset.size = input->body.size;
		asset.file = input->body.file;
	} else if (!store_check_source(&input->hold, err)) {
		return NULL;
	}
	struct rig *rig = importer_read_lenient(work->service->importer, &asset, facts, err);
	if (!rig) {
		return NULL;
	}
	arena_defer(work->arena, destroy_facts, *facts);
	rig = add_stored_clips(input, rig, err);
	if (rig) {
		arena_defer(work->arena, release_rig, rig);
	}
	return rig;
}

static bool check_size(const struct check_input *input, const struct rig *rig, struct error *err) {
	return rig->clip_count <= LIMIT_CHECK_CLIPS ||
		error_set(err, ERROR_TOO_LARGE, "%s has %d clips; a check takes up to %d",
			input->path, rig->clip_count, LIMIT_CHECK_CLIPS);
}

static struct check_job job_of(const struct asset_check *work, const struct stop *stop) {
	return (struct check_job){
		.profile = &work->profile,
		.path = work->inputs[work->file_count].path,
		.today = work->today,
		.library = work->service->library,
		.stop = stop,
	};
}

/* Begins the check of the earlier version, whose steps are taken beside those of the later. */
static bool begin_before(struct asset_check *work, struct check_job job, struct error *err) {
	const struct value *place = work->request.against_source;
	struct asset_facts *facts;
	struct error why = {0};
	if (!work->request.against) {
		return true;
	}
	struct rig *rig = read_input(work, &work->before, job.stop, &facts, &why);
	if (!rig) {
		return value_pass(place, err, &why);
	}
	job.rig = rig;
	job.facts = facts;
	work->before_run = check_size(&work->before, rig, err)
		? renderer_check_begin(&job, work->arena, err)
		: NULL;
	return work->before_run;
}

/* Begins the check of the next input; where its asset is refused that is its whole result. */
static bool begin_file(struct asset_check *work, const struct check_turn *turn, struct error *err) {
	struct check_input *input = &work->inputs[work->file_count];
	struct check_job job = job_of(work, turn->stop);
	struct error why = {0};
	struct asset_facts *facts;
	double mark = clock_now_s();
	if (work->context && !take_body(work, work->context, err)) {
		return false;
	}
	struct rig *rig = read_input(work, input, turn->stop, &facts, &why);
	work->times.load_s += clock_lap_s(&mark);
	if (!rig && !is_refusal(why.code)) {
		return error_pass(err, &why);
	}
	work->clips -= (size_t)input->hold.summary.clips;
	if (!rig) {
		renderer_check_refused(&job, &why, work->arena, &work->files[work->file_count]);
		return true;
	}
	job.rig = rig;
	job.facts = facts;
	work->run =
		check_size(input, rig, err) ? renderer_check_begin(&job, work->arena, err) : NULL;
	if (!work->run || !begin_before(work, job, err)) {
		return false;
	}
	work->clips += check_steps_begin(work);
	return true;
}

/* --- Turns --- */

static void put_events(struct asset_check *work, struct buffer *out) {
	const struct check_file *file = &work->files[work->file_count];
	const struct check_report report = asset_check_report(work);
	for (size_t i = 0; i < file->finding_count; i++) {
		check_event_finding(&report, file, &file->findings[i], out);
	}
	check_event_file(&report, file, out);
}

/* The next file has its results. */
static void end_file(struct asset_check *work, const struct check_turn *turn) {
	struct check_file *file = &work->files[work->file_count];
	work->run = work->before_run = NULL;
	work->compared = work->measured = work->draws = false;
	work->drawn = (struct evidence_progress){0};
	file->content = work->inputs[work->file_count].content;
	asset_check_compare(work, file);
	asset_check_count(work, file);
	if (turn->events) {
		put_events(work, turn->events);
	}
	work->file_count++;
}

static void put_start(struct asset_check *work, const struct check_turn *turn) {
	if (turn->events && !work->started) {
		check_event_start(work->input_count, work->clips, turn->events);
	}
	work->started = true;
}

static bool begin(struct asset_check *work, const struct check_turn *turn, struct error *err) {
	if (!begin_file(work, turn, err)) {
		return false;
	}
	put_start(work, turn);
	if (!work->run) {
		end_file(work, turn);
	}
	return true;
}

static bool take_turn(struct asset_check *work, const struct check_turn *turn, struct error *err) {
	bool ended;
	if (!work->run) {
		return begin(work, turn, err);
	}
	if (!check_steps_are_done(work) && !check_steps_take(work, turn, err)) {
		return false;
	}
	if (!check_steps_are_done(work)) {
		return true;
	}
	if (!asset_check_end_run(work, turn, &ended, err)) {
		return false;
	}
	if (ended) {
		end_file(work, turn);
	}
	return true;
}

static void end(struct asset_check *work, const struct check_turn *turn) {
	asset_check_remark(work);
	if (turn->events) {
		const struct check_report report = asset_check_report(work);
		check_event_end(&report, turn->events);
	}
}

/* Takes parts of a turn, and adds up their time. */
static bool take_timed(struct asset_check *work, const struct check_turn *turn, struct error *err) {
	const double loaded_s = work->times.load_s;
	double mark = clock_now_s();
	const bool taken = stop_check(turn->stop, err) && take_turn(work, turn, err);
	double *times = turn->renderer ? &work->times.draw_s : &work->times.check_s;
	*times += clock_lap_s(&mark) - (work->times.load_s - loaded_s);
	return taken;
}

bool asset_check_turn(
	struct asset_check *work, const struct check_turn *turn, bool *done, struct error *err) {
	const enum executor here = turn->renderer ? EXECUTOR_RENDER : EXECUTOR_CPU;
	const double begun_s = clock_now_s();
	do {
		if (!take_timed(work, turn, err)) {
			return false;
		}
		*done = work->file_count == work->input_count;
	} while (!*done && asset_check_executor(work) == here &&
		(turn->seconds == 0 || clock_now_s() - begun_s < turn->seconds));
	if (*done) {
		end(work, turn);
	}
	return true;
}

struct check_times asset_check_times(const struct asset_check *work) {
	return work->times;
}
