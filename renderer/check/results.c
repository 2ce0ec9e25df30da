// The results of a check's steps: sorted, in words, with fingerprints.
#include "check/results.h"

#include <math.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "check/message.h"
#include "check/rules.h"
#include "view/camera.h"

/* Lists that grow while steps are looked at. */
struct results {
	const struct check_run *run;
	struct check_finding *findings;
	struct check_measurement *measurements;
	struct check_skip *skipped;
	struct check_more *more;
	unsigned char *suppressions_used;
	struct check_file *file;
};

void check_fingerprint(const char *rule, const char *path, const char *clip, const char *where,
	char out[static CHECK_FINGERPRINT_BYTES]) {
	const char *const parts[] = {rule, path, clip ? clip : "", where ? where : ""};
	struct sha256_ctx context;
	uint8_t digest[SHA256_DIGEST_SIZE];
	sha256_init(&context);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		sha256_update(&context, strlen(parts[i]) + (i < 3), (const uint8_t *)parts[i]);
	}
	sha256_digest(&context, sizeof digest, digest);
	for (int i = 0; i < (CHECK_FINGERPRINT_BYTES - 1) / 2; i++) {
		snprintf(out + 2 * i, 3, "%02x", digest[i]);
	}
}

/* The primitive of the first vertex or triangle; NULL where there is neither. */
static const struct primitive *primitive_of(
	const struct rig *rig, const struct check_value *value) {
	for (int i = rig->primitive_count - 1; i >= 0; i--) {
		const struct primitive *p = &rig->primitives[i];
		if ((value->vertex_count > 0 && (int)value->vertices[0] >= p->first_vertex) ||
			(value->vertex_count == 0 && value->triangle_count > 0 &&
				(int)value->triangles[0] * 3 + 2 >= p->first_index)) {
			return p;
		}
	}
	return NULL;
}

/* A JSON pointer to the most particular thing in the file: a channel, a node, a primitive, a
 * material, an animation; NULL where it is none of these. */
static const char *point_to(const struct check_run *run, const struct check_step *step,
	const struct check_value *value) {
	const struct rig *rig = run->job.rig;
	const struct asset_facts *facts = run->job.facts;
	const struct primitive *primitive = primitive_of(rig, value);
	// Clips may have been added to those of the file.
	const bool in_clip = step->clip >= 0 && step->clip < facts->clip_count;
	if (in_clip && value->channel >= 0) {
		const int channel = facts->clips[step->clip].first_channel + value->channel;
		return arena_printf(run->arena, "/animations/%d/channels/%d",
			rig->clips[step->clip].index, facts->channels[channel].channel);
	}
	if (value->joint >= 0) {
		return arena_printf(run->arena, "/nodes/%d", rig->joints[value->joint].index);
	}
	if (primitive) {
		return arena_printf(run->arena, "/meshes/%d/primitives/%d", primitive->mesh,
			primitive->primitive);
	}
	if (value->material >= 0) {
		return arena_printf(run->arena, "/materials/%d", value->material);
	}
	return in_clip ? arena_printf(run->arena, "/animations/%d", rig->clips[step->clip].index)
		       : NULL;
}

static struct check_measurement measure(const struct check_run *run, const struct check_step *step,
	int rule, const struct check_value *value) {
	const struct rig *rig = run->job.rig;
	const bool in_lengths = strcmp(check_rules[rule]->info.unit, "L") == 0;
	struct check_measurement out = {
		.rule = rule,
		.clip = -1,
		.value = value->value,
		.absolute = in_lengths ? value->value * run->asset->length : NAN,
		.time_s = value->time_s,
		.sample = value->sample,
		.joint = value->joint < 0 ? NULL : rig->joints[value->joint].name,
		.joint_index = value->joint < 0 ? -1 : rig->joints[value->joint].index,
		.material = value->material < 0 ? NULL : rig->materials[value->material].name,
		.vertices = value->vertices,
		.vertex_count = value->vertex_count,
		.triangles = value->triangles,
		.triangle_count = value->triangle_count,
		.param_count = value->param_count,
		.text = value->text,
		.pointer = point_to(run, step, value),
	};
	memcpy(out.params, value->params, sizeof out.params);
	out.clip = step->clip < 0 ? -1 : (int)(step - run->steps) - 1;
	return out;
}

/* --- Suppressions --- */

/* A suppression that ends holds through its last day. */
static bool is_over(const struct check_run *run, const struct check_suppression *suppression) {
	return suppression->until && run->job.today &&
		strcmp(run->job.today, suppression->until) > 0;
}

static bool matches(const char *glob, const char *text) {
	return !glob || (text && check_glob(glob, text));
}

static const char *find_suppression(
	struct results *results, const struct check_finding *finding, const char *clip) {
	const struct check_profile *profile = results->run->job.profile;
	const bool below = check_rules[finding->at.rule]->info.below;
	for (size_t i = 0; i < profile->suppression_count; i++) {
		const struct check_suppression *s = &profile->suppressions[i];
		const bool worse =
			isnan(finding->at.value) || (!below && finding->at.value > s->at_most);
		if (!is_over(results->run, s) && !worse &&
			check_glob(s->rule, check_rules[finding->at.rule]->info.id) &&
			matches(s->file, results->run->job.path) && matches(s->clip, clip) &&
			matches(s->joint, finding->at.joint) &&
			matches(s->material, finding->at.material)) {
			results->suppressions_used[i] = 1;
			return s->reason;
		}
	}
	return NULL;
}

