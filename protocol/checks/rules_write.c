// Writes profiles as rules files, and as the text that their digest is of.
#include <math.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <string.h>

#include "base/json_write.h"
#include "checks/rules_file.h"

static void put_limit(struct json_writer *json, const char *name, double limit) {
	if (isnan(limit)) {
		return;
	}
	json_write_key(json, name);
	if (isinf(limit)) {
		json_write_string(json, "off");
	} else {
		json_write_double(json, limit);
	}
}

static void put_limits(struct json_writer *json, const struct check_limits *limits) {
	put_limit(json, "note", limits->note);
	put_limit(json, "warning", limits->warning);
	put_limit(json, "error", limits->error);
}

static void put_text(struct json_writer *json, const char *name, const char *text) {
	if (text) {
		json_write_member_string(json, name, text);
	}
}

static void put_names(struct json_writer *json, const char *name, check_globs names) {
	if (names) {
		json_write_key(json, name);
		json_write_begin_list(json);
		for (size_t i = 0; names[i]; i++) {
			json_write_string(json, names[i]);
		}
		json_write_end_list(json);
	}
}

static void put_range(struct json_writer *json, const char *name, const double range[static 2]) {
	if (isfinite(range[0])) {
		json_write_key(json, name);
		json_write_begin_list(json);
		json_write_double(json, range[0]);
		json_write_double(json, range[1]);
		json_write_end_list(json);
	}
}

/* Only for the digest, since no profile that is built in has any: names of joints, which may hold
 * anything, are no keys here. */
static void put_joint_limits(struct json_writer *json, const struct check_settings *settings) {
	if (settings->joint_limit_count == 0) {
		return;
	}
	json_write_key(json, "joint_limits");
	json_write_begin_list(json);
	for (size_t i = 0; i < settings->joint_limit_count; i++) {
		const struct check_joint_limit *limit = &settings->joint_limits[i];
		json_write_string(json, limit->joint);
		json_write_begin_object(json);
		put_range(json, "swing", limit->swing_deg);
		put_range(json, "twist", limit->twist_deg);
		json_write_end_object(json);
	}
	json_write_end_list(json);
}

static void put_settings(struct json_writer *json, const struct check_settings *settings) {
	json_write_key(json, "settings");
	json_write_begin_object(json);
	if (settings->has_ground) {
		json_write_member_double(json, "ground", settings->ground);
	} else {
		json_write_member_string(json, "ground", "auto");
	}
	json_write_member_string(json, "skinning", settings->skinning ? settings->skinning : "lbs");
	put_names(json, "loops", settings->loops);
	put_names(json, "airborne", settings->airborne);
	put_names(json, "still", settings->still);
	json_write_key(json, "height");
	json_write_begin_list(json);
	json_write_double(json, settings->height[0]);
	json_write_double(json, settings->height[1]);
	json_write_end_list(json);
	if (settings->required_vrm) {
		json_write_member_string(json, "required_joints", "vrm");
	} else {
		put_names(json, "required_joints", settings->required_joints);
	}
	put_joint_limits(json, settings);
	if (settings->influences == CHECK_ANY_INFLUENCES) {
		json_write_member_string(json, "influences", "any");
	} else {
		json_write_member_integer(json, "influences", settings->influences);
	}
	json_write_member_double(json, "unused_share", settings->unused_share);
	json_write_member_double(json, "self_intersection_ms", settings->self_intersection_ms);
	json_write_member_integer(json, "surface_samples", settings->surface_samples);
	json_write_end_object(json);
}

void check_rules_file_write(
	enum check_profile_id id, const struct check_rule_list *rules, struct buffer *out) {
	const struct check_profile profile = check_profile_builtin(id);
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_integer(&json, "version", CHECK_RULES_VERSION);
	json_write_member_string(&json, "extends", check_profile_names[id]);
	put_settings(&json, &profile.settings);
	json_write_key(&json, "rules");
	json_write_begin_object(&json);
	for (size_t i = 0; i < rules->count; i++) {
		const struct check_rule_info *rule = rules->rules[i];
		const struct check_limits limits = check_profile_builtin_limits(id, rule);
		const struct check_profile_source source =
			check_profile_builtin_source(id, rule->id);
		json_write_key(&json, rule->id);
		json_write_begin_object(&json);
		put_limits(&json, &limits);
		put_text(&json, "source", source.source);
		put_text(&json, "as_of", source.as_of);
		json_write_end_object(&json);
	}
	json_write_end_object(&json);
	json_write_end_object(&json);
	buffer_append(out, "\n", 1);
}

