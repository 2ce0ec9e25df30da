#!/bin/sh
# make run: the daemon with the demo rigs and their examples, and what to try. run_demo.sh FOLDER_OF_PROGRAMS
set -eu
cd "$(dirname "$0")/.."
listen=${POSED_LISTEN:-127.0.0.1:8600}
# The rigs of whoever runs this are not to be mixed with these.
data=${POSED_DATA:-$1/demo}
rigs=$(cd assets/demo && ls ./*.glb | sed 's/^\.\/\(.*\)\.glb$/\1/' | paste -sd ' ')

# put_examples ADDRESS: those of assets/demo/examples/RIG/NAME.json.
put_examples() {
	for file in assets/demo/examples/*/*.json; do
		rig=$(basename "$(dirname "$file")")
		curl -sSf -o "$folder/answer" -X PUT -H 'Content-Type: application/json' \
			--data-binary "@$file" "$1/v1/rigs/$rig/examples/$(basename "$file" .json)" ||
			echo "The example $file is not there: see above." >&2
	done
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/output"
"$1/posed" --listen "$listen" --data "$data" --load assets/demo > "$folder/output" &
daemon=$!
trap 'kill $daemon 2>/dev/null || true' INT TERM HUP

# The daemon says where it listens once it does.
address=""
while read -r line; do
	echo "$line"
	address=${line##*listening on }
	[ "$address" != "$line" ] || continue
	echo "demo rigs: $rigs"
	case $address in
	http://*)
		put_examples "$address"
		echo "try:  curl -o humanoid.png '$address/v1/rigs/humanoid/frame.png?clip=Run&phase=0.05&yaw=50&pitch=8'"
		echo "see:  $address/"
		;;
	esac
	echo "stop: Ctrl-C"
done < "$folder/output"

status=0
wait $daemon || status=$?
[ -z "$address" ] || exit $status

other=127.0.0.1:8601
[ "$listen" != $other ] || other=127.0.0.1:8602
answer=$(curl -s --max-time 2 "http://$listen/healthz") && taken=yes || taken=$?
case $taken in
yes | 1 | 8 | 28 | 52 | 56) # of curl's: something took the connection
	case $answer in
	*'"status":"alive"'*)
		echo "A daemon runs at http://$listen/ already: use that one, or stop it first." >&2
		;;
	*) echo "Another program listens on $listen: stop it first." >&2 ;;
	esac
	echo "Or run this one beside it:  POSED_LISTEN=$other POSED_DATA=$1/demo-2 make run" >&2
	;;
esac
exit $status
