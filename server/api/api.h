/* The handlers of the calls, one per row of routes.c. Each fills call->answer, or returns false
 * with *err filled, from which the answer is made. */
#pragma once

#include "http/call.h"

/* The route of pictures for links; signed links are answered as if it had been asked. */
#define FRAME_LINK_PATH "/v1/rigs/{rig}/frame.{format}"

bool api_list_rigs(struct call *call, struct error *err);
bool api_put_rig(struct call *call, struct error *err);
bool api_describe_rig(struct call *call, struct error *err);
bool api_get_source(struct call *call, struct error *err);
bool api_get_mesh(struct call *call, struct error *err);
bool api_get_compatibility(struct call *call, struct error *err);
bool api_get_influences(struct call *call, struct error *err);
bool api_delete_rig(struct call *call, struct error *err);

bool api_list_examples(struct call *call, struct error *err);
bool api_put_example(struct call *call, struct error *err);
bool api_get_example(struct call *call, struct error *err);
bool api_delete_example(struct call *call, struct error *err);

bool api_list_clips(struct call *call, struct error *err);
bool api_put_clip(struct call *call, struct error *err);
bool api_get_clip(struct call *call, struct error *err);
bool api_delete_clip(struct call *call, struct error *err);

bool api_begin_fit(struct call *call, struct error *err);
bool api_list_fits(struct call *call, struct error *err);
bool api_show_fit(struct call *call, struct error *err);
bool api_cancel_fit(struct call *call, struct error *err);

bool api_pose(struct call *call, struct error *err);
bool api_vertices(struct call *call, struct error *err);
bool api_begin_stream(struct call *call, struct error *err);
bool api_show_stream(struct call *call, struct error *err);
bool api_change_stream(struct call *call, struct error *err);
bool api_end_stream(struct call *call, struct error *err);
bool api_bake(struct call *call, struct error *err);
bool api_list_shaders(struct call *call, struct error *err);
bool api_get_shader(struct call *call, struct error *err);
bool api_shader_inputs(struct call *call, struct error *err);
bool api_transitions(struct call *call, struct error *err);
bool api_compare(struct call *call, struct error *err);
bool api_crowd(struct call *call, struct error *err);
bool api_frame(struct call *call, struct error *err);
bool api_frame_link(struct call *call, struct error *err);
bool api_frames(struct call *call, struct error *err);
bool api_frames_link(struct call *call, struct error *err);
bool api_signed(struct call *call, struct error *err);

bool api_viewer(struct call *call, struct error *err);
bool api_script(struct call *call, struct error *err);
bool api_openapi(struct call *call, struct error *err);

bool api_service(struct call *call, struct error *err);
bool api_alive(struct call *call, struct error *err);
bool api_ready(struct call *call, struct error *err);
bool api_metrics(struct call *call, struct error *err);
