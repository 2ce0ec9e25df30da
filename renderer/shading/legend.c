// Legends: a strip below the picture that says what its colours mean.
#include "shading/legend.h"

static const struct layout *layout_of(const struct legend *legend) {
	return legend->says.caption ? &legend->scale : &legend->list.layout;
}

bool legend_begin(const struct rig *known, const struct picture_settings *picture,
	const struct stop *stop, struct arena *arena, struct legend *out,
	struct picture_settings *cell, struct error *err) {
	const struct shading_job job = {
		.known = known, .settings = &picture->shading, .stop = stop, .arena = arena};
	struct shading_legend *says = &out->says;
	*out = (struct legend){0};
	if (!shading_mode(picture->shading.mode)->explain(&job, says, err) ||
		!(says->caption ? layout_heat(picture, &out->scale, err)
				: layout_list(
					  picture, says->colors, says->count, &out->list, err))) {
		return false;
	}
	const struct place drawn = layout_drawn(layout_of(out), 0);
	*cell = *picture;
	cell->width = drawn.width;
	cell->height = drawn.height;
	cell->shading.legend = false;
	return true;
}

void legend_end(const struct legend *legend, const struct picture_settings *picture,
	const unsigned char *cell, unsigned char *rgba) {
	const struct shading_legend *says = &legend->says;
	struct canvas canvas = {picture->width, picture->height, rgba};
	canvas_copy(&canvas, layout_drawn(layout_of(legend), 0), cell);
	if (says->caption) {
		const struct heat_legend heat = {.end = 1, .caption = says->caption};
		layout_write_heat(&legend->scale, picture, &heat, &canvas);
	} else {
		layout_write_list(&legend->list, picture, says->colors, says->count, &canvas);
	}
}
