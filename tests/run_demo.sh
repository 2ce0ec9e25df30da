#!/bin/sh
# make run: the daemon with the demo rigs, and what to try. run_demo.sh FOLDER_OF_PROGRAMS
set -eu
cd "$(dirname "$0")/.."
listen=${POSED_LISTEN:-127.0.0.1:8600}
echo "demo rigs: $(cd assets/demo && ls | sed 's/\.glb$//' | paste -sd ' ')"
echo "try:  curl -o humanoid.png 'http://$listen/v1/rigs/humanoid/frame.png?clip=Walk&phase=0.25'"
echo "see:  http://$listen/"
exec "$1/posed" --listen "$listen" --load assets/demo
