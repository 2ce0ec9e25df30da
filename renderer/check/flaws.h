/* Shared by rules that count flaws of a file's vertices. */
#pragma once

#include "check/rule.h"

/* The vertices of all primitives that have a flaw. */
struct check_flaw {
	int count, of; // of so many in all primitives
	double worst;
	uint32_t vertices[CHECK_ELEMENTS_MAX]; // the first ones, of the rig
	size_t listed;
};

/* Adds up a flaw over the rig. skinned: only primitives that a skin moves. */
struct check_flaw check_flaw_of(
	const struct check_asset *asset, enum vertex_flaw flaw, bool skinned);

/* Emits the number of vertices with a flaw, with its worst value as "worst". */
void check_emit_flaw(
	struct check_sink *sink, const struct check_rule *rule, const struct check_flaw *flaw);

/* The same as a share of all vertices. */
void check_emit_flaw_share(
	struct check_sink *sink, const struct check_rule *rule, const struct check_flaw *flaw);
