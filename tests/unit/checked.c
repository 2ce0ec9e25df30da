// Rigs checked with a profile that is built in.
#include "checked.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "check.h"
#include "interface/assets.h"

/* Channels as the rig has them. */
static void list_channels(const struct rig *rig, struct asset_facts *facts, struct arena *arena) {
	facts->clip_count = rig->clip_count;
	facts->clips = arena_alloc(arena, (size_t)rig->clip_count, sizeof *facts->clips);
	for (int i = 0; i < rig->clip_count; i++) {
		facts->clips[i].first_channel = facts->channel_count;
		facts->clips[i].channel_count = rig->clips[i].channel_count;
		facts->channel_count += rig->clips[i].channel_count;
	}
	facts->channels = arena_alloc(arena, (size_t)facts->channel_count, sizeof *facts->channels);
	for (int i = 0; i < rig->clip_count; i++) {
		for (int k = 0; k < rig->clips[i].channel_count; k++) {
			facts->channels[facts->clips[i].first_channel + k] = (struct channel_facts){
				.channel = k,
				.joint = rig->clips[i].channels[k].joint,
				.path = rig->clips[i].channels[k].path,
				.interpolation = rig->clips[i].channels[k].interpolation,
			};
		}
	}
}

struct asset_facts *facts_of_rig(const struct rig *rig, struct arena *arena) {
	struct asset_facts *facts = arena_alloc(arena, 1, sizeof *facts);
	facts->primitive_count = rig->primitive_count;
	facts->primitives =
		arena_alloc(arena, (size_t)rig->primitive_count, sizeof *facts->primitives);
	for (int i = 0; i < rig->primitive_count; i++) {
		facts->primitives[i].has_normals = true;
	}
	list_channels(rig, facts, arena);
	facts->joint_name_count = rig->joint_count;
	facts->joint_names =
		arena_alloc(arena, (size_t)rig->joint_count, sizeof *facts->joint_names);
	facts->text_bytes = 1;
	facts->texts = arena_alloc(arena, 1, 1);
	return facts;
}

static void run(struct checked *checked, const struct rig *rig, const struct asset_facts *facts,
	const struct check_profile *of) {
	struct check_profile *profile = arena_alloc(checked->arena, 1, sizeof *profile);
	*profile = *of;
	const struct check_job job = {
		.rig = rig,
		.facts = facts,
		.profile = profile,
		.path = "test.glb",
	};
	struct error err = {0};
	struct check_run *run = renderer_check_begin(&job, checked->arena, &err);
	if (!run) {
		fail_msg("not checked: %s", err.text);
	}
	for (size_t i = 0; i < renderer_check_steps(run); i++) {
		if (!renderer_check_step(run, i, &err)) {
			fail_msg("not checked: %s", err.text);
		}
	}
	renderer_check_finish(run, &checked->file);
	checked->run = run;
}

struct checked checked_rig(const struct rig *rig, enum check_profile_id id) {
	return checked_rules(rig, id, NULL);
}

struct checked checked_rules(const struct rig *rig, enum check_profile_id id, check_globs only) {
	struct check_profile profile = check_profile_builtin(id);
	profile.only = only;
	return checked_profile(rig, &profile);
}

struct checked checked_profile(const struct rig *rig, const struct check_profile *profile) {
	struct checked checked = {.arena = arena_create()};
	run(&checked, rig, facts_of_rig(rig, checked.arena), profile);
	return checked;
}

struct checked checked_bytes(const void *bytes, size_t size, enum check_profile_id id) {
	struct checked checked = {.arena = arena_create()};
	struct error err = {0};
	checked.take_rig = renderer_import_lenient(bytes, size, &checked.take_facts, &err);
	if (!checked.take_rig) {
		fail_msg("%s", err.text);
	}
	const struct check_profile profile = check_profile_builtin(id);
	run(&checked, checked.take_rig, checked.take_facts, &profile);
	return checked;
}

