// A PIM -> pieces of the scene, in either layout of the skin. Left out, since PIM only names them,
// are the looks of materials (their textures are in a .pit), and with them vertex colours, whose
// meaning is up to the effect; locators are no geometry.
#include <string.h>

#include "base/mat.h"
#include "import/limits.h"
#include "import/prism_import.h"

/* Weights of a vertex: exporters write up to 4. */
#define WEIGHTS_MAX ((size_t)4 * IMPORT_INFLUENCE_SETS_MAX)

/* The weights of a vertex, where they stand in the file. */
struct span {
	size_t at; // of the first bone among the tokens
	size_t count;
};

struct piece {
	const struct prism_section *section; // NULL = not found yet
	size_t vertex_count;
	struct span *weights; // [vertex_count]
	bool is_skinned;      // any vertex has weights
};

struct model {
	struct prism_import *import;
	const struct prism_file *file;
	struct arena *arena;
	size_t piece_count, material_count, bone_count;
	struct piece *pieces; // [piece_count]
	struct scene_mesh *meshes;
	struct palette_slot *slots; // [bone_count + 1] the last one for vertices without weights
	bool needs_holder;          // there are such in skinned pieces
};

static void *allocate(struct model *model, size_t count, size_t size, struct error *err) {
	if (size > 0 && count > IMPORT_INDICES_MAX * 16 / size) {
		error_set(err, ERROR_TOO_LARGE, "%s has too many values", model->file->name);
		return NULL;
	}
	return claim_bytes(&model->import->bytes_left, count * size, "the model", err)
		? arena_alloc(model->arena, count, size)
		: NULL;
}

/* --- Materials --- */

static bool read_materials(struct model *model, struct error *err) {
	struct material *materials = allocate(model, model->material_count, sizeof *materials, err);
	const struct prism_section *section = prism_find(&model->file->root, "Material");
	if (!materials) {
		return false;
	}
	for (size_t i = 0; i < model->material_count; i++, section = prism_next(section)) {
		const char *alias = prism_string(model->file, section, "Alias");
		materials[i] = material_default;
		materials[i].metallic = 0;
		materials[i].name = (char *)(alias ? alias : ""); // borrowed by the scene
	}
	if (model->material_count > 0) {
		rig_warn_besides(model->import->rig,
			"%s: PIM has the materials' names and none of their looks; drawn plainly",
			model->file->name);
	}
	model->import->scene.materials = materials;
	model->import->scene.material_count = (int)model->material_count;
	return true;
}

/* --- Pieces --- */

/* The stream of a tag, as floats; *out stays NULL where there is none. */
static bool read_stream(struct model *model, const struct piece *piece, const char *tag,
	const char *format, size_t width, const float **out, struct error *err) {
	const struct prism_file *file = model->file;
	const struct prism_section *stream = prism_find(piece->section, "Stream");
	const char *own = NULL;
	while (stream && (!(own = prism_string(file, stream, "Tag")) || strcmp(own, tag) != 0)) {
		stream = prism_next(stream);
	}
	if (!stream) {
		return true;
	}
	own = prism_string(file, stream, "Format");
	if (!own || strcmp(own, format) != 0 || stream->row_count != piece->vertex_count) {
		return prism_refuse(file, stream->line, err,
			"stream %s must be of format %s, with as many rows as VertexCount says, "
			"%zu; it has %zu",
			tag, format, piece->vertex_count, stream->row_count);
	}
	float *values = allocate(model, piece->vertex_count, width * sizeof *values, err);
	struct prism_cursor row = prism_first_row(file, stream);
	for (size_t i = 0; values && i < stream->row_count; i++, row = prism_next_row(&row)) {
		struct prism_cursor inner = row;
		if (!prism_take_floats(&inner, width, &values[i * width], err) ||
			!prism_take_end(&inner, err)) {
			return false;
		}
	}
	*out = values;
	return values;
}

