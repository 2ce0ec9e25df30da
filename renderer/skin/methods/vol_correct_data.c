// The data of volume correction.
#include "skin/methods/vol_correct_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/fans.h"
#include "mesh/parts.h"

/* Faces that one invocation of a shader sums up. */
#define CHUNK_FACES 64

/* One slot's share in one part's area. */
struct area_share {
	int part, slot;
	double area;
};

struct maker {
	const struct rig *rig;
	const struct mesh_surface *surface;
	enum vol_correct_mu mu;
	struct parts parts;
	struct fans fans;
	int *numbers;     // [parts.count] among closed parts; -1 = open
	int part_count;   // closed ones
	int *faces;       // [face_count] triangles of closed parts, by part
	int *face_starts; // [part_count + 1]
	int face_count;
	int chunk_faces, chunk_count;
	double *areas;             // [point_count] a third of that of the triangles there
	struct area_share *shares; // [share_count] by part, then by slot
	size_t share_count;
};

static int part_of(const struct maker *maker, int point) {
	const int part = maker->parts.points[point];
	return part < 0 ? -1 : maker->numbers[part];
}

static int part_of_triangle(const struct maker *maker, int triangle) {
	return part_of(maker, maker->surface->triangles[triangle][0]);
}

/* Numbers closed parts, and sorts their triangles by part. */
static bool sort_faces(struct maker *maker, struct error *err) {
	const int triangles = maker->surface->triangle_count;
	maker->numbers = try_calloc((size_t)maker->parts.count, sizeof(int), "mesh parts", err);
	maker->faces = try_calloc((size_t)triangles, sizeof(int), "mesh parts", err);
	maker->face_starts =
		try_calloc((size_t)maker->parts.count + 2, sizeof(int), "mesh parts", err);
	if (!maker->numbers || !maker->faces || !maker->face_starts) {
		return false;
	}
	for (int i = 0; i < maker->parts.count; i++) {
		maker->numbers[i] = maker->parts.closed[i] ? maker->part_count++ : -1;
	}
	// Counted two places on, so that filling moves each start to where it belongs.
	int *starts = maker->face_starts;
	for (int i = 0; i < triangles; i++) {
		if (part_of_triangle(maker, i) >= 0) {
			starts[part_of_triangle(maker, i) + 2]++;
			maker->face_count++;
		}
	}
	for (int i = 0; i < maker->part_count; i++) {
		starts[i + 2] += starts[i + 1];
	}
	for (int i = 0; i < triangles; i++) {
		const int part = part_of_triangle(maker, i);
		if (part >= 0) {
			maker->faces[starts[part + 1]++] = i;
		}
	}
	return true;
}

static int chunks_of(const struct maker *maker, int part) {
	const int faces = maker->face_starts[part + 1] - maker->face_starts[part];
	return (faces + maker->chunk_faces - 1) / maker->chunk_faces;
}

/* Chunks so long that there are no more of them than vertices, each of which has an invocation. */
static void size_chunks(struct maker *maker) {
	maker->chunk_faces = CHUNK_FACES;
	for (;; maker->chunk_faces *= 2) {
		maker->chunk_count = 0;
		for (int i = 0; i < maker->part_count; i++) {
			maker->chunk_count += chunks_of(maker, i);
		}
		if (maker->chunk_count <= maker->rig->vertex_count) {
			return;
		}
	}
}

static int compare_shares(const void *a, const void *b) {
	const struct area_share *left = a, *right = b;
	if (left->part != right->part) {
		return left->part < right->part ? -1 : 1;
	}
	return (left->slot > right->slot) - (left->slot < right->slot);
}

static void add_areas(struct maker *maker) {
	const struct mesh_surface *surface = maker->surface;
	for (int i = 0; i < surface->triangle_count; i++) {
		double cross[3];
		surface_cross(surface, i, (const double(*)[3])surface->positions, cross);
		for (int k = 0; k < 3; k++) {
			maker->areas[surface->triangles[i][k]] += vec3_length(cross) / 6;
		}
	}
}

