/* Delta mush: the surface that another method has posed is smoothed, and the details that smoothing
 * took from it at rest are put back in the frames of the smoothed surface: v' = s' + F' d.
 * Source: Mancewicz, Derksen, Rijpkema, Wilson, Delta Mush, DigiPro 2014. METHODS A20. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/mush.h"
#include "skin/method.h"
#include "skin/option.h"
#include "skin/put.h"
#include "skin/rigid.h"

enum { BASE, ITERATIONS, LAMBDA, PIN };

enum section {
	RANGES,     // words [vertex_count][4]: first neighbour, how many; first fan edge, how many
	NEIGHBOURS, // words: vertices
	FANS,       // words [edges][2]: vertices
	REST,       // floats [vertex_count][REST_FLOATS]
	SECTION_COUNT,
};

/* A vertex at rest: d in the frame t, n, b, in the rig's unit; the vertex that t goes to as a word
 * (NONE = there is no frame); two spare; t; n. */
#define REST_FLOATS 12
#define NONE UINT32_MAX

/* A tangent with less of its length than this left across the normal gives no frame. */
#define FRAME_LEAST 1e-4

static const struct skin_option iterations_option = {
	.name = "iterations",
	.title = "steps of smoothing",
	.kind = SKIN_OPTION_INTEGER,
	.least = 0,
	.most = 50,
	.standard = 10,
	.derives = true,
};

static const struct skin_option lambda_option = {
	.name = "lambda",
	.title = "how far a point goes to the middle of its neighbours in a step",
	.kind = SKIN_OPTION_NUMBER,
	.least = 0.01,
	.most = 1,
	.standard = 0.5,
	.derives = true,
};

static const struct skin_option pin_option = {
	.name = "pin",
	.title = "whether open edges of the surface are left as they are",
	.kind = SKIN_OPTION_BOOLEAN,
	.derives = true,
};

static const struct skin_option *const options[] = {
	[BASE] = &skin_option_base,
	[ITERATIONS] = &iterations_option,
	[LAMBDA] = &lambda_option,
	[PIN] = &pin_option,
	NULL,
};

static void write_ranges(
	const struct mesh_surface *surface, const struct mush *mush, struct skin_data *data) {
	uint32_t *ranges = skin_data_words(data, RANGES);
	for (size_t v = 0; v < (size_t)surface->vertex_count; v++) {
		const int point = surface->points[v];
		const int *neighbours = mush->neighbours.starts + point;
		const int *fans = mush->fans.starts + point;
		ranges[v * 4] = (uint32_t)neighbours[0];
		ranges[v * 4 + 1] =
			mush->pinned[point] ? 0 : (uint32_t)(neighbours[1] - neighbours[0]);
		ranges[v * 4 + 2] = (uint32_t)fans[0];
		ranges[v * 4 + 3] = (uint32_t)(fans[1] - fans[0]);
	}
}

static void write_vertex(const struct mesh_surface *surface, const struct mush *mush, size_t vertex,
	double unit, struct skin_data *data) {
	const int point = surface->points[vertex], guide = mush->guides[point];
	float *row = skin_data_floats(data, REST) + vertex * REST_FLOATS;
	for (int k = 0; k < 3; k++) {
		row[k] = (float)(unit * mush->deltas[vertex][k]);
		row[6 + k] = (float)mush->frames[vertex][0][k];
		row[9 + k] = (float)mush->frames[vertex][1][k];
	}
	skin_data_words(data, REST)[vertex * REST_FLOATS + 3] = guide < 0 ? NONE : (uint32_t)guide;
	const int *starts = mush->neighbours.starts + point;
	data->fallback_vertices += guide < 0 && starts[1] > starts[0];
}

static void write_rest(const struct rig *rig, const struct mesh_surface *surface,
	const struct mush *mush, struct skin_data *data) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const double unit = rigid_bind_unit(rig, p);
		for (int v = p->first_vertex; v < p->first_vertex + p->vertex_count; v++) {
			write_vertex(surface, mush, (size_t)v, unit, data);
		}
	}
}

static struct skin_data *pack(const struct rig *rig, const struct mesh_surface *surface,
	const struct mush *mush, struct error *err) {
	const size_t vertices = (size_t)surface->vertex_count;
	const size_t neighbours = (size_t)mush->neighbours.starts[surface->point_count];
	const size_t edges = (size_t)mush->fans.starts[surface->point_count];
	const size_t lengths[SECTION_COUNT] = {[RANGES] = vertices * 4,
		[NEIGHBOURS] = neighbours,
		[FANS] = edges * 2,
		[REST] = vertices * REST_FLOATS};
	struct skin_data *data = skin_data_create(lengths, SECTION_COUNT, err);
	if (data) {
		const size_t word = sizeof(uint32_t);
		memcpy(skin_data_words(data, NEIGHBOURS), mush->neighbours.items,
			neighbours * word);
		memcpy(skin_data_words(data, FANS), mush->fans.edges, edges * 2 * word);
		write_ranges(surface, mush, data);
		write_rest(rig, surface, mush, data);
	}
	return data;
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const struct watch watch = {job->stop, &job->progress->share};
	const double *values = job->options->values;
	const struct mush_settings settings = {
		(int)values[ITERATIONS], values[LAMBDA], values[PIN] != 0};
	struct skin_data *data = NULL;
	struct mush mush;
	struct mesh_surface *surface = surface_create(job->rig, &watch, err);
	if (surface && mush_init(&mush, job->rig, surface, &settings, &watch, err)) {
		data = pack(job->rig, surface, &mush, err);
		mush_finish(&mush);
	}
	surface_destroy(surface);
	return data;
}

