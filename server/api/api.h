/* The handlers of the routes, one per row of routes.c. */
#pragma once

#include "http/request_context.h"
#include "http/router.h"

/* The route of pictures for links; signed links are answered as requests of it. */
#define FRAME_LINK_PATH "/v1/rigs/{rig}/frame.{format}"

route_handler api_list_rigs, api_put_rig, api_describe_rig, api_get_source, api_get_mesh,
	api_get_thumbnail, api_get_compatibility, api_get_influences, api_delete_rig;
route_handler api_list_examples, api_put_example, api_get_example, api_delete_example;
route_handler api_list_clips, api_put_clip, api_get_clip, api_delete_clip;
route_handler api_begin_fit, api_list_fits, api_show_fit, api_cancel_fit;
route_handler api_pose, api_vertices, api_begin_stream, api_show_stream, api_change_stream,
	api_end_stream, api_bake, api_bake_link, api_list_shaders, api_get_shader,
	api_shader_inputs, api_transitions, api_compress, api_compare, api_crowd, api_frame,
	api_frame_link, api_frames, api_frames_link, api_motion_link, api_signed;
route_handler api_check, api_check_rig, api_check_rules, api_check_profile, api_check_schema,
	api_show_check, api_get_check_report, api_cancel_check;
route_handler api_viewer, api_script, api_openapi;
route_handler api_service, api_alive, api_ready, api_metrics;

/* The routes of the API. */
extern const struct route_table api_routes;
