/* The one place that says which version this is. */
#pragma once

#define POSED_VERSION "0.1.0"
