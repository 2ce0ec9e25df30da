// Surfaces as glTF describes them.
#include "gl/shaded.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/environment.h"
#include "gl/program.h"

_Static_assert((int)TEXTURE_USE_COUNT == MAP_COUNT && (int)TEXTURE_NORMAL == MAP_NORMAL &&
		(int)TEXTURE_TRANSMISSION == MAP_TRANSMISSION,
	"textures are numbered alike");

/* Programs that are kept; when there are more, all are made anew. */
#define PROGRAMS_MAX 64

#define NORMAL_MAPS (1U << MAP_NORMAL | 1U << MAP_CLEARCOAT_NORMAL)

/* The features that a program is compiled for; see variant.glsl. */
struct variant {
	unsigned flags, maps, second, moved;
};

struct shaded {
	struct environments *environments;
	GLuint lights; // buffer; 0 = was not needed so far
	struct {
		struct variant variant;
		GLuint program;
	} programs[PROGRAMS_MAX];
	size_t program_count;
};

struct shaded *shaded_create(void) {
	struct shaded *shaded = xcalloc(1, sizeof *shaded);
	shaded->environments = environments_create();
	return shaded;
}

static void forget_programs(struct shaded *shaded) {
	for (size_t i = 0; i < shaded->program_count; i++) {
		glDeleteProgram(shaded->programs[i].program);
	}
	shaded->program_count = 0;
}

void shaded_destroy(struct shaded *shaded) {
	if (!shaded) {
		return;
	}
	forget_programs(shaded);
	glDeleteBuffers(1, &shaded->lights);
	environments_destroy(shaded->environments);
	free(shaded);
}

static bool same_variant(const struct variant *a, const struct variant *b) {
	return a->flags == b->flags && a->maps == b->maps && a->second == b->second &&
		a->moved == b->moved;
}

static GLuint compile(const struct variant *variant, struct error *err) {
	const char *const shaders[] = {
		variant->flags & SHADED_MANY ? "shaded_many.vert" : "shaded.vert", "shaded.frag"};
	char constants[160];
	snprintf(constants, sizeof constants,
		"const int VARIANT = %u;\nconst int MAPS = %u;\nconst int SECOND = %u;\n"
		"const int MOVED = %u;\n",
		variant->flags, variant->maps, variant->second, variant->moved);
	return program_create(shaders, 2, constants, err);
}

static GLuint find_program(
	struct shaded *shaded, const struct variant *variant, struct error *err) {
	for (size_t i = 0; i < shaded->program_count; i++) {
		if (same_variant(&shaded->programs[i].variant, variant)) {
			return shaded->programs[i].program;
		}
	}
	if (shaded->program_count == PROGRAMS_MAX) {
		forget_programs(shaded);
	}
	const GLuint program = compile(variant, err);
	if (program) {
		shaded->programs[shaded->program_count].variant = *variant;
		shaded->programs[shaded->program_count++].program = program;
	}
	return program;
}

static void bind_lights(struct shaded *shaded, const struct shaded_look *look) {
	assert(look->light_count <= SHADED_LIGHTS_MAX);
	if (!shaded->lights) {
		glGenBuffers(1, &shaded->lights);
	}
	glBindBuffer(GL_UNIFORM_BUFFER, shaded->lights);
	glBufferData(
		GL_UNIFORM_BUFFER, SHADED_LIGHTS_MAX * sizeof *look->lights, NULL, GL_STREAM_DRAW);
	glBufferSubData(GL_UNIFORM_BUFFER, 0,
		(GLsizeiptr)((size_t)look->light_count * sizeof *look->lights), look->lights);
	glBindBuffer(GL_UNIFORM_BUFFER, 0);
	glBindBufferBase(GL_UNIFORM_BUFFER, BLOCK_LIGHTS, shaded->lights);
}

bool shaded_begin(struct shaded *shaded, const struct shaded_look *look, struct error *err) {
	if (look->light_count > 0) {
		bind_lights(shaded, look);
	}
	return look->environment == ENVIRONMENT_NONE ||
		environments_use(shaded->environments, look->environment, err);
}

void shaded_end(void) {
	for (GLenum unit = 0; unit < TEXTURE_UNIT_MATERIAL + MAP_COUNT; unit++) {
		glActiveTexture(GL_TEXTURE0 + unit);
		glBindTexture(GL_TEXTURE_2D, 0);
		glBindTexture(GL_TEXTURE_3D, 0);
	}
	glActiveTexture(GL_TEXTURE0);
	glBindBufferBase(GL_UNIFORM_BUFFER, BLOCK_IRRADIANCE, 0);
	glBindBufferBase(GL_UNIFORM_BUFFER, BLOCK_LIGHTS, 0);
}

bool shaded_is_blended(const struct material *material) {
	return material->alpha_mode == ALPHA_BLEND ||
		(material->transmission > 0 && !material->unlit);
}

static bool has_sheen(const struct material *material) {
	const float *color = material->sheen_color;
	return color[0] > 0 || color[1] > 0 || color[2] > 0;
}

/* Textures of layers that are not there are not looked at. */
static unsigned used_maps(const struct material *material, unsigned flags) {
	const unsigned none = 0, base = 1U << MAP_BASE_COLOR, emissive = 1U << MAP_EMISSIVE;
	const unsigned coat =
		1U << MAP_CLEARCOAT | 1U << MAP_CLEARCOAT_ROUGHNESS | 1U << MAP_CLEARCOAT_NORMAL;
	const unsigned sheen = 1U << MAP_SHEEN_COLOR | 1U << MAP_SHEEN_ROUGHNESS;
	const unsigned through = 1U << MAP_TRANSMISSION;
	return material->unlit ? base
		: flags & SHADED_UNLIT
		? base | emissive
		: ~((material->clearcoat > 0 ? none : coat) | (has_sheen(material) ? none : sheen) |
			  (material->transmission > 0 ? none : through));
}