/* --- Digest --- */

static bool is_for_all(const struct check_override *override) {
	return !override->files && !override->clips;
}

/* The overrides for all files and clips that come first are in the limits already; the rest depends
 * on its order. */
static void put_cases(struct json_writer *json, const struct check_profile *profile) {
	size_t first = 0;
	while (first < profile->override_count && is_for_all(&profile->overrides[first])) {
		first++;
	}
	json_write_key(json, "for");
	json_write_begin_list(json);
	for (size_t i = first; i < profile->override_count; i++) {
		const struct check_override *override = &profile->overrides[i];
		json_write_begin_object(json);
		json_write_member_string(json, "rule", override->rule);
		put_limits(json, &override->limits);
		json_write_member_integer(json, "at_most", override->at_most);
		put_names(json, "files", override->files);
		put_names(json, "clips", override->clips);
		json_write_end_object(json);
	}
	json_write_end_list(json);
}

static void put_suppressions(struct json_writer *json, const struct check_profile *profile) {
	json_write_key(json, "suppress");
	json_write_begin_list(json);
	for (size_t i = 0; i < profile->suppression_count; i++) {
		const struct check_suppression *suppression = &profile->suppressions[i];
		json_write_begin_object(json);
		put_text(json, "rule", suppression->rule);
		put_text(json, "file", suppression->file);
		put_text(json, "clip", suppression->clip);
		put_text(json, "joint", suppression->joint);
		put_text(json, "material", suppression->material);
		put_text(json, "reason", suppression->reason);
		put_text(json, "until", suppression->until);
		put_text(json, "by", suppression->by);
		put_limit(json, "at_most", suppression->at_most);
		json_write_end_object(json);
	}
	json_write_end_list(json);
}

/* Limits of rules by themselves, as far as they are the same for all files and clips. */
static void put_resolved(struct json_writer *json, const struct check_profile *profile,
	const struct check_rule_list *rules) {
	struct check_profile general = *profile;
	general.clips = NULL;
	for (general.override_count = 0; general.override_count < profile->override_count &&
		is_for_all(&profile->overrides[general.override_count]);
		general.override_count++) {
	}
	json_write_key(json, "rules");
	json_write_begin_object(json);
	for (size_t i = 0; i < rules->count; i++) {
		enum check_level at_most;
		const struct check_limits limits =
			check_profile_limits(&general, rules->rules[i], NULL, NULL, &at_most);
		json_write_key(json, rules->rules[i]->id);
		json_write_begin_object(json);
		put_limits(json, &limits);
		json_write_member_integer(json, "at_most", at_most);
		json_write_end_object(json);
	}
	json_write_end_object(json);
}

void check_profile_digest(const struct check_profile *profile, const struct check_rule_list *rules,
	char digest[static CHECK_DIGEST_BYTES]) {
	struct buffer text = {0};
	struct json_writer json = {.out = &text};
	json_write_begin_object(&json);
	put_settings(&json, &profile->settings);
	put_resolved(&json, profile, rules);
	put_cases(&json, profile);
	put_suppressions(&json, profile);
	put_names(&json, "clips", profile->clips);
	json_write_end_object(&json);
	uint8_t hash[SHA256_DIGEST_SIZE];
	struct sha256_ctx context;
	sha256_init(&context);
	sha256_update(&context, text.size, text.data);
	sha256_digest(&context, sizeof hash, hash);
	memset(digest, 0, CHECK_DIGEST_BYTES);
	memcpy(digest, "sha256:", 7);
	base16_encode_update(digest + 7, sizeof hash, hash);
	buffer_finish(&text);
}
