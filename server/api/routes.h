/* The routes of the API. */
#pragma once

#include "http/router.h"

extern const struct route_table api_routes;