/* Triangles are wound clockwise in the file. */
static bool read_triangles(
	struct model *model, const struct piece *piece, struct scene_mesh *out, struct error *err) {
	const struct prism_file *file = model->file;
	const struct prism_section *triangles = prism_need(file, piece->section, "Triangles", err);
	size_t count;
	if (!triangles ||
		!prism_count(file, piece->section, "TriangleCount", IMPORT_INDICES_MAX / 3, &count,
			err)) {
		return false;
	}
	if (triangles->row_count != count) {
		return prism_refuse(file, triangles->line, err,
			"%zu triangles, must be as many as TriangleCount says, %zu",
			triangles->row_count, count);
	}
	uint32_t *indices = allocate(model, count * 3, sizeof *indices, err);
	struct prism_cursor row = prism_first_row(file, triangles);
	for (size_t i = 0; indices && i < count; i++, row = prism_next_row(&row)) {
		struct prism_cursor inner = row;
		static const size_t places[3] = {0, 2, 1};
		for (int k = 0; k < 3; k++) {
			size_t index;
			if (!prism_take_index(&inner, piece->vertex_count - 1, &index, err)) {
				return false;
			}
			indices[i * 3 + places[k]] = (uint32_t)index;
		}
		if (!prism_take_end(&inner, err)) {
			return false;
		}
	}
	out->indices = indices;
	out->index_count = count * 3;
	return indices;
}

static void warn_of_colors(struct model *model, const struct piece *piece) {
	const struct prism_section *stream = prism_find(piece->section, "Stream");
	for (; stream; stream = prism_next(stream)) {
		const char *tag = prism_string(model->file, stream, "Tag");
		if (tag && (strcmp(tag, "_RGB") == 0 || strcmp(tag, "_RGBA") == 0)) {
			rig_warn_besides(model->import->rig,
				"%s: vertex colours are left out; what they mean is up to the "
				"material's effect",
				model->file->name);
			return;
		}
	}
}

static bool read_piece(
	struct model *model, const struct piece *piece, int index, struct error *err) {
	static const char *const uvs[TEXCOORD_SETS] = {"_UV0", "_UV1"};
	struct scene_mesh *mesh = &model->meshes[index];
	size_t material = 0;
	*mesh = (struct scene_mesh){
		.joint = model->import->holder,
		.material = -1,
		.primitive = index,
		.vertex_count = piece->vertex_count,
	};
	if (model->material_count > 0) {
		if (!prism_count(model->file, piece->section, "Material", model->material_count - 1,
			    &material, err)) {
			return false;
		}
		mesh->material = (int)material;
	}
	if (!read_stream(model, piece, "_POSITION", "FLOAT3", 3, &mesh->positions, err) ||
		!read_stream(model, piece, "_NORMAL", "FLOAT3", 3, &mesh->normals, err)) {
		return false;
	}
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		if (!read_stream(model, piece, uvs[set], "FLOAT2", 2, &mesh->texcoords[set], err)) {
			return false;
		}
	}
	warn_of_colors(model, piece);
	return (mesh->positions ||
		       prism_refuse(model->file, piece->section->line, err,
			       "the piece has no stream _POSITION")) &&
		read_triangles(model, piece, mesh, err);
}

/* Puts every piece at its index. */
static bool find_pieces(struct model *model, struct error *err) {
	const struct prism_file *file = model->file;
	const struct prism_section *section = prism_find(&file->root, "Piece");
	model->pieces = allocate(model, model->piece_count, sizeof *model->pieces, err);
	model->meshes = allocate(model, model->piece_count, sizeof *model->meshes, err);
	if (!model->pieces || !model->meshes) {
		return false;
	}
	for (; section; section = prism_next(section)) {
		size_t index;
		if (!prism_count(file, section, "Index", model->piece_count - 1, &index, err)) {
			return false;
		}
		struct piece *piece = &model->pieces[index];
		if (piece->section) {
			return prism_refuse(
				file, section->line, err, "a second piece of Index %zu", index);
		}
		piece->section = section;
		if (!prism_count(file, section, "VertexCount", IMPORT_VERTICES_MAX,
			    &piece->vertex_count, err) ||
			!(piece->weights = allocate(
				  model, piece->vertex_count, sizeof *piece->weights, err))) {
			return false;
		}
		if (piece->vertex_count == 0) {
			return prism_refuse(file, section->line, err, "a piece without vertices");
		}
	}
	return true;
}

/* --- The skin --- */

/* Looks through an entry's weights, up to the list of what has them. */
static bool read_weights(
	struct model *model, struct prism_cursor *row, struct span *out, struct error *err) {
	struct prism_cursor position;
	if (!prism_take_inner(row, &position, err) || !prism_take_key(row, "Weights", err) ||
		!prism_take_index(row, WEIGHTS_MAX, &out->count, err)) {
		return false;
	}
	out->at = row->at;
	for (size_t i = 0; i < out->count; i++) {
		size_t bone;
		float weight;
		if (model->bone_count == 0 ||
			!prism_take_index(row, model->bone_count - 1, &bone, err) ||
			!prism_take_floats(row, 1, &weight, err)) {
			return prism_refuse(
				model->file, prism_line(row), err, "BoneCount says none");
		}
		if (weight < 0) {
			return prism_refuse(model->file, prism_line(row), err,
				"weight %.9g, must be 0 or more", (double)weight);
		}
	}
	return true;
}

