// The light of each vertex, computed where it is skinned and interpolated over triangles, as the
// program C6E5v_skin4m has it.
// Source: Fernando, Kilgard. The Cg Tutorial. 2003, chapter 6.
#include "base/srgb.h"
#include "shading/shading.h"

static void to_light(const double color[static 4], float out[static 3]) {
	for (int i = 0; i < 3; i++) {
		out[i] = (float)srgb_to_linear(color[i]);
	}
}

/* 1 for each primitive that emits light at its vertices: where a texture says how much, they cannot
 * tell. */
static const float *emitting(const struct rig *rig, struct arena *arena) {
	float *out = arena_alloc(arena, (size_t)rig->primitive_count, sizeof *out);
	for (int i = 0; i < rig->primitive_count; i++) {
		const int material = rig->primitives[i].material;
		out[i] = material >= 0 &&
				rig->materials[material].textures[TEXTURE_EMISSIVE].texture < 0
			? 1
			: 0;
	}
	return out;
}

static bool paint(const struct shading_job *job, struct paint *out, struct error *err) {
	(void)err;
	static const char *const vertex_shaders[] = {"paint_cg4m.vert", "paint_cg4m_many.vert"};
	const struct vertex_light *light = &job->settings->vertex_light;
	out->shader = "paint_cg4m.frag";
	out->vertex_shaders = vertex_shaders;
	for (int i = 0; i < 3; i++) {
		out->vectors[0][i] = (float)light->place[i];
	}
	out->vectors[0][3] = light->has_place ? 1 : 0;
	to_light(light->ambient, out->vectors[1]);
	to_light(light->color, out->vectors[2]);
	to_light(light->specular, out->vectors[3]);
	out->vectors[3][3] = (float)light->shininess;
	out->of_primitives = emitting(job->rig, job->arena);
	return true;
}

const struct shading_mode shading_cg4m = {.paint = paint};
