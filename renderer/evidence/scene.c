// The figure at the moment of a finding, and the vertices that it is about.
#include "evidence/scene.h"

#include <math.h>
#include <string.h>

#include "check/run.h"
#include "pose/sample/sampler.h"

/* Weight from which on a vertex is one of a joint's. */
#define OWN_WEIGHT 0.3

struct evidence_stage {
	const struct check_run *run;
	struct skin_plan plan;
	struct check_skinner *skinner;
	struct pose pose;
	double (*world)[12];   // [joint_count]
	unsigned char *marked; // [vertex_count]
	int *subject;          // [vertex_count]
	int (*triangles)[3];   // [CHECK_ELEMENTS_MAX]
};

struct evidence_stage *evidence_stage_create(const struct check_run *run, struct arena *arena) {
	const struct rig *rig = run->job.rig;
	const size_t vertices = (size_t)rig->vertex_count;
	struct evidence_stage *stage = arena_alloc(arena, 1, sizeof *stage);
	*stage = (struct evidence_stage){
		.run = run,
		.plan = run->plan,
		.pose = pose_rest(rig, arena),
		.world = arena_alloc(arena, (size_t)rig->joint_count, sizeof *stage->world),
		.marked = arena_alloc(arena, vertices, 1),
		.subject = arena_alloc(arena, vertices, sizeof *stage->subject),
		.triangles = arena_alloc(arena, CHECK_ELEMENTS_MAX, sizeof *stage->triangles),
	};
	stage->skinner = check_skinner_create(&stage->plan, arena);
	return stage;
}

const struct check_clip *evidence_clip(
	const struct check_run *run, const struct check_finding *finding) {
	return finding->at.clip < 0 ? NULL : run->steps[finding->at.clip + 1].facts;
}

/* --- The vertices --- */

static void mark_vertices(struct evidence_stage *stage, const struct check_measurement *at) {
	for (size_t i = 0; i < at->vertex_count; i++) {
		stage->marked[at->vertices[i]] = 1;
	}
}

/* The corners of a triangle of the rig as vertices; false where there is none. */
static bool find_corners(const struct rig *rig, uint32_t triangle, int corners[static 3]) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const int64_t within = (int64_t)triangle - p->first_index / 3;
		if (p->topology != TOPOLOGY_TRIANGLES || within < 0 ||
			within >= p->index_count / 3) {
			continue;
		}
		for (int k = 0; k < 3; k++) {
			corners[k] = p->first_vertex +
				(int)rig->indices[p->first_index + 3 * within + k];
		}
		return true;
	}
	return false;
}

static int mark_triangles(struct evidence_stage *stage, const struct check_measurement *at) {
	int count = 0;
	for (size_t i = 0; i < at->triangle_count && count < CHECK_ELEMENTS_MAX; i++) {
		int *corners = stage->triangles[count];
		if (find_corners(stage->run->job.rig, at->triangles[i], corners)) {
			count++;
			for (int k = 0; k < 3; k++) {
				stage->marked[corners[k]] = 1;
			}
		}
	}
	return count;
}

/* Those with a great weight for a joint of a set; [joint_count]. */
static void mark_weighted(struct evidence_stage *stage, const bool *joints) {
	const struct rig *rig = stage->run->job.rig;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		for (int k = 0; k < p->vertex_count * p->influence_count; k++) {
			const size_t at = p->first_influence + (size_t)k;
			const struct palette_slot *slot =
				&rig->slots[p->first_slot + rig->influence_slots[at]];
			if (joints[slot->joint] &&
				(double)rig->influence_weights[at] >= OWN_WEIGHT) {
				stage->marked[p->first_vertex + k / p->influence_count] = 1;
			}
		}
	}
}

static bool is_any_marked(const struct evidence_stage *stage) {
	const int count = stage->run->job.rig->vertex_count;
	return count > 0 && memchr(stage->marked, 1, (size_t)count);
}

