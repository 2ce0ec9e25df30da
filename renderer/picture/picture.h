/* Shared by all pictures: what the driver can draw, the light, the target, drawing, reading and
 * encoding. */
#pragma once

#include "base/stop.h"
#include "draw/back_end.h"
#include "image/encode.h"
#include "interface/report.h"
#include "overlay/overlays.h"
#include "shading/shading.h"

struct renderer;

/* Refuses pictures that this renderer's driver cannot draw: ERROR_NO_RENDERER, ERROR_INVALID_VALUE
 * with the place. */
bool picture_check(
	const struct renderer *renderer, const struct picture_settings *picture, struct error *err);

/* Refuses pictures of a rig's materials that would not be what its file means:
 * ERROR_UNSUPPORTED_ASSET. */
bool picture_check_look(
	const struct picture_settings *picture, const struct rig *rig, struct error *err);

/* The drawing of a rig, as a camera sees it in the picture's light; without the file's lights,
 * and mirrored is the caller's to set. */
struct draw_job picture_draw_job(const struct picture_settings *picture, const struct rig *rig,
	const struct drawn_rig *drawn, const struct camera *camera);

/* Fills *out with the paint that a picture's shading is of a rig, or leaves *paint NULL where that
 * shows materials. What it borrows lies in the arena. */
bool picture_paint(const struct shading_job *job, struct paint *out, const struct paint **paint,
	struct error *err);

/* Makes the target the picture's, cleared to its background. paint: of what is drawn first; NULL =
 * materials. transmits: of these some show what lies behind them. */
bool picture_start(struct renderer *renderer, const struct picture_settings *picture,
	const struct paint *paint, bool transmits, struct error *err);

/* Draws into the renderer's target, and says which pixels may differ from the background. */
bool picture_draw(struct renderer *renderer, const struct drawing *drawing, struct area *drawn,
	struct error *err);

/* Reads what was drawn: width * height * 4 bytes, top row first, sRGB with straight alpha, as
 * files have it; of shadings whose pixels are no colours
 * (shading/shading.h) as they were drawn. */
bool picture_pixels(struct renderer *renderer, const struct picture_settings *picture,
	const struct area *drawn, unsigned char *rgba, struct error *err);

/* Makes colours of what picture_pixels() left, where it is depth. What grey stands for goes into
 * the report. */
void picture_to_colors(const struct picture_settings *picture, unsigned char *rgba,
	struct skinning_report *report);

/* Makes 16 bits of grey of depth that picture_pixels() left: [height][width] where rgba begins.
 * What grey stands for goes into the report. */
void picture_to_grey16(const struct picture_settings *picture, unsigned char *rgba,
	struct skinning_report *report);

/* True when picture_pixels() leaves depth. */
bool picture_is_depth(const struct picture_settings *picture);

/* Appends what picture_pixels() left as the file that the settings ask for: depth in 16 bits where
 * that takes grey. rgba is changed. */
bool picture_write_pixels(const struct picture_settings *settings, unsigned char *rgba,
	struct buffer *out, struct skinning_report *report, struct error *err);

/* Refuses overlays where pixels are no colours, with the place. */
bool picture_check_overlays(const struct picture_settings *picture, struct error *err);

/* Refuses a ground where pixels are no colours, with the place. */
bool picture_check_ground(const struct picture_settings *picture, struct error *err);

/* Refuses a legend, for pictures that have none. */
bool picture_check_legend(const struct picture_settings *picture, struct error *err);

/* Refuses to measure the exposure, for pictures of many figures. */
bool picture_check_exposure(const struct picture_settings *picture, struct error *err);

/* Refuses a file that loses something, of this media type, for pixels that are numbers. */
bool picture_check_loss(
	const struct picture_settings *picture, const char *media_type, struct error *err);

/* Refuses a background that would be a number like those of surfaces, with the place. */
bool picture_check_background(const struct picture_settings *picture, struct error *err);

/* Refuses a background behind 16 bits of grey, with the place. */
bool picture_check_grey(const struct picture_settings *picture, struct error *err);

/* Refuses what the file cannot hold, with the place: checks background and loss, too. */
bool picture_check_file(const struct picture_settings *picture, struct error *err);

/* Zeroed memory for a picture's pixels; free() it. */
unsigned char *picture_memory(const struct picture_settings *picture);

/* Appends a picture as the file that the settings ask for. */
bool picture_write(const struct picture_settings *settings, const struct picture *picture,
	struct buffer *out, struct error *err);

/* Reads what was drawn and appends it as the settings' file. mark is the clock of the step before;
 * what it took goes into the report. */
bool picture_encode(struct renderer *renderer, const struct picture_settings *picture,
	const struct area *drawn, const struct stop *stop, struct buffer *out, double *mark,
	struct skinning_report *report, struct error *err);
