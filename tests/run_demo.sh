#!/bin/sh
# make run: the daemon with the demo rigs, and what to try. run_demo.sh FOLDER_OF_PROGRAMS
set -eu
cd "$(dirname "$0")/.."
listen=${POSED_LISTEN:-127.0.0.1:8600}
echo "demo rigs: $(cd assets/demo && ls | sed 's/\.glb$//' | paste -sd ' ')"
echo "try:  curl -o humanoid.png 'http://$listen/v1/rigs/humanoid/frame.png?clip=Run&phase=0.05&yaw=50&pitch=8'"
echo "see:  http://$listen/"
# The rigs of whoever runs this are not to be mixed with these.
exec "$1/posed" --listen "$listen" --data "${POSED_DATA:-$1/demo}" --load assets/demo
