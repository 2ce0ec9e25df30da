-- The requests that wrk sends, all alike but for their moment, and what came of them.
-- wrk -s load.lua URL -- FIRST METHOD PATH BODY [HEADER...]: "@t" in PATH or BODY, once, is another
-- moment of the first 0.7 s in each request, and FIRST says with which to begin; a BODY "@FILE" is
-- the file's bytes. Without "@t" every request is the same.

local GOLDEN = 0.6180339887498949 -- its multiples spread and do not meet
local RANGE_S = 0.7
local FORMAT, PLACE = "%.9f", "#.#########" -- as long as one another

local number
local before, behind -- the request around its moment; behind = nil: there is none

local function read(name)
	local file = assert(io.open(name, "rb"))
	local bytes = file:read("*a")
	file:close()
	return bytes
end

function init(arguments)
	number = tonumber(arguments[1])
	local method, path, body = unpack(arguments, 2, 4)
	for i = 5, #arguments do
		local name, value = arguments[i]:match("^([^:]+): (.*)$")
		wrk.headers[name] = value
	end
	if body:sub(1, 1) == "@" then
		body = read(body:sub(2))
	end
	local whole = wrk.format(method, path, nil, body ~= "" and body:gsub("@t", PLACE) or nil)
	before = whole:gsub("@t", PLACE)
	local first, last = before:find(PLACE, 1, true)
	if first then
		before, behind = before:sub(1, first - 1), before:sub(last + 1)
	end
end

function request()
	if not behind then
		return before
	end
	number = number + 1
	return before .. FORMAT:format(number * GOLDEN % 1 * RANGE_S) .. behind
end

-- One line for the program that started wrk. "failed" are answers of 400 and more.
function done(summary, latency)
	local errors = summary.errors
	io.write(string.format(
		'{"requests": %d, "seconds": %.6f, "failed": %d, "broken": %d, '
		.. '"median_ms": %.4f, "p99_ms": %.4f}\n',
		summary.requests, summary.duration / 1e6, errors.status,
		errors.connect + errors.read + errors.write + errors.timeout,
		latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