/* Sums shares of one slot in one part, which stand side by side. */
static void merge_shares(struct maker *maker) {
	size_t kept = 0;
	for (size_t i = 0; i < maker->share_count; i++) {
		struct area_share *last = kept ? &maker->shares[kept - 1] : NULL;
		if (last && compare_shares(last, &maker->shares[i]) == 0) {
			last->area += maker->shares[i].area;
		} else {
			maker->shares[kept++] = maker->shares[i];
		}
	}
	maker->share_count = kept;
}

/* The share of each closed part's area that each slot moves. */
static bool find_shares(struct maker *maker, struct error *err) {
	const struct mesh_surface *surface = maker->surface;
	const size_t most = (size_t)surface->share_starts[surface->point_count];
	maker->areas = try_calloc((size_t)surface->point_count, sizeof *maker->areas, "areas", err);
	maker->shares = try_calloc(most, sizeof *maker->shares, "areas", err);
	if (!maker->areas || !maker->shares) {
		return false;
	}
	add_areas(maker);
	for (int point = 0; point < surface->point_count; point++) {
		const int part = part_of(maker, point);
		const int end = surface->share_starts[point + 1];
		for (int i = surface->share_starts[point]; i < end && part >= 0; i++) {
			maker->shares[maker->share_count++] =
				(struct area_share){part, surface->shares[i].slot,
					surface->shares[i].weight * maker->areas[point]};
		}
	}
	qsort(maker->shares, maker->share_count, sizeof *maker->shares, compare_shares);
	merge_shares(maker);
	return true;
}

static uint32_t word_of(double value) {
	const float number = (float)value;
	uint32_t word;
	memcpy(&word, &number, sizeof word);
	return word;
}

static double mu_of(const struct maker *maker, int point) {
	const struct mesh_surface *surface = maker->surface;
	double squares = 0;
	for (int i = surface->share_starts[point]; i < surface->share_starts[point + 1]; i++) {
		squares += surface->shares[i].weight * surface->shares[i].weight;
	}
	return maker->mu == VOL_CORRECT_MU_GLOBAL ? 1 : fmax(2 * (1 - squares), 0);
}

static void write_vertices(const struct maker *maker, struct skin_data *data) {
	uint32_t *ranges = skin_data_words(data, VOL_CORRECT_RANGES);
	for (size_t v = 0; v < (size_t)maker->rig->vertex_count; v++) {
		const int point = maker->surface->points[v], part = part_of(maker, point);
		const int *starts = maker->fans.starts + point;
		ranges[v * 4] = (uint32_t)starts[0];
		ranges[v * 4 + 1] = (uint32_t)(starts[1] - starts[0]);
		ranges[v * 4 + 2] = part < 0 ? VOL_CORRECT_NO_PART : (uint32_t)part;
		ranges[v * 4 + 3] = word_of(mu_of(maker, point));
		const bool open = part < 0 && maker->parts.points[point] >= 0;
		data->fallback_vertices += open;
		data->flags |= open ? SKIN_FLAG_OPEN_PARTS : 0;
	}
}

static void write_faces(const struct maker *maker, struct skin_data *data) {
	uint32_t *faces = skin_data_words(data, VOL_CORRECT_FACES);
	const struct mesh_surface *surface = maker->surface;
	for (int i = 0; i < maker->face_count * 3; i++) {
		const int point = surface->triangles[maker->faces[i / 3]][i % 3];
		faces[i] = (uint32_t)surface->vertices[point];
	}
}

/* The limit of a vertex's displacement: the mean edge length of the triangles in the rest pose. */
static double longest_step(const struct maker *maker, int part) {
	const struct mesh_surface *surface = maker->surface;
	const int start = maker->face_starts[part], end = maker->face_starts[part + 1];
	double sum = 0;
	for (int i = start * 3; i < end * 3; i++) {
		const int *corners = surface->triangles[maker->faces[i / 3]];
		double side[3];
		vec3_sub(surface->positions[corners[(i + 1) % 3]],
			surface->positions[corners[i % 3]], side);
		sum += vec3_length(side);
	}
	return sum / ((end - start) * 3);
}