/* --- Findings --- */

static double limit_of(const struct check_limits *limits, enum check_level level) {
	switch (level) {
	case CHECK_NOTE:
		return limits->note;
	case CHECK_WARNING:
		return limits->warning;
	case CHECK_ERROR:
		return limits->error;
	case CHECK_OK:
	case CHECK_LEVEL_COUNT:
		break;
	}
	return INFINITY;
}

/* The limit that a finding is at or above: of its level, or where that was lowered, of the least.
 */
static double find_threshold(
	const struct check_limits *limits, const struct check_candidate *candidate) {
	double threshold = limit_of(limits, candidate->level);
	for (int i = CHECK_NOTE; isinf(threshold) && i <= CHECK_ERROR; i++) {
		threshold = limit_of(limits, (enum check_level)i);
	}
	return isnan(candidate->worst.threshold) ? threshold * candidate->worst.limits_factor
						 : candidate->worst.threshold;
}

static void add_finding(struct results *results, const struct check_step *step, int rule,
	const struct check_candidate *candidate) {
	const struct check_run *run = results->run;
	const struct check_rule_info *info = &check_rules[rule]->info;
	const struct check_limits *limits = &step->sink->rules[rule].limits;
	const char *clip = step->clip < 0 ? NULL : run->job.rig->clips[step->clip].name;
	struct check_finding *finding = &results->findings[results->file->finding_count++];
	*finding = (struct check_finding){
		.at = measure(run, step, rule, &candidate->worst),
		.level = candidate->level,
		.threshold = find_threshold(limits, candidate),
		.error_limit = limits->error * candidate->worst.limits_factor,
		.count = candidate->count,
		.curve = candidate->worst.curve,
	};
	if (candidate->worst.joins_joints) {
		finding->at.text = candidate->others == 0
			? ""
			: arena_printf(run->arena, " (and %d other joint%s)", candidate->others,
				  candidate->others > 1 ? "s" : "");
	}
	finding->message = check_message(info->message, finding, clip, run->arena);
	finding->fix = check_message(info->fix, finding, clip, run->arena);
	check_fingerprint(info->id, run->job.path, clip,
		finding->at.joint ? finding->at.joint : finding->at.material, finding->fingerprint);
	finding->suppressed = find_suppression(results, finding, clip);
}

/* The worst first; those found first of equals. */
static int compare_candidates(const void *first, const void *second) {
	const struct check_candidate *a = first, *b = second;
	if (a->level != b->level) {
		return a->level > b->level ? -1 : 1;
	}
	const double x = a->worst.value, y = b->worst.value;
	if (isnan(x) || isnan(y) || x == y) {
		return a->worst.joint != b->worst.joint
			? (a->worst.joint > b->worst.joint) - (a->worst.joint < b->worst.joint)
			: (a->worst.material > b->worst.material) -
				(a->worst.material < b->worst.material);
	}
	return x > y ? -1 : 1;
}

static void add_rule(struct results *results, const struct check_step *step, int rule) {
	struct check_collected *collected = &step->sink->rules[rule];
	const int clip = step->clip < 0 ? -1 : (int)(step - results->run->steps) - 1;
	struct check_file *file = results->file;
	if (collected->skipped && !collected->given) {
		results->skipped[file->skip_count++] =
			(struct check_skip){rule, clip, collected->skipped};
	}
	if (!collected->given) {
		return;
	}
	results->measurements[file->measurement_count++] =
		measure(results->run, step, rule, &collected->greatest);
	if (collected->candidate_count > 1) {
		qsort(collected->candidates, (size_t)collected->candidate_count,
			sizeof *collected->candidates, compare_candidates);
	}
	const int listed = collected->candidate_count < CHECK_FINDINGS_MAX
		? collected->candidate_count
		: CHECK_FINDINGS_MAX;
	for (int i = 0; i < listed; i++) {
		add_finding(results, step, rule, &collected->candidates[i]);
	}
	if (collected->candidate_count > listed) {
		results->more[file->more_count++] = (struct check_more){
			rule, clip, (size_t)(collected->candidate_count - listed)};
	}
}

static int compare_findings(const void *first, const void *second) {
	const struct check_finding *a = first, *b = second;
	if (a->level != b->level) {
		return a->level > b->level ? -1 : 1;
	}
	if (a->at.rule != b->at.rule || a->at.clip != b->at.clip) {
		return a->at.rule != b->at.rule ? a->at.rule - b->at.rule : a->at.clip - b->at.clip;
	}
	const double x = isnan(a->at.time_s) ? -INFINITY : a->at.time_s;
	const double y = isnan(b->at.time_s) ? -INFINITY : b->at.time_s;
	if (x != y) {
		return x < y ? -1 : 1;
	}
	return strcmp(a->fingerprint, b->fingerprint);
}