/* The data, taken apart once. */
struct view {
	const uint32_t *ranges, *neighbours, *fans, *rest_words;
	const float *rest;
};

static struct view view_of(const struct skin_data *data) {
	return (struct view){
		.ranges = skin_data_read_words(data, RANGES),
		.neighbours = skin_data_read_words(data, NEIGHBOURS),
		.fans = skin_data_read_words(data, FANS),
		.rest_words = skin_data_read_words(data, REST),
		.rest = skin_data_read_floats(data, REST),
	};
}

/* One step of smoothing. In double precision: where it shrinks triangles to slivers, their normals
 * magnify what rounding leaves. */
static void smooth(const struct view *view, size_t count, double lambda, const double (*in)[3],
	double (*out)[3]) {
	for (size_t v = 0; v < count; v++) {
		const uint32_t *neighbours = view->neighbours + view->ranges[v * 4];
		const uint32_t degree = view->ranges[v * 4 + 1];
		double sum[3] = {0};
		for (uint32_t i = 0; i < degree; i++) {
			for (int k = 0; k < 3; k++) {
				sum[k] += in[neighbours[i]][k];
			}
		}
		for (size_t k = 0; k < 3; k++) {
			const double at = in[v][k];
			out[v][k] = degree > 0 ? at + lambda * (sum[k] / degree - at) : at;
		}
	}
}

/* The posed frame of a vertex, t n b; false where there is none. */
static bool make_frame(const struct view *view, const double (*smoothed)[3], size_t vertex,
	double frame[static 3][3]) {
	const uint32_t *edge = view->fans + (size_t)view->ranges[vertex * 4 + 2] * 2;
	const uint32_t *end = edge + (size_t)view->ranges[vertex * 4 + 3] * 2;
	const double *at = smoothed[vertex];
	double *t = frame[0], *n = frame[1];
	n[0] = n[1] = n[2] = 0;
	for (; edge < end; edge += 2) {
		double b[3], c[3], cross[3];
		vec3_sub(smoothed[edge[0]], at, b);
		vec3_sub(smoothed[edge[1]], at, c);
		vec3_cross(b, c, cross);
		for (int k = 0; k < 3; k++) {
			n[k] += cross[k];
		}
	}
	vec3_sub(smoothed[view->rest_words[vertex * REST_FLOATS + 3]], at, t);
	const double length = vec3_length(t);
	if (!vec3_normalize(n)) {
		return false;
	}
	const double along = vec3_dot(n, t);
	for (int k = 0; k < 3; k++) {
		t[k] -= along * n[k];
	}
	if (!(vec3_length(t) > FRAME_LEAST * length)) {
		return false;
	}
	vec3_normalize(t);
	vec3_cross(n, t, frame[2]);
	return true;
}

/* Turns a direction at rest with the frame. */
static void turn(const double frame[static 3][3], const float *rest, const float *direction,
	double out[static 3]) {
	double t[3], n[3], b[3], v[3];
	put_load(rest + 6, t);
	put_load(rest + 9, n);
	put_load(direction, v);
	vec3_cross(n, t, b);
	const double parts[3] = {vec3_dot(t, v), vec3_dot(n, v), vec3_dot(b, v)};
	for (int k = 0; k < 3; k++) {
		out[k] = frame[0][k] * parts[0] + frame[1][k] * parts[1] + frame[2][k] * parts[2];
	}
}

static void put_vertex(const struct skin_job *job, const struct view *view,
	const double (*smoothed)[3], size_t vertex) {
	const float *rest = view->rest + vertex * REST_FLOATS;
	double frame[3][3], normal[3], tangent[3] = {0};
	if (view->rest_words[vertex * REST_FLOATS + 3] == NONE ||
		!make_frame(view, smoothed, vertex, frame)) {
		return;
	}
	for (size_t k = 0; k < 3; k++) {
		const double detail =
			frame[0][k] * rest[0] + frame[1][k] * rest[1] + frame[2][k] * rest[2];
		job->out_positions[vertex * 3 + k] = (float)(smoothed[vertex][k] + detail);
	}
	turn((const double(*)[3])frame, rest, job->normals + vertex * 3, normal);
	if (job->out_tangents) {
		turn((const double(*)[3])frame, rest, job->tangents + vertex * 4, tangent);
	}
	put_normal(job, vertex, normal, 0, tangent);
}

/* Vertices without a frame stay where the base put them. */
static void finish(const struct skin_job *job) {
	const size_t count = (size_t)job->rig->vertex_count;
	const int iterations = (int)job->options->values[ITERATIONS];
	const struct view view = view_of(job->data);
	if (iterations == 0) {
		return;
	}
	double(*buffers)[3] = xcalloc(count * 2, sizeof *buffers);
	double(*now)[3] = buffers, (*next)[3] = buffers + count;
	for (size_t v = 0; v < count; v++) {
		put_load(job->out_positions + v * 3, now[v]);
	}
	for (int i = 0; i < iterations; i++) {
		smooth(&view, count, job->options->values[LAMBDA], (const double(*)[3])now, next);
		double(*const other)[3] = now;
		now = next;
		next = other;
	}
	for (size_t v = 0; v < count; v++) {
		put_vertex(job, &view, (const double(*)[3])now, v);
	}
	free(buffers);
}

static const struct skin_recipe recipe = {
	.name = "delta_mush",
	.version = 1,
	.derive = derive,
};

const struct skinning_method delta_mush_method = {
	.id = "delta_mush",
	.title = "delta mush: the posed surface smoothed, and its details put back",
	.options = options,
	.recipe = &recipe,
	.finish =
		{
			.finish = finish,
			.passes = {{"delta_mush_smooth.comp", ITERATIONS}, {"delta_mush.comp", -1}},
			.scratch_floats = 9,
		},
};