struct checked checked_file(const char *path, enum check_profile_id id) {
	struct error err = {0};
	size_t size = 0;
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	void *bytes = file >= 0 ? file_read(file, &size, &err) : NULL;
	if (!bytes) {
		fail_msg("%s is not to be read %s", path, err.text);
	}
	close(file);
	const struct checked checked = checked_bytes(bytes, size, id);
	free(bytes);
	return checked;
}

void checked_finish(struct checked *checked) {
	arena_destroy(checked->arena);
	rig_release(checked->take_rig);
	asset_facts_destroy(checked->take_facts);
}

static const char *rule_id(int rule) {
	return renderer_check_rule((size_t)rule)->id;
}

static bool is_of(
	const struct checked *checked, int rule, int clip, const char *id, const char *name) {
	const char *clip_name = clip < 0 ? NULL : checked->file.clips[clip].name;
	return strcmp(rule_id(rule), id) == 0 &&
		(clip_name && name ? strcmp(clip_name, name) == 0 : clip_name == name);
}

const struct check_measurement *checked_measurement(
	const struct checked *checked, const char *rule, const char *clip) {
	for (size_t i = 0; i < checked->file.measurement_count; i++) {
		const struct check_measurement *at = &checked->file.measurements[i];
		if (is_of(checked, at->rule, at->clip, rule, clip)) {
			return at;
		}
	}
	fail_msg("%s is not measured for %s", rule, clip ? clip : "the rig");
	return NULL;
}

double checked_value(const struct checked *checked, const char *rule, const char *clip) {
	return checked_measurement(checked, rule, clip)->value;
}

const struct check_finding *checked_finding(
	const struct checked *checked, const char *rule, const char *clip) {
	const struct check_finding *worst = NULL;
	for (size_t i = 0; i < checked->file.finding_count; i++) {
		const struct check_finding *finding = &checked->file.findings[i];
		if (is_of(checked, finding->at.rule, finding->at.clip, rule, clip) &&
			(!worst || finding->at.value > worst->at.value)) {
			worst = finding;
		}
	}
	return worst;
}

const char *checked_skip(const struct checked *checked, const char *rule, const char *clip) {
	for (size_t i = 0; i < checked->file.skip_count; i++) {
		const struct check_skip *skip = &checked->file.skipped[i];
		if (is_of(checked, skip->rule, skip->clip, rule, clip)) {
			return skip->reason;
		}
	}
	return NULL;
}

double checked_param(const struct check_measurement *measurement, const char *name) {
	for (size_t i = 0; i < measurement->param_count; i++) {
		if (strcmp(measurement->params[i].name, name) == 0) {
			return measurement->params[i].value;
		}
	}
	return NAN;
}

static const char *clip_name(const struct checked *checked, int clip) {
	return clip < 0 ? "-" : checked->file.clips[clip].name;
}

void checked_print(const struct checked *checked) {
	const struct check_file *file = &checked->file;
	printf("L %.6g, %.3f s\n", file->length, file->seconds);
	for (size_t i = 0; i < file->clip_count; i++) {
		printf("clip %s: %d samples, %.3f s\n", file->clips[i].name, file->clips[i].samples,
			file->clips[i].seconds);
	}
	for (size_t i = 0; i < file->measurement_count; i++) {
		const struct check_measurement *at = &file->measurements[i];
		printf("%-24s %-12s %-12.6g %s %.4f", rule_id(at->rule),
			clip_name(checked, at->clip), at->value, at->joint ? at->joint : "-",
			at->time_s);
		for (size_t k = 0; k < at->param_count; k++) {
			printf(" %s %.6g", at->params[k].name, at->params[k].value);
		}
		printf("\n");
	}
	for (size_t i = 0; i < file->skip_count; i++) {
		printf("%-24s %-12s skipped: %s\n", rule_id(file->skipped[i].rule),
			clip_name(checked, file->skipped[i].clip), file->skipped[i].reason);
	}
	for (size_t i = 0; i < file->finding_count; i++) {
		printf("%s: %s\n", check_level_names[file->findings[i].level],
			file->findings[i].message);
	}
}