/* --- The file --- */

static void describe_clip(
	const struct check_step *step, const char *name, struct check_clip_facts *out) {
	const struct check_clip *clip = step->facts;
	*out = (struct check_clip_facts){
		.name = name,
		.rate = clip->rate,
		.irregular = clip->irregular,
		.samples = clip->count,
		.start_s = clip->start_s,
		.duration_s = clip->end_s - clip->start_s,
		.loop = clip->loop,
		.likely_loop = clip->likely_loop,
		.airborne = clip->airborne,
		.still = clip->still,
		.treadmill = step->sink->treadmill,
		.surface_step = clip->surface_stride,
		.seconds = step->seconds,
	};
}

static void describe_clips(const struct check_run *run, struct check_file *out) {
	struct check_clip_facts *clips = arena_alloc(run->arena, run->step_count, sizeof *clips);
	for (size_t i = 1; i < run->step_count; i++) {
		describe_clip(&run->steps[i], renderer_check_step_name(run, i), &clips[i - 1]);
	}
	out->clips = clips;
	out->clip_count = run->step_count - 1;
}

static void describe_file(const struct check_run *run, struct check_file *out) {
	const struct asset_facts *facts = run->job.facts;
	const char **lacking =
		arena_alloc(run->arena, (size_t)facts->not_covered_count, sizeof *lacking);
	for (int i = 0; i < facts->not_covered_count; i++) {
		lacking[i] = arena_printf(run->arena, "%s", &facts->texts[facts->not_covered[i]]);
	}
	*out = (struct check_file){
		.path = run->job.path,
		.length = run->asset->length,
		.not_covered = lacking,
		.not_covered_count = (size_t)facts->not_covered_count,
	};
	describe_clips(run, out);
}

/* The box around the vertices over all clips. */
static void join_bounds(const struct check_run *run, struct check_file *out) {
	struct bounds box = BOUNDS_NONE;
	for (size_t i = 1; i < run->step_count; i++) {
		bounds_add(&box, &run->steps[i].sink->bounds);
	}
	out->has_bounds = box.min[0] <= box.max[0];
	for (int k = 0; k < 3 && out->has_bounds; k++) {
		out->bounds_min[k] = box.min[k];
		out->bounds_max[k] = box.max[k];
	}
}

static size_t count_candidates(const struct check_run *run) {
	size_t count = 0;
	for (size_t i = 0; i < run->step_count; i++) {
		for (int rule = 0; rule < check_rule_count; rule++) {
			count += (size_t)run->steps[i].sink->rules[rule].candidate_count;
		}
	}
	return count;
}

void renderer_check_finish(struct check_run *run, struct check_file *out) {
	const size_t values = run->step_count * (size_t)check_rule_count;
	describe_file(run, out);
	struct results results = {
		.run = run,
		.findings =
			arena_alloc(run->arena, count_candidates(run), sizeof *results.findings),
		.measurements = arena_alloc(run->arena, values, sizeof *results.measurements),
		.skipped = arena_alloc(run->arena, values, sizeof *results.skipped),
		.more = arena_alloc(run->arena, values, sizeof *results.more),
		.suppressions_used =
			arena_alloc(run->arena, run->job.profile->suppression_count + 1, 1),
		.file = out,
	};
	for (int rule = 0; rule < check_rule_count; rule++) {
		for (size_t i = 0; i < run->step_count; i++) {
			add_rule(&results, &run->steps[i], rule);
		}
	}
	qsort(results.findings, out->finding_count, sizeof *results.findings, compare_findings);
	out->findings = results.findings;
	out->measurements = results.measurements;
	out->skipped = results.skipped;
	out->more = results.more;
	out->suppressions_used = results.suppressions_used;
	join_bounds(run, out);
	out->seconds = clock_now_s() - run->begin_s;
}

static int find_rule(const char *id) {
	int i = 0;
	while (i + 1 < check_rule_count && strcmp(check_rules[i]->info.id, id) != 0) {
		i++;
	}
	return i;
}

void renderer_check_refused(const struct check_job *job, const struct error *reason,
	struct arena *arena, struct check_file *out) {
	const int rule = find_rule("file/refused");
	struct check_finding *finding = arena_alloc(arena, 1, sizeof *finding);
	struct check_measurement at = {
		.rule = rule,
		.clip = -1,
		.value = 1,
		.absolute = NAN,
		.time_s = NAN,
		.sample = -1,
		.joint_index = -1,
	};
	*finding = (struct check_finding){
		.at = at,
		.level = CHECK_ERROR,
		.threshold = 1,
		.error_limit = 1,
		.count = 1,
		.message = arena_printf(arena, "posed does not read this file: %s", reason->text),
	};
	finding->fix = check_message(check_rules[rule]->info.fix, finding, NULL, arena);
	check_fingerprint("file/refused", job->path, NULL, NULL, finding->fingerprint);
	*out = (struct check_file){
		.path = job->path,
		.findings = finding,
		.finding_count = 1,
		.refused = arena_printf(arena, "%s", reason->text),
	};
}
