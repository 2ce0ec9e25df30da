// POST /v1/transitions: the request and the answer.
#include "transitions.h"

#include <stddef.h>

#include "base/json_write.h"
#include "limits.h"
#include "request_internal.h"

static const struct member members[] = {
	{"from", MEMBER_ANY, .offset = offsetof(struct transitions_request, from),
		.required = true},
	{"to", MEMBER_ANY, .offset = offsetof(struct transitions_request, to), .required = true},
	{"count", MEMBER_INTEGER, .offset = offsetof(struct transitions_request, count), .least = 1,
		.most = LIMIT_TRANSITIONS, .standard = 5, .help = "transitions to list at most"},
	{"rate", MEMBER_NUMBER, .offset = offsetof(struct transitions_request, rate), .least = 1,
		.most = LIMIT_TRANSITION_RATE, .parameter = "rate", .unit = "moments a second",
		.help = "to look at"},
};

const struct member_table transitions_members = MEMBER_TABLE(NULL, members);

bool request_read_transitions(
	const struct value *body, struct transitions_request *out, struct error *err) {
	*out = (struct transitions_request){0};
	const struct member_reading readings[] = {
		{&subject_members, &out->subject}, {&transitions_members, out}};
	if (!value_read_tables(body, readings, sizeof readings / sizeof *readings, err)) {
		return false;
	}
	out->rate_source = value_member(body, "rate");
	return request_read_subject(body, &out->subject, err);
}

static void write_end(
	struct json_writer *json, const char *name, const struct core_end_description *end) {
	json_write_key(json, name);
	json_write_begin_object(json);
	json_write_member_double(json, "distance", end->distance);
	json_write_member_double(json, "speed", end->speed);
	json_write_end_object(json);
}

void reply_write_transitions(const struct transitions_description *found, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "rig", found->rig);
	json_write_member_string(&json, "from", found->from);
	json_write_member_string(&json, "to", found->to);
	json_write_key(&json, "transitions");
	json_write_begin_list(&json);
	for (size_t i = 0; i < found->count; i++) {
		json_write_begin_object(&json);
		json_write_member_double(&json, "from_time", found->items[i].from_s);
		json_write_member_double(&json, "to_time", found->items[i].to_s);
		json_write_member_double(&json, "distance", found->items[i].distance);
		json_write_member_double(&json, "velocity", found->items[i].velocity);
		json_write_end_object(&json);
	}
	json_write_end_list(&json);
	if (found->has_core) {
		json_write_key(&json, "core");
		json_write_begin_object(&json);
		json_write_member_bool(&json, "passes", found->core_passes);
		write_end(&json, "from", &found->from_end);
		write_end(&json, "to", &found->to_start);
		json_write_end_object(&json);
	}
	json_write_end_object(&json);
}
