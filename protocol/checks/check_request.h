/* POST /v1/checks and its kin: requests for checks into a plain struct, and the checks in the
 * background that they begin. Strings and values are borrowed from the request's tree, lists of
 * globs lie in the arena. */
#pragma once

#include "base/arena.h"
#include "base/check_profile.h"
#include "base/value.h"
#include "checks/rules_file.h"
#include "query.h"
#include "task.h"

/* Pictures in a report, besides cameras. */
enum check_evidence { CHECK_EVIDENCE_NONE, CHECK_EVIDENCE_PICTURES, CHECK_EVIDENCE_ANIMATED };

struct check_request {
	const struct value *const *rigs; // [rig_count] names; 0 = the asset comes otherwise
	size_t rig_count;
	const char *path;            // of an asset that is the body, for reports and globs
	const struct value *profile; // a name or the object of a rules file; NULL = the default
	check_globs only, skip, clips;
	const char *against;                // an earlier version, a rig's name; NULL = none
	const struct value *against_source; // of against
	const struct value *baseline;       // the report of an earlier run; NULL = none
	enum check_evidence evidence;
	bool timing;
};

/* The members that a request has, those that only one as JSON has, and the parameters of one whose
 * body is the asset. */
extern const struct member_table check_members, check_json_members, check_asset_query_members;

/* Reads the body of POST /v1/checks. False with ERROR_INVALID_VALUE, ERROR_UNKNOWN_MEMBER or
 * ERROR_TOO_LARGE, and the place: also for a glob that no rule's id matches. */
bool request_read_check(const struct value *body, const struct check_rule_list *rules,
	struct arena *arena, struct check_request *out, struct error *err);

/* The same for a query: of POST /v1/checks whose body is the asset, or of a rig's link, which has
 * no path. Its rigs are left to the caller. */
bool query_read_check(const struct query_parameter *parameters, size_t count, bool asset,
	const struct check_rule_list *rules, struct arena *arena, struct check_request *out,
	struct error *err);

/* A check in the background, as clients see it. */
struct check_task_description {
	const char *id;
	enum task_state state;
	size_t clips_done, clips; // as far as is known
	struct error error;       // TASK_FAILED: why
};

void check_task_write(const struct check_task_description *task, struct buffer *out);
