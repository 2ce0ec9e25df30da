// The routes of the API in one table.
#include "api/routes.h"

#include "access/link.h"
#include "api/api.h"
#include "limits.h"

#define RIG "/v1/rigs/{rig}"
#define EXAMPLES RIG "/examples"
#define EXAMPLE EXAMPLES "/{name}"
#define CLIPS RIG "/clips"
#define CLIP CLIPS "/{name}"
#define FITS RIG "/fits"
#define FIT FITS "/{id}"
#define STREAM "/v1/streams/{id}"

static const struct route rows[] = {
	{HTTP_GET, "/v1", api_service, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"version, renderer, skinning methods, limits"},
	{HTTP_GET, "/v1/rigs", api_list_rigs, 0, EXECUTOR_CPU, SCOPE_READ, PAGES_ANY, "all rigs"},
	{HTTP_PUT, RIG, api_put_rig, LIMIT_ASSET_BYTES, EXECUTOR_IMPORT, SCOPE_WRITE, PAGES_OWN,
		"store an asset"},
	{HTTP_GET, RIG, api_describe_rig, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"what is in a rig"},
	{HTTP_DELETE, RIG, api_delete_rig, 0, EXECUTOR_DISK, SCOPE_WRITE, PAGES_OWN,
		"forget a rig"},
	{HTTP_GET, RIG "/source", api_get_source, 0, EXECUTOR_DISK, SCOPE_READ, PAGES_OWN,
		"the bytes that were put"},
	{HTTP_GET, RIG "/mesh.glb", api_get_mesh, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"the rest pose as a file"},
	{HTTP_GET, RIG "/compatibility", api_get_compatibility, 0, EXECUTOR_LOOP, SCOPE_READ,
		PAGES_ANY, "which of another rig's joints and clips it can use"},
	{HTTP_GET, RIG "/influences", api_get_influences, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"how much each vertex follows a joint"},
	{HTTP_GET, EXAMPLES, api_list_examples, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"a rig's examples"},
	{HTTP_PUT, EXAMPLE, api_put_example, LIMIT_ASSET_BYTES, EXECUTOR_LOOP, SCOPE_WRITE,
		PAGES_OWN, "store an example: a pose with its vertices"},
	{HTTP_GET, EXAMPLE, api_get_example, 0, EXECUTOR_DISK, SCOPE_READ, PAGES_OWN,
		"an example's vertices"},
	{HTTP_DELETE, EXAMPLE, api_delete_example, 0, EXECUTOR_DISK, SCOPE_WRITE, PAGES_OWN,
		"forget an example"},
	{HTTP_GET, CLIPS, api_list_clips, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY, "a rig's clips"},
	{HTTP_PUT, CLIP, api_put_clip, LIMIT_ASSET_BYTES, EXECUTOR_LOOP, SCOPE_WRITE, PAGES_OWN,
		"store a clip: a pose that is baked, or one of another file"},
	{HTTP_GET, CLIP, api_get_clip, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_OWN, "a clip's keys"},
	{HTTP_DELETE, CLIP, api_delete_clip, 0, EXECUTOR_DISK, SCOPE_WRITE, PAGES_OWN,
		"forget a stored clip"},
	{HTTP_POST, FITS, api_begin_fit, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER, PAGES_OWN,
		"make what a skinning method needs"},
	{HTTP_GET, FITS, api_list_fits, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"what was made, or is being"},
	{HTTP_GET, FIT, api_show_fit, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"how far one of them is"},
	{HTTP_DELETE, FIT, api_cancel_fit, 0, EXECUTOR_LOOP, SCOPE_WRITE, PAGES_OWN,
		"cancel or forget one of them"},
	{HTTP_GET, FRAME_LINK_PATH, api_frame_link, 0, EXECUTOR_LOOP, SCOPE_RENDER, PAGES_ANY,
		"a picture, for links"},
	{HTTP_GET, RIG "/frames.{format}", api_frames_link, 0, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "a sequence of pictures, for links"},
	{HTTP_GET, LINK_PREFIX "{path...}", api_signed, 0, EXECUTOR_LOOP, SCOPE_OPEN, PAGES_ANY,
		"a picture, for links with a signature"},
	{HTTP_POST, "/v1/pose", api_pose, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER, PAGES_ANY,
		"joints of a pose"},
	{HTTP_POST, "/v1/vertices", api_vertices, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "skinned vertices"},
	{HTTP_POST, "/v1/stream", api_begin_stream, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "skinned vertices at the pace of the clock"},
	{HTTP_GET, STREAM, api_show_stream, 0, EXECUTOR_LOOP, SCOPE_RENDER, PAGES_ANY,
		"how a stream stands"},
	{HTTP_PATCH, STREAM, api_change_stream, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "change a stream's pose, time, speed or pace"},
	{HTTP_DELETE, STREAM, api_end_stream, 0, EXECUTOR_LOOP, SCOPE_RENDER, PAGES_OWN,
		"end a stream"},
	{HTTP_POST, "/v1/bake", api_bake, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER, PAGES_ANY,
		"a motion as files that run without this"},
	{HTTP_POST, "/v1/transitions", api_transitions, LIMIT_JSON_BYTES, EXECUTOR_LOOP,
		SCOPE_RENDER, PAGES_ANY, "where one clip can go on as another"},
	{HTTP_GET, "/v1/shaders", api_list_shaders, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"which skinning methods have shaders to take along"},
	{HTTP_GET, "/v1/shaders/{method}", api_get_shader, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_ANY,
		"the functions of a method's shaders"},
	{HTTP_POST, "/v1/shaders", api_shader_inputs, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "what those functions take of a pose"},
	{HTTP_POST, "/v1/compare", api_compare, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "skinning methods against one another"},
	{HTTP_POST, "/v1/frame", api_frame, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "a picture"},
	{HTTP_POST, "/v1/frames", api_frames, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "a sequence of pictures"},
	{HTTP_POST, "/v1/crowd", api_crowd, LIMIT_JSON_BYTES, EXECUTOR_LOOP, SCOPE_RENDER,
		PAGES_ANY, "many figures in one picture, or their vertices"},
	{HTTP_GET, "/", api_viewer, 0, EXECUTOR_LOOP, SCOPE_OPEN, PAGES_ANY,
		"the viewer, a page for browsers"},
	{HTTP_GET, "/js/{path...}", api_script, 0, EXECUTOR_LOOP, SCOPE_OPEN, PAGES_ANY,
		"what that page is made of, and what others can take in"},
	{HTTP_GET, "/openapi.yaml", api_openapi, 0, EXECUTOR_LOOP, SCOPE_OPEN, PAGES_ANY,
		"the description of this API"},
	{HTTP_GET, "/metrics", api_metrics, 0, EXECUTOR_LOOP, SCOPE_READ, PAGES_OWN,
		"counts and times, for Prometheus"},
	{HTTP_GET, "/healthz", api_alive, 0, EXECUTOR_LOOP, SCOPE_OPEN, PAGES_ANY,
		"200 while the process lives"},
	{HTTP_GET, "/readyz", api_ready, 0, EXECUTOR_LOOP, SCOPE_OPEN, PAGES_ANY,
		"200 when it can render"},
};

const struct route_table api_routes = {
	.rows = rows, .count = sizeof rows / sizeof *rows, .in_reserve = "/healthz"};