bool shaded_takes_tangents(const struct material *material) {
	const unsigned used = used_maps(material, 0) & NORMAL_MAPS;
	for (int i = 0; i < TEXTURE_USE_COUNT; i++) {
		if (used & 1U << i && material->textures[i].texture >= 0) {
			return true;
		}
	}
	return false;
}

static unsigned layers_of(const struct material *material) {
	return (material->clearcoat > 0 ? SHADED_CLEARCOAT : 0U) |
		(has_sheen(material) ? SHADED_SHEEN : 0U) |
		(material->transmission > 0 ? SHADED_TRANSMISSION : 0U);
}

static unsigned light_of(const struct shaded_look *look) {
	static const unsigned tones[] = {
		[TONE_NEUTRAL] = 0, [TONE_ACES] = SHADED_ACES, [TONE_LINEAR] = SHADED_LINEAR};
	return tones[look->tone_mapping] | (look->light_count > 0 ? SHADED_LIT : 0U) |
		(look->environment != ENVIRONMENT_NONE ? SHADED_ENVIRONMENT : 0U);
}

/* The lighting of a material. Without light there is only the base colour, and emission unless
 * the material itself is unlit. */
static unsigned lighting_of(
	const struct shaded_look *look, const struct material *material, unsigned flags) {
	return material->unlit         ? SHADED_UNLIT
		: flags & SHADED_UNLIT ? SHADED_UNLIT | SHADED_EMISSIVE
				       : layers_of(material) | light_of(look);
}

static struct variant variant_of(const struct shaded_look *look, const struct gpu_rig *gpu,
	const struct material *material, unsigned flags) {
	struct variant variant = {.flags = flags};
	variant.flags |= gpu->colors ? SHADED_COLORS : 0U;
	variant.flags |= material->alpha_mode == ALPHA_MASK ? SHADED_CUT : 0U;
	variant.flags |= lighting_of(look, material, flags);
	const unsigned used = used_maps(material, flags);
	for (int i = 0; i < TEXTURE_USE_COUNT; i++) {
		const struct texture_slot *slot = &material->textures[i];
		const unsigned bit = used & 1U << i;
		if (bit && gpu_rig_texture(gpu, material, (enum texture_use)i)) {
			variant.maps |= bit;
			variant.second |= slot->texcoords > 0 ? bit : 0;
			variant.moved |= texture_slot_transforms(slot) ? bit : 0;
		}
	}
	if (!(variant.maps & NORMAL_MAPS)) {
		variant.flags &= ~(unsigned)SHADED_TANGENTS;
	}
	return variant;
}

/* The share of light reflected from the front at the boundary of two media. */
static float front_reflection(float ior) {
	const float root = ior > 0 ? (ior - 1) / (ior + 1) : 1;
	return root * root;
}

static void set_numbers(const struct material *m) {
	const float front = front_reflection(m->ior), strength = m->emissive_strength;
	const float numbers[][4] = {
		{m->base_color[0], m->base_color[1], m->base_color[2], m->base_color[3]},
		{m->emissive[0] * strength, m->emissive[1] * strength, m->emissive[2] * strength,
			m->metallic},
		{m->roughness, m->normal_scale, m->occlusion_strength, m->alpha_cutoff},
		{front * m->specular_color[0], front * m->specular_color[1],
			front * m->specular_color[2], m->specular},
		{m->clearcoat, m->clearcoat_roughness, m->clearcoat_normal_scale, m->transmission},
		{m->sheen_color[0], m->sheen_color[1], m->sheen_color[2], m->sheen_roughness},
		{m->alpha_mode == ALPHA_BLEND ? 0 : 1, 0, 0, 0},
	};
	glUniform4fv(UNIFORM_MATERIAL, sizeof numbers / sizeof *numbers, numbers[0]);
}

static void set_textures(
	const struct gpu_rig *gpu, const struct material *material, const struct variant *variant) {
	for (int i = 0; i < TEXTURE_USE_COUNT; i++) {
		if (!(variant->maps & 1U << i)) {
			continue;
		}
		glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_MATERIAL + (GLenum)i);
		glBindTexture(GL_TEXTURE_2D, gpu_rig_texture(gpu, material, (enum texture_use)i));
		if (variant->moved & 1U << i) {
			float rows[6];
			texture_slot_rows(&material->textures[i], rows);
			glUniformMatrix2x3fv(UNIFORM_MAPS + i, 1, GL_FALSE, rows);
		}
	}
}

bool shaded_use(struct shaded *shaded, const struct shaded_view *view, const struct gpu_rig *gpu,
	const struct material *material, unsigned flags, struct error *err) {
	const struct variant variant = variant_of(view->look, gpu, material, flags);
	const GLuint program = find_program(shaded, &variant, err);
	if (!program) {
		return false;
	}
	glUseProgram(program);
	glUniformMatrix4fv(UNIFORM_VIEW_PROJECTION, 1, GL_FALSE, view->view_projection);
	glUniform4fv(UNIFORM_EYE, 1, view->eye);
	glUniformMatrix3fv(UNIFORM_TURN, 1, GL_FALSE, view->look->turn);
	glUniform1f(UNIFORM_EXPOSURE, view->look->exposure);
	glUniform1i(UNIFORM_LIGHT_COUNT, view->look->light_count);
	set_numbers(material);
	set_textures(gpu, material, &variant);
	return true;
}
