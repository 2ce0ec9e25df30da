/* The members of requests: the tables by which their readers go, gathered for all others who write
 * or describe requests. Queries and signed links, the options of `pose`, what shells complete, and
 * the test that holds the API's description against them walk these. */
#pragma once

#include "bake.h"
#include "clip.h"
#include "compare.h"
#include "compression.h"
#include "crowd.h"
#include "packing.h"
#include "picture.h"
#include "request_internal.h"
#include "sequence.h"
#include "stream.h"
#include "transitions.h"

enum request_kind {
	REQUEST_POSE,
	REQUEST_VERTICES,
	REQUEST_FRAME,
	REQUEST_FRAMES,
	REQUEST_COMPARE,
	REQUEST_CROWD,
	REQUEST_STREAM,
	REQUEST_BAKE,
	REQUEST_MOTION, // links to motion files
	REQUEST_TRANSITIONS,
	REQUEST_CLIP,
	REQUEST_COMPRESSION,
	REQUEST_COUNT,
};

/* Objects that requests have tables for, the request itself among them. */
#define REQUEST_TABLES_MAX 14

/* The tables of a request's members, and of the members of its objects; ended by NULL. */
const struct member_table *const *request_tables(enum request_kind kind);

/* The form of a member's value where requests are flat, which is never TEXT_BY_TYPE. */
enum member_text member_text(const struct member *member);