static void write_parts(const struct maker *maker, struct skin_data *data) {
	uint32_t *parts = skin_data_words(data, VOL_CORRECT_PARTS);
	uint32_t *chunks = skin_data_words(data, VOL_CORRECT_CHUNKS), chunk = 0;
	chunks[0] = (uint32_t)maker->chunk_count;
	chunks[1] = (uint32_t)maker->part_count;
	for (int part = 0; part < maker->part_count; part++) {
		const int end = maker->face_starts[part + 1];
		parts[part * 4] = chunk;
		parts[part * 4 + 1] = (uint32_t)chunks_of(maker, part);
		parts[part * 4 + 2] = word_of(longest_step(maker, part));
		for (int face = maker->face_starts[part]; face < end; face += maker->chunk_faces) {
			const int left = end - face;
			const int count = left < maker->chunk_faces ? left : maker->chunk_faces;
			chunk++;
			chunks[chunk * 2] = (uint32_t)face;
			chunks[chunk * 2 + 1] = (uint32_t)count;
		}
	}
}

static void write_shares(const struct maker *maker, struct skin_data *data) {
	uint32_t *starts = skin_data_words(data, VOL_CORRECT_STARTS);
	uint32_t *words = skin_data_words(data, VOL_CORRECT_SHARES);
	size_t end = 0;
	for (int part = 0; part < maker->part_count; part++) {
		const size_t start = end;
		double area = 0;
		for (; end < maker->share_count && maker->shares[end].part == part; end++) {
			area += maker->shares[end].area;
		}
		for (size_t i = start; i < end; i++) {
			words[i * 2] = (uint32_t)maker->shares[i].slot;
			words[i * 2 + 1] = word_of(area > 0 ? maker->shares[i].area / area : 0);
		}
		starts[part + 1] = (uint32_t)end;
	}
}

static struct skin_data *pack(const struct maker *maker, struct error *err) {
	const size_t edges = (size_t)maker->fans.starts[maker->fans.count];
	const size_t lengths[VOL_CORRECT_SECTIONS] = {
		[VOL_CORRECT_RANGES] = (size_t)maker->rig->vertex_count * 4,
		[VOL_CORRECT_FANS] = edges * 2,
		[VOL_CORRECT_FACES] = (size_t)maker->face_count * 3,
		[VOL_CORRECT_CHUNKS] = ((size_t)maker->chunk_count + 1) * 2,
		[VOL_CORRECT_PARTS] = (size_t)maker->part_count * 4,
		[VOL_CORRECT_STARTS] = (size_t)maker->part_count + 1,
		[VOL_CORRECT_SHARES] = maker->share_count * 2,
	};
	struct skin_data *data = skin_data_create(lengths, VOL_CORRECT_SECTIONS, err);
	if (data) {
		memcpy(skin_data_words(data, VOL_CORRECT_FANS), maker->fans.edges,
			edges * 2 * sizeof(uint32_t));
		write_vertices(maker, data);
		write_faces(maker, data);
		write_parts(maker, data);
		write_shares(maker, data);
	}
	return data;
}

static struct skin_data *make(struct maker *maker, struct error *err) {
	const struct mesh_surface *surface = maker->surface;
	if (!parts_init(&maker->parts, surface, err) ||
		!fans_init(
			&maker->fans, surface, surface->points, surface->point_count, true, err) ||
		!sort_faces(maker, err)) {
		return NULL;
	}
	if (maker->part_count == 0 && maker->parts.count > 0) {
		error_set(err, ERROR_MISSING_DATA,
			"vol_correct needs a closed surface, and none of the %d parts of this "
			"rig's is (NOT_CLOSED)",
			maker->parts.count);
		return NULL;
	}
	size_chunks(maker);
	return find_shares(maker, err) ? pack(maker, err) : NULL;
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const struct watch watch = {job->stop, &job->progress->share};
	struct mesh_surface *surface = surface_create(job->rig, &watch, err);
	if (!surface) {
		return NULL;
	}
	struct maker maker = {
		.rig = job->rig,
		.surface = surface,
		.mu = (enum vol_correct_mu)job->options->values[VOL_CORRECT_MU],
	};
	struct skin_data *data = make(&maker, err);
	parts_finish(&maker.parts);
	fans_finish(&maker.fans);
	free(maker.numbers);
	free(maker.faces);
	free(maker.face_starts);
	free(maker.areas);
	free(maker.shares);
	surface_destroy(surface);
	return data;
}

const struct skin_recipe vol_correct_recipe = {
	.name = "vol_correct",
	.version = 2,
	.derive = derive,
};
