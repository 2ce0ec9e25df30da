// mesh/texel_density: texels per length that differ over the surface.
#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "check/rules.h"
#include "check/surface.h"

/* Shares of the area between which densities are compared. */
#define LOW 0.05
#define HIGH 0.95

struct density {
	double texels, area; // per length; of the triangle
};

/* The texture of a primitive's base colour; false where it has none. */
static bool find_texture(
	const struct rig *rig, const struct primitive *p, const float **texcoords, double *pixels) {
	const struct material *material = p->material < 0 ? NULL : &rig->materials[p->material];
	const struct texture_slot *slot = material ? &material->textures[TEXTURE_BASE_COLOR] : NULL;
	if (!slot || slot->texture < 0 || !rig->texcoords[slot->texcoords]) {
		return false;
	}
	const struct image *image = &rig->images[rig->textures[slot->texture].image];
	*texcoords = rig->texcoords[slot->texcoords];
	*pixels = (double)image->width * image->height *
		fabs((double)slot->scale[0] * (double)slot->scale[1]);
	return true;
}

static bool measure(const struct check_asset *asset, const struct primitive *p, int first_index,
	const float *texcoords, double pixels, struct density *out) {
	double corners[3][3], uv[3][2], normal[3];
	for (int i = 0; i < 3; i++) {
		const int v = p->first_vertex + (int)asset->rig->indices[first_index + i];
		for (int k = 0; k < 3; k++) {
			corners[i][k] = asset->rest_vertices[v][k];
		}
		uv[i][0] = (double)texcoords[v * 2];
		uv[i][1] = (double)texcoords[v * 2 + 1];
	}
	check_cross(corners[0], corners[1], corners[2], normal);
	const double flat = 0.5 *
		fabs((uv[1][0] - uv[0][0]) * (uv[2][1] - uv[0][1]) -
			(uv[2][0] - uv[0][0]) * (uv[1][1] - uv[0][1]));
	out->area = 0.5 * vec3_length(normal);
	out->texels = sqrt(flat * pixels / out->area);
	return out->area > 0 && isfinite(out->texels) && out->texels > 0;
}

static int compare(const void *first, const void *second) {
	const struct density *a = first, *b = second;
	if (a->texels != b->texels) {
		return a->texels < b->texels ? -1 : 1;
	}
	return (a->area > b->area) - (a->area < b->area);
}

/* The density that a share of the area is below. */
static double quantile(const struct density *sorted, size_t count, double area, double share) {
	double below = 0;
	size_t i = 0;
	while (i + 1 < count && (below += sorted[i].area) < share * area) {
		i++;
	}
	return sorted[i].texels;
}

static void look(const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	const struct rig *rig = asset->rig;
	struct density *densities =
		arena_alloc(arena, (size_t)rig->index_count / 3 + 1, sizeof *densities);
	size_t count = 0;
	double area = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const float *texcoords;
		double pixels;
		if (p->topology != TOPOLOGY_TRIANGLES ||
			!find_texture(rig, p, &texcoords, &pixels)) {
			continue;
		}
		for (int k = p->first_index; k + 2 < p->first_index + p->index_count; k += 3) {
			if (measure(asset, p, k, texcoords, pixels, &densities[count])) {
				area += densities[count++].area;
			}
		}
	}
	if (count == 0) {
		check_skip(sink, &check_rule_mesh_texel_density, "no textured triangles");
		return;
	}
	qsort(densities, count, sizeof *densities, compare);
	const double low = quantile(densities, count, area, LOW);
	const double high = quantile(densities, count, area, HIGH);
	struct check_value value = check_value(high / low);
	check_value_param(&value, "low", low);
	check_value_param(&value, "high", high);
	check_emit(sink, &check_rule_mesh_texel_density, &value);
}

static const struct check_pass pass = {.needs = CHECK_NEEDS_TRIANGLES, .asset = look};

const struct check_rule check_rule_mesh_texel_density = {
	.info =
		{
			.id = "mesh/texel_density",
			.unit = "ratio",
			.catches = "textures that are finer in one place than in another",
			.definition = "Pixels of the base colour's texture per length of the "
				      "surface at rest, for "
				      "each triangle; the density that 95 % of the area are below, "
				      "over the one "
				      "that 5 % are below.",
			.effect = "Some parts look blurred beside others, and texture memory is "
				  "wasted on "
				  "those.",
			.fix = "Give all parts of the surface about the same room in the texture.",
			.blender = "In the UV Editor choose UV > Average Islands Scale, then UV > "
				   "Pack Islands.",
			.maya = "In the UV Editor open UV Toolkit > Transform > Texel Density, Get "
				"it where it is right and Set it on the other shells; then choose "
				"Modify > Layout.",
			.message =
				"The texture is {value} times as fine in some places as in others: "
				"{low} to {high} texels per unit",
			.example = "The texture is 57.86 times as fine in some places as in "
				   "others: 16.62 to 961.8 texels per unit",
			.cost = CHECK_COST_TABLE,
			.limits = {8, INFINITY, INFINITY},
		},
	.pass = &pass,
};
