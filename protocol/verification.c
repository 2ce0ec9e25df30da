// The findings of posed verify in a store, as JSON.
#include "verification.h"

#include "base/json_write.h"

const char *store_finding_name(enum store_finding_kind kind) {
	static const char *const names[STORE_FINDING_KIND_COUNT] = {
		[STORE_DAMAGE] = "damage",
		[STORE_LEFTOVER] = "leftover",
		[STORE_OLDER] = "older",
	};
	return names[kind];
}

static void write_finding(struct json_writer *json, const struct store_finding *finding) {
	json_write_begin_object(json);
	json_write_member_string(json, "place", finding->place);
	if (finding->rig) {
		json_write_member_string(json, "rig", finding->rig);
	}
	json_write_member_string(json, "says", finding->says);
	json_write_end_object(json);
}

void verification_write(const struct verification *verification, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_bool(&json, "sound", verification->counts[STORE_DAMAGE] == 0);
	json_write_member_integer(&json, "rigs", (int64_t)verification->rigs);
	json_write_member_integer(&json, "objects", (int64_t)verification->objects);
	json_write_member_integer(&json, "derived", (int64_t)verification->derived);
	json_write_member_integer(&json, "bytes", (int64_t)verification->bytes);
	for (int kind = 0; kind < STORE_FINDING_KIND_COUNT; kind++) {
		json_write_key(&json, store_finding_name((enum store_finding_kind)kind));
		json_write_begin_list(&json);
		for (size_t i = 0; i < verification->count; i++) {
			if (verification->findings[i].kind == (enum store_finding_kind)kind) {
				write_finding(&json, &verification->findings[i]);
			}
		}
		json_write_end_list(&json);
	}
	json_write_end_object(&json);
}