/* A joint's vertices; of one that has none those of the joints below it. */
static void mark_joint(struct evidence_stage *stage, int joint) {
	const struct rig *rig = stage->run->job.rig;
	struct arena *scratch = arena_create();
	bool *joints = arena_alloc(scratch, (size_t)rig->joint_count, sizeof *joints);
	joints[joint] = true;
	mark_weighted(stage, joints);
	for (int i = joint + 1; i < rig->joint_count; i++) {
		joints[i] = rig->joints[i].parent >= 0 && joints[rig->joints[i].parent];
	}
	if (!is_any_marked(stage)) {
		mark_weighted(stage, joints);
	}
	arena_destroy(scratch);
}

/* All of the figure where nothing else is said. */
static void mark_rest(struct evidence_stage *stage) {
	if (!is_any_marked(stage)) {
		memset(stage->marked, 1, (size_t)stage->run->job.rig->vertex_count);
	}
}

static bool is_finite(const float position[static 3]) {
	return isfinite(position[0]) && isfinite(position[1]) && isfinite(position[2]);
}

static void choose_subject(struct evidence_stage *stage, struct evidence_scene *scene) {
	const struct check_measurement *at = &scene->finding->at;
	const int count = stage->run->job.rig->vertex_count;
	memset(stage->marked, 0, (size_t)count);
	mark_vertices(stage, at);
	scene->triangle_count = mark_triangles(stage, at);
	if (scene->joint >= 0 && !is_any_marked(stage)) {
		mark_joint(stage, scene->joint);
	}
	mark_rest(stage);
	for (int v = 0; v < count; v++) {
		if (stage->marked[v] && is_finite(&scene->positions[3 * (size_t)v])) {
			stage->subject[scene->subject_count++] = v;
		}
	}
}

/* --- The pose --- */

static void set_pose(struct evidence_stage *stage, const struct check_finding *finding) {
	const struct rig *rig = stage->run->job.rig;
	const struct check_clip *clip = evidence_clip(stage->run, finding);
	const bool moves = clip && !isnan(finding->at.time_s);
	pose_set_rest(rig, 0, &stage->pose);
	if (moves) {
		clip_sample(rig, clip->clip, finding->at.time_s, &stage->pose);
	}
	pose_to_world(rig, &stage->pose, stage->world);
	stage->plan.clip = moves ? clip->index : -1;
	stage->plan.time_s = moves ? finding->at.time_s : 0;
}

static void find_place(const struct evidence_stage *stage, struct evidence_scene *scene) {
	const struct check_asset *asset = stage->run->asset;
	for (int k = 0; k < 3; k++) {
		scene->place[k] = scene->joint >= 0
			? stage->world[scene->joint][4 * k + 3]
			: 0.5 * (asset->rest_low[k] + asset->rest_high[k]);
	}
}

bool evidence_stage_set(struct evidence_stage *stage, const struct check_finding *finding,
	struct evidence_scene *out, struct error *err) {
	const struct rig *rig = stage->run->job.rig;
	set_pose(stage, finding);
	const struct check_pose pose = {
		.asset = stage->run->asset,
		.clip = evidence_clip(stage->run, finding),
		.sample = finding->at.sample,
		.time_s = finding->at.time_s,
		.pose = &stage->pose,
		.world = (const double(*)[12])stage->world,
	};
	struct check_surface_sample sample;
	if (!check_skinner_run(stage->skinner, &pose, &sample, err)) {
		return false;
	}
	*out = (struct evidence_scene){
		.asset = stage->run->asset,
		.finding = finding,
		.positions = sample.positions,
		.subject = stage->subject,
		.joint = finding->at.joint ? rig_find_joint(rig, finding->at.joint) : -1,
		.triangles = (const int(*)[3])stage->triangles,
	};
	find_place(stage, out);
	choose_subject(stage, out);
	return true;
}
