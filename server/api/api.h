/* The handlers of the routes, one per row of routes.c. Each fills context->response, or returns
 * false with *err filled, from which the response is made. */
#pragma once

#include "http/request_context.h"

/* The route of pictures for links; signed links are answered as if it had been asked. */
#define FRAME_LINK_PATH "/v1/rigs/{rig}/frame.{format}"

bool api_list_rigs(struct request_context *context, struct error *err);
bool api_put_rig(struct request_context *context, struct error *err);
bool api_describe_rig(struct request_context *context, struct error *err);
bool api_get_source(struct request_context *context, struct error *err);
bool api_get_mesh(struct request_context *context, struct error *err);
bool api_get_compatibility(struct request_context *context, struct error *err);
bool api_get_influences(struct request_context *context, struct error *err);
bool api_delete_rig(struct request_context *context, struct error *err);

bool api_list_examples(struct request_context *context, struct error *err);
bool api_put_example(struct request_context *context, struct error *err);
bool api_get_example(struct request_context *context, struct error *err);
bool api_delete_example(struct request_context *context, struct error *err);

bool api_list_clips(struct request_context *context, struct error *err);
bool api_put_clip(struct request_context *context, struct error *err);
bool api_get_clip(struct request_context *context, struct error *err);
bool api_delete_clip(struct request_context *context, struct error *err);

bool api_begin_fit(struct request_context *context, struct error *err);
bool api_list_fits(struct request_context *context, struct error *err);
bool api_show_fit(struct request_context *context, struct error *err);
bool api_cancel_fit(struct request_context *context, struct error *err);

bool api_pose(struct request_context *context, struct error *err);
bool api_vertices(struct request_context *context, struct error *err);
bool api_begin_stream(struct request_context *context, struct error *err);
bool api_show_stream(struct request_context *context, struct error *err);
bool api_change_stream(struct request_context *context, struct error *err);
bool api_end_stream(struct request_context *context, struct error *err);
bool api_bake(struct request_context *context, struct error *err);
bool api_list_shaders(struct request_context *context, struct error *err);
bool api_get_shader(struct request_context *context, struct error *err);
bool api_shader_inputs(struct request_context *context, struct error *err);
bool api_transitions(struct request_context *context, struct error *err);
bool api_compare(struct request_context *context, struct error *err);
bool api_crowd(struct request_context *context, struct error *err);
bool api_frame(struct request_context *context, struct error *err);
bool api_frame_link(struct request_context *context, struct error *err);
bool api_frames(struct request_context *context, struct error *err);
bool api_frames_link(struct request_context *context, struct error *err);
bool api_signed(struct request_context *context, struct error *err);

bool api_viewer(struct request_context *context, struct error *err);
bool api_script(struct request_context *context, struct error *err);
bool api_openapi(struct request_context *context, struct error *err);

bool api_service(struct request_context *context, struct error *err);
bool api_alive(struct request_context *context, struct error *err);
bool api_ready(struct request_context *context, struct error *err);
bool api_metrics(struct request_context *context, struct error *err);