static bool give(struct model *model, const struct span *weights, size_t piece,
	struct prism_cursor *row, struct error *err) {
	struct piece *target = &model->pieces[piece];
	size_t vertex;
	if (!prism_take_index(row, target->vertex_count - 1, &vertex, err)) {
		return false;
	}
	if (target->weights[vertex].at != 0) {
		return prism_refuse(model->file, prism_line(row), err,
			"vertex %zu of piece %zu has weights already", vertex, piece);
	}
	target->weights[vertex] = *weights;
	target->is_skinned |= weights->count > 0;
	return true;
}

/* An entry: a position, its weights, and what has them: pairs of a piece and a vertex, or vertices
 * of the one piece. */
static bool read_entry(
	struct model *model, struct prism_cursor row, const size_t *piece, struct error *err) {
	struct span weights;
	size_t count, clone;
	if (!read_weights(model, &row, &weights, err) ||
		!prism_take_key(&row, piece ? "VertexIndices" : "Clones", err) ||
		!prism_take_index(&row, model->file->token_count, &count, err)) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if ((!piece && !prism_take_index(&row, model->piece_count - 1, &clone, err)) ||
			!give(model, &weights, piece ? *piece : clone, &row, err)) {
			return false;
		}
	}
	return prism_take_end(&row, err);
}

/* The entries of a section's stream of positions. */
static bool read_entries(struct model *model, const struct prism_section *skin, const char *name,
	const size_t *piece, struct error *err) {
	const struct prism_file *file = model->file;
	const struct prism_section *stream = prism_find(skin, name);
	size_t count;
	for (; stream; stream = prism_next(stream)) {
		const char *tag = prism_string(file, stream, "Tag");
		if (!tag || strcmp(tag, "_POSITION") != 0) {
			continue;
		}
		if (!prism_count(file, stream, "ItemCount", stream->row_count, &count, err)) {
			return false;
		}
		if (count != stream->row_count) {
			return prism_refuse(file, stream->line, err,
				"%zu entries, must be as many as ItemCount says, %zu",
				stream->row_count, count);
		}
		struct prism_cursor row = prism_first_row(file, stream);
		for (size_t i = 0; i < count; i++, row = prism_next_row(&row)) {
			if (!read_entry(model, row, piece, err)) {
				return false;
			}
		}
	}
	return true;
}

static bool read_skins(struct model *model, struct error *err) {
	const struct prism_file *file = model->file;
	const struct prism_section *skin = prism_find(&file->root, "Skin");
	for (; skin && model->piece_count > 0; skin = prism_next(skin)) {
		if (!read_entries(model, skin, "SkinStream", NULL, err)) {
			return false;
		}
	}
	skin = prism_find(&file->root, "PieceSkin");
	for (; skin && model->piece_count > 0; skin = prism_next(skin)) {
		size_t piece;
		if (!prism_count(file, skin, "Piece", model->piece_count - 1, &piece, err) ||
			!read_entries(model, skin, "PieceSkinStream", &piece, err)) {
			return false;
		}
	}
	return true;
}

/* The bones that weights refer to, by their names in the skeleton. */
static bool read_bones(struct model *model, struct error *err) {
	const struct prism_file *file = model->file;
	const struct prism_skeleton *skeleton = &model->import->skeleton;
	const struct prism_section *bones = prism_find(&file->root, "Bones");
	const size_t count = bones ? bones->row_count : 0;
	char quoted[UTF8_QUOTED_BYTES];
	if (count != model->bone_count) {
		return prism_refuse(file, bones ? bones->line : 1, err,
			"%zu bones, must be as many as BoneCount says, %zu", count,
			model->bone_count);
	}
	model->slots = allocate(model, count + 1, sizeof *model->slots, err);
	struct prism_cursor row = {0};
	for (size_t i = 0; model->slots && i < count; i++) {
		row = i == 0 ? prism_first_row(file, bones) : prism_next_row(&row);
		struct prism_cursor inner = row;
		const char *name;
		if (!prism_take_string(&inner, &name, err) || !prism_take_end(&inner, err)) {
			return false;
		}
		const int bone = prism_find_bone(skeleton, name);
		utf8_quote(name, quoted, sizeof quoted);
		if (bone < 0 || !skeleton->bones[bone].has_inverse) {
			return prism_refuse(file, prism_line(&row), err, "bone %s %s", quoted,
				bone < 0 ? "is not in the skeleton"
					 : "has a matrix without an inverse");
		}
		model->slots[i].joint = bone;
		memcpy(model->slots[i].inverse_bind, skeleton->bones[bone].inverse,
			sizeof model->slots[i].inverse_bind);
	}
	if (model->slots) {
		static const double identity[12] = MAT_IDENTITY;
		model->slots[count].joint = model->import->holder;
		memcpy(model->slots[count].inverse_bind, identity, sizeof identity);
	}
	return model->slots;
}

/* Lays the weights out by vertex; one without any stays where it is. */
static bool bind(struct model *model, size_t index, struct error *err) {
	const struct piece *piece = &model->pieces[index];
	struct scene_mesh *mesh = &model->meshes[index];
	size_t *first = allocate(model, piece->vertex_count + 1, sizeof *first, err);
	for (size_t v = 0; first && v < piece->vertex_count; v++) {
		const size_t count = piece->weights[v].count;
		first[v + 1] = first[v] + (count > 0 ? count : 1);
		model->needs_holder |= count == 0;
	}
	struct influence *list =
		first ? allocate(model, first[piece->vertex_count], sizeof *list, err) : NULL;
	for (size_t v = 0; list && v < piece->vertex_count; v++) {
		const struct prism_token *tokens = &model->file->tokens[piece->weights[v].at];
		struct influence *out = &list[first[v]];
		out[0] = (struct influence){(uint32_t)model->bone_count, 1};
		for (size_t i = 0; i < piece->weights[v].count; i++) {
			out[i].slot = (uint32_t)tokens[2 * i].number;
			out[i].weight = tokens[2 * i + 1].number;
		}
	}
	mesh->slots = model->slots;
	mesh->first_influence = first;
	mesh->influences = list;
	return list;
}

static bool bind_all(struct model *model, struct error *err) {
	for (size_t i = 0; i < model->piece_count; i++) {
		model->import->holder_moves |= !model->pieces[i].is_skinned;
		if (model->pieces[i].is_skinned && !bind(model, i, err)) {
			return false;
		}
	}
	model->import->holder_moves |= model->needs_holder;
	for (size_t i = 0; i < model->piece_count; i++) {
		model->meshes[i].slot_count =
			model->pieces[i].is_skinned ? model->bone_count + model->needs_holder : 0;
	}
	return true;
}

/* --- The file --- */

static bool read_counts(struct model *model, struct error *err) {
	const struct prism_file *file = model->file;
	const struct prism_section *facts = prism_need(file, &file->root, "Global", err);
	return facts &&
		prism_count(file, facts, "PieceCount", IMPORT_PRIMITIVES_MAX, &model->piece_count,
			err) &&
		prism_count(file, facts, "MaterialCount", IMPORT_PRIMITIVES_MAX,
			&model->material_count, err) &&
		prism_count(file, facts, "BoneCount", IMPORT_SKIN_JOINTS_MAX - 1,
			&model->bone_count, err);
}

bool prism_read_model(
	struct prism_import *import, const struct prism_file *file, struct error *err) {
	struct model model = {.import = import, .file = file, .arena = import->arena};
	// Without a skeleton no weight can be looked up, nor is there any: see prism.c.
	if (!read_counts(&model, err) ||
		!prism_expect_sections(file, "Material", model.material_count, err) ||
		!prism_expect_sections(file, "Piece", model.piece_count, err) ||
		!read_materials(&model, err) || !find_pieces(&model, err)) {
		return false;
	}
	for (size_t i = 0; i < model.piece_count; i++) {
		if (!read_piece(&model, &model.pieces[i], (int)i, err)) {
			return false;
		}
	}
	if (import->skeleton.count > 0 &&
		(!read_bones(&model, err) || !read_skins(&model, err) || !bind_all(&model, err))) {
		return false;
	}
	if (prism_find(&file->root, "Locator")) {
		rig_warn_besides(import->rig, "%s: locators are left out", file->name);
	}
	import->holder_moves |= import->skeleton.count == 0;
	import->scene.meshes = model.meshes;
	import->scene.mesh_count = (int)model.piece_count;
	return true;
}
